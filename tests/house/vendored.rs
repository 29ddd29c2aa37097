//! Checks third-party code: hashes of vendored files, and commits and permissions of workflow actions.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Vendored files with the SHA-256 of the published file. `engine/web/static/LICENSES.txt` lists their versions and licenses.
const VENDORED: [(&str, &str); 3] = [
    ("engine/web/static/htmx-sse.min.js", "98a46496de0c3605fbffdce9167ba427bdd9553184f83f149c261891a92c0136"),
    ("engine/web/static/htmx.min.js", "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717"),
    ("engine/web/static/idiomorph.min.js", "5811b9a7eda14878b7dab4378bf60432e1bb6f11fcfb970cc26540642650181e"),
];

fn sha256(path: &str) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(std::fs::read(path).unwrap()) {
        write!(text, "{byte:02x}").unwrap();
    }
    text
}

#[test]
fn vendored_files_match_their_hashes() {
    for (path, known) in VENDORED {
        assert_eq!(
            sha256(path),
            known,
            "{path}: after an update, change the hash here and the version in LICENSES.txt"
        );
    }
    let licenses = std::fs::read_to_string("engine/web/static/LICENSES.txt").unwrap();
    let names =
        std::fs::read_dir("engine/web/static").unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    for name in names.filter(|name| name.contains(".min.")) {
        assert!(VENDORED.iter().any(|(path, _)| path.ends_with(&name)), "{name} has no hash here");
        assert!(licenses.contains(&name), "{name} has no license in LICENSES.txt");
    }
}

/// An action runs with the permissions of its job. Tags can be moved to other code, so each action is pinned to a commit.
#[test]
fn workflow_actions_are_pinned_and_only_publishing_has_write_permission() {
    for file in ["check.yml", "release.yml"] {
        let text = std::fs::read_to_string(format!(".github/workflows/{file}")).unwrap();
        let uses = text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses: "));
        for action in uses {
            let (_, commit) = action.split_once('@').unwrap();
            let commit = commit.split(' ').next().unwrap();
            assert!(commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{file}: {action}");
        }
        let before_jobs = text.split("\njobs:").next().unwrap();
        assert!(before_jobs.contains("permissions:\n  contents: read"), "{file}");
        let publish = text.find("\n  publish:").unwrap_or(text.len());
        assert!(!text[..publish].contains(": write"), "{file}: a job before `publish` may write");
    }
}
