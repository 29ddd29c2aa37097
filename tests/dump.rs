//! Temporary.
use parlour::loader::{Files, Package};
const GAME: &str = "\n[game]\nid = \"tiny\"\nname = \"Tiny\"\nplayers = { min = 2, max = 4 }\n[flow]\nsetup = [\"set_up\"]\n";
#[test]
fn dump() {
    let d = "/tmp/wt/loader-cases";
    let mut names: Vec<_> = std::fs::read_dir(d).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "game")).collect();
    names.sort();
    for p in names {
        let g = std::fs::read_to_string(&p).unwrap();
        let mut files = vec![("game.toml".to_owned(), format!("{GAME}{g}"))];
        if let Ok(c) = std::fs::read_to_string(p.with_extension("comp")) { files.push(("components/a.toml".to_owned(), c)); }
        let out = match Files::from_texts("tiny", files).and_then(Package::parse) { Ok(p) => p.check().to_string(), Err(e) => e.to_string() };
        std::fs::write(p.with_extension("out"), out).unwrap();
    }
}
