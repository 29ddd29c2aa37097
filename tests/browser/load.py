"""Plays at many served tables at once over the loopback, and stops by itself: how long clicks take, and how large a table is.

    python load.py PARLOUR [TABLES] [SECONDS]

Every table has four people; somebody at each chooses once a second. What others have to look at again is fetched, as a browser does.
"""

import asyncio
import re
import sys
import tempfile
import time
from pathlib import Path

TABLES, SECONDS, SEATS = 50, 30, 4


async def asked(place: str, head: str, body: str = "") -> str:
    """What a request is answered."""
    host, port = place.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    lines = [head + " HTTP/1.1", f"Host: {place}", "Connection: close"]
    writer.write(("\r\n".join(lines) + "\r\n" + body).encode())
    text = (await reader.read()).decode(errors="replace")
    writer.close()
    return text


class Seat:
    """Somebody with a link."""

    def __init__(self, link: str) -> None:
        self.place, path = link.removeprefix("http://").split("/", 1)
        self.base, self.token = ("/" + path).split("/enter/")

    async def looks(self) -> str:
        return await asked(self.place, f"GET {self.base}/table", f"Cookie: parlour={self.token}\r\n\r\n")

    async def answers(self, page: str, draw: int) -> None:
        question = re.search(r'data-question="([^"]+)"', page)[1]
        options = re.findall(r'name="option" value="(\d+)"', page)
        number = re.search(r'name="number" required min="(-?\d+)"', page)
        form = f"question={question}&" + (f"option={options[draw % len(options)]}" if options else f"number={number[1]}")
        head = (
            f"Cookie: parlour={self.token}\r\nOrigin: http://{self.place}\r\nHX-Request: true\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n\r\n{form}"
        )
        came = await asked(self.place, f"POST {self.base}/do/choose", head)
        assert came.startswith("HTTP/1.1 200") and 'role="alert"' not in came, came[:400]


async def evening(parlour: str, folder: Path, at: int, end: float, clicks: list[float], sizes: list[int]) -> None:
    """A table, and those who sit at it, until the time is over."""
    command = ["serve", "games/stockpile", "--players", str(SEATS), "--seed", str(at), "--port", "0"]
    kept = str(folder / f"{at}.play")
    process = await asyncio.create_subprocess_exec(parlour, *command, "--save", kept, stdout=asyncio.subprocess.PIPE)
    try:
        seats = []
        while True:
            line = (await process.stdout.readline()).decode()
            if "/seat-" in line:
                seats.append(Seat(line[line.index("http://") :].strip()))
            if "Ctrl-C" in line:
                break
        draw = at
        await asyncio.sleep(at % 20 / 20)
        while time.monotonic() < end:
            begin = time.monotonic()
            pages = await asyncio.gather(*(seat.looks() for seat in seats))
            for seat, page in zip(seats, pages):
                if "data-question" not in page:
                    continue
                draw = draw * 48_271 % 2_147_483_647
                clicked = time.monotonic()
                await seat.answers(page, draw)
                clicks.append(time.monotonic() - clicked)
                break
            await asyncio.sleep(max(0, 1 - (time.monotonic() - begin)))
        status = Path(f"/proc/{process.pid}/status").read_text()
        own = re.findall(r"Rss(?:Anon|Shmem):\s+(\d+)", status)
        sizes.append(sum(map(int, own)))
    finally:
        process.kill()
        await process.wait()


async def main() -> None:
    parlour = sys.argv[1]
    tables = int(sys.argv[2]) if len(sys.argv) > 2 else TABLES
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else SECONDS
    clicks: list[float] = []
    sizes: list[int] = []
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        await asyncio.gather(*(evening(parlour, Path(folder), at, end, clicks, sizes) for at in range(tables)))
    clicks.sort()
    at = lambda part: clicks[min(len(clicks) - 1, int(len(clicks) * part))] * 1000
    print(f"{tables} tables of {SEATS}, {len(clicks)} clicks in {seconds} s: half within {at(0.5):.0f} ms, 95 % within {at(0.95):.0f} ms")
    print(f"memory of a table's own: {max(sizes) / 1024:.1f} MB at most, {sum(sizes) / len(sizes) / 1024:.1f} on average")


if __name__ == "__main__":
    asyncio.run(main())
