//! Tests batches that stop when a figure is known precisely enough. They stop at the same game with any number of threads, and their
//! intervals are valid although they are checked repeatedly.

use crate::dice_game::{game, parlour, untimed, with_dice};
use crate::program;
use parlour::model::{Ending, Model};
use parlour::session::Setup;
use parlour::simulation::{Figures, LOOK, Measure, Precision, figure};

/// Deterministic random number generator: Marsaglia's xorshift.
struct XorShift(u64);

impl XorShift {
    /// Returns a uniform random number in the range `0.0..1.0`.
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Simulates many batches that each stop when a figure is precise enough. `truth` is the known mean of the figure.
///
/// Returns the share of batches whose figure is within the requested width of the truth, the share whose interval contains the truth, and
/// the mean number of games.
fn coverage_of_stopped_batches(
    asked: &str,
    measure: &Measure,
    truth: f64,
    draw: impl Fn(&mut XorShift) -> i64,
) -> (f64, f64, f64) {
    const BATCHES: u32 = 2500;
    let model = game(&[]).layout(&Setup::seats(2)).unwrap().model.clone();
    let precision = Precision::parse(asked, &model).unwrap();
    let (mut within, mut shown, mut games, mut random) = (0, 0, 0, XorShift(88_172_645_463_325_252));
    for _ in 0..BATCHES {
        let mut figures = Figures::new(2);
        while !precision.look(&model, &figures).is_enough {
            let histogram = figures.measures.entry(measure.clone()).or_default();
            (0..LOOK).for_each(|_| histogram.add(draw(&mut random)));
            figures.games += LOOK;
            figures.finished += LOOK;
        }
        let found = figure(&model, &figures, &measure.word()).unwrap();
        within += u32::from((found.value - truth).abs() <= precision.within());
        shown += u32::from(found.interval.contains(truth));
        games += figures.games;
    }
    let share = |count: u32| f64::from(count) / f64::from(BATCHES);
    (share(within), share(shown), games as f64 / f64::from(BATCHES))
}

#[test]
fn intervals_are_valid_although_they_are_checked_repeatedly() {
    let share = |p: f64| move |random: &mut XorShift| i64::from(random.next() < p);
    // Geometric distribution with mean 4 and standard deviation 4.47. It has a long tail.
    let tail = |random: &mut XorShift| (random.next().ln() / 0.8_f64.ln()) as i64;
    let cases = [
        ("ties ± 1 point", 0.5),
        ("ties ± 1.4 points", 0.3),
        ("ties ± 0.3 points", 0.02),
        ("ties ± 0.2 points", 0.003),
    ];
    let shares = cases.map(|(asked, p)| (asked, p, coverage_of_stopped_batches(asked, &Measure::Tie, p, share(p))));
    let means = ["rounds ± 0.1", "rounds ± 0.2"]
        .map(|asked| (asked, 4.0, coverage_of_stopped_batches(asked, &Measure::Rounds, 4.0, tail)));
    for (asked, truth, (within, shown, games)) in shares.into_iter().chain(means) {
        assert!(within >= 0.95, "{asked} of {truth}: within the width in {within}, after {games} games");
        // For events that occur about sixteen times, Wilson's interval covers 0.938 to 0.958, even without repeated checks.
        let least = if truth < 0.01 { 0.93 } else { 0.94 };
        assert!(shown >= least, "{asked} of {truth}: interval contains the truth in {shown}, after {games} games");
        assert!(games > 2000.0, "{asked} of {truth}: checked only once or twice, after {games} games");
    }
}

/// If precise win shares of all seats are requested, they must all be within the width at the same time, in at least 95 % of the batches.
#[test]
fn precision_for_all_seats_holds_simultaneously() {
    const BATCHES: u32 = 1000;
    for seats in [2, 3, 4] {
        let model = game(&[]).layout(&Setup::seats(2)).unwrap().model.clone();
        let model = Model { seats, ..(*model).clone() };
        let precision = Precision::parse("win share ± 1 point", &model).unwrap();
        let (mut holding, mut random) = (0, XorShift(88_172_645_463_325_252));
        for _ in 0..BATCHES {
            let mut figures = Figures::new(seats);
            let mut won = vec![0_u64; usize::from(seats)];
            while !precision.look(&model, &figures).is_enough {
                let mut more = vec![0_u64; usize::from(seats)];
                (0..LOOK).for_each(|_| more[(random.next() * f64::from(seats)) as usize] += 1);
                let unit = figures.win_unit();
                for (seat, more) in (0..seats).zip(more) {
                    let histogram = figures.measures.entry(Measure::Win(seat)).or_default();
                    histogram.add_many(unit, more);
                    histogram.add_many(0, LOOK - more);
                    won[usize::from(seat)] += more;
                }
                figures.games += LOOK;
                figures.finished += LOOK;
            }
            let truth = 1.0 / f64::from(seats);
            let is_near = |won: &u64| (*won as f64 / figures.games as f64 - truth).abs() <= precision.within();
            holding += u32::from(won.iter().all(is_near));
        }
        let share = f64::from(holding) / f64::from(BATCHES);
        assert!(share >= 0.95, "all of {seats} seats are within a point in {share} of the batches");
    }
}

/// Like [`precision_for_all_seats_holds_simultaneously`], but for endings with different shares.
#[test]
fn precision_for_all_endings_holds_simultaneously() {
    const BATCHES: u32 = 1000;
    for shares in [&[0.7, 0.3][..], &[0.5, 0.3, 0.15, 0.05]] {
        let model = game(&[]).layout(&Setup::seats(2)).unwrap().model.clone();
        let ending = |at: usize| Ending { id: format!("ending_{at}").into(), ..model.endings[0].clone() };
        let endings: Vec<Ending> = (0..shares.len()).map(ending).collect();
        let model = Model { endings, ..(*model).clone() };
        let precision = Precision::parse("ending ± 1 point", &model).unwrap();
        let (mut holding, mut random) = (0, XorShift(88_172_645_463_325_252));
        for _ in 0..BATCHES {
            let mut figures = Figures::new(2);
            let mut come = vec![0_u64; shares.len()];
            while !precision.look(&model, &figures).is_enough {
                let mut more = vec![0_u64; shares.len()];
                for _ in 0..LOOK {
                    let mut left = random.next();
                    let at = shares.iter().position(|share| {
                        left -= share;
                        left < 0.0
                    });
                    more[at.unwrap_or(0)] += 1;
                }
                for (at, more) in more.into_iter().enumerate() {
                    let measure = Measure::Ending(format!("ending_{at}").into());
                    let histogram = figures.measures.entry(measure).or_default();
                    histogram.add_many(1, more);
                    histogram.add_many(0, LOOK - more);
                    come[at] += more;
                }
                figures.games += LOOK;
                figures.finished += LOOK;
            }
            let is_near =
                |(come, share): (&u64, &f64)| (*come as f64 / figures.games as f64 - share).abs() <= precision.within();
            holding += u32::from(come.iter().zip(shares).all(is_near));
        }
        let share = f64::from(holding) / f64::from(BATCHES);
        assert!(share >= 0.95, "all of {shares:?} are within a point in {share} of the batches");
    }
}

const PLAY: &str = "simulate dice --players 2..3 --seed 5 --until win+-0.02 --format json";

#[test]
fn a_batch_stops_at_the_same_game_on_any_number_of_threads() {
    let folder = with_dice("until-threads");
    let (code, told, mistakes) = parlour(&folder, &format!("{PLAY} --jobs 1"));
    assert_eq!(code, 0, "{mistakes}");
    let found: serde_json::Value = serde_json::from_str(&told).unwrap();
    for batch in found["batches"].as_array().unwrap() {
        let (games, until) = (batch["games"].as_u64().unwrap(), &batch["until"]);
        assert!(games.is_multiple_of(LOOK) && games > LOOK && games < 5 * LOOK, "{games}");
        assert_eq!(until["reached"], true);
        assert!(until["reach"].as_f64().unwrap() < 0.02, "{until}");
    }
    assert_eq!((&found["complete"], &found["until"]), (&true.into(), &"win+-0.02".into()));
    for jobs in [2, 3, 7] {
        let (_, again, _) = parlour(&folder, &format!("{PLAY} --jobs {jobs}"));
        assert_eq!(untimed(&again), untimed(&told), "{jobs}");
    }
    let games = found["batches"][0]["games"].as_u64().unwrap();
    let (_, plain, _) = parlour(&folder, &format!("simulate dice --players 2 --seed 5 --games {games} --format json"));
    let plain: serde_json::Value = serde_json::from_str(&plain).unwrap();
    assert_eq!(
        plain["batches"][0]["measures"], found["batches"][0]["measures"],
        "they are the first games of any batch"
    );
}

#[cfg(unix)]
#[test]
fn a_resumed_run_stops_at_the_same_game() {
    use crate::folder::contents;
    use crate::resuming::{assert_same_files, run_and_kill};
    let folder = with_dice("until-resumed");
    let (code, _, mistakes) = parlour(&folder, &format!("{PLAY} --jobs 2 --out whole"));
    assert_eq!(code, 0, "{mistakes}");
    let whole = contents(folder.at("whole"));
    let manifest = folder.read("whole/manifest.json");
    assert!(manifest.contains("\"until\": \"win+-0.02\"") && manifest.contains("\"enough\": "), "{manifest}");
    assert!(folder.read("whole/report.html").contains("until win+-0.02, at most 1,000,000"));
    let resumed = |how: &str| {
        let (code, _, mistakes) = parlour(&folder, "simulate --resume run --jobs 3");
        assert!(code == 0 && mistakes.contains("going on after"), "{how}: {mistakes}");
        assert_same_files(&whole, &contents(folder.at("run")), how);
        std::fs::remove_dir_all(folder.at("run")).unwrap();
    };
    for file in ["run/checkpoint/2.json", "run/checkpoint/3.json"] {
        run_and_kill(&folder, &format!("{PLAY} --jobs 1 --out run"), file, 1);
        resumed(file);
    }
    // Simulates a run that was killed after its last game was stored, but before the manifest recorded that no more games are needed.
    run_and_kill(&folder, &format!("{PLAY} --jobs 1 --out run"), "run/checkpoint/3.json", 1);
    std::fs::remove_file(folder.at("run/checkpoint/3.json")).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_str(&folder.read("run/manifest.json")).unwrap();
    assert!(manifest["batches"][0].as_object_mut().unwrap().remove("enough").is_some());
    folder.write("run/manifest.json", manifest.to_string());
    resumed("before the manifest was updated");
    let (code, _, told) = parlour(&folder, "simulate --resume whole");
    assert!(code == 0 && told.contains("nothing is left to do"), "{told}");
    let (code, told, mistakes) = parlour(&folder, "report whole");
    assert!(code == 0 && told.contains("report.html") && !mistakes.contains("not finished"), "{told}{mistakes}");
}

#[test]
fn the_reason_for_stopping_or_the_games_needed_are_printed() {
    let folder = with_dice("until-told");
    let simulate = |more: &[&str]| {
        let said = program::parlour(&folder, &[&["simulate", "dice", "--players", "2", "--seed", "5"], more].concat());
        assert_eq!(said.code, 0, "{}", said.err);
        said.out
    };
    let told = simulate(&["--until", "win share ± 2 points"]);
    let line = told.lines().find(|line| line.contains("Stopped after")).unwrap();
    assert!(
        line.contains("Stopped after 4,000 games: win share, seat ") && line.contains("and ± 2 points was asked for"),
        "{line}"
    );
    let told = simulate(&["--until", "win share +- 1 point", "--games", "2500"]);
    let line = told.lines().find(|line| line.contains("Not enough")).unwrap();
    assert!(
        line.contains("Not enough after 2,500 games: win share, seat ") && line.contains("± 1 point was asked for"),
        "{line}"
    );
    assert!(line.contains("It takes about 13,000 games"), "{line}");
    let told = simulate(&["--until", "ties ± 0.001 points", "--games", "1000"]);
    assert!(told.contains(", and ± 0.001 points was asked for"), "{told}");
    let told = simulate(&["--until", "lead changes ± 0.03"]);
    assert!(told.contains("lead changes is known to ± 0.0"), "{told}");
    let told = simulate(&["--until", "ending: Every die is thrown +- 0.5 points"]);
    assert!(told.contains("Stopped after 1,000 games: ending: Every die is thrown is known to ± 0.38"), "{told}");
}

#[test]
fn errors_in_the_precision_are_reported_before_playing() {
    let folder = with_dice("until-mistakes");
    for (asked, message, help) in [
        ("win share", "`win share` does not say how narrow", "write the figure and a width"),
        ("win share ±", "has no width", "as `win share ± 1 point`"),
        ("win share ± 0", "an interval is never as narrow as 0", "write a number above 0"),
        ("win share ± -1 point", "an interval is never as narrow as", "write a number above 0"),
        ("win share ± 1", "is a share, from 0 to 1", "write `win share ± 1 point`"),
        ("win share ± 1 %", "`%` may mean", "write `win share ± 1 point`"),
        ("win share ± 1 pint", "`pint` is no unit of a share", "write points"),
        ("win share ± 100 points", "every share is known to within 100 points", "write fewer points"),
        ("win share ± narrow", "`narrow` is no width", "write a number"),
        ("win shar ± 1 point", "`win shar` is no figure of the game", "did you mean `win share`?"),
        ("lead chnges ± 1", "`lead chnges` is no figure of the game", "did you mean `lead changes`?"),
        ("offered ± 1", "`offered` is no figure of the game", "the figures are"),
        ("win share ± 1,5 points", "`1,5 points` is no number", "with a full stop before a part of one"),
        ("rounds ± 1 000", "`1 000` is no number", "write digits alone"),
        ("rounds ± 0x10", "`0x10` is no number", "write digits alone"),
        ("win share ± 0,5 points", "`0,5 points` is no number", "as `win share ± 1 point`"),
        (
            "win share ± 0.0000001 points",
            "as many games as ± 0.0000001 points takes",
            "write no less than 0.001 points",
        ),
        ("rounds ± 0.000001", "as many games as ± 0.000001 takes", "write no less than 0.00001"),
        ("win share ± 99.99 points", "every share is known to within 99.99 points", "write fewer points"),
        ("win share ± 0.7", "every share is known to within 0.7", "write a smaller part"),
        ("rounds ± 1000000000000000", "no figure of a game is as large", "as `rounds ± 0.5`"),
        ("win share, seat 9 ± 5 points", "`win share, seat 9` is no figure of the game", "the seats are 1 to 2"),
        ("win.4 ± 1 point", "`win.4` is no figure of the game", "the seats are 1 to 2"),
        ("ending.thrwn ± 1 point", "`ending.thrwn` is no figure of the game", "did you mean `thrown`?"),
        ("tally.seen ± 1", "`tally.seen` is no figure of the game", "no rule counts it"),
        ("score ± 1 point", "score is no share", "write a plain number in its own unit, as `score ± 1`"),
        ("rounds ± 1 round", "`round` is no unit here", "write a plain number, as `rounds ± 1`"),
    ] {
        let said = program::parlour(&folder, &["simulate", "dice", "--until", asked, "--out", "run"]);
        assert!(said.code == 2 && said.err.contains(message) && said.err.contains(help), "{asked}: {}", said.err);
        assert!(!folder.at("run").exists(), "{asked}");
    }
    for (more, message, help) in [
        ("--shard 1/2 --seed 3", "`--until` cannot be combined with `--shard`", "remove one of them"),
        ("--games 300", "looks at figures after each 1000 games, and `--games` is 300", "give a larger `--games`"),
        ("--resume run", "cannot be used with", ""),
    ] {
        let game = if more.starts_with("--resume") { "" } else { "dice " };
        let (code, _, told) = parlour(&folder, &format!("simulate {game}--until win+-0.02 {more}"));
        assert!(code == 2 && told.contains(message) && told.contains(help), "{more}: {told}");
    }
}
