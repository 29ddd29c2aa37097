//! Files of others that lie in the repository are those that were taken in: by their SHA-256.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Each file with its SHA-256, as its project publishes it; what each is stands in `engine/web/static/LICENSES.txt`.
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
fn files_of_others_are_those_that_were_taken_in() {
    for (path, known) in VENDORED {
        assert_eq!(
            sha256(path),
            known,
            "{path}: taken in anew? then its hash here and its version in LICENSES.txt change too"
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

/// Actions of workflows run with the rights of the job: each is one commit, and only the job that publishes may write.
#[test]
fn workflows_name_commits_and_only_publishing_may_write() {
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
