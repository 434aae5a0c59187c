"""What every page of ours must be: one offline file, checked as text and, where there is Chromium,
in a browser: no messages on its console, tables that sort, nothing wider than a phone."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "br", "hr", "img", "link", "input", "col"}
PHONE = 390
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def check_page(path: Path, scratch: Path) -> None:
    """Assert all that can be seen here of the page at `path`; `scratch` is a folder to write to."""
    check_text(path.read_text("utf-8"))
    if browser() is not None:
        check_in_browser(path, scratch)


# --------------------------------------------------------------------------- as text


class _Reader(HTMLParser):
    """Collects tags that don't match, and addresses that a browser would load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.titles = self.buttons = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.titles += tag == "th"
        self.buttons += tag == "button"
        for name, value in attrs:
            loads = name in ("src", "srcset", "data") or (name == "href" and tag == "link")
            if loads and not (value or "").startswith("data:"):
                self.faults.append(f"<{tag} {name}={value!r}> is loaded from elsewhere")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")


def check_text(text: str) -> None:
    """Well-formed, nothing loaded from elsewhere, a width for phones, dark colours, a language."""
    reader = _Reader()
    reader.feed(text)
    assert not reader.faults, reader.faults
    assert not reader.open, reader.open
    assert reader.buttons >= reader.titles
    assert not re.search(r"url\((?!['\"]?(data:|#))|@import", text)
    for needed in (
        "<!DOCTYPE html>", '<html lang="', '<meta charset="utf-8">', "<title>",
        'name="viewport" content="width=device-width', "prefers-color-scheme: dark",
        "default-src 'none'",
    ):  # fmt: skip
        assert needed in text, needed


# --------------------------------------------------------------------------- in a browser


def browser() -> str | None:
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def chromium(page: Path, scratch: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Chromium without a window, which loads `page`, does what `flags` say and ends."""
    program = browser()
    assert program is not None
    command = [
        program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
        "--disable-component-update", "--disable-dev-shm-usage", "--no-first-run", "--log-level=0",
        "--enable-logging=stderr", f"--user-data-dir={scratch / 'profile'}", *flags, page.as_uri(),
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


# Clicks on every column's title twice, and writes down what the page then says.
_PROBE = """
<pre id="probe"></pre>
<script>
const found = {unsorted: [], colours: {}, width: document.documentElement.scrollWidth,
               tables: document.querySelectorAll("table").length};
const value = (cell) => cell.dataset.value ?? cell.textContent;
document.querySelectorAll("table").forEach((table, number) => {
  [...table.tHead.rows[0].cells].forEach((title, column) => {
    for (const direction of ["ascending", "descending"]) {
      title.querySelector("button").click();
      const values = [...table.tBodies[0].rows].map((row) => value(row.cells[column]));
      const filled = values.filter((each) => each !== "");
      if (direction === "descending") filled.reverse();
      const text = title.classList.contains("text");
      const sorted = filled.every((each, i) => i === 0 || (text
        ? filled[i - 1].localeCompare(each, undefined, {numeric: true}) <= 0
        : Number(filled[i - 1]) <= Number(each)));
      const last = values.slice(filled.length).every((each) => each === "");
      if (!sorted || !last || title.getAttribute("aria-sort") !== direction)
        found.unsorted.push([number, column, direction]);
    }
  });
});
const style = getComputedStyle(document.body);
found.colours = [style.backgroundColor, style.color];
document.getElementById("probe").textContent = JSON.stringify(found);
if (window.parent !== window) window.parent.postMessage(JSON.stringify(found), "*");
</script>
"""

_FRAME = """<!DOCTYPE html><meta charset="utf-8"><body><pre id="probe"></pre><script>
addEventListener("message", (event) => document.getElementById("probe").textContent = event.data);
</script><iframe width="{width}" height="844" srcdoc="{page}"></iframe></body>
"""


def _look(page: Path, scratch: Path, *flags: str) -> dict[str, object]:
    """What the probe on `page` found; the console must be silent."""
    done = chromium(page, scratch, "--virtual-time-budget=4000", "--dump-dom", *flags)
    said = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert not said, said
    found = re.search(r'<pre id="probe">(\{.*?\})</pre>', done.stdout)
    assert found, done.stdout[-500:]
    return json.loads(unescape(found.group(1)))


def check_in_browser(path: Path, scratch: Path) -> None:
    text = path.read_text("utf-8")
    probed = text.replace("</html>", _PROBE + "</html>")
    wide, phone = scratch / "wide.html", scratch / "phone.html"
    wide.write_text(probed, "utf-8")
    phone.write_text(_FRAME.format(width=PHONE, page=escape(probed)), "utf-8")
    light = _look(wide, scratch)
    assert light["unsorted"] == []
    assert light["tables"] == text.count("<table")
    narrow = _look(phone, scratch)
    assert isinstance(narrow["width"], int)
    assert narrow["width"] <= PHONE
    dark = _look(wide, scratch, "--blink-settings=preferredColorScheme=0")
    for ground, ink, reversed_ in [(*_lightness(light), False), (*_lightness(dark), True)]:
        assert (ground < ink) == reversed_
        assert abs(ground - ink) > 150


def _lightness(found: dict[str, object]) -> tuple[float, float]:
    """Means of red, green and blue of the ground and of the text."""
    colours = found["colours"]
    assert isinstance(colours, list)
    triples = [[int(n) for n in re.findall(r"\d+", colour)[:3]] for colour in colours]
    return sum(triples[0]) / 3, sum(triples[1]) / 3
