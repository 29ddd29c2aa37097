//! `parlour serve`: whole games over the network, access control, and the state that is preserved by a restart.

use crate::folder::Folder;
use crate::program::{ROOT, assert_usage_error, run_expecting};
use crate::visitor::{TestServer, Visitor, form_token, quoted_after, without_tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

/// Answers the open question with one of the listed options, determined by `draw`. Returns whether a question was asked.
fn answers(visitor: &Visitor, draw: usize) -> bool {
    let page = visitor.table();
    let Some(question) = quoted_after(&page, "data-question=\"") else { return false };
    let options: Vec<&str> = page
        .match_indices("name=\"option\" value=\"")
        .map(|(at, found)| page[at + found.len()..].split('"').next().unwrap())
        .collect();
    let form = match quoted_after(&page, "name=\"number\" required min=\"") {
        Some(least) if options.is_empty() || !draw.is_multiple_of(3) => {
            let most: i64 = quoted_after(&page, "max=\"").unwrap().parse().unwrap();
            let least: i64 = least.parse().unwrap();
            format!("question={question}&number={}", least + draw as i64 % (most - least + 1))
        }
        _ => format!("question={question}&option={}", options[draw % options.len()]),
    };
    let came = visitor.post("/do/choose", &form);
    assert_eq!(came.status, 200, "{}", came.body);
    true
}

fn is_over(page: &str) -> bool {
    page.contains("class=\"panel ending\"")
}

/// Plays a game of two people and agents to its end. Returns the last page of each person.
fn plays_out(served: &TestServer, names: [&str; 2]) -> [String; 2] {
    let visitors = names.map(|name| served.visitor(name));
    let mut draw = 7_usize;
    for _ in 0..20_000 {
        let mut asked = false;
        for visitor in &visitors {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            asked |= answers(visitor, draw >> 33);
        }
        if !asked {
            let page = visitors[0].table();
            if is_over(&page) {
                return visitors.map(|visitor| visitor.table());
            }
            assert!(!page.contains("The rules have failed"), "{page}");
            std::thread::sleep(Duration::from_millis(3));
        }
    }
    panic!("it does not end: {}", visitors[0].table());
}

/// Plays a game to its end through its web pages, and replays the recording.
fn plays_a_whole_game(game: &str, agents: &str) {
    let folder = Folder::new("served");
    let file = folder.path_of("evening.play");
    let path = format!("{ROOT}/games/{game}");
    let served = TestServer::new(ROOT, &[&path, "--seed", "7", "--agents", agents, "--save", &file]);
    assert_eq!(served.links.len(), 4, "two players, whoever watches, and the host");
    let pages = plays_out(&served, ["Ann", "Ben"]);
    assert!(pages.iter().all(|page| page.contains("Ann</th>") && page.contains("Ben</th>")));
    let kept = folder.read("evening.play");
    assert!(kept.lines().any(|line| line.starts_with("end ")), "{kept}");
    // The saved game is a recording that can be replayed.
    crate::program::run_ok(ROOT, &["run", "--from", &file, "--quiet"]);
}

#[test]
fn stockpile_can_be_played_to_its_end() {
    plays_a_whole_game("stockpile", "human,human,random,random");
}

#[test]
fn last_will_can_be_played_to_its_end() {
    plays_a_whole_game("last-will", "human,human,random");
}

#[test]
fn monga_alley_can_be_played_to_its_end() {
    plays_a_whole_game("monga-alley", "human,human,random");
}

#[test]
fn revolution_1828_can_be_played_to_its_end() {
    plays_a_whole_game("revolution-1828", "human,human");
}

#[test]
fn wall_street_1920_can_be_played_to_its_end() {
    plays_a_whole_game("wall-street-1920", "human,human,random");
}

/// Serves the game Little Tricks.
fn little(folder: &Folder, more: &[&str]) -> TestServer {
    let file = folder.path_of("evening.play");
    let game = format!("{ROOT}/examples/games/little-tricks");
    TestServer::new(ROOT, &[&[game.as_str(), "--save", &file], more].concat())
}

#[test]
fn a_seat_is_accessible_only_with_its_own_cookie() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let (ann, ben) = (served.visitor("Ann"), served.visitor("Ben"));
    assert_eq!(ann.get("/").status, 200);
    // Tries no cookie, the cookie of another seat, a cookie that lacks a character, and a cookie without a value.
    let empty = &ann.cookie[..=ann.cookie.find('=').unwrap()];
    for cookie in ["", &ben.cookie, &ann.cookie[..ann.cookie.len() - 1], empty] {
        let other = Visitor { cookie: cookie.to_owned(), ..ann.clone() };
        for below in ["/", "/table", "/events", "/log", "/at", "/notes", "/why?text=a"] {
            assert_eq!(other.get(below).status, 403, "{below} with {cookie}");
        }
        assert_eq!(other.post("/do/choose", "question=0.0&option=0").status, 403);
    }
    let wrong = ann.request("GET", &format!("{}/enter/{}", ann.base, "0".repeat(32)), &[], "");
    assert_eq!((wrong.status, wrong.header("set-cookie")), (403, None));
    assert_eq!(ann.request("GET", "/table/seat-3/", &[], "").status, 403, "nobody has that seat");
    for nowhere in ["/", "/other/seat-1/", "/table/seat-1/nothing", "/static/../Cargo.toml", "/static/none"] {
        assert_eq!(ann.request("GET", nowhere, &[], "").status, 404, "{nowhere}");
    }
}

#[test]
fn a_link_is_exchanged_for_a_cookie_limited_to_its_seat() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let tokens: Vec<&str> = served.links.iter().map(|(_, link)| link.rsplit('/').next().unwrap()).collect();
    for token in &tokens {
        assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
        assert_eq!(tokens.iter().filter(|other| *other == token).count(), 1, "each has its own");
    }
    let ann = served.visitor("Ann");
    let came = ann.request("GET", &format!("{}/enter/{}", ann.base, tokens[0]), &[], "");
    let cookie = came.header("set-cookie").unwrap();
    for word in ["HttpOnly", "SameSite=Strict", "Path=/table/seat-1/"] {
        assert!(cookie.contains(word), "{cookie}");
    }
    // Neither a page nor the recording contains a token.
    let page = ann.get("/").body;
    let kept = folder.read("evening.play");
    assert!(tokens.iter().all(|token| !page.contains(token) && !kept.contains(token)));
}

#[test]
fn servers_on_one_machine_use_different_cookie_names() {
    let folders = [Folder::new("served"), Folder::new("served")];
    let served = folders.each_ref().map(|folder| little(folder, &["--players", "2", "--seed", "7"]));
    let [one, other] = served.each_ref().map(|served| served.visitor("Ann"));
    // Browsers do not separate cookies by port, so a browser keeps both cookies and sends both to each server.
    let name = |visitor: &Visitor| visitor.cookie.split('=').next().unwrap().to_owned();
    assert_ne!(name(&one), name(&other));
    for cookie in [format!("{}; {}", one.cookie, other.cookie), format!("{}; {}", other.cookie, one.cookie)] {
        for visitor in [&one, &other] {
            assert_eq!(Visitor { cookie: cookie.clone(), ..visitor.clone() }.get("/").status, 200, "{cookie}");
        }
    }
}

#[test]
fn every_response_has_security_headers() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let ann = served.visitor("Ann");
    for below in ["/", "/table", "/nothing", "/do/choose"] {
        let came = ann.get(below);
        let policy = came.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        assert_eq!(came.header("referrer-policy"), Some("no-referrer"), "{below}");
        assert_eq!(came.header("x-content-type-options"), Some("nosniff"), "{below}");
        assert_eq!(came.header("cache-control"), Some("no-store"), "{below}");
    }
    // The pages contain nothing that the policy forbids: no inline styles, scripts or event handlers.
    let page = ann.get("/").body;
    assert!(!page.contains(" style=") && !page.contains("<style") && !page.contains(" on"), "{page}");
    assert!(page.match_indices("<script").count() == page.match_indices("<script src=\"/static/").count());
}

#[test]
fn requests_from_other_hosts_and_origins_are_refused() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let ann = served.visitor("Ann");
    let own = format!("http://{}", served.address);
    let path = format!("{}/table", ann.base);
    for host in ["evil.example", "evil.example:8128", "127.0.0.1.evil.example"] {
        assert_eq!(ann.request("GET", &path, &[("Host", host)], "").status, 421, "{host}");
    }
    assert_eq!(ann.request("GET", &path, &[("Origin", "http://evil.example")], "").status, 403);
    let choose = format!("{}/do/note", ann.base);
    let form = "text=hello";
    for headers in [
        &[][..],
        &[("Origin", "http://evil.example")],
        &[("Origin", "null")],
        &[("Origin", "null"), ("Sec-Fetch-Site", "cross-site")],
        &[("Origin", "http://127.0.0.1:1")],
        &[("Origin", own.as_str()), ("Host", "evil.example")],
    ] {
        let status = ann.request("POST", &choose, headers, form).status;
        assert!([403, 421].contains(&status), "{headers:?}: {status}");
    }
    for headers in [&[("Origin", own.as_str())][..], &[("Origin", "null"), ("Sec-Fetch-Site", "same-origin")]] {
        assert_eq!(ann.request("POST", &choose, headers, form).status, 303, "{headers:?}");
    }
}

#[test]
fn oversized_and_slow_requests_do_not_block_others() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let ann = served.visitor("Ann");
    let large = format!("text={}", "x".repeat(40_000));
    assert_eq!(ann.post("/do/note", &large).status, 413);
    let long = format!("/table/seat-1/table?lang={}", "x".repeat(40_000));
    assert!([0, 400, 414, 431].contains(&ann.request("GET", &long, &[], "").status));
    // Some clients begin a request and send nothing more, and others disconnect in the middle of a request.
    let slow: Vec<TcpStream> = (0..50)
        .map(|_| {
            let mut stream = TcpStream::connect(&served.address).unwrap();
            stream.write_all(b"GET /table/seat-1/ HT").unwrap();
            stream
        })
        .collect();
    for _ in 0..20 {
        let mut stream = TcpStream::connect(&served.address).unwrap();
        stream
            .write_all(b"POST /table/seat-1/do/note HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nx")
            .unwrap();
    }
    assert_eq!(ann.get("/table").status, 200);
    drop(slow);
}

#[test]
fn choices_are_saved_before_they_are_acknowledged() {
    let folder = Folder::new("served");
    let mut served = little(&folder, &["--players", "2", "--seed", "7"]);
    let links = served.links.clone();
    for draw in 2..14 {
        let visitors = ["Ann", "Ben"].map(|name| served.visitor(name));
        let before = folder.read("evening.play");
        let asked = visitors.iter().find(|visitor| answers(visitor, draw));
        if asked.is_none() {
            break;
        }
        let after = folder.read("evening.play");
        assert!(after.len() > before.len(), "{after}");
        let pages = visitors.map(|visitor| without_tokens(&visitor.table()));
        served.kill();
        // After a restart, the links and the table are the same.
        let file = folder.path_of("evening.play");
        served = TestServer::new(ROOT, &[&format!("{ROOT}/examples/games/little-tricks"), "--save", &file]);
        let tokens = |links: &[(String, String)]| -> Vec<(String, String)> {
            links.iter().map(|(name, link)| (name.clone(), link.rsplit('/').next().unwrap().to_owned())).collect()
        };
        assert_eq!(tokens(&served.links), tokens(&links));
        let again = ["Ann", "Ben"].map(|name| without_tokens(&served.visitor(name).table()));
        assert_eq!(again, pages);
    }
}

/// Number of times that the program is killed: the environment variable `PARLOUR_KILLS`, or 6.
fn kills() -> u64 {
    std::env::var("PARLOUR_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(6)
}

#[test]
fn acknowledged_choices_are_kept_after_a_kill_at_any_moment() {
    let folder = Folder::new("killed");
    let game = format!("{ROOT}/games/stockpile");
    let (mut acknowledged, mut evening) = (0, 0);
    for round in 0..kills() {
        let file = folder.path_of(&format!("evening-{evening}.play"));
        let fresh = ["--players", "2", "--seed", "7"];
        let more: &[&str] = if Path::new(&file).exists() { &[] } else { &fresh };
        let served = TestServer::new(ROOT, &[&[game.as_str(), "--save", &file], more].concat());
        let visitors = ["Ann", "Ben"].map(|name| served.visitor(name));
        let playing = std::thread::spawn(move || {
            let mut count = 0;
            let mut is_over = false;
            'playing: loop {
                for (seat, visitor) in visitors.iter().enumerate() {
                    let page = visitor.request("GET", &format!("{}/table", visitor.base), &[], "");
                    if page.status != 200 {
                        break 'playing;
                    }
                    is_over = page.body.contains("class=\"panel ending\"");
                    let Some(question) = quoted_after(&page.body, "data-question=\"") else { continue };
                    let option = match quoted_after(&page.body, "name=\"number\" required min=\"") {
                        Some(least) => format!("number={least}"),
                        None => format!("option={}", quoted_after(&page.body, "name=\"option\" value=\"").unwrap()),
                    };
                    let came = visitor.post("/do/choose", &format!("question={question}&{option}"));
                    if came.status != 200 {
                        break 'playing;
                    }
                    let is_picked =
                        quoted_after(&came.body, "data-question=\"").is_some_and(|next| !next.ends_with(".0"));
                    assert!(seat < 2 && !came.body.contains("role=\"alert\""), "{}", came.body);
                    count += u64::from(!is_picked);
                }
                if is_over {
                    break;
                }
            }
            (count, is_over)
        });
        std::thread::sleep(Duration::from_millis(round.wrapping_mul(7_919) % 400));
        served.kill();
        let (count, is_over) = playing.join().unwrap();
        acknowledged += count;
        let kept = std::fs::read_to_string(&file).unwrap();
        let written = kept.lines().filter(|line| line.starts_with("Ann: ") || line.starts_with("Ben: ")).count() as u64;
        // Answers to simultaneous questions are stored in a separate file until all seats have answered.
        let held = std::fs::read_to_string(format!("{file}.held")).unwrap_or_default();
        let held = held.lines().map(|line| line.splitn(4, ' ').take(3).collect::<Vec<_>>()).collect::<BTreeSet<_>>();
        let written = written + held.len() as u64;
        assert!(written >= acknowledged, "{acknowledged} were acknowledged, and {written} are there");
        // An answer that was not acknowledged before the kill may have been written, too.
        acknowledged = written;
        if is_over {
            evening += 1;
            acknowledged = 0;
        }
    }
}

#[test]
fn each_question_can_be_answered_only_once() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let visitors = ["Ann", "Ben"].map(|name| served.visitor(name));
    let asked = visitors.iter().find(|visitor| visitor.table().contains("data-question")).unwrap();
    let other = visitors.iter().find(|visitor| !visitor.table().contains("data-question")).unwrap();
    let page = asked.table();
    let question = quoted_after(&page, "data-question=\"").unwrap();
    let form = format!("question={question}&option=0");
    assert!(other.post("/do/choose", &form).body.contains("You are not asked now."));
    assert!(asked.post("/do/choose", &format!("question={question}&option=99")).body.contains("role=\"alert\""));
    assert!(asked.post("/do/choose", &format!("question={question}&number=1")).body.contains("role=\"alert\""));
    assert!(!asked.post("/do/choose", &form).body.contains("role=\"alert\""));
    let twice = asked.post("/do/choose", &form).body;
    assert!(twice.contains("has changed since that page") || twice.contains("not asked"), "{twice}");
    for form in ["", "question=0.0", "option=0", "question=0.0&option=x", "question=0.0&option=-1", "%ff=%00"] {
        let status = asked.post("/do/choose", form).status;
        assert!((400..500).contains(&status), "{form}: {status}");
    }
}

/// Serves the game Goofspiel.
fn goofspiel(folder: &Folder, more: &[&str]) -> TestServer {
    let game = format!("{ROOT}/examples/games/goofspiel");
    TestServer::new(ROOT, &[&[game.as_str(), "--save", &folder.path_of("evening.play")], more].concat())
}

#[test]
fn simultaneous_answers_stay_secret_until_all_have_answered() {
    let folder = Folder::new("served-together");
    let served = goofspiel(&folder, &["--players", "3", "--seed", "7"]);
    let names = ["Ann", "Ben", "Cho"];
    let visitors = names.map(|name| served.visitor(name));
    let pages = || {
        let all = ["Ann", "Ben", "Cho", "to watch", "the host"];
        all.map(|name| served.visitor(name).table())
    };
    let recording = || folder.read("evening.play");
    let (before, written) = (pages(), recording());
    assert!(before[..3].iter().all(|page| page.contains("data-question")), "all are asked: {}", before[2]);
    // The last seat answers first.
    assert!(answers(&visitors[2], 1));
    let after = pages();
    for (name, at) in [("Ann", 0), ("Ben", 1), ("to watch", 3), ("the host", 4)] {
        assert_eq!(after[at], before[at], "{name} is shown nothing");
    }
    assert_eq!(recording(), written, "the game has not gone on");
    assert!(after[2].contains("Your answer:") && after[2].contains("Others are choosing"), "{}", after[2]);
    // An answer that nobody has seen is taken back without asking the other players. Its form cannot be submitted again.
    let question = quoted_after(&before[2], "data-question=\"").unwrap();
    visitors[2].press("undo", "");
    let again = visitors[2].table();
    assert!(
        again.contains("data-question") && quoted_after(&again, "data-question=\"").unwrap() != question,
        "{again}"
    );
    let refused = visitors[2].post("/do/choose", &format!("question={question}&option=0"));
    assert!(refused.body.contains("role=\"alert\"") && refused.body.contains("data-question"), "{}", refused.body);
    assert!(answers(&visitors[2], 1) && pages()[0] == before[0]);
    // The answer is preserved by a restart, and only the owner can read the file that contains it.
    served.kill();
    let served = goofspiel(&folder, &[]);
    let visitors = names.map(|name| served.visitor(name));
    assert!(visitors[2].table().contains("Your answer:") && visitors[0].table().contains("data-question"));
    assert!(answers(&visitors[1], 2) && answers(&visitors[0], 3));
    let round = |page: &str| page.contains("Round 2");
    assert!(visitors.iter().all(|visitor| round(&visitor.table())), "{}", visitors[0].table());
    let order: Vec<usize> = names.iter().map(|name| recording().find(&format!("{name}: ")).unwrap()).collect();
    assert!(order.is_sorted(), "answers are recorded in the order of the rules: {}", recording());
    assert!(!Path::new(&folder.path_of("evening.play.held")).exists(), "nothing is held back");
    drop(served);
    crate::program::run_ok(ROOT, &["run", "--from", &folder.path_of("evening.play"), "--quiet"]);
}

#[test]
fn agents_answer_simultaneous_questions_alongside_people() {
    let folder = Folder::new("served-together-agents");
    let served = goofspiel(&folder, &["--seed", "7", "--agents", "human,random,human"]);
    let visitors = ["Ann", "Cho"].map(|name| served.visitor(name));
    for round in 1..4 {
        for visitor in visitors.iter().rev() {
            while !answers(visitor, round) {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }
    let kept = || folder.read("evening.play");
    while kept().matches("Ben: ").count() < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn options_beyond_the_listed_ones_are_found_and_pass_is_listed() {
    let folder = Folder::new("served-large");
    folder.write("game.toml", crate::large_options::GAME);
    let rules = crate::large_options::RULES
        .replace("choose(seat, \"move\"", "choose_or_pass(seat, \"move\"")
        .replace("seat.points += m.how;", "if m != () { seat.points += m.how; }");
    folder.write("rules/play.rhai", &rules);
    let served =
        TestServer::new(&folder, &[".", "--players", "1", "--seed", "7", "--save", &folder.path_of("evening.play")]);
    let ann = served.visitor("Ann");
    assert!(answers(&ann, 1));
    let page = ann.table();
    let listed = addresses(&page, "name=\"option\" value=\"");
    assert_eq!((listed.len(), listed.last().copied()), (3_000, Some("480000")), "passing is the last one");
    let found = ann.get("/options?text=from%3D20%2C20+to%3D19%2C19+how%3D3").body;
    let option = quoted_after(&found, "name=\"option\" value=\"").unwrap_or_else(|| panic!("{found}"));
    assert!(option.parse::<usize>().unwrap() > 3_000 && found.contains("20,20"), "{found}");
    assert_eq!(served.visitor("to watch").get("/options?text=a").status, 409, "nobody else sees them");
    let question = quoted_after(&page, "data-question=\"").unwrap();
    ann.post("/do/choose", &format!("question={question}&option={option}"));
    assert!(is_over(&ann.table()));
}

#[test]
fn viewers_are_notified_of_changes() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let visitors = ["Ann", "Ben"].map(|name| served.visitor(name));
    let (asked, other): (Vec<&Visitor>, Vec<&Visitor>) =
        visitors.iter().partition(|visitor| visitor.table().contains("data-question"));
    let (asked, other) = (asked[0], other[0]);
    let mut stream = TcpStream::connect(&served.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let head =
        format!("GET {}/events HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", other.base, served.address, other.cookie);
    stream.write_all(head.as_bytes()).unwrap();
    let mut heard = String::new();
    let mut hears = |count: usize| {
        let mut part = [0; 1_024];
        while heard.matches("event: table").count() < count {
            let length = stream.read(&mut part).unwrap();
            assert!(length > 0, "{heard}");
            heard.push_str(&String::from_utf8_lossy(&part[..length]));
        }
        heard.clone()
    };
    hears(1);
    assert!(answers(asked, 0));
    let heard = hears(2);
    assert!(
        heard.contains("text/event-stream") && !heard.contains("Ann"),
        "it says only that something has changed: {heard}"
    );
}

/// Files of a game in which a turn consists of drawing a card, throwing a die, looking at another player's hand, or taking a coin.
const PEEKING: [(&str, &str); 3] = [
    (
        "game.toml",
        "[game]\nformat = 1\nid = \"peeking\"\nplayers = { min = 1, max = 3 }\n[zones.deck]\nshape = \"pile\"\n\
         starts_with = [\"card\"]\nface = \"down\"\n[zones.hand]\nper = \"seat\"\nshape = \"hand\"\n[values.seat]\n\
         coins = { start = 3, min = 0 }\n[decisions.act]\nask = \"What do you do?\"\n[words]\ndraw = \"draw a card\"\n\
         coin = \"take a coin\"\ndice = \"throw a die\"\nend = \"end the turn\"\nspy = \"look at the next hand\"\n[flow]\n\
         setup = [\"begin\"]\nround = [\"play\"]\nrounds = 2\n[phases.play]\nsteps = [{ each_seat = \"turn\" }]\n",
    ),
    ("components/card.toml", "[[card]]\nid = \"c{n}\"\neach.n = \"1..20\"\n"),
    (
        "rules/play.rhai",
        "fn begin() { deck.shuffle(); for seat in seats { deck.draw(2, seat.hand); } }\n\
         fn turn(seat) {\n    switch choose(seat, \"act\", [\"draw\", \"coin\", \"dice\", \"spy\"]) {\n        \
         \"draw\" => { deck.draw(1, seat.hand); }\n        \"spy\" => { next(seat).hand.show(seat); }\n        \
         \"dice\" => { seat.coins += roll(6); }\n        _ => { seat.coins += 1; }\n    }\n    \
         choose(seat, \"act\", [\"end\", \"coin\"]);\n}\nfn score(seat) { seat.coins + seat.hand.sum(\"n\") }\n",
    ),
];

/// Starts a table of the game [`PEEKING`]. Returns its folder and the server.
fn peeking(name: &str, arguments: &[&str]) -> (Folder, TestServer) {
    let folder = Folder::new(name);
    for (file, text) in PEEKING {
        folder.write(&format!("peeking/{file}"), text);
    }
    let (game, saved) = (folder.path_of("peeking"), folder.path_of("evening.play"));
    let served =
        TestServer::new(&folder, &[&[&*game, "--players", "2", "--seed", "7", "--save", &saved], arguments].concat());
    (folder, served)
}

/// Chooses the option with the given text.
fn takes(visitor: &Visitor, text: &str) {
    let page = visitor.table();
    let question = quoted_after(&page, "data-question=\"").unwrap_or_else(|| panic!("nobody is asked: {page}"));
    let option =
        page.split("name=\"option\" value=\"").skip(1).find(|rest| rest.contains(&format!(">{text}</button>")));
    let option = option.unwrap_or_else(|| panic!("`{text}` is not offered: {page}")).split('"').next().unwrap();
    let came = visitor.post("/do/choose", &format!("question={question}&option={option}"));
    assert!(came.status == 200 && !came.body.contains("role=\"alert\""), "{}", came.body);
}

/// Returns the contents of a place in the last of the saved game's `table` lines that list the place.
fn lies(folder: &Folder, place: &str) -> String {
    let kept = folder.read("evening.play");
    let rows = kept.lines().filter_map(|line| line.strip_prefix("table ")).flat_map(|line| line.split(" | "));
    let row = rows.filter_map(|row| row.strip_prefix(&format!("{place}="))).last().unwrap().to_owned();
    row.split(" @ ").next().unwrap().to_owned()
}

#[test]
fn undoing_a_revealing_choice_needs_consent_and_causes_a_redeal() {
    let (folder, served) = peeking("peeked", &["--names", "Ann,Ben"]);
    let [ann, ben, host] = ["Ann", "Ben", "the host"].map(|name| served.visitor(name));
    assert!(ben.table().contains("Deck"));
    let before = (lies(&folder, "Ann.hand"), lies(&folder, "Ben.hand"));
    takes(&ann, "draw a card");
    let drawn = lies(&folder, "Ann.hand");
    ann.press("undo", "");
    assert_eq!(lies(&folder, "Ann.hand"), drawn, "Ben has not agreed yet");
    let page = ben.table();
    assert!(
        page.contains("Ann asks to take back") && page.contains("Hidden pieces that nobody knew are dealt again"),
        "{page}"
    );
    // The requesting seat cannot agree for the others, and the host can do so only after a while.
    let token = form_token(&page, "agree").unwrap();
    ann.post("/do/agree", &format!("token={token}"));
    assert!(host.post("/do/agree", &format!("token={token}")).body.contains("you can decide after"));
    assert_eq!(lies(&folder, "Ann.hand"), drawn);
    ben.press("refuse", "");
    assert!(!ben.table().contains("asks to take back") && lies(&folder, "Ann.hand") == drawn);
    // The form of the refused request cannot be used to agree to the new request.
    ann.press("undo", "");
    assert!(ben.post("/do/agree", &format!("token={token}")).body.contains("has changed since that page"));
    assert_eq!(lies(&folder, "Ann.hand"), drawn);
    ben.press("agree", "");
    let kept = folder.read("evening.play");
    assert!(kept.lines().any(|line| line.starts_with("redeal ") && line.contains(" by Ann agreed @ ")), "{kept}");
    assert_eq!((lies(&folder, "Ann.hand"), lies(&folder, "Ben.hand")), before, "what somebody knew stays");
    for visitor in [&ann, &ben, &host] {
        let log = visitor.get("/log").body;
        assert!(log.contains("Ann takes back a choice, and the others agree"), "{log}");
    }
    // The recording can be replayed, and the game continues from it.
    takes(&ann, "draw a card");
    let (again, page) = (lies(&folder, "Ann.hand"), ann.table());
    drop(served);
    crate::program::run_ok(
        &folder,
        &["run", &folder.path_of("peeking"), "--from", &folder.path_of("evening.play"), "--agents", "random"],
    );
    let (game, saved) = (folder.path_of("peeking"), folder.path_of("evening.play"));
    let served = TestServer::new(&folder, &[&game, "--save", &saved]);
    let ann = served.visitor("Ann");
    assert_eq!(lies(&folder, "Ann.hand"), again);
    assert_eq!(page.contains("end the turn"), ann.table().contains("end the turn"));
}

#[test]
fn draws_after_an_undo_are_independent_of_earlier_draws() {
    let mut others = 0;
    for game in 0..6 {
        let (folder, served) =
            peeking(&format!("dealt-again-{game}"), &["--agents", "human,random", "--names", "Ann,Ben"]);
        let ann = served.visitor("Ann");
        takes(&ann, "draw a card");
        let drawn = lies(&folder, "Ann.hand");
        // No other person is at the table, so nobody has to agree.
        ann.press("undo", "");
        assert!(folder.read("evening.play").contains(" by Ann alone @ "));
        assert!(ann.get("/log").body.contains("Ann takes back a choice"));
        takes(&ann, "draw a card");
        others += u32::from(lies(&folder, "Ann.hand") != drawn);
    }
    assert!(others >= 3, "of 18 cards another one comes nearly always: {others} of 6");
}

#[test]
fn knowledge_that_an_undo_cannot_take_back_is_named() {
    let (folder, served) = peeking("looked", &["--names", "Ann,Ben"]);
    let [ann, ben] = ["Ann", "Ben"].map(|name| served.visitor(name));
    ben.table();
    let hand = lies(&folder, "Ben.hand");
    takes(&ann, "look at the next hand");
    ann.press("undo", "");
    let page = ben.table();
    assert!(page.contains("What was seen of Ben&#x27;s Hand stays known to Ann."), "{page}");
    ben.press("agree", "");
    assert_eq!(lies(&folder, "Ben.hand"), hand);
}

#[test]
fn undoing_a_choice_that_revealed_nothing_needs_no_consent() {
    let (folder, served) = peeking("nothing-seen", &["--names", "Ann,Ben"]);
    let [ann, ben] = ["Ann", "Ben"].map(|name| served.visitor(name));
    ben.table();
    let begun = folder.read("evening.play");
    takes(&ann, "take a coin");
    ann.press("undo", "");
    assert_eq!(folder.read("evening.play"), begun);
    // If another seat has chosen since, a player cannot take a choice back alone.
    takes(&ann, "take a coin");
    takes(&ann, "end the turn");
    takes(&ben, "take a coin");
    ann.press("undo", "");
    assert!(ben.table().contains("Ann asks to take back"));
}

#[test]
fn undo_is_unavailable_once_the_game_is_over() {
    let (folder, served) = peeking("over", &["--names", "Ann,Ben"]);
    let [ann, ben, host] = ["Ann", "Ben", "the host"].map(|name| served.visitor(name));
    let mut token = String::new();
    for _ in 0..2 {
        for player in [&ann, &ben] {
            takes(player, "take a coin");
            token = quoted_after(ben.table().split("do/undo?").nth(1).unwrap_or_default(), "name=\"token\" value=\"")
                .unwrap_or_default()
                .to_owned();
            takes(player, "end the turn");
        }
    }
    let over = folder.read("evening.play");
    assert!(over.contains("\nend "), "{over}");
    assert!(!ben.table().contains("do/undo?"));
    for token in [token.clone(), token.replace(".u3", ".u4")] {
        assert!(ben.post("/do/undo", &format!("token={token}")).body.contains("role=\"alert\""), "{token}");
    }
    // The finished game also stays unchanged if it would end later under the new rules, or if one of its choices is not valid under them.
    folder.change("peeking/game.toml", "rounds = 2", "rounds = 3");
    says(&host, "it stays as it was played");
    folder.change("peeking/game.toml", "rounds = 3", "rounds = 2");
    folder.change("peeking/rules/play.rhai", "[\"end\", \"coin\"]", "[\"coin\"]");
    says(&host, "it stays as it was played");
    assert_eq!(folder.read("evening.play"), over);
}

#[test]
fn rule_edits_that_drop_choices_cause_a_redeal() {
    let (folder, served) = peeking("dropped", &["--names", "Ann,Ben"]);
    let [ann, host] = ["Ann", "the host"].map(|name| served.visitor(name));
    takes(&ann, "draw a card");
    let rules = folder.read("peeking/rules/play.rhai");
    let rules =
        rules.replace("[\"draw\", \"coin\"", "[\"coin\"").replace("\"draw\" => { deck.draw(1, seat.hand); }", "");
    folder.write("peeking/rules/play.rhai", rules);
    says(&host, "does not hold");
    host.press("new-rules", "");
    let kept = folder.read("evening.play");
    assert!(kept.lines().any(|line| line.starts_with("redeal ") && line.contains(" rules @ ")), "{kept}");
    assert!(ann.get("/log").body.contains("Choices that the new rules do not allow are taken back"));
}

#[test]
fn answers_from_stale_pages_are_refused_after_an_undo() {
    let (folder, served) = peeking("stale", &["--names", "Ann,Ben"]);
    let [ann, ben] = ["Ann", "Ben"].map(|name| served.visitor(name));
    let first = quoted_after(&ann.table(), "data-question=\"").unwrap().to_owned();
    takes(&ann, "take a coin");
    takes(&ann, "end the turn");
    let old = quoted_after(&ben.table(), "data-question=\"").unwrap().to_owned();
    ann.press("undo", "");
    takes(&ann, "take a coin");
    // The same seats are asked the same questions again, but the forms of the old questions are not valid.
    let kept = folder.read("evening.play");
    for (visitor, question) in [(&ben, &old), (&ann, &first)] {
        let came = visitor.post("/do/choose", &format!("question={question}&option=0"));
        assert!(came.body.contains("role=\"alert\""), "{}", came.body);
    }
    assert_eq!(folder.read("evening.play"), kept);
    assert_ne!(quoted_after(&ben.table(), "data-question=\"").unwrap(), old);
    // The same holds after game files were saved and after the table was opened again.
    let old = quoted_after(&ben.table(), "data-question=\"").unwrap().to_owned();
    folder.change("peeking/rules/play.rhai", "seat.coins += 1;", "seat.coins += 2;");
    says(&ben, "every choice so far holds");
    let came = ben.post("/do/choose", &format!("question={old}&option=0")).body;
    assert!(came.contains("has changed since that page") && came.contains("data-question"), "{came}");
    let old = quoted_after(&ben.table(), "data-question=\"").unwrap().to_owned();
    drop(served);
    let served = TestServer::new(&folder, &[&folder.path_of("peeking"), "--save", &folder.path_of("evening.play")]);
    let ben = served.visitor("Ben");
    assert!(ben.post("/do/choose", &format!("question={old}&option=0")).body.contains("has changed since that page"));
}

#[test]
fn stale_undo_and_seat_forms_are_refused() {
    let (folder, served) = peeking("old-forms", &["--names", "Ann,Ben"]);
    let [ann, host] = ["Ann", "the host"].map(|name| served.visitor(name));
    takes(&ann, "take a coin");
    takes(&ann, "take a coin");
    let page = ann.table();
    let token = form_token(&page, "undo").unwrap();
    // Submitting the form twice takes back only one choice.
    ann.post("/do/undo", &format!("token={token}"));
    let once = folder.read("evening.play");
    assert!(ann.post("/do/undo", &format!("token={token}")).body.contains("has changed since that page"));
    assert_eq!(folder.read("evening.play"), once);
    let page = host.table();
    let token = form_token(&page, "give").unwrap();
    host.post("/do/give", &format!("token={token}&seat=0&agent=random"));
    assert!(host.post("/do/give", &format!("token={token}&seat=1&agent=random")).body.contains("has changed since"));
    assert_eq!(ann.post("/do/undo", "").status, 404, "a form without a token is none");
}

#[test]
fn trial_reports_do_not_reveal_the_seed_of_the_table() {
    let (_folder, served) = peeking("trial-seed", &["--names", "Ann,Ben"]);
    let host = served.visitor("the host");
    host.post("/do/trial", "text=simulate&games=100&agent=random");
    for _ in 0..3_000 {
        let report = host.get("/report");
        if report.status == 200 {
            assert!(report.body.contains("seed ") && !report.body.contains("seed 7<"), "{}", report.body);
            assert!(
                !report.body.contains("seed 7 ")
                    && !report.body.contains("seed 7,")
                    && !report.body.contains("--seed 7")
            );
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the games are played");
}

#[test]
fn saving_a_game_in_its_own_folder_is_not_a_rule_edit() {
    let folder = Folder::new("kept-inside");
    for (file, text) in PEEKING {
        folder.write(&format!("peeking/{file}"), text);
    }
    let (game, saved) = (folder.path_of("peeking"), folder.path_of("peeking/kept.play"));
    let served = TestServer::new(&folder, &[&game, "--players", "2", "--names", "Ann,Ben", "--save", &saved]);
    let ann = served.visitor("Ann");
    takes(&ann, "take a coin");
    std::thread::sleep(Duration::from_secs(1));
    assert!(!ann.table().contains("The rules were changed") && !ann.table().contains("every choice so far holds"));
    folder.change("peeking/game.toml", "rounds = 2", "rounds = 3");
    says(&ann, "every choice so far holds");
}

#[test]
fn picks_from_a_stale_tab_are_refused() {
    let folder = Folder::new("two-tabs");
    for (file, text) in PEEKING {
        folder.write(&format!("picking/{file}"), text);
    }
    folder.change(
        "picking/rules/play.rhai",
        "fn turn(seat) {",
        "fn turn(seat) {\n    choose_some(seat, \"act\", [\"draw\", \"coin\", \"dice\", \"spy\"], 2, 3);",
    );
    let served = TestServer::new(
        &folder,
        &[&folder.path_of("picking"), "--players", "2", "--names", "Ann,Ben", "--save", &folder.path_of("k.play")],
    );
    let ann = served.visitor("Ann");
    let old = quoted_after(&ann.table(), "data-question=\"").unwrap().to_owned();
    takes(&ann, "throw a die");
    let page = ann.table();
    let picked = |page: &str| {
        page.split("<ol class=\"picked\"").nth(1).map(|rest| rest.split("</ol>").next().unwrap().to_owned())
    };
    assert!(picked(&page).unwrap().contains("throw a die"));
    let came = ann.post("/do/choose", &format!("question={old}&option=0")).body;
    assert!(came.contains("has changed since that page") && picked(&came) == picked(&page), "{came}");
    // After the pick is taken back, the form of the old question is still not valid.
    ann.post("/do/take-back", &format!("question={}", quoted_after(&page, "data-question=\"").unwrap()));
    assert!(picked(&ann.table()).is_none());
    assert!(ann.post("/do/choose", &format!("question={old}&option=0")).body.contains("has changed since that page"));
}

#[test]
fn the_host_sees_only_the_name_of_an_agent_program() {
    let (_, served) =
        peeking("program", &["--agents", "human,cmd:/usr/bin/env secret=word true", "--names", "Ann,Ben"]);
    let page = served.visitor("the host").table();
    assert!(page.contains("cmd:env") && !page.contains("secret"), "{page}");
}

#[test]
fn the_history_view_marks_when_the_viewer_was_asked() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let visitors = ["Ann", "Ben"].map(|name| served.visitor(name));
    let first = visitors.iter().position(|visitor| visitor.table().contains("data-question")).unwrap();
    let (one, other) = (&visitors[first], &visitors[1 - first]);
    let was_asked = |visitor: &Visitor, below: &str| {
        let page = visitor.get(below).body;
        assert!(page.contains("Moment"), "{page}");
        page.contains("You were asked")
    };
    assert!(was_asked(one, "/at") && !was_asked(other, "/at"));
    assert!(one.get("/at?lang=zh-Hant").body.contains("當時輪到你"));
    assert!(answers(one, 0));
    assert!(!was_asked(one, "/at") && was_asked(other, "/at"));
    assert!(was_asked(one, "/at?moment=0") && !was_asked(other, "/at?moment=0"));
}

#[test]
fn notes_are_saved_beside_the_recording_for_author_and_host() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let (ann, ben, host) = (served.visitor("Ann"), served.visitor("Ben"), served.visitor("the host"));
    ann.post("/do/note", "text=What+is+trump%3F%0Aend+all");
    let kept = folder.read("evening.play");
    let notes = || folder.read("evening.play.notes");
    assert!(notes().contains("\"author\":\"seat-1\"") && notes().contains("\"What is trump? end all\""), "{}", notes());
    assert!(answers(&ann, 0) || answers(&ben, 0));
    ben.post("/do/note", "text=Too+slow");
    assert!(host.get("/notes").body.contains("What is trump?") && host.get("/notes").body.contains("Too slow"));
    assert!(ann.get("/notes").body.contains("What is trump?") && !ann.get("/notes").body.contains("Too slow"));
    assert_eq!(ann.get("/at?moment=0").status, 200);
    // A note that is too long is refused as a whole and not truncated, and its author is informed.
    let said = ann.post("/do/note", &format!("text={}", "x".repeat(1_001))).body;
    assert!(said.contains("role=\"alert\"") && said.contains("1000 characters") && said.contains("1001"), "{said}");
    assert!(!notes().contains("xx"));
    ann.post("/do/note", &format!("text={}", "x".repeat(1_000)));
    assert!(notes().contains(&"x".repeat(1_000)));
    let played = folder.read("evening.play");
    assert!(played.starts_with(&kept) && !played.contains("trump?") && !played.contains("Too slow"), "{played}");
    drop(served);
    let file = folder.path_of("evening.play");
    let served = TestServer::new(ROOT, &[&format!("{ROOT}/examples/games/little-tricks"), "--save", &file]);
    let host = served.visitor("the host");
    assert!(host.get("/notes").body.contains("What is trump?") && host.get("/notes").body.contains("· Ann"));
}

/// Starts a table that continues the recorded game of [`little`].
fn little_again(folder: &Folder) -> TestServer {
    let file = folder.path_of("evening.play");
    TestServer::new(ROOT, &[&format!("{ROOT}/examples/games/little-tricks"), "--save", &file])
}

#[test]
fn notes_survive_undo_of_the_choices_before_them() {
    let (folder, served) = peeking("notes-kept", &["--names", "Ann,Ben"]);
    let [ann, ben] = ["Ann", "Ben"].map(|name| served.visitor(name));
    takes(&ann, "take a coin");
    ben.post("/do/note", "text=before");
    takes(&ann, "end the turn");
    takes(&ben, "draw a card");
    ben.post("/do/note", "text=afterwards");
    ben.press("undo", "");
    ann.press("agree", "");
    let all = |page: &str| ["before", "afterwards"].map(|note| page.contains(&format!("<p>{note}</p>")));
    let elsewhere = |page: &str| page.matches("The game has gone another way since").count();
    for visitor in [&ben, &served.visitor("the host")] {
        let page = visitor.get("/notes").body;
        assert_eq!((all(&page), elsewhere(&page)), ([true, true], 1), "{page}");
    }
    drop(served);
    let served = TestServer::new(&folder, &[&folder.path_of("peeking"), "--save", &folder.path_of("evening.play")]);
    let page = served.visitor("the host").get("/notes").body;
    assert_eq!((all(&page), elsewhere(&page)), ([true, true], 1), "{page}");
}

#[test]
fn notes_cannot_be_written_in_the_name_of_another() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    served.visitor("to watch").post("/do/note", "text=Ann:+I+resign");
    drop(served);
    // Earlier versions wrote notes into the recording, under any name.
    let recording = folder.read("evening.play");
    folder.write("evening.play", format!("{recording}note Ann: I resign too\n"));
    let served = little_again(&folder);
    let notes = |name: &str| served.visitor(name).get("/notes").body;
    assert!(!notes("Ann").contains("resign"), "{}", notes("Ann"));
    let page = notes("the host");
    assert!(page.contains("Ann: I resign</p>") && page.contains("Ann: I resign too</p>"), "{page}");
    assert!(page.contains("· looks on") || page.contains("· Onlooker") || page.contains("in the recording"), "{page}");
    assert!(!page.contains("· Ann"), "{page}");
}

#[test]
fn exceeding_the_note_quota_is_reported_and_loses_nothing() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let (ann, onlooker) = (served.visitor("Ann"), served.visitor("to watch"));
    ann.post("/do/note", "text=mine");
    let form = format!("text={}", "y".repeat(1_000));
    let refused = (0..80).find_map(|_| Some(onlooker.post("/do/note", &form).body).filter(|page| page.contains("KB")));
    assert!(refused.unwrap().contains("at most 200 notes of 64 KB"));
    assert!(!ann.post("/do/note", "text=mine+again").body.contains("role=\"alert\""));
    let notes = served.visitor("the host").get("/notes").body;
    assert!(notes.contains("mine</p>") && notes.contains("mine again</p>"));
    assert_eq!(notes.matches(&"y".repeat(1_000)).count(), 65);
    assert!(answers(&ann, 0) || answers(&served.visitor("Ben"), 0));
}

#[test]
fn a_link_that_floods_the_server_does_not_delay_others() {
    let folder = Folder::new("flood");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let (ann, onlooker) = (served.visitor("Ann"), served.visitor("to watch"));
    let ends = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..150 {
            scope.spawn(|| {
                while !ends.load(std::sync::atomic::Ordering::SeqCst) {
                    onlooker.post("/do/note", "text=flood");
                }
            });
        }
        let answered = (0..30).filter(|_| ann.post("/do/note", "text=heard").status == 200).count();
        let looked = (0..10).filter(|_| ann.get("/at").status == 200).count();
        ends.store(true, std::sync::atomic::Ordering::SeqCst);
        assert_eq!((answered, looked), (30, 10));
    });
    for _ in 0..300 {
        onlooker.post("/do/note", "text=flood");
    }
    let refused = onlooker.post("/do/note", "text=flood");
    assert!(refused.body.contains("None was lost"), "{}", refused.body);
}

#[cfg(unix)]
#[test]
fn link_and_note_files_with_unsafe_access_or_symlinks_are_refused() {
    use crate::unix::{link, set_mode};
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let known = served.links.clone();
    drop(served);
    let arguments =
        ["serve", &format!("{ROOT}/examples/games/little-tricks"), "--save", &folder.path_of("evening.play")];
    let links = folder.at("evening.play.links");
    for (mode, why) in
        [(0o644, "other users can read it"), (0o620, "other users can write it"), (0o606, "other users can")]
    {
        set_mode(&links, mode);
        let said = run_expecting(2, &folder, &arguments);
        assert!(said.contains(why) && said.contains("evening.play.links") && said.contains("chmod 600"), "{said}");
    }
    set_mode(&links, 0o600);
    let tokens = |links: &[(String, String)]| -> Vec<String> {
        links.iter().map(|(_, link)| link.rsplit('/').next().unwrap().to_owned()).collect()
    };
    let served = little_again(&folder);
    assert_eq!(tokens(&served.links), tokens(&known));
    drop(served);
    std::fs::rename(&links, folder.at("planted")).unwrap();
    link(folder.at("planted"), &links);
    assert!(run_expecting(2, &folder, &arguments).contains("links are not followed"));
    std::fs::remove_file(&links).unwrap();
    // Other users may be able to read notes, but must not be able to write them.
    folder.write("evening.play.notes", "{\"format\":1}\n");
    set_mode(folder.at("evening.play.notes"), 0o666);
    let said = run_expecting(2, &folder, &arguments);
    assert!(said.contains("other users can write it") && said.contains("evening.play.notes"), "{said}");
    // The same rule applies to the links of a lobby.
    std::fs::create_dir(folder.at("evenings")).unwrap();
    folder.write("evenings/lobby.links", format!("format 1\nhost {}\n", "0".repeat(32)));
    set_mode(folder.at("evenings/lobby.links"), 0o644);
    let said = run_expecting(2, &folder, &["serve", "--save", "evenings"]);
    assert!(said.contains("other users can read it") && said.contains("lobby.links"), "{said}");
}

/// A file that the user unpacks from somebody else's archive belongs to the user, too.
#[cfg(unix)]
#[test]
fn links_that_were_not_made_here_are_replaced() {
    use crate::unix::set_mode;
    let folder = Folder::new("planted");
    let tokens = |served: &TestServer| -> Vec<String> {
        served.links.iter().map(|(_, link)| link.rsplit('/').next().unwrap().to_owned()).collect()
    };
    let plant = |path: &str, text: &str| {
        folder.write(path, text);
        set_mode(folder.at(path), 0o600);
    };
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let first = tokens(&served);
    drop(served);
    let own = folder.read("evening.play.links");
    assert_eq!(tokens(&little_again(&folder)), first, "own links stay");
    // Known tokens without a hash, with a hash of another key, and with changed lines.
    let known = |at: usize| format!("{at}").repeat(32);
    let planted = format!("seat-1 {} Ann\nseat-2 {} Ben\nwatch {}\nhost {}\n", known(1), known(2), known(3), known(4));
    let changed = own.replacen(&first[0], &known(1), 1);
    for text in [planted.clone(), format!("{planted}bound {}\n", "0".repeat(64)), changed] {
        plant("evening.play.links", &text);
        let found = tokens(&little_again(&folder));
        assert!(found.iter().all(|token| !first.contains(token) && !text.contains(token)), "{text}\n{found:?}");
    }
    // A file of another recording, whose links the other players know.
    plant("evening.play.links", &own);
    std::fs::create_dir(folder.at("other")).unwrap();
    std::fs::copy(folder.at("evening.play"), folder.at("other/evening.play")).unwrap();
    plant("other/evening.play.links", &own);
    let game = format!("{ROOT}/examples/games/little-tricks");
    let moved = TestServer::new(&folder, &[&game, "--save", "other/evening.play"]);
    assert!(tokens(&moved).iter().all(|token| !first.contains(token)));
    assert_eq!(tokens(&little_again(&folder)), first);
    // The secret of a lobby.
    std::fs::create_dir(folder.at("evenings")).unwrap();
    plant("evenings/lobby.links", &format!("format 1\nhost {}\n", known(5)));
    let lobby = TestServer::new(&folder, &["--save", "evenings"]);
    let drawn = tokens(&lobby);
    assert!(!drawn.contains(&known(5)));
    drop(lobby);
    assert_eq!(tokens(&TestServer::new(&folder, &["--save", "evenings"])), drawn);
}

#[test]
fn session_cookies_and_link_tokens_are_not_interchangeable() {
    let folders = [Folder::new("served"), Folder::new("served")];
    let one = little(&folders[0], &["--players", "2", "--seed", "7"]);
    let ann = one.visitor("Ann");
    let token = one.links[0].1.rsplit('/').next().unwrap();
    let (name, session) = ann.cookie.split_once('=').unwrap();
    assert!(!session.contains(token), "another server on this machine is sent the cookie");
    // A token is not a valid session, and a session is not a valid token. A server at another port does not accept the session, even if it
    // has the same links.
    let forged = Visitor { cookie: format!("{name}={token}"), ..ann.clone() };
    assert_eq!(forged.get("/").status, 403);
    assert_eq!(ann.request("GET", &format!("{}/enter/{session}", ann.base), &[], "").status, 403);
    for file in ["evening.play", "evening.play.links"] {
        std::fs::copy(folders[0].at(file), folders[1].at(file)).unwrap();
    }
    // A cookie with the same name from another server on this machine does not lock out the seat.
    for cookie in [format!("{name}=x; {}", ann.cookie), format!("{}; {name}=x", ann.cookie)] {
        assert_eq!(Visitor { cookie, ..ann.clone() }.get("/").status, 200);
    }
    let other = little_again(&folders[1]);
    let there = other.visitor("Ann");
    let name = there.cookie.split('=').next().unwrap();
    assert_eq!(there.get("/").status, 200);
    assert_eq!(Visitor { cookie: format!("{name}={session}"), ..there.clone() }.get("/").status, 403);
}

#[test]
fn renewing_a_link_invalidates_the_old_one() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let (ann, ben, host) = (served.visitor("Ann"), served.visitor("Ben"), served.visitor("the host"));
    let old = served.links[0].1["http://".len() + served.address.len()..].to_owned();
    for visitor in [&ann, &ben, &served.visitor("to watch")] {
        assert_eq!(visitor.post("/do/renew", "who=seat-1").status, 404, "the host alone does that");
    }
    assert_eq!(host.post("/do/renew", "who=seat-3").status, 409);
    assert_eq!(host.post("/do/renew", "who=nobody").status, 404);
    let mut stream = listens(&ann);
    let page = host.post("/do/renew", "who=seat-1").body;
    let address = quoted_after(&page, "<a href=\"http:&#x2f;&#x2f;").unwrap().replace("&#x2f;", "/");
    let new = address[served.address.len()..].to_owned();
    assert!(address.starts_with(&served.address) && new.starts_with("/table/seat-1/enter/") && new != old, "{page}");
    // The old link, the session and the event stream become invalid; those of other visitors do not.
    assert_eq!(ann.request("GET", &old, &[], "").status, 403);
    let said = ann.get("/table");
    assert!(said.status == 403 && said.body.contains("the host has made a new one"), "{}", said.body);
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap_or_else(|error| panic!("the stream is still open: {error}"));
    assert_eq!((ben.get("/").status, host.get("/").status), (200, 200));
    let came = Visitor { cookie: String::new(), ..ann.clone() }.request("GET", &new, &[], "");
    let cookie = came.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(Visitor { cookie, ..ann.clone() }.get("/").status, 200);
    assert!(folder.read("evening.play.links").contains(new.rsplit('/').next().unwrap()));
    // After renewing their own link, the host continues with a new session.
    let came = host.post("/do/renew", "who=host");
    let cookie = came.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(host.get("/").status, 403);
    assert_eq!(Visitor { cookie, ..host.clone() }.get("/").status, 200);
}

/// Returns a free port.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn a_table_behind_a_proxy_is_reachable_at_its_public_url() {
    let folder = Folder::new("served");
    let (port, public) = (free_port().to_string(), "https://play.example.org");
    let file = folder.path_of("evening.play");
    let game = format!("{ROOT}/examples/games/little-tricks");
    let mut child = crate::program::command(
        ROOT,
        &["serve", &game, "--players", "2", "--seed", "7", "--save", &file, "--port", &port, "--public-url", public],
    )
    .spawn()
    .unwrap();
    let mut links = Vec::new();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    while let Some(line) = lines.next().map(|line| line.unwrap()).filter(|line| !line.contains("Ctrl-C")) {
        links.extend(line.split_once(public).map(|(_, path)| path.to_owned()));
    }
    assert_eq!(links.len(), 4, "links begin with the public address");
    let mut ann =
        Visitor { address: format!("127.0.0.1:{port}"), base: "/table/seat-1".to_owned(), cookie: String::new() };
    let own = ann.address.clone();
    let came = ann.request("GET", &links[0], &[("Host", "play.example.org")], "");
    let cookie = came.header("set-cookie").unwrap();
    assert!(cookie.ends_with("; Secure"), "{cookie}");
    ann.cookie = cookie.split(';').next().unwrap().to_owned();
    let note = |host: &str, origin: &str| {
        ann.request(
            "POST",
            "/table/seat-1/do/note",
            &[("Host", host), ("Origin", origin), ("HX-Request", "true")],
            "text=a",
        )
    };
    // Some proxies forward the public host name. Others send the address to which they forward.
    for host in ["play.example.org", "Play.Example.org:443", own.as_str()] {
        let came = note(host, public);
        assert_eq!(came.status, 200, "{host}: {}", came.body);
        for origin in [
            &format!("http://{own}"),
            "http://play.example.org",
            "https://play.example.org:8443",
            "https://example.org",
        ] {
            assert_eq!(note(host, origin).status, 403, "{host}, {origin}");
        }
    }
    for host in ["example.org", "evil.play.example.org", "play.example.org:80"] {
        assert_eq!(note(host, public).status, 421, "{host}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    for (wrong, why) in [("play.example.org", "--public-url"), ("https://play.example.org/table", "without a path")] {
        assert_usage_error(&folder, &["serve", "stockpile", "--public-url", wrong], &[why]);
    }
}

#[test]
fn refused_requests_get_a_page_with_the_reason() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let ann = served.visitor("Ann");
    let own = format!("http://{}", served.address);
    let (note, large) = (format!("{}/do/note", ann.base), format!("text={}", "x".repeat(40_000)));
    let stranger = Visitor { cookie: String::new(), ..ann.clone() };
    let refused = [
        (
            421,
            ann.request("POST", &note, &[("Host", "play.example.org")], "text=a"),
            ["play.example.org", "--public-url"],
        ),
        (
            403,
            ann.request("POST", &note, &[("Origin", "https://play.example.org")], "text=a"),
            ["https:&#x2f;&#x2f;play.example.org", "--public-url"],
        ),
        (403, ann.request("POST", &note, &[("Origin", "<script>")], "text=a"), ["&lt;script&gt;", "nothing was done"]),
        (413, ann.request("POST", &note, &[("Origin", &own)], &large), ["16 KB", "too large"]),
        (
            422,
            ann.request("POST", &format!("{}/do/choose", ann.base), &[("Origin", &own)], "option=x"),
            ["refused", "option"],
        ),
        (400, ann.get("/at?moment=x"), ["refused", "moment"]),
        (403, stranger.get("/table"), ["Open the link", "a new one"]),
        (404, ann.get("/nothing"), ["no such page", ""]),
        (405, ann.request("PUT", &note, &[("Origin", &own)], ""), ["refused", "405"]),
    ];
    for (status, came, words) in refused {
        assert_eq!(
            (came.status, came.header("content-type")),
            (status, Some("text/html; charset=utf-8")),
            "{}",
            came.body
        );
        let said = came.body.split("<p id=\"refusal\">").nth(1).unwrap_or_else(|| panic!("{status}: {}", came.body));
        assert!(words.iter().all(|word| said.contains(word)), "{status}: {said}");
        assert!(came.header("content-security-policy").is_some() && came.header("cache-control") == Some("no-store"));
    }
    let chinese =
        ann.request("POST", &format!("{note}?lang=zh-Hant"), &[("Origin", "https://play.example.org")], "text=a");
    assert!(chinese.body.contains("沒有執行"), "{}", chinese.body);
    // The page has an element for the message of a refused request. A script fills it in.
    let page = ann.get("/").body;
    assert!(page.contains("id=\"refused\" class=\"notice\" role=\"alert\" hidden"), "{page}");
}

#[test]
fn a_server_can_listen_on_a_host_name() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7", "--host", "LocalHost"]);
    assert!(served.address.starts_with("localhost:"), "{}", served.address);
    let ann = served.visitor("Ann");
    assert_eq!(ann.post("/do/note", "text=a").status, 200);
    assert_eq!(ann.request("GET", "/table/seat-1/", &[("Host", "other.local")], "").status, 421);
    assert_usage_error(&folder, &["serve", "stockpile", "--host", "no such name"], &["--host"]);
    assert_usage_error(&folder, &["serve", "stockpile", "--host", "nowhere.invalid"], &["nowhere.invalid"]);
}

#[test]
fn only_the_host_can_give_a_seat_to_an_agent_and_back() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let (ann, ben, host) = (served.visitor("Ann"), served.visitor("Ben"), served.visitor("the host"));
    for visitor in [&ann, &ben] {
        visitor.press("give", "seat=0&agent=random");
    }
    assert!(!folder.read("evening.play").contains("random"));
    for unoffered in ["cmd:true", "script:a.rhai", "search:999999999", "search:201", "nobody"] {
        let page = host.press("give", &format!("seat=0&agent={unoffered}")).body;
        assert!(page.contains("role=\"alert\"") && page.contains(unoffered), "{unoffered}: {page}");
        assert!(!folder.read("evening.play").contains(unoffered), "{unoffered}");
    }
    assert!(!ann.table().contains("played by"), "{}", ann.table());
    host.press("give", "seat=0&agent=random");
    // Everybody can see which agent plays in the seat.
    let onlooker = served.visitor("to watch");
    for visitor in [&ann, &ben, &host, &onlooker] {
        let page = visitor.table();
        // In the heading of a seat's part of the page, the agent's name follows the name of the seat.
        let parts: Vec<&str> = page.split("played by random").collect();
        assert!(parts.len() > 1, "{page}");
        for before in &parts[..parts.len() - 1] {
            let head = before.rsplit("<h2").next().unwrap();
            assert!(head.contains("<span>Ann</span>"), "{head}");
        }
    }
    assert!(ben.get("/table?lang=zh-Hant").body.contains("由 random 代打"));
    host.press("give", "seat=1&agent=random");
    for _ in 0..2_000 {
        if is_over(&ann.table()) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("agents play to the end: {}", ann.table());
}

/// Public zones of seats are on the common board, in seating order. The pieces that a player holds are only in that player's own area.
#[test]
fn public_zones_of_seats_are_displayed_on_the_board() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let visitors = [served.visitor("Ann"), served.visitor("Ben")];
    let played = visitors.iter().position(|visitor| answers(visitor, 0)).expect("somebody is asked");
    for (seat, visitor) in visitors.iter().enumerate() {
        let page = visitor.table();
        let board = page.split("<section class=\"board ").nth(1).unwrap();
        let (board, mat) = board.split_once("<div class=\"mat ").unwrap();
        let mat = mat.split("<section class=\"prompt\"").next().unwrap();
        assert!(board.contains(&format!("tableau of-{played}")) && board.contains("Played card"), "{seat}: {board}");
        assert!(!board.contains("aria-label=\"Hand\"") && mat.contains("aria-label=\"Hand\""), "{seat}: {page}");
    }
}

#[test]
fn the_table_says_who_has_left_the_game() {
    let folder = Folder::new("served");
    let game = format!("{ROOT}/tests/sessions/scenes/eliminated-seats");
    let saved = folder.path_of("evening.play");
    let served = TestServer::new(ROOT, &[&game, "--seed", "1", "--names", "Ann,Ben,Cleo,Dan", "--save", &saved]);
    let ann = served.visitor("Ann");
    assert!(!ann.table().contains("out of the game"), "nobody has left");
    assert!(answers(&ann, 1), "Ann gives up");
    let strip = |visitor: &Visitor, name: &str| {
        let page = visitor.table();
        let strip =
            page.split("<section class=\"strip").find(|strip| strip.contains(&format!("aria-label=\"{name}\"")));
        strip.and_then(|strip| strip.split("</header>").next()).unwrap_or_else(|| panic!("{name}: {page}")).to_owned()
    };
    for visitor in [ann, served.visitor("Ben")] {
        assert!(strip(&visitor, "Ann").contains("<small>out of the game</small>"), "{}", strip(&visitor, "Ann"));
        for name in ["Ben", "Cleo", "Dan"] {
            assert!(!strip(&visitor, name).contains("out of the game"), "{}", strip(&visitor, name));
        }
    }
}

#[test]
fn after_the_game_the_host_sees_notes_from_the_view_of_their_writer() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let (ann, ben, host) = (served.visitor("Ann"), served.visitor("Ben"), served.visitor("the host"));
    ann.post("/do/note", "text=What+is+trump%3F");
    let begun = |visitor: &Visitor| visitor.get("/at?moment=0").body;
    // Counts the cards in Ann's own hand, which only she can see at the beginning.
    let hand = |page: &str| {
        let strips = page.split("<section class=\"strip ").map(|strip| strip.split("</section>").next().unwrap());
        let strip = strips.skip(1).find(|strip| strip.contains("<span>Ann</span>")).unwrap();
        strip.matches("class=\"piece card").count()
    };
    let drawn = hand(&begun(&ann));
    assert!(drawn > 0 && hand(&begun(&host)) == 0 && hand(&begun(&ben)) == 0);
    // The host may be one of the players, so the host can view the table from other seats only after the game is over.
    let notes = host.get("/notes").body;
    assert!(notes.contains("as the host sees it") && !notes.contains("seat=0"), "{notes}");
    for visitor in [&host, &ben] {
        assert_eq!(hand(&visitor.get("/at?moment=0&seat=0").body), 0);
    }
    plays_out(&served, ["Ann", "Ben"]);
    let notes = host.get("/notes").body;
    assert!(notes.contains("as Ann saw it") && notes.contains("&amp;seat=0&amp;moment=0"), "{notes}");
    let page = host.get("/at?moment=0&seat=0").body;
    assert!(hand(&page) == drawn && page.contains("as Ann saw it"), "{page}");
    assert!(page.contains("seat=0&amp;moment=1\" rel=\"next\""), "the next moment is hers as well: {page}");
    assert_eq!(hand(&begun(&host)), 0);
    for visitor in [&ben, &served.visitor("to watch")] {
        assert_eq!(hand(&visitor.get("/at?moment=0&seat=0").body), 0, "nobody else is shown that");
    }
}

#[test]
fn a_campaign_continues_at_the_same_table_with_carried_values() {
    let folder = Folder::new("campaign");
    let file = folder.path_of("evening.play");
    let winters = format!("{ROOT}/examples/games/three-winters");
    let served = TestServer::new(ROOT, &[&winters, "--players", "2", "--seed", "3", "--save", &file]);
    let [ann, onlooker] = ["Ann", "to watch"].map(|name| served.visitor(name));
    let mut foods = Vec::new();
    for winter in 1..=3 {
        let [page, _] = plays_out(&served, ["Ann", "Ben"]);
        foods.push(food(&page));
        assert_eq!(page.contains("do/follow"), winter < 3, "after winter {winter}: {page}");
        assert!(!onlooker.table().contains("do/follow"));
        assert_eq!(onlooker.press("follow", "").status, 200);
        assert!(is_over(&ann.table()), "somebody who looks on goes on with nothing");
        if winter < 3 {
            let came = ann.press("follow", "");
            assert_eq!(came.status, 200, "{}", came.body);
            assert!(!is_over(&ann.table()), "{}", ann.table());
            // The finished game is kept in a separate file. The recording of the next game contains the values that were carried over.
            assert!(folder.read(&format!("evening-{winter}.play")).contains("\nend "));
            let text = folder.read("evening.play");
            assert!(text.contains(&format!("set carry.winters = {winter}")), "{text}");
            assert!(text.contains(&format!("set carry.seat1.food = {}", foods.last().unwrap())), "{text}");
        }
    }
}

#[test]
fn playing_again_rotates_seats_and_keeps_links() {
    let folder = Folder::new("again");
    let mut served = little(&folder, &["--players", "2", "--seed", "7"]);
    let links = served.links.clone();
    let (ann, ben, onlooker) = (served.visitor("Ann"), served.visitor("Ben"), served.visitor("to watch"));
    assert!(!ann.table().contains("do/again"), "the game is not over");
    ann.press("again", "");
    assert!(!Path::new(&folder.path_of("evening-1.play")).exists(), "{}", ann.table());
    plays_out(&served, ["Ann", "Ben"]);
    assert!(ann.table().contains("do/again") && !onlooker.table().contains("do/again"));
    onlooker.press("again", "");
    assert!(is_over(&ann.table()), "somebody who looks on starts nothing");
    let first = folder.read("evening.play");
    let came = ben.press("again", "");
    assert_eq!(came.status, 200, "{}", came.body);
    assert_eq!(folder.read("evening-1.play"), first, "the finished game is kept");
    let second = folder.read("evening.play");
    let line = |text: &str, key: &str| text.lines().find(|line| line.starts_with(key)).map(str::to_owned);
    assert_eq!(line(&second, "players").as_deref(), Some("players Ben Ann"), "{second}");
    assert_ne!(line(&first, "seed"), line(&second, "seed"));
    // All players keep their links, and see their own hands at the seats that they have now.
    let own = |page: &str| {
        let strips =
            page.split("<section class=\"strip ").skip(1).map(|strip| strip.split("</section>").next().unwrap());
        let own = strips.into_iter().find(|strip| strip.split('"').next().unwrap().contains(" own")).unwrap();
        (own.contains("<span>Ann</span>"), own.contains("<span>Ben</span>"), own.matches("class=\"piece card").count())
    };
    for (visitor, is_ann) in [(&ann, true), (&ben, false)] {
        for page in [visitor.table(), visitor.get("/at?moment=0").body] {
            let (names_ann, names_ben, cards) = own(&page);
            assert_eq!((names_ann, names_ben), (is_ann, !is_ann), "{page}");
            assert!(cards > 0, "the own hand lies open: {page}");
        }
    }
    // After a restart, links and seats are unchanged.
    let pages = [&ann, &ben].map(|visitor| without_tokens(&visitor.table()));
    served.kill();
    served = little_again(&folder);
    let tokens = |links: &[(String, String)]| -> Vec<(String, String)> {
        links.iter().map(|(name, link)| (name.clone(), link.rsplit('/').next().unwrap().to_owned())).collect()
    };
    assert_eq!(tokens(&served.links), tokens(&links));
    assert_eq!(["Ann", "Ben"].map(|name| without_tokens(&served.visitor(name).table())), pages);
    plays_out(&served, ["Ann", "Ben"]);
    served.visitor("the host").press("again", "");
    assert_eq!(line(&folder.read("evening.play"), "players").as_deref(), Some("players Ann Ben"));
    assert_eq!(folder.read("evening-2.play").lines().filter(|line| line.starts_with("end ")).count(), 1);
    // Each copy takes disk space, so their number is limited.
    plays_out(&served, ["Ann", "Ben"]);
    (3..=1_000).for_each(|copy| drop(folder.write(&format!("evening-{copy}.play"), "")));
    let third = folder.read("evening.play");
    let said = served.visitor("Ann").press("again", "").body;
    assert!(said.contains("there are 1000 copies"), "{said}");
    assert_eq!(folder.read("evening.play"), third);
}

/// Returns Ann's score in the final table.
fn food(page: &str) -> String {
    let ending = page.split("class=\"panel ending\"").nth(1).unwrap();
    let at =
        ending.split("<th scope=\"col\"").skip(1).position(|head| head.split("</th>").next().unwrap().ends_with("Ann"));
    let row = ending.split("<tr class=\"score\">").nth(1).unwrap().split("</tr>").next().unwrap();
    let cell = row.split("<td").nth(at.unwrap() + 1).unwrap();
    let score: i64 = cell.split_once('>').unwrap().1.split('<').next().unwrap().parse().unwrap();
    score.to_string()
}

/// Returns the values of an attribute. `before` is the attribute's name with the equals sign and the opening quotation mark.
fn addresses<'p>(page: &'p str, before: &str) -> Vec<&'p str> {
    page.match_indices(before).map(|(at, found)| page[at + found.len()..].split('"').next().unwrap()).collect()
}

/// Creates a game with `parlour new`. Its card faces contain constructs that faces are not allowed to use.
fn with_faces(folder: &Folder) -> String {
    crate::program::run_ok(folder, &["new", "game"]);
    folder.write(
        "game/faces/card.html",
        "<style>b { color: #123456 } body { display: none } .x { background: url(//evil.example/a.png) }</style>\
         <b style=\"font-size: 9cqw\">{{ name }}</b><img src=\"coin.png\" alt=\"coin\"><script>alert(1)</script>\
         <form action=\"//evil.example\"><button>Go</button></form><p onclick=\"alert(2)\" hx-get=\"/x\">{{ number }}</p>",
    );
    folder.write("game/faces/coin.png", b"\x89PNG\r\n\x1a\nand so on");
    folder.path_of("game")
}

#[test]
fn faces_are_sanitized_and_pictures_require_a_session() {
    let folder = Folder::new("faces");
    let game = with_faces(&folder);
    let served =
        TestServer::new(&folder, &[&game, "--players", "2", "--seed", "7", "--save", &folder.path_of("evening.play")]);
    let ann = served.visitor("Ann");
    let page = ann.table();
    assert!(page.contains("class=\"face ") && page.contains("data-styled=\""), "{page}");
    for hostile in ["<script", "evil.example", "onclick", "/x\"", " style=", "<button>Go"] {
        assert!(!page.contains(hostile), "{hostile}: {page}");
    }
    let sheet = addresses(&page, "<link rel=\"stylesheet\" href=\"")[0].replace("&amp;", "&");
    let style = ann.get(&format!("/{sheet}"));
    assert_eq!(style.header("content-type"), Some("text/css; charset=utf-8"));
    assert!(style.header("cache-control").unwrap().contains("immutable"));
    assert!(
        style.body.contains("#123456")
            && style.body.contains(":not(#of) { font-size: 9cqw;")
            && !style.body.contains("evil")
    );
    assert!(!style.body.lines().any(|line| line.contains("display: none") && !line.starts_with(".face.own-")));
    let picture = addresses(&page, "<img src=\"")[0];
    let came = ann.get(&format!("/{picture}"));
    assert_eq!((came.status, came.header("content-type")), (200, Some("image/png")));
    assert_eq!(came.header("x-content-type-options"), Some("nosniff"));
    let nobody = Visitor { cookie: String::new(), ..ann.clone() };
    for below in [picture, &sheet] {
        assert_eq!(nobody.get(&format!("/{below}")).status, 403, "{below}");
    }
    for nowhere in ["/picture/0", "/picture/coin.png", "/picture/..%2Fgame.toml", "/picture/%2Fetc%2Fpasswd"] {
        assert_eq!(ann.get(nowhere).status, 404, "{nowhere}");
    }
    // Once the face is saved without mistakes, it is shown.
    let hostile = "#123456 } body { display: none } .x { background: url(//evil.example/a.png) }";
    folder.change("game/faces/card.html", hostile, "#654321 }");
    let before = sheet;
    for _ in 0..3_000 {
        let page = ann.table();
        let sheet = addresses(&page, "<link rel=\"stylesheet\" href=\"")[0].replace("&amp;", "&");
        if sheet != before {
            assert!(ann.get(&format!("/{sheet}")).body.contains("#654321"));
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the face that was saved is not shown: {}", ann.table());
}

/// Creates a game in which a card that everybody has seen is shuffled into the bottom of a pile. The game has many options with several
/// parts.
fn with_a_pile(folder: &Folder) -> String {
    folder.write(
        "game/game.toml",
        r#"
[game]
id = "piled"
players = { min = 2, max = 2 }
[zones.deck]
shape = "pile"
face = "down"
starts_with = ["card"]
[zones.bared]
shape = "pile"
seen_by = "everybody"
[zones.pile]
shape = "pile"
face = "down"
[decisions.build]
ask = "What do you build?"
parts = { house = "any", pay = "number", at = "number" }
[flow]
setup = ["deal"]
round = ["play"]
rounds = 1
[phases.play]
steps = [{ each_seat = "turn" }]
"#,
    );
    folder.write(
        "game/components/box.toml",
        "[[card]]\nid = \"bomb\"\n[[card]]\nid = \"plain\"\ncount = 6\n[[card]]\nid = \"other\"\ncount = 6\n",
    );
    folder.write(
        "game/rules/build.rhai",
        r#"
fn deal() {
    deck.shuffle();
    deck.find("component", component("bomb")).move_to(bared);
    deck.draw(3, pile);
    bared.top.move_to(pile);
    pile.shuffle();
    deck.draw(5, pile);
}
fn turn(seat) { choose(seat, "build", || sites()); }
fn sites() {
    let open = each_of(#{ house: ["mill", "inn"], pay: [1, 2, 3, 4], at: [1, 2, 3, 4] });
    open + each_of(#{ house: ["tower"], pay: [4], at: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] })
}
fn score(seat) { 0 }
"#,
    );
    folder.path_of("game")
}

#[test]
fn known_facts_about_hidden_pieces_of_a_pile_are_displayed() {
    let folder = Folder::new("piled");
    let game = with_a_pile(&folder);
    let served = TestServer::new(&folder, &[&game, "--seed", "7", "--save", &folder.path_of("evening.play")]);
    let ann = served.visitor("Ann");
    let [english, chinese] = ["en", "zh-Hant"].map(|tag| ann.get(&format!("/?lang={tag}")).body);
    assert!(english.contains("5 × (Plain or Other), 4 hidden (among the hidden: Bomb)"), "{english}");
    assert!(chinese.contains("張未公開（未公開者之中有："), "{chinese}");
}

#[test]
fn large_option_lists_are_grouped_by_part() {
    let folder = Folder::new("parts");
    let game = with_a_pile(&folder);
    let served = TestServer::new(&folder, &[&game, "--seed", "7", "--save", &folder.path_of("evening.play")]);
    let mut pages = ["Ann", "Ben"].map(|name| served.visitor(name).table()).into_iter();
    let page = pages.find(|page| page.contains("data-question")).unwrap();
    let parts = addresses(&page, "data-part=\"");
    let mill = ["1.house mill", "2.pay 1", "2.pay 2", "2.pay 3", "2.pay 4"];
    assert_eq!(parts[..5], mill, "{page}");
    assert_eq!((parts[5], parts[10], parts.len()), ("1.house inn", "1.house tower", 11), "{page}");
    assert!(page.contains("<small>the same in all of them: pay 4</small>"), "{page}");
    assert_eq!(addresses(&page, "name=\"option\" value=\"").len(), 45, "each option is there: {page}");
}

#[test]
fn picks_so_far_are_listed_in_order() {
    // Two of three cards are kept, in any order; or all three cards are kept and then ordered.
    for (least, most) in [(2, 2), (3, 3)] {
        let folder = crate::picks::picks(&format!("served_picks_{least}"), least, most);
        let saved = folder.path_of("evening.play");
        let served =
            TestServer::new(&folder, &[&folder.path_of("picks"), "--players", "2", "--seed", "1", "--save", &saved]);
        let visitors = ["Ann", "Ben"].map(|name| served.visitor(name));
        let ann = visitors.iter().find(|visitor| visitor.table().contains("data-question")).unwrap();
        let page = ann.table();
        assert!(!page.contains("class=\"picked\""), "{page}");
        // The last option is one of two cards that are alike. Without it, there is still a choice.
        let (_, last) = page.rsplit_once("name=\"option\" value=\"").unwrap();
        let (at, text) = last.split_once("\">").unwrap();
        let first = text.split(['<', '×']).next().unwrap().trim();
        let question = quoted_after(&page, "data-question=\"").unwrap();
        ann.post("/do/choose", &format!("question={question}&option={at}"));
        let page = ann.table();
        let listed = page.split("class=\"picked\"").nth(1).unwrap_or_else(|| panic!("{page}"));
        let listed = listed.split("</ol>").next().unwrap();
        assert!(listed.ends_with(&format!("><li>{first}</li>")), "{first}: {page}");
        assert!(page.contains("Picked so far") && page.contains("1 so far)"), "{page}");
        assert!(ann.get("/table?lang=zh-Hant").body.contains("已選</p>"));
    }
}

#[test]
fn tile_options_preview_their_placement() {
    let folder = Folder::new("lays");
    let (game, saved) = (format!("{ROOT}/games/monga-alley"), folder.path_of("evening.play"));
    let served = TestServer::new(ROOT, &[&game, "--players", "2", "--seed", "7", "--save", &saved]);
    let (visitors, onlooker) = (["Ann", "Ben"].map(|name| served.visitor(name)), served.visitor("to watch"));
    let mut ways = BTreeMap::new();
    for draw in 0..24_usize {
        let asked = visitors.iter().find(|visitor| visitor.table().contains("data-question")).unwrap();
        let page = asked.table();
        let lays: Vec<&str> = addresses(&page, " data-lays=\"");
        if lays.is_empty() {
            assert!(answers(asked, draw));
            continue;
        }
        let (_, option) = page.split_once(&format!(" data-lays=\"{}\"", lays[draw * 37 % lays.len()])).unwrap();
        let at = quoted_after(option, "value=\"").unwrap();
        let way = ["beside", "over", "under"].into_iter().find(|way| option.split('<').nth(1).unwrap().contains(way));
        *ways.entry(way.unwrap()).or_insert(0) += 1;
        let prints: Vec<(&str, &str)> = page
            .split("<li data-fill=\"")
            .skip(1)
            .map(|print| (print.split('"').next().unwrap(), print.split(['>', '<']).nth(1).unwrap()))
            .collect();
        let question = quoted_after(&page, "data-question=\"").unwrap();
        asked.post("/do/choose", &format!("question={question}&option={at}"));
        // After the choice, everybody sees the tile in the position that the preview showed.
        let page = onlooker.table();
        assert!(!page.contains("data-lays") && !page.contains("id=\"prints\""));
        for square in lays[draw * 37 % lays.len()].split(' ') {
            let (mark, number) = square.split_once('.').unwrap();
            let (_, space) = page.split_once(&format!("data-k=\"{mark}\"")).unwrap();
            let (fill, text) = prints[number.parse::<usize>().unwrap()];
            assert_eq!(quoted_after(space, "fill=\""), Some(fill));
            assert_eq!(space.split_once("<text").unwrap().1.split(['>', '<']).nth(1), Some(text));
        }
    }
    assert!(ways.len() == 3, "in each way: {ways:?}");
}

#[test]
fn texts_of_games_and_players_are_escaped() {
    let folder = Folder::new("escaped");
    crate::program::run_ok(&folder, &["new", "game"]);
    let hostile = "<img src=x onerror=alert(1)>\\\"'&";
    let named = format!("name = {{ en = \"{hostile}\", zh-Hant = \"{hostile}\" }}");
    folder.change("game/components/cards.toml", "name = { en = \"Card\", zh-Hant = \"牌\" }", &named);
    folder.change("game/components/cards.toml", "name = \"{color} {number}\"", "name = \"<script>{color} {number}\"");
    let saved = folder.path_of("evening.play");
    let game = folder.path_of("game");
    let names = "<svg onload>,Ben";
    let served =
        TestServer::new(&folder, &[&game, "--players", "2", "--seed", "7", "--save", &saved, "--names", names]);
    let (ann, host) = (served.visitor("<svg onload>"), served.visitor("the host"));
    ann.post("/do/note", "text=%3Cscript%3Ealert(3)%3C/script%3E");
    for visitor in [&ann, &served.visitor("Ben"), &host] {
        for below in ["/", "/?lang=zh-Hant", "/log", "/at", "/notes", "/why?text=%3Cscript%3E", "/trials"] {
            let page = visitor.get(below).body;
            for hostile in ["<script>", "<img src=x", "<svg onload", "onerror=alert(1)>"] {
                assert!(!page.contains(hostile), "{below}: {hostile}: {page}");
            }
        }
    }
    assert!(ann.table().contains("&lt;script&gt;"), "{}", ann.table());
}

#[test]
fn new_connections_replace_the_longest_idle_one_when_full() {
    let folder = Folder::new("crowded");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let ann = served.visitor("Ann");
    let mut crowd: Vec<TcpStream> = (0..1_024)
        .map(|at| {
            let mut stream = TcpStream::connect(&served.address).unwrap();
            // Some clients send nothing, and others begin a request and send nothing more.
            if at % 2 == 0 {
                stream.write_all(b"GET /table/seat-1/table HT").unwrap();
            }
            stream
        })
        .collect();
    let begun = std::time::Instant::now();
    for _ in 0..10 {
        assert_eq!(ann.get("/table").status, 200);
    }
    assert!(begun.elapsed() < Duration::from_secs(4), "nobody waits until the crowd is sent away for saying nothing");
    // The oldest of these connections has been closed.
    crowd[0].set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    assert!(!matches!(crowd[0].read(&mut [0]), Ok(1..)));
}

/// Opens an event stream, and reads it up to the first event.
fn listens(visitor: &Visitor) -> TcpStream {
    let mut stream = TcpStream::connect(&visitor.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let Visitor { address, base, cookie } = visitor;
    let head = format!("GET {base}/events HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let (mut heard, mut part) = (String::new(), [0; 1_024]);
    while !heard.contains("event: table") {
        let length = stream.read(&mut part).unwrap();
        assert!(length > 0, "{heard}");
        heard.push_str(&String::from_utf8_lossy(&part[..length]));
    }
    stream
}

#[test]
fn event_streams_of_one_link_do_not_displace_others() {
    let folder = Folder::new("streams");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let (ann, onlooker) = (served.visitor("Ann"), served.visitor("to watch"));
    let own = listens(&ann);
    let mut streams: Vec<TcpStream> = (0..1_100).map(|_| listens(&onlooker)).collect();
    let begun = std::time::Instant::now();
    assert_eq!(ann.get("/table").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(4), "there is room for others");
    let ends = |stream: &mut TcpStream| {
        stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        let mut rest = [0; 64];
        match stream.read(&mut rest) {
            // Detects the end of a chunked body or of the connection.
            Ok(0) => true,
            Ok(length) => rest[..length].starts_with(b"0\r\n"),
            Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    };
    assert!(ends(&mut streams[0]) && ends(&mut streams[1_035]), "the oldest are closed");
    assert!(!ends(&mut streams[1_036]) && !ends(&mut streams[1_099]), "sixty-four are open");
    assert!(!ends(&mut { own }), "and nobody else's is closed");
}

#[test]
fn only_the_host_can_run_trials() {
    let folder = Folder::new("tried");
    crate::program::run_ok(&folder, &["new", "game"]);
    let (game, saved) = (folder.path_of("game"), folder.path_of("evening.play"));
    let served = TestServer::new(&folder, &[&game, "--players", "2", "--seed", "7", "--save", &saved]);
    let (ann, host) = (served.visitor("Ann"), served.visitor("the host"));
    assert_eq!((ann.get("/trials").status, ann.get("/report").status), (404, 404));
    assert_eq!(ann.post("/do/trial", "text=simulate&games=100&agent=random").status, 404);
    assert_eq!(host.get("/report").status, 404, "nothing has been played");
    for unoffered in ["text=simulate&games=101&agent=random", "text=simulate&games=100&agent=cmd:true"] {
        host.post("/do/trial", unoffered);
        assert!(!host.get("/trials").body.contains("of 10"), "{unoffered}");
    }
    let plays = |form: &str| {
        assert_eq!(host.post("/do/trial", form).status, 303);
        for _ in 0..3_000 {
            let page = host.get("/trials").body;
            if !page.contains("<progress") {
                return page;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("it comes to no end: {}", host.get("/trials").body);
    };
    let page = plays("text=simulate&games=100&agent=random");
    assert!(page.contains("100 of 100 played") && page.contains("href=\"report\""), "{page}");
    let report = host.get("/report");
    assert!(report.body.contains("100 games, seed "), "{}", report.body);
    let policy = report.header("content-security-policy").unwrap();
    let once = quoted_after(&report.body, "<script nonce=\"").unwrap();
    assert!(policy.starts_with("sandbox allow-scripts; default-src 'none'") && policy.contains(once), "{policy}");
    assert!(!report.body.contains("<script>"));
    // The files are compared with their state when the table was opened.
    folder.change("game/game.toml", "[params.trick_points]\nvalue = 1", "[params.trick_points]\nvalue = 5");
    let page = plays("text=compare&games=100&agent=random");
    assert!(page.contains("100 of 100 played"), "{page}");
    let report = host.get("/report").body;
    assert!(report.contains("as it was when the table was opened") && report.contains("what a change does"));
    // A mistake is reported as `check` reports it.
    folder.change("game/rules/play.rhai", "card.move_to(seat", "card.move_too(seat");
    let page = plays("text=simulate&games=100&agent=random");
    assert!(page.contains("unknown-function") && !page.contains("href=\"report\""), "{page}");
    // Players can use the table while the batch runs. A stopped batch keeps the games that it has finished.
    folder.change("game/rules/play.rhai", "card.move_too(seat", "card.move_to(seat");
    host.post("/do/trial", "text=simulate&games=10000&agent=search:50");
    assert!(answers(&ann, 0) || answers(&served.visitor("Ben"), 0));
    assert!(host.get("/trials").body.contains("<progress"), "{}", host.get("/trials").body);
    host.post("/do/stop-trial", "");
    for _ in 0..3_000 {
        let page = host.get("/trials").body;
        if !page.contains("<progress") {
            assert!(!page.contains("10000 of 10000"), "{page}");
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("it does not stop: {}", host.get("/trials").body);
}

/// Waits until the visitor's page contains `words`, and returns the page.
fn says(visitor: &Visitor, words: &str) -> String {
    for _ in 0..3_000 {
        let page = visitor.table();
        if page.contains(words) {
            return page;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it does not say `{words}`: {}", visitor.table());
}

#[test]
fn saved_spreadsheets_are_reloaded() {
    let folder = Folder::new("sheets");
    for game in ["game", "other"] {
        crate::program::run_ok(&folder, &["new", game]);
    }
    folder.change("other/components/cards.toml", "name = \"{color} {number}\"", "name = \"Crumpet {number}\"");
    for sheet in ["cards.xlsx", "card.csv"] {
        let out = if sheet == "card.csv" { "sheets" } else { sheet };
        let written = |game: &str| {
            let out = format!("{game}-{out}");
            crate::program::run_ok(&folder, &["cards", game, "--out", &out]);
            std::fs::read(if sheet == "card.csv" { folder.at(&out).join(sheet) } else { folder.at(&out) }).unwrap()
        };
        let (before, after) = (written("game"), written("other"));
        let rows = folder.read("game/components/cards.toml");
        folder.write("game/components/cards.toml", rows.split("[[card]]").next().unwrap());
        folder.write(&format!("game/components/{sheet}"), before);
        let served = TestServer::new(&folder, &[&folder.path_of("game"), "--players", "2", "--seed", "7"]);
        let ann = served.visitor("Ann");
        assert!(!ann.table().contains("Crumpet"));
        folder.write(&format!("game/components/{sheet}"), after);
        says(&ann, "Crumpet");
        std::fs::remove_file(folder.at(&format!("game/components/{sheet}"))).unwrap();
        folder.write("game/components/cards.toml", rows);
    }
}

#[test]
fn saved_rules_take_effect_if_the_choices_so_far_remain_valid() {
    let folder = Folder::new("edited");
    crate::program::run_ok(&folder, &["new", "game"]);
    let saved = folder.path_of("evening.play");
    let game = folder.path_of("game");
    let served = TestServer::new(&folder, &[&game, "--players", "2", "--seed", "7", "--save", &saved]);
    let (host, visitors) = (served.visitor("the host"), ["Ann", "Ben"].map(|name| served.visitor(name)));
    let first = visitors.iter().find(|visitor| visitor.table().contains("data-question")).unwrap();
    assert!(answers(first, 0));
    assert!(visitors.iter().any(|visitor| answers(visitor, 0)));
    let points = |visitor: &Visitor, number: u8| visitor.table().contains(&format!("<dt>points</dt><dd>{number}</dd>"));
    // If the saved files are free of mistakes, the choices so far are replayed with the new rules.
    folder.change("game/game.toml", "[params.trick_points]\nvalue = 1", "[params.trick_points]\nvalue = 5");
    says(&host, "every choice so far holds");
    assert!(points(first, 5), "{}", first.table());
    // If the saved files contain a mistake, everybody is informed, and the game continues with the old rules.
    folder.change("game/rules/play.rhai", "card.move_to(seat", "card.move_too(seat");
    let page = says(first, "unknown-function");
    assert!(page.contains("move_too") && page.contains("game/rules/play.rhai") || page.contains("play.rhai"), "{page}");
    assert!(visitors.iter().any(|visitor| answers(visitor, 0)));
    folder.change("game/rules/play.rhai", "card.move_too(seat", "card.move_to(seat");
    says(&host, "every choice so far holds");
    // If a choice is not valid under the new rules, only the host is told which one, and decides what to do.
    let kept = folder.read("evening.play");
    let played = kept.lines().find_map(|line| line.split_once(": play ")?.1.split(' ').next()).unwrap().to_owned();
    let ids = "id = \"{color}_{number}\"";
    folder.change("game/components/cards.toml", ids, "id = \"a_{color}_{number}\"");
    let page = says(&host, "does not hold");
    assert!(page.contains("choice 1, `") && page.contains("evening.play:"), "{page}");
    assert!(page.contains("what everybody&#x27;s log says of the choice:") && !page.contains("offered:"), "{page}");
    assert!(!says(first, "does not hold").contains("not-offered"), "which choice it is, players are not told");
    for visitor in &visitors {
        visitor.press("new-rules", "");
    }
    assert!(host.table().contains("does not hold"), "nobody else decides");
    host.press("old-rules", "");
    assert!(!host.table().contains("does not hold"));
    assert_eq!(folder.read("evening.play"), kept);
    folder.change("game/components/cards.toml", "id = \"a_{color}_{number}\"", "id = \"b_{color}_{number}\"");
    // The button states how many choices would be dropped, including choices made in the meantime. The previous recording is kept in a file
    // with a new name.
    let page = says(&host, "does not hold");
    assert!(page.contains("by the new rules (choices that are dropped: 3)"), "{page}");
    assert!(visitors.iter().any(|visitor| answers(visitor, 0)));
    assert!(host.table().contains("(choices that are dropped: 4)"), "{}", host.table());
    folder.write("evening-1.play", "somebody's own");
    let kept = folder.read("evening.play");
    host.press("new-rules", "");
    let page = first.table();
    assert!(page.contains("data-question") && page.contains("from where a choice did not hold"), "{page}");
    assert!(!folder.read("evening.play").contains(&format!(": play {played} ")));
    assert_eq!((folder.read("evening-2.play"), folder.read("evening-1.play").as_str()), (kept, "somebody's own"));
    assert!(host.table().contains("evening-2.play") && !page.contains("evening-2.play"), "{}", host.table());
}

#[test]
fn reports_of_invalid_choices_contain_only_public_facts() {
    let folder = Folder::new("kept-secret");
    for (name, bytes) in crate::folder::contents(format!("{ROOT}/games/stockpile")) {
        folder.write(&format!("stockpile/{name}"), bytes);
    }
    let (game, saved) = (folder.path_of("stockpile"), folder.path_of("evening.play"));
    let served = TestServer::new(&folder, &[&game, "--players", "2", "--seed", "9", "--save", &saved]);
    let (host, visitors) = (served.visitor("the host"), ["Ann", "Ben"].map(|name| served.visitor(name)));
    assert!(visitors.iter().any(|visitor| answers(visitor, 0)));
    let kept = folder.read("evening.play");
    let placed = kept.lines().find_map(|line| line.split_once(": place up=")?.1.split(' ').next()).unwrap();
    folder.change("stockpile/components/market.toml", &format!("id = \"{placed}\""), "id = \"another\"");
    let page = says(&host, "does not hold");
    assert!(page.contains("error[not-offered]") && page.contains("evening.play:"), "{page}");
    // Everybody is told the name of the card that was placed, but nothing else about the hand.
    assert!(page.contains("what everybody&#x27;s log says of the choice: "), "{page}");
    for secret in ["offered:", "up=", "other_lot="] {
        assert!(!page.contains(secret), "{secret}: {page}");
    }
}

#[test]
fn rule_failures_show_the_location_but_no_hidden_information() {
    let folder = Folder::new("failing");
    crate::program::run_ok(&folder, &["new", "game"]);
    let (game, saved) = (folder.path_of("game"), folder.path_of("evening.play"));
    let served = TestServer::new(&folder, &[&game, "--players", "2", "--seed", "7", "--save", &saved]);
    let (host, visitors) = (served.visitor("the host"), ["Ann", "Ben"].map(|name| served.visitor(name)));
    for _ in 0..2 {
        assert!(visitors.iter().any(|visitor| answers(visitor, 0)));
    }
    let fails = "let own = seat.hand.top;\n    let none = 1 / (seat.points - seat.points);\n    card.move_to(seat";
    folder.change("game/rules/play.rhai", "card.move_to(seat", fails);
    let tells_where = |page: &str| {
        let page = page.replace("&#x2f;", "/");
        assert!(page.contains("error[arithmetic]") && page.contains("rules/play.rhai:11:"), "{page}");
        for secret in ["variables", "own = ", "--seed", "seed 7", "reproduce"] {
            assert!(!page.contains(secret), "{secret}: {page}");
        }
    };
    tells_where(&says(&host, "does not hold"));
    host.press("new-rules", "");
    let page = says(&host, "The rules have failed");
    tells_where(&page);
    assert!(page.contains("parlour run GAME --from"), "{page}");
}

#[test]
fn history_pages_respond_while_an_agent_thinks() {
    let folder = Folder::new("thinks");
    let served = little(&folder, &["--agents", "human,search:60000ms", "--seed", "7"]);
    let ann = served.visitor("Ann");
    assert!(answers(&ann, 0));
    let begun = std::time::Instant::now();
    for (below, says) in [("/log", "What happened"), ("/at", "Moment"), ("/notes", "Nothing"), ("/", "What happened")] {
        let came = ann.get(below);
        assert!(came.status == 200 && came.body.contains(says), "{below}: {}", came.body);
    }
    let why = ann.get("/why?text=red");
    assert!(why.status == 409 && why.body.contains("You are not asked now."), "{}", why.body);
    assert!(begun.elapsed() < Duration::from_secs(50), "the agent thinks for a minute");
    assert!(!ann.table().contains("data-question"), "and it is not done yet");
}

/// Enters an agent's seat as a person. The seat has a link, although it is not shown.
fn in_seat_of_agent(served: &mut TestServer, folder: &Folder, name: &str) -> Visitor {
    let links = folder.read("evening.play.links");
    let token = links.lines().find_map(|line| line.strip_prefix("seat-2 ")?.split(' ').next()).unwrap();
    served.links.push((name.to_owned(), format!("http://{}/table/seat-2/enter/{token}", served.address)));
    served.visitor(name)
}

#[test]
fn the_table_responds_while_an_agent_thinks() {
    let folder = Folder::new("thinks-long");
    crate::program::run_ok(&folder, &["new", "game"]);
    let (game, saved) = (folder.path_of("game"), folder.path_of("evening.play"));
    let mut served =
        TestServer::new(&folder, &[&game, "--seed", "7", "--agents", "human,search:600000ms", "--save", &saved]);
    let (ann, host) = (served.visitor("Ann"), served.visitor("the host"));
    let ben = in_seat_of_agent(&mut served, &folder, "Ben");
    let begun = std::time::Instant::now();
    assert!(answers(&ann, 0));
    let done = |came: crate::visitor::Response| {
        assert!(came.status == 200 && !came.body.contains("role=\"alert\""), "{} {}", came.status, came.body);
    };
    done(ann.post("/do/note", "text=It+takes+its+time"));
    assert!(folder.read("evening.play.notes").contains("It takes its time"));
    // Saved files take effect, and their mistakes are reported.
    folder.change("game/game.toml", "[params.trick_points]\nvalue = 1", "[params.trick_points]\nvalue = 5");
    says(&host, "every choice so far holds");
    folder.change("game/rules/play.rhai", "card.move_to(seat", "card.move_too(seat");
    says(&ann, "unknown-function");
    // A choice can be taken back, and another one made.
    done(ann.press("undo", ""));
    assert!(answers(&ann, 1) && !ann.table().contains("data-question"));
    // The seat can be given to a person.
    assert!(!ben.table().contains("data-question"));
    done(host.press("give", "seat=1&agent="));
    assert!(answers(&ben, 0));
    assert!(begun.elapsed() < Duration::from_mins(1), "the agent thinks for ten minutes");
}

#[test]
fn agent_choices_are_discarded_if_the_table_changed_meanwhile() {
    let folder = Folder::new("thinks-in-vain");
    let mut served = little(&folder, &["--agents", "human,search:2000ms", "--seed", "7"]);
    let (ann, host) = (served.visitor("Ann"), served.visitor("the host"));
    let ben = in_seat_of_agent(&mut served, &folder, "Ben");
    assert!(answers(&ann, 0));
    host.press("give", "seat=1&agent=");
    let (page, kept) = (ben.table(), folder.read("evening.play"));
    assert!(page.contains("data-question"), "{page}");
    std::thread::sleep(Duration::from_secs(4));
    assert_eq!((ben.table(), folder.read("evening.play")), (page, kept));
    // A new agent in this seat continues from the current position.
    host.press("give", "seat=1&agent=random");
    for _ in 0..3_000 {
        if ann.table().contains("data-question") {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the agent chooses: {}", ann.table());
}

#[test]
fn pages_are_translated() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2", "--seed", "7"]);
    let ann = served.visitor("Ann");
    let pages: BTreeMap<&str, String> =
        ["en", "zh-Hant"].map(|tag| (tag, ann.get(&format!("/?lang={tag}")).body)).into();
    assert!(pages["en"].contains("<html lang=\"en\">") && pages["en"].contains("What happened"));
    assert!(pages["zh-Hant"].contains("<html lang=\"zh-Hant\">") && pages["zh-Hant"].contains("經過"));
}

/// In the log, the rows of a grid are listed one below another. On the page, a ring indicates where it closes.
#[test]
fn logged_grids_keep_their_rows_and_rings_show_where_they_close() {
    let folder = Folder::new("served");
    let served = |game: &str, agents: &str| {
        let path = format!("{ROOT}/games/{game}");
        TestServer::new(ROOT, &[&path, "--seed", "7", "--agents", agents, "--save", &folder.path_of(game)])
    };
    let alley = served("monga-alley", "random,random");
    let watcher = alley.visitor("to watch");
    says(&watcher, "Round 1");
    let log = watcher.get("/log?lang=en").body;
    assert!(log.contains("<p class=\"drawing\" tabindex=\"0\">Map\n      ") && log.contains("·     ·"), "{log}");
    let ring = served("wall-street-1920", "human,human").visitor("Ann").get("/?lang=zh-Hant").body;
    assert!(ring.contains("<li class=\"around\">") && ring.contains("接回 0"), "{ring}");
}

#[test]
fn pages_do_not_reveal_the_seed() {
    let folder = Folder::new("served");
    let served = little(&folder, &["--players", "2"]);
    let kept = folder.read("evening.play");
    let seed = kept.lines().find_map(|line| line.strip_prefix("seed ")).unwrap_or_else(|| panic!("{kept}"));
    assert!(seed.parse::<u64>().unwrap() > 1 << 40, "drawn from so many that nobody plays all through: {seed}");
    for name in ["Ann", "to watch", "the host"] {
        let visitor = served.visitor(name);
        for below in ["/", "/log", "/at", "/notes"] {
            assert!(!visitor.get(below).body.contains(seed), "{name}, {below}");
        }
    }
}

#[test]
fn invalid_serve_arguments_are_usage_errors() {
    let folder = Folder::new("served");
    assert_usage_error(&folder, &["serve", "nothing"], &["there is no game `nothing`"]);
    assert_usage_error(&folder, &["serve", "stockpile", "--players", "9"], &["players"]);
    assert_usage_error(&folder, &["serve", "stockpile", "--agents", "human,nobody"], &["nobody"]);
    assert_usage_error(&folder, &["serve", "stockpile", "--host", "here"], &["here"]);
    let other =
        TestServer::new(ROOT, &[&format!("{ROOT}/examples/games/little-tricks"), "--save", &folder.path_of("a.play")]);
    let port = other.address.rsplit(':').next().unwrap();
    assert_usage_error(
        &folder,
        &["serve", "stockpile", "--port", port, "--save", &folder.path_of("b.play")],
        &["--port"],
    );
    let said = run_expecting(1, &folder, &["serve", "stockpile", "--save", &folder.path_of("a.play")]);
    assert!(said.contains("there is no game `little-tricks` here"), "{said}");
    let again = [
        "serve",
        &format!("{ROOT}/examples/games/little-tricks"),
        "--save",
        &folder.path_of("a.play"),
        "--players",
        "3",
    ];
    assert_usage_error(&folder, &again, &["the setup of its game"]);
}

#[test]
fn options_with_several_parts_are_a_sentence_with_select_fields() {
    let folder = Folder::new("sentence");
    let file = folder.path_of("a.play");
    let agents = ["--players", "3", "--seed", "7", "--agents", "human,random,random", "--save", &file];
    let served = TestServer::new(ROOT, &[&["stockpile"][..], &agents].concat());
    let page = served.visitor("Ann").table();
    let sentence =
        page.split("<p id=\"sentence\"").nth(1).and_then(|rest| rest.split("</p>").next()).expect("a sentence");
    let words: Vec<&str> =
        sentence.split("<span>").skip(1).filter_map(|rest| rest.split("</span>").next()).map(str::trim).collect();
    assert_eq!(words, ["Ann puts", "face up on stockpile", "and another card face down on stockpile"]);
    assert_eq!(sentence.matches("<select").count(), 3, "{sentence}");
    assert!(page.contains(" face up on stockpile 1 and another card face down on stockpile 2</button>"), "{page}");
    let first = page.split("data-fills=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an option");
    assert_eq!(first.split(' ').count(), 3, "each option fills every slot: {first}");
}

#[cfg(unix)]
#[test]
fn agent_programs_are_told_the_outcome() {
    let folder = Folder::new("told-the-end");
    let heard = folder.path_of("heard");
    let program = folder.write(
        "agent.sh",
        format!(
            "while read -r line; do\n    echo \"$line\" >>{heard}\n    case \"$line\" in\n    \
             *'\"hello\"'*) echo '{{\"type\":\"hello\",\"protocol\":2}}' ;;\n    \
             *'\"decide\"'*)\n        id=$(echo \"$line\" | sed 's/.*\"decide\",\"id\":\\([0-9]*\\).*/\\1/')\n        \
             echo \"{{\\\"type\\\":\\\"choose\\\",\\\"id\\\":$id,\\\"option\\\":0}}\" ;;\n    esac\ndone\n"
        ),
    );
    let (game, served) =
        peeking("told-the-end-game", &["--agents", &format!("human,cmd:sh {program}"), "--names", "Ann,Ben"]);
    let ann = served.visitor("Ann");
    for _ in 0..2 {
        wait_until(|| ann.table().contains(">take a coin</button>"));
        takes(&ann, "take a coin");
        takes(&ann, "end the turn");
    }
    wait_until(|| game.read("evening.play").contains("\nend "));
    wait_until(|| folder.read("heard").contains("\"type\":\"over\""));
    let over = folder.read("heard");
    let over: Vec<&str> = over.lines().filter(|line| line.contains("\"type\":\"over\"")).collect();
    assert_eq!(over.len(), 1, "{over:?}");
    assert!(over[0].contains("\"seat\":2") && over[0].contains("\"winners\":["), "{over:?}");
}

/// Waits up to ten seconds until a condition holds.
fn wait_until(is_so: impl Fn() -> bool) {
    let until = std::time::Instant::now() + Duration::from_secs(10);
    while !is_so() {
        assert!(std::time::Instant::now() < until, "not so after ten seconds");
        std::thread::sleep(Duration::from_millis(20));
    }
}
