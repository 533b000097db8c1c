"""The explorer of the paper's study in Chromium: what a reader waits for, and whether memory stays flat."""

import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import debox
from benchmarks.browser import chromium, open_modules
from benchmarks.measure import progress, verdict
from debox.explore import explorer

REPEATS, MOVES = 5, 500
READY = "Number(document.documentElement.dataset.ready)"
LIVE = "live?c=DE/rand/1/exp+sat&N={N}&F=0.7&Cr=0.99"

CELL = """async () => {
    const canvas = document.getElementById('mosaic'), started = performance.now()
    canvas.dispatchEvent(new PointerEvent('click', { clientX: canvas.getBoundingClientRect().left + 100, bubbles: true,
        clientY: canvas.getBoundingClientRect().top + 100 }))
    await new Promise(requestAnimationFrame)
    return document.querySelector('#drawer svg') ? performance.now() - started : NaN
}"""
MOVE = """([name, value]) => new Promise((done) => {
    const slider = [...document.querySelectorAll('input')].find((one) => one.ariaLabel.startsWith(name + ','))
    const started = performance.now(), wanted = `${name}=${value}`
    const hasBars = () => {
        const picture = document.querySelector('.live-picture')
        const bars = [...picture.querySelectorAll('g[class^=bar]:not(.bar-stored) rect')]
        return picture.ariaLabel.includes(wanted) && bars.some((bar) => Number(bar.getAttribute('height')) > 0)
    }
    const watcher = new MutationObserver(() => {
        if (!hasBars()) return
        watcher.disconnect()
        done(performance.now() - started)
    })
    watcher.observe(document.querySelector('.figure'), { childList: true })
    slider.value = value
    slider.dispatchEvent(new Event('input'))
})"""
ONE_RUN = """(N) => {
    const variant = { mutation: 'rand/1', crossover: 'exp', strategy: 'saturation', donors: 'distinct' }, times = []
    core.configure(plan({ ...variant, N, F: 0.7, Cr: 0.99, n: 30, budget: 300000 }))
    for (let run = 0; run < 9; run++) {
        const started = performance.now()
        core.run(1, run)
        times.push(performance.now() - started)
    }
    return times.sort((a, b) => a - b)[4]
}"""
MOVE_ON = """async ([from, to]) => {
    const slider = [...document.querySelectorAll('input')].find((one) => one.ariaLabel.startsWith('F,'))
    for (let k = from; k < to; k++) {
        slider.value = 0.05 + 0.01 * (k % 190)
        slider.dispatchEvent(new Event('input'))
        await new Promise((done) => setTimeout(done, 8))
    }
}"""


def open_view(page: Any, path: Path, view: str) -> float:
    """Open a view from the file; milliseconds until the page is ready."""
    page.goto("about:blank")
    page.goto(f"{path.as_uri()}#{view}")
    page.wait_for_selector("html[data-ready]")
    return float(page.evaluate(READY))


def first_bars(page: Any, path: Path, N: int) -> float:
    """Milliseconds from a slider's move to the first bars, the median of some moves."""
    open_view(page, path, LIVE.format(N=N))
    return median(page.evaluate(MOVE, ["F", str(0.5 + k / 10)]) for k in range(REPEATS))


def heap(page: Any) -> float:
    """Megabytes that the page holds after its garbage is collected."""
    tools = page.context.new_cdp_session(page)
    tools.send("HeapProfiler.collectGarbage")
    return float(tools.send("Runtime.getHeapUsage")["usedSize"]) / 1e6


def report() -> None:
    print("The explorer of the paper's study, from file:// in Chromium")
    progress("writing the explorer")
    store = debox.open_store("paper")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "page.html")
        path.write_text(explorer(store), encoding="utf-8")
        print(f"  one file of {path.stat().st_size / 1e6:.1f} MB\n")
        progress("looking at it")
        with chromium(Path(folder, "profile")) as context:
            print("\n".join(lines(context.new_page(), path)))


def lines(page: Any, path: Path) -> list[str]:
    """The demands and what was measured."""
    ready = median(open_view(page, path, "atlas") for _ in range(REPEATS))
    cell = median(page.evaluate(CELL) for _ in range(REPEATS))
    bars = {N: first_bars(page, path, N) for N in (5, 20, 100)}
    modules = open_modules(page.context)
    runs = {N: modules.evaluate(ONE_RUN, N) for N in (20, 100)}
    modules.close()
    open_view(page, path, LIVE.format(N=5))
    page.evaluate(MOVE_ON, [0, 50])
    before = heap(page)
    page.evaluate(MOVE_ON, [50, 50 + MOVES])
    return [
        verdict("page ready, from the file", ready, 1500, "ms"),
        verdict("stored cell to picture", cell, 50, "ms"),
        verdict("slider to first bars, N = 5", bars[5], 150, "ms"),
        *(verdict(f"slider to first bars, N = {N}: a run's time + 50", bars[N], runs[N] + 50, "ms") for N in runs),
        verdict(f"memory added by {MOVES} moves of a slider", heap(page) - before, 5, "MB"),
    ]
