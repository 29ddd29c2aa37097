"""Plays a game in a real browser at a table behind a proxy with TLS, configured by the files under `examples/hosting`.

    python proxy.py PARLOUR

Tries nginx and Caddy; one that is not installed is skipped with a message.
"""

import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from report import browser
from table import plays, sits_down

HOSTING = Path(__file__).resolve().parents[2] / "examples" / "hosting"
GAME = Path(__file__).resolve().parents[2] / "examples" / "games" / "little-tricks"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def replace_once(text: str, before: str, after: str) -> str:
    assert before in text, f"the file does not say `{before}` any more"
    return text.replace(before, after)


def create_certificate(folder: Path) -> tuple[Path, Path]:
    certificate, key = folder / "table.pem", folder / "table.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )
    return certificate, key


def configure_nginx(folder: Path, port: int, upstream: int) -> list[str]:
    certificate, key = create_certificate(folder)
    server = (HOSTING / "nginx.conf").read_text()
    server = replace_once(server, "listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;")
    server = replace_once(server, "server_name play.example.org;", "server_name localhost;")
    server = replace_once(server, "/etc/ssl/play.example.org.pem", str(certificate))
    server = replace_once(server, "/etc/ssl/play.example.org.key", str(key))
    server = replace_once(server, "127.0.0.1:8128", f"127.0.0.1:{upstream}")
    paths = "".join(
        f"{name}_temp_path {folder / name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = folder / "nginx.conf"
    config.write_text(
        f"daemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}{server}\n}}\n"
    )
    return ["nginx", "-c", str(config), "-p", str(folder)]


def configure_caddy(folder: Path, port: int, upstream: int) -> list[str]:
    certificate, key = create_certificate(folder)
    site = (HOSTING / "Caddyfile").read_text()
    site = replace_once(site, "play.example.org {", f"https://localhost:{port} {{\n\ttls {certificate} {key}")
    site = replace_once(site, "127.0.0.1:8128", f"127.0.0.1:{upstream}")
    config = folder / "Caddyfile"
    config.write_text("{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + site)
    return ["caddy", "run", "--config", str(config), "--adapter", "caddyfile"]


def wait_until_open(port: int, process: subprocess.Popen) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        assert process.poll() is None, f"the proxy ended with {process.returncode}: {process.stderr.read()}"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the proxy does not listen")


def play_behind(name: str, configure, parlour: str) -> None:
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        port, upstream = free_port(), free_port()
        public = f"https://localhost:{port}"
        command = configure(folder, port, upstream)
        proxy = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        table = subprocess.Popen(
            [parlour, "serve", str(GAME), "--players", "2", "--seed", "7", "--port", str(upstream), "--public-url", public,
             "--save", str(folder / "kept.play")],
            stdout=subprocess.PIPE, text=True,
        )
        drivers = []
        try:
            wait_until_open(port, proxy)
            links: dict[str, str] = {}
            for line in table.stdout:
                found = re.match(r"\s+(.+?)\s+(https://\S+)", line)
                if found:
                    links[found[1]] = found[2]
                if "Ctrl-C" in line:
                    break
            assert all(link.startswith(public) for link in links.values()) and len(links) == 4, links
            seats = [link for who, link in links.items() if who in ("Ann", "Ben")]
            for at, link in enumerate(seats):
                driver = browser(str(folder / f"profile-{at}"), accepts_any_certificate=True)
                drivers.append(driver)
                sits_down(driver, link)
                cookies = driver.get_cookies()
                assert cookies and all(cookie["secure"] and cookie["httpOnly"] for cookie in cookies), cookies
            ways = plays(drivers, 500)
            # A page receives the other player's choices over its open connection, so both pages reached the end without a reload.
            print(f"{name}: a game with TLS comes to its end, {sum(ways.values())} choices")
        finally:
            for driver in drivers:
                driver.quit()
            for process in (table, proxy):
                process.terminate()
                process.wait()


def main() -> None:
    parlour = sys.argv[1]
    for name, configure in (("nginx", configure_nginx), ("caddy", configure_caddy)):
        if shutil.which(name) is None:
            print(f"{name}: not tried, it is not installed")
            continue
        play_behind(name, configure, parlour)


if __name__ == "__main__":
    main()
