//! Checks third-party code (hashes of vendored files, and the commits and permissions of workflow actions) and the names of releases.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Vendored files, each with the SHA-256 hash of the published file. `engine/web/static/LICENSES.txt` lists their versions and licenses.
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

/// An action runs with the permissions of its job. Tags can be moved to other code, so each action must be pinned to a commit.
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
        // Only the last jobs, `publish` and `publish-site`, may have write permissions.
        let publish = text.find("\n  publish:").unwrap_or(text.len());
        assert!(!text[..publish].contains(": write"), "{file}: a job before `publish` may write");
        // A job that may write runs no programs that it builds itself, because their packages would have its permissions.
        assert!(!text[publish..].contains("cargo "), "{file}: a job that may write builds a program");
    }
}

/// Tags of images can be moved, too, and a script that is piped into a shell is run without a check.
#[test]
fn workflow_images_and_installers_are_pinned() {
    for file in ["check.yml", "release.yml"] {
        let text = std::fs::read_to_string(format!(".github/workflows/{file}")).unwrap();
        for line in text.lines().map(str::trim) {
            assert!(!["| sh ", "| bash "].iter().any(|shell| format!("{line} ").contains(shell)), "{file}: {line}");
            let images = ["container:", "image:"].into_iter().flat_map(|key| line.split(key).skip(1));
            for image in images.map(|image| image.trim().trim_end_matches('}').trim_end()) {
                let digest = image.split_once("@sha256:").map(|(_, digest)| digest);
                let is_digest =
                    |digest: &str| digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
                let is_pinned =
                    image.is_empty() || matches!(image, "\"\"" | "${{ matrix.image") || digest.is_some_and(is_digest);
                assert!(is_pinned, "{file}: {image}");
            }
        }
        // Every downloaded program is compared with its hash.
        assert_eq!(text.matches("curl ").count(), text.matches("sha256sum --check").count(), "{file}");
    }
}

/// For each target of the workflow, `cargo binstall` downloads the archive that `.ci/release` packs, and finds the program in it.
#[test]
fn release_archive_names_match_the_binstall_metadata() {
    let manifest: toml::Table = std::fs::read_to_string("Cargo.toml").unwrap().parse().unwrap();
    let package = &manifest["package"];
    let binstall = &package["metadata"]["binstall"];
    let version = manifest["workspace"]["package"]["version"].as_str().unwrap();
    let script = std::fs::read_to_string(".ci/release").unwrap();
    assert!(script.contains("name=\"parlour-$version-$target\""), "the name of an archive");
    assert!(script.contains("packed=\"$name.zip\"") && script.contains("packed=\"$name.tar.gz\""), "its ending");
    let workflow = std::fs::read_to_string(".github/workflows/release.yml").unwrap();
    let job = workflow.split("\n  wheel:").next().unwrap();
    let targets: Vec<&str> = job.split("{ target: ").skip(1).map(|rest| rest.split_once(',').unwrap().0).collect();
    assert!(targets.len() >= 5, "{targets:?}");
    for target in targets {
        let own = binstall.get("overrides").and_then(|all| all.get(target));
        let value = |key: &str| {
            let found = own.and_then(|own| own.get(key)).unwrap_or(&binstall[key]).as_str().unwrap();
            found.replace("{ version }", version).replace("{ target }", target)
        };
        let is_windows = target.contains("windows");
        let ending = if is_windows { "zip" } else { "tar.gz" };
        let asked = value("pkg-url");
        assert_eq!(asked, format!("{{ repo }}/releases/download/v{version}/parlour-{version}-{target}.{ending}"));
        assert_eq!(value("pkg-fmt"), if is_windows { "zip" } else { "tgz" });
        assert_eq!(value("bin-dir"), format!("parlour-{version}-{target}/{{ bin }}{{ binary-ext }}"));
    }
}
