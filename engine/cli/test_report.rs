//! Reports the results of playscripts as text, as JSON, or as XML in the format of `JUnit`.

use super::coverage::GameCoverage;
use super::output::{Failure, Output};
use super::run::fault_document;
use super::test_files::GameLocation;
use crate::diagnostic::{Diagnostic, Diagnostics, render};
use crate::playscript::{Coverage, Rejection, Report};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Result of one scene.
pub(super) struct SceneResult {
    pub(super) file: String,
    pub(super) home: Option<GameLocation>,
    pub(super) report: Report,
    pub(super) seconds: f64,
}

impl SceneResult {
    fn name(&self) -> String {
        let scene = self.report.scene.as_ref().map_or_else(String::new, |scene| format!(": {scene}"));
        format!("{}{scene}", self.file)
    }
}

/// Results of all scenes.
#[derive(Default)]
pub(super) struct Results {
    pub(super) ran: Vec<SceneResult>,
    /// Files that cannot be read, with their mistakes.
    pub(super) unreadable: Vec<(String, Diagnostics)>,
    /// Games that cannot be opened, with their mistakes.
    pub(super) broken: Vec<(String, Diagnostics)>,
    /// Number of scenes that were not run because their game cannot be opened.
    pub(super) not_run: usize,
}

impl Results {
    /// Iterates over the coverage of the scenes, each with its file and the location of its game.
    pub(super) fn reached<'r>(&'r self) -> impl Iterator<Item = (&'r str, Option<&'r GameLocation>, &'r Coverage)> {
        let with_coverage =
            |ran: &'r SceneResult| Some((ran.file.as_str(), ran.home.as_ref(), ran.report.coverage.as_ref()?));
        self.ran.iter().filter_map(with_coverage)
    }

    /// Returns whether all scenes passed, and all games and playscripts could be opened.
    pub(super) fn is_well(&self) -> bool {
        self.failed_count() == 0 && self.broken.is_empty()
    }

    fn failed_count(&self) -> usize {
        self.unreadable.len() + self.ran.iter().filter(|ran| ran.report.failure.is_some()).count()
    }

    fn passed_count(&self) -> usize {
        self.ran.iter().filter(|ran| ran.report.failure.is_none()).count()
    }

    /// Prints all failures and a summary line. If `why` is set, also prints the reason for each `reject` that succeeded.
    pub(super) fn print(&self, output: &mut Output, why: bool) -> Result<(), Failure> {
        for (name, mistakes) in self.broken.iter().chain(&self.unreadable) {
            output.line(format!("FAILED {name}"))?;
            for mistake in &mistakes.0 {
                output.diagnostic_as_result(mistake)?;
            }
        }
        for ran in &self.ran {
            for rejection in ran.report.rejections.iter().filter(|_| why) {
                let line = rejection.place.as_ref().map_or(0, |place| place.line_column().0);
                output.line(format!("{}:{line}: {}", ran.file, rejection.line))?;
                output.line(format!("    {}", rejection.why))?;
            }
            if let Some(failure) = &ran.report.failure {
                output.line(format!("FAILED {}", ran.name()))?;
                output.diagnostic_as_result(failure)?;
            }
        }
        let not_run = if self.not_run > 0 { format!(", {} not run", self.not_run) } else { String::new() };
        output.line(format!("{} passed, {} failed{not_run}", self.passed_count(), self.failed_count()))
    }

    /// Returns the results as JSON.
    pub(super) fn document(&self, covered: Option<&Vec<GameCoverage>>) -> Value {
        let mistakes = |(name, found): &(String, Diagnostics)| json!({ "path": name, "mistakes": found.0.iter().map(failure_document).collect::<Vec<_>>() });
        let scenes = self.ran.iter().map(|ran| {
            json!({
                "file": ran.file,
                "scene": ran.report.scene,
                "passed": ran.report.failure.is_none(),
                "choices": ran.report.choices,
                "checks": ran.report.checks,
                "held": ran.report.rejections.iter().map(rejection_document).collect::<Vec<_>>(),
                "failure": ran.report.failure.as_ref().map(|failure| failure_document(failure)),
            })
        });
        let mut document = json!({
            "format": 1,
            "passed": self.passed_count(),
            "failed": self.failed_count(),
            "not_run": self.not_run,
            "scenes": scenes.collect::<Vec<_>>(),
            "unreadable": self.unreadable.iter().map(mistakes).collect::<Vec<_>>(),
            "broken_games": self.broken.iter().map(mistakes).collect::<Vec<_>>(),
        });
        if let Some(covered) = covered {
            document["coverage"] = covered.iter().map(GameCoverage::document).collect();
        }
        document
    }

    /// Returns the results in the format of `JUnit`: a suite for each file, a test case for each scene.
    pub(super) fn junit(&self) -> String {
        let mut files: Vec<&str> = self.ran.iter().map(|ran| ran.file.as_str()).collect();
        files.dedup();
        let (failed, all) =
            (self.failed_count() + self.broken.len(), self.ran.len() + self.unreadable.len() + self.broken.len());
        let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let _ = writeln!(xml, "<testsuites tests=\"{all}\" failures=\"{failed}\">");
        for file in files {
            suite(&mut xml, file, self.ran.iter().filter(|ran| ran.file == file));
        }
        for (name, mistakes) in self.broken.iter().chain(&self.unreadable) {
            let text: Vec<String> = mistakes.0.iter().map(|mistake| render(mistake, false)).collect();
            let _ = writeln!(xml, "  <testsuite name=\"{0}\" tests=\"1\" failures=\"1\">", escaped(name));
            case(&mut xml, name, name, 0.0, Some(("cannot be read", &text.join("\n\n"))));
            xml.push_str("  </testsuite>\n");
        }
        xml.push_str("</testsuites>\n");
        xml
    }
}

fn suite<'a>(xml: &mut String, file: &str, scenes: impl Iterator<Item = &'a SceneResult> + Clone) {
    let failed = scenes.clone().filter(|ran| ran.report.failure.is_some()).count();
    let seconds: f64 = scenes.clone().map(|ran| ran.seconds).sum();
    let all = scenes.clone().count();
    let name = escaped(file);
    let _ = writeln!(xml, "  <testsuite name=\"{name}\" tests=\"{all}\" failures=\"{failed}\" time=\"{seconds:.3}\">");
    for ran in scenes {
        let scene = ran.report.scene.as_deref().unwrap_or(file);
        let failure = ran.report.failure.as_ref().map(|found| (found.message.as_str(), render(found, false)));
        let failure = failure.as_ref().map(|(message, text)| (*message, text.as_str()));
        case(xml, file, scene, ran.seconds, failure);
    }
    xml.push_str("  </testsuite>\n");
}

fn case(xml: &mut String, file: &str, name: &str, seconds: f64, failure: Option<(&str, &str)>) {
    let (file, name) = (escaped(file), escaped(name));
    let _ = write!(xml, "    <testcase classname=\"{file}\" name=\"{name}\" time=\"{seconds:.3}\"");
    match failure {
        None => xml.push_str("/>\n"),
        Some((message, text)) => {
            let (message, text) = (escaped(message), escaped(text));
            let _ = writeln!(xml, ">\n      <failure message=\"{message}\">{text}</failure>\n    </testcase>");
        }
    }
}

/// Escapes a string for XML. Removes control characters except line breaks and tabs.
fn escaped(text: &str) -> String {
    let kept = |letter: &char| matches!(letter, '\n' | '\t') || !letter.is_control();
    crate::wording::escaped(&text.chars().filter(kept).collect::<String>())
}

fn rejection_document(rejection: &Rejection) -> Value {
    let line = rejection.place.as_ref().map(|place| place.line_column().0);
    json!({ "line": line, "reject": rejection.line, "why": rejection.why })
}

fn failure_document(failure: &Diagnostic) -> Value {
    let mut document = fault_document(failure);
    let place = |mark: &crate::diagnostic::Mark| {
        let (line, column) = mark.place.line_column();
        json!({ "path": mark.place.source.path, "line": line, "column": column, "note": mark.note })
    };
    document["places"] = failure.marks.iter().map(place).collect();
    document["details"] =
        failure.details.iter().map(|one| json!({ "heading": one.heading, "lines": one.lines })).collect();
    document["text"] = json!(render(failure, false));
    document
}
