//! Checks that the site (`docs/theme`) and the table in the browser use the same colors and icon.

use std::collections::BTreeMap;

/// Returns the variables that the first `:root` rule of a style sheet defines.
fn variables(path: &str) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(path).unwrap();
    let root = text.split_once(":root {").unwrap().1.split_once('}').unwrap().0;
    let pairs = root.split(';').filter_map(|part| part.trim().split_once(": "));
    let variables = pairs.filter_map(|(name, value)| Some((name.strip_prefix("--")?.to_owned(), value.to_owned())));
    variables.collect()
}

#[test]
fn the_docs_site_and_the_table_share_colors_and_icon() {
    let table = variables("engine/web/static/page.css");
    let site = variables("docs/theme/site.css");
    let shared = ["felt", "felt2", "head", "paper", "board", "ink", "dim", "on-felt", "dim-on-felt", "line", "edge"];
    for name in shared.into_iter().chain(["legal", "act", "moved", "warn"]) {
        assert_eq!(site.get(name), table.get(name), "`--{name}`");
        assert!(site.contains_key(name), "`--{name}` is in both");
    }
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert_eq!(read("docs/theme/favicon.svg"), read("engine/web/static/icon.svg"));
}
