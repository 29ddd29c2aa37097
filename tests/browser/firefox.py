"""Plays in a page without a server in Firefox: from a web host, as a folder on the disk, and as a single file. Firefox is driven by WebDriver
BiDi, which needs no driver.

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

from page import hosted
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


async def plays(firefox: Firefox, name: str, address: str) -> None:
    begin = time.monotonic()
    await firefox.sends("browsingContext.navigate", context=firefox.context, url=address, wait="complete")
    await firefox.waits("document.querySelector('form.set-up, #page .state')", f"{name} begins")
    print(f"{name}: shown after {time.monotonic() - begin:.2f} s", flush=True)
    await firefox.runs("document.querySelector('form.set-up button.primary')?.click()")
    asked = "document.getElementById('question')?.dataset.question"
    over = "document.querySelector('.ending')"
    draw = 1
    for _ in range(12):
        await firefox.waits(f"{asked} || {over}", "somebody is asked")
        now = await firefox.runs(f"return {asked} ?? null")
        if now is None:
            break
        draw = (draw * 48_271) % 2_147_483_647
        await firefox.runs(f"return (function () {{ {NARROW} }})({draw})")
        await firefox.waits(f"({asked} ?? null) !== {json.dumps(now)}", "the answer is taken")
    await firefox.runs("document.querySelector(\"header nav a[href^='/rules/']\").click()")
    await firefox.waits("document.querySelector('.printed')", "the rules are shown")
    await firefox.runs("document.querySelector(\"header nav a[href^='/simulate/']\").click()")
    await firefox.waits("document.querySelector('#trials form')", "the form is shown")
    begin = time.monotonic()
    await firefox.runs("document.querySelector('#trials [name=agent]').value = 'random'; document.querySelector('#trials .primary').click()")
    await firefox.waits("document.querySelector('#trials .figures')", "the games are played", 300)
    print(f"{name}: 1,000 games in {time.monotonic() - begin:.1f} s", flush=True)
    await firefox.sends("browsingContext.reload", context=firefox.context, wait="complete")
    await firefox.waits("document.querySelector('#page .state')", "the game goes on after a reload")
    print(f"{name}: the game goes on after a reload", flush=True)


async def main() -> None:
    parlour, engine = sys.argv[1], sys.argv[2]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as profile:
        folder = Path(folder)
        export = [parlour, "export", "stockpile", "--module", engine, "--out"]
        subprocess.run([*export, str(folder / "site")], check=True)
        subprocess.run([*export, str(folder / "stockpile.html"), "--single-file"], check=True)
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
                await plays(firefox, name, where)
        finally:
            process.terminate()
            process.wait()
            server.shutdown()
    print("games are played in pages in Firefox")


if __name__ == "__main__":
    asyncio.run(main())
