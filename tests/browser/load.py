"""Plays at many tables of a lobby at once over the loopback interface for a limited time. Measures how long clicks take, how much memory a
table takes, and how long a table takes to follow a file that is saved.

    python load.py PARLOUR [TABLES] [SECONDS]

Every table has four people, one of whom makes a choice each second. All of them listen for changes, and load the table again after each
change, as a browser does.
"""

import asyncio
import contextlib
import html
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

TABLES, SECONDS, SEATS = 50, 30, 4


async def asked(place: str, head: str, body: str = "") -> str:
    """Returns the response to a request."""
    host, port = place.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    lines = [head + " HTTP/1.1", f"Host: {place}", "Connection: close"]
    writer.write(("\r\n".join(lines) + "\r\n" + body).encode())
    text = (await reader.read()).decode(errors="replace")
    writer.close()
    return text


def cookie(place: str, token: str) -> str:
    """Returns the header line that identifies the visitor."""
    return f"Cookie: parlour-{place.split(':')[1]}={token}\r\n"


def form(place: str, token: str, text: str) -> str:
    """Returns the remaining header of a request that sends a form, and the form."""
    return (
        f"{cookie(place, token)}Origin: http://{place}\r\nHX-Request: true\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(text)}\r\n\r\n{text}"
    )


class Seat:
    """A visitor with a link."""

    def __init__(self, place: str, path: str) -> None:
        self.place = place
        self.base, self.token = path.split("/enter/")
        self.page = ""
        self.looked = 0

    async def looks(self) -> str:
        self.page = await asked(self.place, f"GET {self.base}/table", cookie(self.place, self.token) + "\r\n")
        self.looked += 1
        return self.page

    async def listens(self) -> None:
        """Loads the table again after each change."""
        host, port = self.place.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = f"GET {self.base}/events HTTP/1.1\r\nHost: {self.place}\r\n{cookie(self.place, self.token)}\r\n"
        writer.write(head.encode())
        while line := await reader.readline():
            if line.startswith(b"data:"):
                await self.looks()

    async def answers(self, draw: int) -> None:
        question = re.search(r'data-question="([^"]+)"', self.page)[1]
        options = re.findall(r'name="option" value="(\d+)"', self.page)
        number = re.search(r'name="number" required min="(-?\d+)"', self.page)
        text = f"question={question}&" + (f"option={options[draw % len(options)]}" if options else f"number={number[1]}")
        came = await asked(self.place, f"POST {self.base}/do/choose", form(self.place, self.token, text))
        assert came.startswith("HTTP/1.1 200") and 'role="alert"' not in came, came[:400]
        self.page = came


class Lobby:
    """A lobby that is served until `end` is called."""

    @classmethod
    async def begin(cls, parlour: str, games: str, folder: Path) -> "Lobby":
        self = cls()
        command = ["serve", games, "--port", "0", "--save", str(folder)]
        self.process = await asyncio.create_subprocess_exec(parlour, *command, stdout=asyncio.subprocess.PIPE)
        while "Ctrl-C" not in (line := (await self.process.stdout.readline()).decode()):
            if "/lobby/enter/" in line:
                self.place, self.token = re.search(r"http://([^/]+)/lobby/enter/(\w+)", line).groups()
        return self

    async def opens(self, text: str) -> list[Seat]:
        """Opens a table, and returns its seats."""
        came = await asked(self.place, "POST /lobby/do/open", form(self.place, self.token, text))
        table = re.search(r"(?i)location: \S+#(\S+)", came)
        assert table, came[:600]
        page = await asked(self.place, "GET /lobby/", cookie(self.place, self.token) + "\r\n")
        return [Seat(self.place, path) for path in re.findall(rf'href="(/{table[1]}/seat-\d+/enter/\w+)"', html.unescape(page))]

    def memory(self) -> float:
        """Returns the private and shared memory of the process in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return sum(map(int, re.findall(r"Rss(?:Anon|Shmem):\s+(\d+)", status))) / 1024

    async def end(self) -> None:
        self.process.kill()
        await self.process.wait()


async def evening(seats: list[Seat], at: int, end: float, clicks: list[float]) -> None:
    """Plays at a table until the time is over: each second, one of the seats makes a choice."""
    listening = [asyncio.create_task(seat.listens()) for seat in seats]
    draw = at + 1
    await asyncio.sleep(at % 20 / 20)
    while time.monotonic() < end:
        begin = time.monotonic()
        asked_one = next((seat for seat in seats if "data-question" in seat.page), None)
        if asked_one:
            draw = draw * 48_271 % 2_147_483_647
            await asked_one.answers(draw)
            clicks.append(time.monotonic() - begin)
        await asyncio.sleep(max(0, 1 - (time.monotonic() - begin)))
    for task in listening:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def follows(parlour: str, folder: Path) -> None:
    """Prints how long it takes until a page shows the effect of a saved file, when Stockpile is in its last round."""
    shutil.copytree("games/stockpile", folder / "games" / "stockpile")
    lobby = await Lobby.begin(parlour, str(folder / "games"), folder / "evenings")
    try:
        seats = await lobby.opens(f"game=stockpile&players={SEATS}")
        draw, answers = 7, 0
        # A game of four players has six rounds.
        while "Round 6" not in seats[0].page:
            for seat in seats:
                await seat.looks()
            asked_one = next((seat for seat in seats if "data-question" in seat.page), None)
            assert asked_one, seats[0].page[:800]
            draw = draw * 48_271 % 2_147_483_647
            await asked_one.answers(draw)
            answers += 1
        listening = asyncio.create_task(seats[0].listens())
        await asyncio.sleep(1)
        file = folder / "games" / "stockpile" / "game.toml"
        text = file.read_text(encoding="utf-8").replace("how many rounds the calendar shows", "how many rounds are shown")
        file.write_text(text, encoding="utf-8")
        begin = time.monotonic()
        while "every choice so far holds" not in seats[0].page:
            assert time.monotonic() < begin + 60, seats[0].page[:800]
            await asyncio.sleep(0.005)
        took = time.monotonic() - begin
        listening.cancel()
        print(f"Stockpile after {answers} answers, in its last round: a saved file is followed within {took * 1000:.0f} ms")
    finally:
        await lobby.end()


async def main() -> None:
    parlour = str(Path(sys.argv[1]).resolve())
    tables = int(sys.argv[2]) if len(sys.argv) > 2 else TABLES
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else SECONDS
    with tempfile.TemporaryDirectory() as folder:
        lobby = await Lobby.begin(parlour, "games", Path(folder, "evenings"))
        try:
            await asked(lobby.place, "GET /lobby/", cookie(lobby.place, lobby.token) + "\r\n")
            before = lobby.memory()
            at_tables = [await lobby.opens(f"game=stockpile&players={SEATS}") for _ in range(tables)]
            clicks: list[float] = []
            end = time.monotonic() + seconds
            await asyncio.gather(*(evening(seats, at, end, clicks) for at, seats in enumerate(at_tables)))
            size = (lobby.memory() - before) / tables
        finally:
            await lobby.end()
        clicks.sort()
        at = lambda part: clicks[min(len(clicks) - 1, int(len(clicks) * part))] * 1000
        print(
            f"{tables} tables of {SEATS}, {len(clicks)} clicks in {seconds} s: half within {at(0.5):.0f} ms, "
            f"95 % within {at(0.95):.0f} ms, 99 % within {at(0.99):.0f} ms"
        )
        print(f"memory: {size:.1f} MB a table, {before:.0f} MB of the lobby's own")
        await follows(parlour, Path(folder))


if __name__ == "__main__":
    asyncio.run(main())
