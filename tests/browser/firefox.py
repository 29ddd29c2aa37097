"""Plays whole games in a page without a server in Firefox: from a web host, as a folder on the disk, and as a single file. Firefox is driven
by WebDriver BiDi, which needs no driver.

    python firefox.py PARLOUR ENGINE
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import websockets

from page import PAINTS, hosted
from table import NARROW


class Firefox:
    def __init__(self, socket) -> None:
        self.socket = socket
        self.number = 0
        self.context = ""

    async def sends(self, method: str, **params: object) -> dict:
        self.number += 1
        await self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            answer = json.loads(await self.socket.recv())
            if answer.get("id") == self.number:
                assert answer["type"] == "success", answer
                return answer["result"]

    async def runs(self, script: str) -> object:
        result = await self.sends(
            "script.evaluate", expression=f"JSON.stringify((() => {{ {script} }})() ?? null)", awaitPromise=False, target={"context": self.context}
        )
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])

    async def waits(self, script: str, what: str, seconds: float = 120) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if await self.runs(f"return Boolean({script})"):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"{what}: {await self.runs('return document.body.innerText.slice(0, 800)')}")


ASKED = "document.getElementById('question')?.dataset.question"
OVER = "document.querySelector('.ending')"


async def chooses(firefox: Firefox, most: int) -> bool:
    """Makes at most this number of choices. Returns whether the game is over."""
    draw = 1
    for _ in range(most):
        await firefox.waits(f"{ASKED} || {OVER}", "somebody is asked")
        now = await firefox.runs(f"return {ASKED} ?? null")
        if now is None:
            return True
        draw = (draw * 48_271) % 2_147_483_647
        await firefox.runs(f"return (function () {{ {NARROW} }})({draw})")
        await firefox.waits(f"({ASKED} ?? null) !== {json.dumps(now)}", "the answer is taken")
    return False


async def goes_to(firefox: Firefox, path: str, what: str) -> None:
    """Follows a link in the header. The header of a table has room for a few links, so the rules are opened first."""
    for path, what in [("/rules/", ".printed"), (path, what)]:
        await firefox.runs(f"document.querySelector(\"header nav a[href^='{path}']\").click()")
        await firefox.waits(f"document.querySelector({json.dumps(what)})", f"{path} is shown")


async def plays(firefox: Firefox, name: str, address: str, parlour: str, downloads: Path) -> None:
    begin = time.monotonic()
    await firefox.sends("browsingContext.navigate", context=firefox.context, url=f"{address}#play", wait="complete")
    await firefox.waits(ASKED, "somebody is asked")
    print(f"{name}: the first choice is asked after {1000 * (time.monotonic() - begin):.0f} ms", flush=True)
    await firefox.runs("localStorage.clear()")
    await firefox.sends("browsingContext.navigate", context=firefox.context, url="about:blank", wait="complete")
    begin = time.monotonic()
    await firefox.sends("browsingContext.navigate", context=firefox.context, url=address, wait="complete")
    await firefox.waits("document.querySelector('form.set-up, #page .state')", f"{name} begins")
    print(f"{name}: shown after {1000 * (time.monotonic() - begin):.0f} ms, {await firefox.runs(PAINTS)}", flush=True)
    await firefox.runs("document.querySelector('form.set-up button.primary')?.click()")
    await firefox.waits(ASKED, "somebody is asked")
    await chooses(firefox, 12)
    await goes_to(firefox, "/simulate/", "#trials form")
    begin = time.monotonic()
    await firefox.runs("document.querySelector('#trials [name=agent]').value = 'random'; document.querySelector('#trials .primary').click()")
    await firefox.waits("document.querySelector('#trials .figures')", "the games are played", 300)
    print(f"{name}: 1,000 games in {time.monotonic() - begin:.1f} s", flush=True)
    await firefox.sends("browsingContext.reload", context=firefox.context, wait="complete")
    await firefox.waits("document.querySelector('#page .state')", "the game goes on after a reload")
    assert await chooses(firefox, 10_000), "it comes to its end"
    await goes_to(firefox, "/about/", "#about")
    await firefox.runs("document.querySelector('a[download]').click()")
    end = time.monotonic() + 20
    while not (saved := [file for file in downloads.glob("*.play") if file.stat().st_size]):
        assert time.monotonic() < end, "the game is saved"
        await asyncio.sleep(0.1)
    subprocess.run([parlour, "test", str(saved[0])], check=True, stdout=subprocess.DEVNULL)
    saved[0].unlink()
    print(f"{name}: the game goes on after a reload, to its end, and is replayed by the program", flush=True)


async def main() -> None:
    parlour, engine = sys.argv[1], sys.argv[2]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as profile:
        folder = Path(folder)
        export = [parlour, "export", "stockpile", "--module", engine, "--out"]
        subprocess.run([*export, str(folder / "site")], check=True)
        subprocess.run([*export, str(folder / "stockpile.html"), "--single-file"], check=True)
        downloads = folder / "saved"
        downloads.mkdir()
        Path(profile, "user.js").write_text(
            f'user_pref("browser.download.folderList", 2);\nuser_pref("browser.download.dir", {json.dumps(str(downloads))});\n'
        )
        server, address = hosted(folder / "site")
        port = 9333
        process = subprocess.Popen(
            ["firefox", "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", str(port)], stderr=subprocess.DEVNULL
        )
        try:
            for _ in range(600):
                try:
                    socket = await websockets.connect(f"ws://127.0.0.1:{port}/session", max_size=None)
                    break
                except OSError:
                    await asyncio.sleep(0.1)
            firefox = Firefox(socket)
            await firefox.sends("session.new", capabilities={})
            tree = await firefox.sends("browsingContext.getTree")
            firefox.context = tree["contexts"][0]["context"]
            for name, where in [
                ("host", address), ("file", (folder / "stockpile.html").as_uri()), ("folder", (folder / "site/index.html").as_uri()),
            ]:
                await plays(firefox, name, where, parlour, downloads)
        finally:
            process.terminate()
            process.wait()
            server.shutdown()
    print("games are played in pages in Firefox")


if __name__ == "__main__":
    asyncio.run(main())
