//! Makes PDFs and screenshots with a browser on this machine.
//!
//! The browser runs without network access and with a temporary profile. The pages themselves forbid scripts and external resources in
//! their content security policy.

use crate::files::{ScratchFolder, read_named};
use crate::model::Language;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Names of browsers that can make PDFs.
const NAMES: [&str; 8] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "microsoft-edge",
    "microsoft-edge-stable",
];

/// Locations of browsers that are not in `PATH`.
const PLACES: [&str; 7] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
    "C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe",
];

/// Maximum time that the browser may take.
const TIMEOUT: Duration = Duration::from_mins(2);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Maximum number of characters of the browser's error output that are shown.
const MAX_ERROR_LENGTH: usize = 300;

/// Maximum size of a screenshot in bytes.
const MAX_SCREENSHOT_SIZE: u64 = 256 << 20;

/// Number of dots in a CSS inch at a scale of 1.
const CSS_RESOLUTION: f64 = 96.0;

/// Allowance for the window frame, in CSS pixels. Some browser versions subtract the frame from the window size.
const FRAME: u32 = 200;

/// Path of a browser.
pub(super) struct Browser(PathBuf);

/// Reason why the browser made no PDF or screenshot.
pub(super) enum NoPdf {
    /// The browser could not be started, or it failed. Contains the reason.
    Failed(String),
    /// The browser took too long.
    TooSlow,
}

impl NoPdf {
    /// Returns the text that follows "no PDF:" or "no pictures:" in a message.
    pub(super) fn explain(&self, browser: &Browser) -> String {
        let name = crate::diagnostic::shown(&browser.0);
        match self {
            Self::Failed(said) if said.is_empty() => format!("`{name}` made none"),
            Self::Failed(said) => format!("`{name}` made none: {said}"),
            Self::TooSlow => format!("`{name}` took longer than {} seconds", TIMEOUT.as_secs()),
        }
    }
}

impl Browser {
    /// Finds the named browser or, if none is named, any installed browser.
    pub(super) fn find(named: Option<&str>) -> Option<Self> {
        let on_path = |name: &str| -> Option<PathBuf> {
            let folders = std::env::var_os("PATH")?;
            let file = |folder: PathBuf| {
                [folder.join(name), folder.join(format!("{name}.exe"))].into_iter().find(|file| file.is_file())
            };
            std::env::split_paths(&folders).find_map(file)
        };
        if let Some(named) = named {
            return Some(PathBuf::from(named)).filter(|path| path.is_file()).or_else(|| on_path(named)).map(Self);
        }
        let places = || PLACES.iter().map(PathBuf::from).find(|path| path.is_file());
        NAMES.into_iter().find_map(on_path).or_else(places).map(Self)
    }

    /// Makes a PDF of a page.
    pub(super) fn write_pdf(&self, page: &Path, pdf: &Path, without_sandbox: bool) -> Result<(), NoPdf> {
        let failed = |error: std::io::Error| NoPdf::Failed(error.to_string());
        let page = page.canonicalize().map_err(failed)?;
        let folder = page.parent().unwrap_or(Path::new(""));
        let profile = ScratchFolder::create(&std::env::temp_dir()).map_err(failed)?;
        // The browser follows symbolic links when it writes, so it writes into a new folder, in which nobody can have placed a link. The
        // folder is next to the page, because a sandboxed browser may have a different folder for temporary files.
        let made = ScratchFolder::create(folder).map_err(failed)?;
        let name = pdf.file_name().unwrap_or_default().to_string_lossy();
        let made_pdf = made.path().join(&*name);
        let arguments = [
            "--no-pdf-header-footer".to_owned(),
            "--print-to-pdf-no-header".to_owned(),
            format!("--print-to-pdf={}", made_pdf.display()),
        ];
        self.run(&page, (&made_pdf, &arguments), profile.path(), without_sandbox)?;
        made.hand_over(&name, folder).map_err(failed)
    }

    /// Takes a screenshot of a page as PNG. The screenshot shows at least `width` × `height` pixels from the top left corner, at
    /// `resolution` dots per CSS inch.
    pub(super) fn screenshot(
        &self,
        page: &Path,
        (width, height): (u32, u32),
        resolution: u32,
        without_sandbox: bool,
    ) -> Result<Vec<u8>, NoPdf> {
        let failed = |error: std::io::Error| NoPdf::Failed(error.to_string());
        let page = page.canonicalize().map_err(failed)?;
        let folder = page.parent().unwrap_or(Path::new(""));
        let profile = ScratchFolder::create(&std::env::temp_dir()).map_err(failed)?;
        let file = folder.join("screenshot.png");
        let scale = f64::from(resolution) / CSS_RESOLUTION;
        let side = |pixels: u32| (f64::from(pixels) / scale).ceil() as u32 + FRAME;
        let arguments = [
            "--hide-scrollbars".to_owned(),
            format!("--force-device-scale-factor={scale}"),
            format!("--window-size={},{}", side(width), side(height)),
            format!("--screenshot={}", file.display()),
        ];
        self.run(&page, (&file, &arguments), profile.path(), without_sandbox)?;
        read_named(&file, MAX_SCREENSHOT_SIZE).map_err(|error| NoPdf::Failed(error.to_string()))
    }

    /// Runs the browser on a page, with arguments that make it write a file.
    fn run(
        &self,
        page: &Path,
        (file, arguments): (&Path, &[String]),
        profile: &Path,
        without_sandbox: bool,
    ) -> Result<(), NoPdf> {
        let mut command = Command::new(&self.0);
        command
            .args([
                "--headless=new",
                "--disable-gpu",
                "--no-first-run",
                "--no-default-browser-check",
                "--disable-extensions",
            ])
            .args(["--disable-sync", "--disable-background-networking", "--disable-component-update", "--no-pings"])
            .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9"])
            .args(arguments)
            .args(without_sandbox.then_some("--no-sandbox"))
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(file_url(page))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| NoPdf::Failed(error.to_string()))?;
        let mut pipe = child.stderr.take().expect("its errors are a pipe");
        let error_output = crate::system::thread("browser errors").spawn(move || {
            let mut errors = Vec::new();
            let _ = pipe.by_ref().take(64 * 1024).read_to_end(&mut errors);
            // The rest is drained so that the browser never blocks on a full pipe.
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
            String::from_utf8_lossy(&errors).into_owned()
        });
        let error_output = error_output.map_err(|error| {
            let _ = child.kill();
            let _ = child.wait();
            NoPdf::Failed(error.to_string())
        })?;
        let ended = wait(&mut child);
        let made = file.metadata().is_ok_and(|found| found.len() > 0);
        match ended {
            Some(true) if made => Ok(()),
            Some(_) => {
                let error_output = error_output.join().unwrap_or_default();
                let mut lines = error_output.lines().filter(|line| !line.trim().is_empty());
                Err(NoPdf::Failed(lines.next_back().unwrap_or_default().chars().take(MAX_ERROR_LENGTH).collect()))
            }
            None => Err(NoPdf::TooSlow),
        }
    }
}

/// Returns whether fontconfig knows a font for a language. Returns `true` on systems without fontconfig.
pub(super) fn has_font_for(language: Language) -> bool {
    let tag = language.tag().split('-').next().unwrap_or_default();
    let listed = Command::new("fc-list").arg(format!(":lang={tag}")).stdin(Stdio::null()).output();
    listed.map_or(true, |listed| !listed.status.success() || !listed.stdout.is_empty())
}

/// Waits for the browser and returns whether it succeeded. Kills the browser after [`TIMEOUT`] and returns `None`.
fn wait(child: &mut Child) -> Option<bool> {
    let start = Instant::now();
    while start.elapsed() < TIMEOUT {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status.success());
        }
        std::thread::sleep(POLL_INTERVAL);
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// Returns the URL of a file.
pub(super) fn file_url(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let text = text.strip_prefix("//?/").unwrap_or(&text);
    let mut address = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b':' => {
                address.push(byte as char);
            }
            other => {
                let _ = write!(address, "%{other:02X}");
            }
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::file_url;
    use std::path::Path;

    #[test]
    fn special_characters_in_file_urls_are_escaped() {
        assert_eq!(file_url(Path::new("/a b/#1?/股.html")), "file:///a%20b/%231%3F/%E8%82%A1.html");
        assert_eq!(file_url(Path::new("C:\\a\\b.html")), "file:///C:/a/b.html");
    }
}
