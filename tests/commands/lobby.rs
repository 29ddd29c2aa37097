//! `parlour serve` without a game: tables are opened and closed in the browser. Tests who may do so, and what a restart preserves.

use crate::folder::Folder;
use crate::program::{ROOT, assert_usage_error};
use crate::visitor::{Response, TestServer, Visitor, quoted_after, without_tokens};
use std::collections::BTreeMap;
use std::path::Path;

/// Starts a lobby with the games of `examples/games`. The tables are saved in the subfolder `evenings` of a folder.
fn lobby(folder: &Folder, more: &[&str]) -> TestServer {
    let games = format!("{ROOT}/examples/games");
    // The maximum number of tables depends on the memory. A fixed limit makes the tests independent of the machine.
    let memory: &[&str] = if more.contains(&"--memory") { &[] } else { &["--memory", "16GB"] };
    TestServer::new(ROOT, &[&[games.as_str(), "--save", &folder.path_of("evenings")], memory, more].concat())
}

/// Submits a form of the lobby, and returns the response.
fn sends(host: &Visitor, what: &str, form: &str) -> Response {
    let origin = format!("http://{}", host.address);
    host.request("POST", &format!("/lobby/do/{what}"), &[("Origin", origin.as_str())], form)
}

/// Opens a table. Returns its identifier.
fn opens(host: &Visitor, form: &str) -> String {
    let came = sends(host, "open", form);
    assert_eq!(came.status, 303, "{}", came.body);
    came.header("location").unwrap().split_once('#').unwrap().1.to_owned()
}

/// Returns the links of a table on the lobby's page, each as the name of its owner and its path.
fn links(host: &Visitor, table: &str) -> Vec<(String, String)> {
    links_on(&host.get("/").body, table)
}

/// Returns the links of a table on the given page.
fn links_on(page: &str, table: &str) -> Vec<(String, String)> {
    let begin = format!("id=\"{table}\"");
    let part = page.split(&begin).nth(1).unwrap_or_else(|| panic!("{page}")).split("</article>").next().unwrap();
    let link = |line: &str| {
        let who = line.split("<dt>").nth(1)?.split('<').next()?;
        Some((who.to_owned(), quoted_after(line, "href=\"")?.replace("&#x2f;", "/")))
    };
    part.lines().filter_map(link).collect()
}

/// Enters a table through the link of a seat, an onlooker or the host.
fn sits_down(host: &Visitor, table: &str, who: &str) -> Visitor {
    let links = links(host, table);
    let (_, path) = links.iter().find(|(name, _)| name == who).unwrap_or_else(|| panic!("{links:?}"));
    let came = host.request("GET", path, &[], "");
    assert_eq!(came.status, 200, "{}", came.body);
    let cookie = came.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let base = path[..path.find("/enter/").unwrap()].to_owned();
    Visitor { address: host.address.clone(), base, cookie }
}

/// Chooses the first option if a question is open. Returns whether a question was open.
fn answers(visitor: &Visitor) -> bool {
    let page = visitor.table();
    let Some(question) = quoted_after(&page, "data-question=\"") else { return false };
    let form = match quoted_after(&page, "name=\"option\" value=\"") {
        Some(option) => format!("question={question}&option={option}"),
        None => format!("question={question}&number={}", quoted_after(&page, "required min=\"").unwrap()),
    };
    let came = visitor.post("/do/choose", &form);
    assert!(came.status == 200 && !came.body.contains("role=\"alert\""), "{}", came.body);
    true
}

#[test]
fn the_answer_count_hides_pending_simultaneous_answers() {
    let folder = Folder::new("lobby-together");
    let games = format!("{ROOT}/examples/games");
    let served = TestServer::new(ROOT, &[&games, "--save", &folder.path_of("evenings")]);
    let host = served.visitor("the host");
    let table = opens(&host, "game=goofspiel&players=2&seat.1=&seat.2=");
    let visitors = ["Ann", "Ben"].map(|who| sits_down(&host, &table, who));
    let says = |count: &str| host.get("/").body.contains(&format!("{count} answers so far"));
    assert!(says("0"));
    let other = usize::from(answers(&visitors[0]));
    assert!(other == 1 || answers(&visitors[1]));
    assert!(says("0") && !says("1"), "the other has not answered yet: {}", host.get("/").body);
    assert!(answers(&visitors[other]));
    assert!(says("2"), "{}", host.get("/").body);
}

#[test]
fn tables_can_be_opened_played_closed_and_reopened() {
    let folder = Folder::new("lobby");
    let games = format!("{ROOT}/games");
    let served = TestServer::new(ROOT, &[&games, "--save", &folder.path_of("evenings")]);
    let host = served.visitor("the host");
    let page = host.get("/").body;
    assert!(
        page.contains("Stockpile") && page.contains("2 to 5 players") && page.contains("No table is open."),
        "{page}"
    );
    // The form contains the number of players, each option with its default, and a field for each seat.
    let form = host.get("/game?game=stockpile&players=3").body;
    for part in
        ["name=\"option.rounds\"", "name=\"option.first_player\"", "name=\"seat.3\"", "Rounds", "as usual", "trader"]
    {
        assert!(form.contains(part), "{part}: {form}");
    }
    assert!(
        !form.contains("name=\"seat.4\"") && form.contains("value=\"6\"") == form.contains("6 — as usual"),
        "{form}"
    );
    let table =
        opens(&host, "game=stockpile&players=3&option.rounds=2&option.first_player=2&seat.1=&seat.2=&seat.3=random");
    assert_eq!(table, "stockpile-1");
    let own = links(&host, &table);
    let names: Vec<&str> = own.iter().map(|(who, _)| who.as_str()).collect();
    assert_eq!(names, ["Ann", "Ben", "Watching", "Host"], "an agent needs no link");
    let visitors = ["Ann", "Ben"].map(|who| sits_down(&host, &table, who));
    assert!(visitors.iter().any(answers));
    // The agent has made its choice once a person is asked again.
    while !visitors.iter().any(|visitor| visitor.table().contains("data-question")) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let kept = folder.read("evenings/stockpile-1.play");
    assert!(kept.contains("rounds") && kept.contains("first_player") && !kept.contains("board"), "{kept}");
    // Nobody can enter a closed table, and its recording is kept. After the table is opened again, everything is as before.
    let pages = || visitors.each_ref().map(|visitor| without_tokens(&visitor.table()));
    let before = pages();
    assert_eq!(sends(&host, "close", "table=stockpile-1").status, 303);
    assert_eq!(visitors[0].get("/").status, 404);
    assert_eq!(folder.read("evenings/stockpile-1.play"), kept);
    assert!(host.get("/").body.contains("Open again"));
    for _ in 0..500 {
        let came = sends(&host, "reopen", "table=stockpile-1");
        if came.status == 303 {
            break;
        }
        assert!(came.body.contains("still thinks"), "{}", came.body);
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(links(&host, &table), own, "the links stay");
    assert_eq!(pages(), before);
    // Another table of the same game has another name, other links, and another seed.
    assert_eq!(opens(&host, "game=stockpile&players=2"), "stockpile-2");
    let seed = |name: &str| {
        let text = folder.read(name);
        text.lines().find_map(|line| line.strip_prefix("seed ").map(str::to_owned)).unwrap_or_else(|| panic!("{text}"))
    };
    assert_ne!(seed("evenings/stockpile-1.play"), seed("evenings/stockpile-2.play"));
    assert!(links(&host, "stockpile-2").iter().all(|(_, link)| own.iter().all(|(_, other)| link != other)));
}

#[test]
fn a_killed_lobby_restores_its_tables() {
    let folder = Folder::new("lobby");
    let served = lobby(&folder, &[]);
    let host = served.visitor("the host");
    let [one, two, three] =
        ["little-tricks", "goofspiel", "little-tricks"].map(|game| opens(&host, &format!("game={game}&players=2")));
    assert_eq!((one.as_str(), two.as_str(), three.as_str()), ("little-tricks-1", "goofspiel-1", "little-tricks-2"));
    let visitors = ["Ann", "Ben"].map(|who| sits_down(&host, &one, who));
    assert!(visitors.iter().any(answers));
    assert_eq!(sends(&host, "close", "table=little-tricks-2").status, 303);
    let own = [&one, &two].map(|table| links(&host, table));
    let before = visitors.each_ref().map(|visitor| without_tokens(&visitor.table()));
    let link = served.links[0].1.rsplit('/').next().unwrap().to_owned();
    served.kill();
    let served = lobby(&folder, &[]);
    assert!(served.links[0].1.ends_with(&link), "the host's link stays");
    let host = served.visitor("the host");
    assert_eq!([&one, &two].map(|table| links(&host, table)), own);
    let again = ["Ann", "Ben"].map(|who| without_tokens(&sits_down(&host, &one, who).table()));
    assert_eq!(again, before);
    let page = host.get("/").body;
    assert!(page.contains("2 of at most 64 tables are open") && page.contains("id=\"little-tricks-2\""), "{page}");
    assert_eq!(sends(&host, "reopen", "table=little-tricks-2").status, 303);
    assert!(host.get("/").body.contains("3 of at most 64 tables are open"));
    // Secrets are stored in separate files, which other users of the machine cannot read.
    for name in ["lobby.links", "little-tricks-1.play.links"] {
        let path = folder.path_of(&format!("evenings/{name}"));
        #[cfg(unix)]
        assert!(crate::unix::is_private(&path), "{path}");
        assert!(Path::new(&path).is_file());
    }
    let secrets: Vec<String> =
        own.iter().flatten().map(|(_, link)| link.rsplit('/').next().unwrap().to_owned()).collect();
    let kept = folder.read("evenings/little-tricks-1.play");
    assert!(!kept.contains(&link) && secrets.iter().all(|secret| !kept.contains(secret.as_str())));
}

/// Submits a form, unless the lobby has been killed. Returns the response if the form was acknowledged.
fn sends_on(host: &Visitor, what: &str, form: &str) -> Option<Response> {
    std::net::TcpStream::connect(&host.address).ok()?;
    let came = std::panic::catch_unwind(|| sends(host, what, form)).ok()?;
    (came.status == 303).then_some(came)
}

#[test]
fn acknowledged_table_states_are_kept_after_a_kill_at_any_moment() {
    let rounds: u64 = std::env::var("PARLOUR_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let folder = Folder::new("killed");
    // Last acknowledged state of each table (whether it is open), and the links of each table.
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    let mut all_links: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for round in 0..rounds {
        let served = lobby(&folder, &[]);
        let host = served.visitor("the host");
        let page = host.get("/").body;
        for (table, is_open) in &known {
            let own = links_on(&page, table);
            assert!(
                page.contains(&format!("id=\"{table}\"")) && own.is_empty() != *is_open,
                "{table} {is_open}: {page}"
            );
            if *is_open {
                assert_eq!(all_links.entry(table.clone()).or_insert_with(|| own.clone()), &own, "the links stay");
            }
        }
        // A request that was sent when the lobby was killed may have been carried out or not.
        for table in page.split("<article class=\"room ").skip(1).filter_map(|part| quoted_after(part, "id=\"")) {
            known.entry(table.to_owned()).or_insert_with(|| !links_on(&page, table).is_empty());
        }
        let (visitor, before) = (host.clone(), known.clone());
        let playing = std::thread::spawn(move || {
            let mut known = before;
            loop {
                let open: Vec<String> =
                    known.iter().filter(|(_, is_open)| **is_open).map(|(name, _)| name.clone()).collect();
                if open.len() > 4 {
                    let name = open[0].clone();
                    if sends_on(&visitor, "close", &format!("table={name}")).is_none() {
                        return (known, Some(name));
                    }
                    known.insert(name, false);
                } else {
                    let Some(came) = sends_on(&visitor, "open", "game=kuhn-poker&players=2") else {
                        return (known, None);
                    };
                    known.insert(came.header("location").unwrap().split_once('#').unwrap().1.to_owned(), true);
                }
            }
        });
        std::thread::sleep(std::time::Duration::from_millis(round.wrapping_mul(7_919) % 300));
        served.kill();
        let (after, unsure) = playing.join().unwrap();
        known = after;
        // The lobby was killed before it could acknowledge that this table was closed.
        unsure.map(|name| known.remove(&name));
    }
    assert!(!all_links.is_empty());
}

#[test]
fn only_the_host_can_open_and_close_tables_and_see_links() {
    let folder = Folder::new("lobby");
    let served = lobby(&folder, &[]);
    let host = served.visitor("the host");
    let table = opens(&host, "game=little-tricks&players=2");
    let ann = sits_down(&host, &table, "Ann");
    let (nobody, nearly) = (String::new(), host.cookie[..host.cookie.len() - 1].to_owned());
    for cookie in [&nobody, &nearly, &ann.cookie, &host.cookie[..=host.cookie.find('=').unwrap()].to_owned()] {
        let other = Visitor { cookie: cookie.clone(), ..host.clone() };
        for below in ["/", "/game?game=little-tricks"] {
            assert_eq!(other.get(below).status, 403, "{below} with {cookie}");
        }
        for what in ["open", "close", "reopen"] {
            assert_eq!(sends(&other, what, "game=little-tricks&players=2&table=little-tricks-1").status, 403, "{what}");
        }
    }
    let wrong = host.request("GET", &format!("/lobby/enter/{}", "0".repeat(32)), &[], "");
    assert_eq!((wrong.status, wrong.header("set-cookie")), (403, None));
    // The lobby's cookie is not valid for a seat, and a seat's cookie is sent only to its own table.
    let elsewhere = Visitor { cookie: host.cookie.clone(), ..ann.clone() };
    assert_eq!(elsewhere.get("/").status, 403);
    let entered = host.request("GET", &served.links[0].1["http://".len() + served.address.len()..], &[], "");
    let cookie = entered.header("set-cookie").unwrap();
    for word in ["HttpOnly", "SameSite=Strict", "Path=/lobby/"] {
        assert!(cookie.contains(word), "{cookie}");
    }
    // Anybody on this machine can see which tables are open, but not their links. From other machines, only the host can see the tables.
    let other = Visitor { cookie: String::new(), ..host.clone() };
    let page = other.request("GET", "/", &[], "");
    assert!(
        page.status == 200 && page.body.contains("little-tricks-1") && page.body.contains("Goofspiel"),
        "{}",
        page.body
    );
    assert!(
        !page.body.contains("enter&#x2f;") && !page.body.contains("<form") && !page.body.contains(".play"),
        "{}",
        page.body
    );
    let beyond = Folder::new("lobby");
    let served = lobby(&beyond, &["--host", "0.0.0.0"]);
    let host = served.visitor("the host");
    let other = Visitor { cookie: String::new(), ..host.clone() };
    for path in ["/", "/lobby/"] {
        assert_eq!(other.request("GET", path, &[], "").status, 403, "{path}");
    }
    assert_eq!(host.get("/").status, 200);
    // Behind a proxy, too, only the host can see the tables. Links begin with the public address.
    let proxied = Folder::new("lobby");
    let served = lobby(&proxied, &[]);
    let stranger = Visitor { cookie: String::new(), ..served.visitor("the host") };
    assert_eq!(stranger.request("GET", "/", &[], "").status, 200);
    assert_eq!(stranger.request("GET", "/", &[("X-Forwarded-For", "203.0.113.7")], "").status, 403);
    let public = Folder::new("lobby");
    let served = lobby(&public, &["--public-url", "http://127.0.0.1:9"]);
    assert!(served.links.iter().all(|(_, link)| link.starts_with("http://127.0.0.1:9/lobby/enter/")));
    // A server for a single table has no lobby.
    let file = beyond.path_of("a.play");
    let table = TestServer::new(ROOT, &[&format!("{ROOT}/examples/games/little-tricks"), "--save", &file]);
    let ann = table.visitor("Ann");
    for path in ["/", "/lobby/", "/lobby/game", "/lobby/enter/0"] {
        assert_eq!(ann.request("GET", path, &[], "").status, 404, "{path}");
    }
}

#[test]
fn cross_site_forms_to_the_lobby_are_refused() {
    let folder = Folder::new("lobby");
    let served = lobby(&folder, &[]);
    let host = served.visitor("the host");
    let own = format!("http://{}", served.address);
    for what in ["open", "close", "reopen"] {
        for headers in [
            &[][..],
            &[("Origin", "http://evil.example")],
            &[("Origin", "null")],
            &[("Origin", "null"), ("Sec-Fetch-Site", "cross-site")],
            &[("Origin", "http://127.0.0.1:1")],
            &[("Origin", own.as_str()), ("Host", "evil.example")],
        ] {
            let status =
                host.request("POST", &format!("/lobby/do/{what}"), headers, "game=little-tricks&players=2").status;
            assert!([403, 421].contains(&status), "{what} {headers:?}: {status}");
        }
        // A GET request changes nothing.
        assert_eq!(host.request("GET", &format!("/lobby/do/{what}?game=little-tricks&players=2"), &[], "").status, 405);
    }
    assert!(host.get("/").body.contains("No table is open."));
    for path in ["/", "/lobby/", "/lobby/game?game=little-tricks"] {
        assert_eq!(host.request("GET", path, &[("Host", "evil.example")], "").status, 421, "{path}");
        let came = host.request("GET", path, &[], "");
        let policy = came.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(
            (came.header("referrer-policy"), came.header("cache-control")),
            (Some("no-referrer"), Some("no-store"))
        );
        assert!(
            !came.body.contains(" style=") && !came.body.contains("<script") && !came.body.contains(" onclick"),
            "{path}: {}",
            came.body
        );
    }
}

#[test]
fn the_number_of_open_tables_is_limited() {
    let folder = Folder::new("lobby");
    let served = lobby(&folder, &[]);
    let host = served.visitor("the host");
    for number in 1..=64 {
        assert_eq!(opens(&host, "game=kuhn-poker&players=2"), format!("kuhn_poker-{number}"));
    }
    let came = sends(&host, "open", "game=kuhn-poker&players=2");
    assert!(came.status == 409 && came.body.contains("No more than 64 tables are open at once"), "{}", came.body);
    assert_eq!(sends(&host, "close", "table=kuhn_poker-7").status, 303);
    assert_eq!(opens(&host, "game=kuhn-poker&players=2"), "kuhn_poker-65");
    let came = sends(&host, "reopen", "table=kuhn_poker-7");
    assert!(came.status == 409 && came.body.contains("No more than 64 tables"), "{}", came.body);
    let large = format!("game=kuhn-poker&players=2&option.a={}", "x".repeat(40_000));
    assert_eq!(sends(&host, "open", &large).status, 413);
}

#[test]
fn memory_limits_the_number_of_open_tables() {
    let folder = Folder::new("lobby");
    let kuhn = "game=kuhn-poker&players=2";
    {
        let served = lobby(&folder, &["--memory", "512MB"]);
        let host = served.visitor("the host");
        let names = [opens(&host, kuhn), opens(&host, kuhn)];
        assert_eq!(names, ["kuhn_poker-1", "kuhn_poker-2"]);
        let came = sends(&host, "open", kuhn);
        assert!(came.status == 409 && came.body.contains("No more than 2 tables are open at once"), "{}", came.body);
    }
    // A lobby that is restarted with less memory opens only the first table.
    let served = lobby(&folder, &["--memory", "256MB"]);
    let page = served.visitor("the host").get("/").body;
    assert!(
        page.contains("1 of at most 1 tables") && page.contains("No more than 1 tables are open at once"),
        "{page}"
    );
    assert_usage_error(&folder, &["serve", "--memory", "1MB"], &["give at least that"]);
}

#[test]
fn games_with_errors_show_diagnostics_instead_of_a_form() {
    let folder = Folder::new("lobby");
    crate::program::run_ok(&folder, &["new", "games/mine"]);
    let served = TestServer::new(&folder, &[&folder.path_of("games"), "--save", &folder.path_of("evenings")]);
    let host = served.visitor("the host");
    assert!(host.get("/game?game=mine").body.contains("name=\"seat.1\""));
    let table = opens(&host, "game=mine&players=2");
    folder.change("games/mine/rules/play.rhai", "card.move_to(seat", "card.move_too(seat");
    assert!(host.get("/").body.contains("The files of this game have mistakes"), "{}", host.get("/").body);
    let page = host.get("/game?game=mine").body;
    assert!(page.contains("unknown-function") && page.contains("move_too") && !page.contains("<form"), "{page}");
    let came = sends(&host, "open", "game=mine&players=2");
    assert!(came.status == 409 && came.body.contains("move_too"), "{}", came.body);
    // A table that cannot be opened shows the reason. It can be opened once the mistake is corrected.
    served.kill();
    let served = TestServer::new(&folder, &[&folder.path_of("games"), "--save", &folder.path_of("evenings")]);
    let host = served.visitor("the host");
    let page = host.get("/").body;
    assert!(page.contains("This table could not be opened") && page.contains("move_too"), "{page}");
    folder.change("games/mine/rules/play.rhai", "card.move_too(seat", "card.move_to(seat");
    assert_eq!(sends(&host, "reopen", &format!("table={table}")).status, 303);
    assert!(answers(&sits_down(&host, &table, "Ann")) || answers(&sits_down(&host, &table, "Ben")));
}

#[test]
fn tables_with_invalid_settings_are_not_opened() {
    let folder = Folder::new("lobby");
    let served = TestServer::new(ROOT, &[&format!("{ROOT}/games"), "--save", &folder.path_of("evenings")]);
    let host = served.visitor("the host");
    let refused = |form: &str, says: &str| {
        let came = sends(&host, "open", form);
        assert!(came.status == 409 && came.body.contains(says), "{form}: {} {}", came.status, came.body);
    };
    refused("game=stockpile&players=9", "2 to 5 players");
    refused("game=stockpile", "2 to 5 players");
    refused("game=stockpile&players=2&option.rounds=0", "rounds");
    refused("game=stockpile&players=2&option.nothing=1", "unknown-option");
    for game in ["../examples/games/little-tricks", "/etc", "", "nothing"] {
        assert_eq!(sends(&host, "open", &format!("game={game}&players=2")).status, 404, "{game}");
        assert_eq!(host.get(&format!("/game?game={game}")).status, 404, "{game}");
    }
    assert!(host.get("/").body.contains("No table is open."));
    // Programs and files are not offered as agents, so these seats are left to people.
    let table = opens(&host, "game=stockpile&players=2&seat.1=cmd:touch%20here&seat.2=script:/etc/passwd");
    let names: Vec<String> = links(&host, &table).into_iter().map(|(who, _)| who).collect();
    assert_eq!(names, ["Ann", "Ben", "Watching", "Host"]);
}

#[test]
fn the_lobby_is_translated() {
    let folder = Folder::new("lobby");
    let served = TestServer::new(ROOT, &[&format!("{ROOT}/games"), "--save", &folder.path_of("evenings")]);
    let host = served.visitor("the host");
    let page = host.get("/?lang=zh-Hant").body;
    assert!(
        page.contains("<html lang=\"zh-Hant\">") && page.contains("大廳") && page.contains("目前沒有開著的桌"),
        "{page}"
    );
    let form = host.get("/game?game=stockpile&lang=zh-Hant").body;
    assert!(
        form.contains("回合數") && form.contains("玩家人數") && form.contains("game=stockpile&amp;players"),
        "{form}"
    );
}

#[test]
fn invalid_lobby_arguments_are_usage_errors() {
    let folder = Folder::new("lobby");
    assert_usage_error(&folder, &["serve", "--players", "3"], &["set up in the browser", "give a game"]);
    assert_usage_error(&folder, &["serve", "--agents", "human,random"], &["set up in the browser"]);
    folder.write("file", "");
    assert_usage_error(&folder, &["serve", "--save", "file"], &["`file` is a file"]);
    // A second lobby with the same folder would overwrite the files of the first one.
    let served = lobby(&folder, &[]);
    assert_usage_error(
        &folder,
        &["serve", "--save", "evenings"],
        &["`evenings` are served already", "end the other lobby"],
    );
    served.kill();
    lobby(&folder, &[]).kill();
}

/// For each threat that it lists, the guide names tests that exist.
#[test]
fn every_listed_threat_names_existing_tests() {
    let read = |path: &str| std::fs::read_to_string(format!("{ROOT}/{path}")).unwrap();
    let tests = [
        "tests/commands/serve.rs",
        "tests/commands/lobby.rs",
        "engine/web/tests.rs",
        "engine/web/guard.rs",
        "engine/web/address.rs",
        "engine/web/table/fair_queue.rs",
        "engine/web/lobby/shelf.rs",
        "engine/desk/note_file.rs",
        "engine/web/links.rs",
        "engine/web/streams.rs",
        "engine/faces/clean.rs",
    ];
    let tests: String =
        tests.iter().filter(|path| Path::new(ROOT).join(path).is_file()).map(|path| read(path)).collect();
    let page = read("docs/src/serve.md");
    let part = page.split("## What may be trusted").nth(1).unwrap();
    let rows: Vec<&str> =
        part.lines().filter(|line| line.starts_with("| ")).skip(1).filter(|line| !line.starts_with("| --")).collect();
    assert!(rows.len() > 10, "{rows:?}");
    for row in rows {
        let held = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap();
        let names: Vec<&str> = held.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test: {row}");
        for name in names {
            assert!(tests.contains(&format!("fn {name}()")), "there is no test `{name}`: {row}");
        }
    }
}

#[test]
fn renewing_the_lobby_link_invalidates_the_old_one() {
    let folder = Folder::new("lobby_renewed");
    let served = lobby(&folder, &[]);
    let host = served.visitor("the host");
    let table = opens(&host, "game=little-tricks&players=2");
    let old = served.links.iter().find(|(who, _)| who == "the host").unwrap().1.clone();
    let old = old["http://".len() + served.address.len()..].to_owned();
    let anybody = Visitor { cookie: String::new(), ..host.clone() };
    assert_eq!(sends(&anybody, "renew", "").status, 403, "the host alone does that");
    assert!(host.get("/").body.contains("action=\"/lobby/do/renew"));
    let came = sends(&host, "renew", "");
    assert_eq!(came.status, 200, "{}", came.body);
    let address = quoted_after(&came.body, "<a href=\"http:&#x2f;&#x2f;").unwrap().replace("&#x2f;", "/");
    let new = address[served.address.len()..].to_owned();
    assert!(new.starts_with("/lobby/enter/") && new != old, "{}", came.body);
    let cookie = came.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    // The old link and the host's old session become invalid. The host has a new session, and the new link opens the lobby.
    assert_eq!((anybody.request("GET", &old, &[], "").status, host.get("/").status), (403, 403));
    let host = Visitor { cookie, ..host.clone() };
    assert_eq!((host.get("/").status, anybody.request("GET", &new, &[], "").status), (200, 200));
    assert!(!links(&host, &table).is_empty(), "tables stay");
    // The new link is still valid after the lobby is restarted.
    let kept = folder.read("evenings/lobby.links");
    assert!(kept.contains(new.rsplit('/').next().unwrap()) && kept.contains(&table), "{kept}");
    assert!(!kept.contains(old.rsplit('/').next().unwrap()));
    served.kill();
    let served = lobby(&folder, &[]);
    assert!(served.links.iter().any(|(_, link)| link.ends_with(&new)), "{:?}", served.links);
}

/// The tree of a chain of calls is as deep as the chain is long. The default stack of a thread overflows, which ends the process.
#[test]
fn rules_with_a_long_chain_do_not_end_the_lobby() {
    let folder = Folder::new("lobby-chain");
    let chain = ".filter(|seat| true)".repeat(490);
    for (path, text) in crate::folder::game_texts(format!("{ROOT}/examples/games/tic-tac-toe")) {
        folder.write(&format!("games/chain/{path}"), text);
    }
    folder.write("games/chain/rules/chain.rhai", format!("fn chain() {{ seats{chain}.count() }}\n"));
    let served = TestServer::new(ROOT, &[&folder.path_of("games"), "--save", &folder.path_of("evenings")]);
    let host = served.visitor("the host");
    assert_eq!(host.get("/").status, 200);
    // The form checks the game, too.
    assert_eq!(host.get("/game?game=chain&players=2").status, 200);
    let table = opens(&host, "game=chain&players=2&seat.1=&seat.2=");
    let visitors = ["Ann", "Ben"].map(|who| sits_down(&host, &table, who));
    assert!(visitors.iter().any(answers));
}
