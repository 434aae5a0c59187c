"""Studies whose cells crash, hang, raise or are killed; studies that are killed themselves."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from study_cases import LIMITS, guarded, plan_of, result

from trustvi import InputError
from trustvi.study import Cell, Entry, Processes, Store, Tally, cell_key, run_study
from trustvi.study._plan import Plan, Queue, load_plan, save_plan
from trustvi.study._screen import Screen, clock, describe
from trustvi.study._worker import Answer


class Silent:
    """Nobody watches, but what was said is kept."""

    def __init__(self) -> None:
        self.said: list[tuple[int, int, Answer | None]] = []

    def begin(self, total: int, done: int) -> None:
        self.total, self.before = total, done

    def tick(self, done: int, lost: int, reply: Answer | None) -> None:
        self.said.append((done, lost, reply))


def study(plan: Plan, jobs: int = 2, hang: float = 60.0) -> tuple[Tally, Silent]:
    store, watcher = Store(plan.store), Silent()
    tally = run_study(plan, store, Processes(jobs, hang, guarded), watcher)
    store.close()
    return tally, watcher


def test_what_goes_wrong_costs_one_cell_and_is_kept(tmp_path: Path) -> None:
    names = ["crash", "fine", "kill", "once_crash", "once_kill", "raise", "unusable"]
    plan = plan_of(tmp_path, names, seeds=2)
    tally, watcher = study(plan)
    store = Store(plan.store)
    runs = {(r.model, r.seed) for r in store.runs(plan.cells()).values()}
    expected = {(m, s) for m in ("fine", "once_crash", "once_kill") for s in (0, 1)}
    assert runs == expected
    assert tally == Tally(6, 8, (("unusable", "it is of no use"),))
    assert watcher.said[-1][:2] == (6, 8)
    cells = plan.cells()
    lost = {cells[k].entry.name: [kind for kind, _ in v] for k, v in store.lost().items()}
    assert lost == {
        "crash": ["crashed"] * 2, "kill": ["crashed"] * 2, "raise": ["error"] * 2,
        "once_crash": ["crashed"], "once_kill": ["crashed"],
    }  # fmt: skip
    reasons = {cells[k].entry.name: v[0][1] for k, v in store.lost().items()}
    assert reasons["crash"] == "exit status 3"
    assert reasons["kill"] == "the worker died of signal 9"
    assert reasons["raise"] == "out of hand"


def test_a_cell_that_hangs_is_ended(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, ["once_hang", "fine"])
    began = time.monotonic()
    tally, _ = study(plan, jobs=1, hang=1.0)
    assert tally.done == 2
    assert time.monotonic() - began < 60
    ((key, failures),) = Store(plan.store).lost().items()
    assert plan.cells()[key].entry.name == "once_hang"
    assert failures == [("hung", "no end after 3 s")]


def test_a_finished_study_runs_nothing_again(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, ["crash", "fine"])
    first, _ = study(plan)
    again, watcher = study(plan)
    assert (first, watcher.said) == (again, [])
    assert (watcher.total, watcher.before) == (2, 2)


def test_studies_share_a_store(tmp_path: Path) -> None:
    small = plan_of(tmp_path, ["fine"], seeds=2)
    study(small)
    large = plan_of(tmp_path, ["fine", "other"], seeds=3)
    tally, watcher = study(large)
    assert tally.done == 6
    assert watcher.before == 2
    changed = large._replace(limits=LIMITS._replace(max_calls=7.0))
    assert not set(changed.cells()) & set(large.cells())


DRIVER = """
import sys; sys.path.insert(0, {tests!r})
from pathlib import Path
from study_cases import guarded, plan_of
from test_runner import Silent
from trustvi.study import Processes, Store, run_study
if __name__ == "__main__":
    plan = plan_of(Path({folder!r}), ["slow_1", "slow_2"], seeds=20)
    run_study(plan, Store(plan.store), Processes(2, 9.0, guarded), Silent())
"""


def count(path: Path) -> int:
    if not path.exists():
        return 0
    try:
        db = sqlite3.connect(path, timeout=5)
        (number,) = db.execute("select count(*) from results").fetchone()
        db.close()
    except sqlite3.OperationalError:
        return 0
    return number


def test_a_killed_study_goes_on_where_it_was(tmp_path: Path) -> None:
    script = tmp_path / "driver.py"
    script.write_text(DRIVER.format(tests=str(Path(__file__).parent), folder=str(tmp_path)))
    plan = plan_of(tmp_path, ["slow_1", "slow_2"], seeds=20)
    process = subprocess.Popen([sys.executable, script], start_new_session=True)
    deadline = time.monotonic() + 120
    while count(plan.store) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    children = _children(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = count(plan.store)
    assert 2 <= kept < 40
    ends = time.monotonic() + 30
    while any(map(_alive, children)) and time.monotonic() < ends:
        time.sleep(0.1)
    assert not any(map(_alive, children))
    small = plan._replace(seeds=3)
    before = set(Store(plan.store).runs(small.cells()))
    tally, watcher = study(small)
    assert tally.done == 6
    assert watcher.before == len(before)


def _children(pid: int) -> list[int]:
    return [int(c) for c in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0]
    except OSError:
        return False


def test_the_first_result_of_a_cell_stays(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, ["fine"])
    ((key, cell),) = plan.cells().items()
    store = Store(plan.store)
    store.add_result(key, cell, result(-1.0))
    store.add_result(key, cell, result(-2.0))
    assert store.runs([key])[key].result == result(-1.0)
    with pytest.raises(InputError, match="is not a study's store"):
        Store(plan.entries[0].program)


def test_results_come_back_as_they_went(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, ["fine"])
    ((key, cell),) = plan.cells().items()
    store = Store(plan.store)
    odd = result(float("-inf"), "OVERFLOW")
    store.add_result(key, cell, odd)
    store.close()
    assert Store(plan.store).runs([key])[key].result == odd


def test_keys_tell_what_matters(tmp_path: Path) -> None:
    a, b = (tmp_path / name for name in ("a.stan", "b.stan"))
    a.write_text("x")
    b.write_text("x")
    key = cell_key(Cell(Entry("a", a), "m/p", 0), LIMITS)
    assert key == cell_key(Cell(Entry("b", b), "m/p", 0), LIMITS)
    others = [
        cell_key(Cell(Entry("a", a), "m/q", 0), LIMITS),
        cell_key(Cell(Entry("a", a), "m/p", 1), LIMITS),
        cell_key(Cell(Entry("a", a), "m/p", 0), LIMITS._replace(tol=0.1)),
        cell_key(Cell(Entry("a", a, b), "m/p", 0), LIMITS),
    ]
    b.write_text("y")
    others.append(cell_key(Cell(Entry("b", b), "m/p", 0), LIMITS))
    assert len({key, *others}) == 6


def test_a_plan_is_read_as_written(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, ["one", "two"], seeds=2)._replace(unusable=(("three", "no data"),))
    save_plan(tmp_path, plan)
    read = load_plan(tmp_path)
    assert read.cells().keys() == plan.cells().keys()
    assert (read.unusable, read.limits, read.methods) == (plan.unusable, LIMITS, plan.methods)
    assert os.path.samefile(read.store.parent, tmp_path)
    with pytest.raises(InputError, match="holds no study"):
        load_plan(tmp_path / "nowhere")


def test_a_worker_keeps_to_its_model_and_method() -> None:
    models = [Entry(name, Path(name)) for name in "ab"]
    cells = [Cell(e, m, s) for e in models for m in ("x", "y") for s in (0, 1)]
    queue = Queue(cells)
    last: dict[int, Cell] = {}
    order: dict[int, list[str]] = {0: [], 1: []}
    for _ in range(4):
        for worker in (0, 1):
            cell = queue.next(worker, last.get(worker))
            assert cell is not None
            last[worker] = cell
            order[worker].append(cell.entry.name + cell.method)
    assert order == {0: ["ax", "ax", "ay", "ay"], 1: ["bx", "bx", "by", "by"]}
    assert queue.next(0, None) is None


def test_a_worker_without_work_helps_another() -> None:
    one = Entry("a", Path("a"))
    queue = Queue([Cell(one, "x", s) for s in range(4)])
    first, second = queue.next(0, None), queue.next(1, None)
    assert first is not None
    assert second is not None
    assert (first.seed, second.seed) == (0, 3)


def test_progress_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert describe(10, 0, 40, 0, 60.0) == "10/40 fits, 1:00 gone, 3:00 left"
    assert describe(10, 2, 40, 8, 60.0) == "12/40 fits, 2 lost, 1:00 gone, 7:00 left"
    assert clock(3661) == "1:01:01"
    with Screen() as screen:
        screen.begin(3, 0)
        screen.tick(1, 0, Answer("crashed", None, "exit status 3"))
    assert "a fit was lost (crashed): exit status 3" in capsys.readouterr().err
