"""Random programs, well-typed and bounded, that mix everything loops can be made of.

`Generator(choose).program()` builds one; `choose(n)` decides among n possibilities, so that the
same code serves hypothesis and plain random numbers. Indices stay in range by construction, and
values stay small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")
SIZE = 9
HEAD = f"""
functions {{
  real pick(array[] real a, int n) {{
    real s = 0;
    for (j in 1:size(a)) {{
      if (j > n) return s;
      s += a[j] * 0.3;
    }}
    return s - 1;
  }}
  real power(real y, int n) {{
    if (n <= 0) return 1;
    return 0.5 * y * power(y, n - 1);
  }}
  real split(real y) {{
    if (y > 0.2) return sqrt(y);
    if (y < -0.5) {{ return -y * 0.3; }}
    return square(y);
  }}
  int step_from(int k, int d) {{ return 1 + (k + d) % {SIZE}; }}
}}
data {{
  int N;
  array[N] int g;
  array[N] int m;
  array[N] int b;
  vector[N] x;
}}
parameters {{
  real a;
  real c;
  vector[N] v;
}}
model {{
  real r = 0.3;
  real q = c;
  int k = 1;
  array[N] real u = rep_array(0.1, N);
  vector[N] w = 0.5 * v;
  matrix[3, N] M = rep_matrix(0.2, 3, N);
"""
TAIL = """
  target += 0.1 * (r + q + k + sum(u)) + sum(w) + 0.2 * sum(M);
  v ~ normal(0, 1);
  a ~ normal(0, 1);
  c ~ normal(0, 1);
}
"""


def data(seed: int) -> dict[str, object]:
    """Data for any of the programs."""
    rng = np.random.default_rng(seed)
    return {
        "N": SIZE,
        "g": rng.integers(1, SIZE + 1, SIZE),
        "m": rng.integers(0, 5, SIZE),
        "b": rng.integers(0, 2, SIZE),
        "x": rng.normal(size=SIZE),
    }


class Generator:
    """One program."""

    def __init__(self, choose: Callable[[int], int], size: int = 12) -> None:
        self.choose, self.left = choose, size
        self.names = 0

    def one_of(self, options: Sequence[T]) -> T:
        return options[self.choose(len(options))]

    def program(self) -> str:
        body = ""
        while self.left > 0:
            body += self.statement(1, [], [])
        return HEAD + body + TAIL

    # ------------------------------------------------------------------ expressions

    def index(self, loops: list[str]) -> str:
        """An integer from 1 to N."""
        if not loops:
            return self.one_of(["1", "3", "N", "step_from(k, 2)"])
        i = self.one_of(loops)
        return self.one_of(
            [
                i,
                i,
                f"g[{i}]",
                f"({i} > 1 ? {i} - 1 : N)",
                f"({i} < N ? {i} + 1 : 1)",
                f"(N + 1 - {i})",
                f"({i} > 2 ? {i} - 2 : {i})",
                "k",
                f"step_from({i}, 3)",
                "4",
            ]
        )

    def real(self, depth: int, loops: list[str], reals: list[str]) -> str:
        """A real of moderate size."""
        if depth == 0:
            at = self.index(loops)
            return self.one_of(
                ["a", "c", "r", "q", f"u[{at}]", f"w[{at}]", f"v[{at}]", f"x[{at}]", "0.7",
                 f"M[{self.row(loops)}, {at}]", *reals]
            )  # fmt: skip
        one, other = (self.real(self.choose(depth), loops, reals) for _ in range(2))
        return self.one_of(
            [
                f"0.5 * ({one} + {other})",
                f"tanh({one})",
                f"({one} - 0.3 * {other})",
                f"sqrt(1 + square({one}))",
                f"({self.condition(loops)} ? {one} : {other})",
                f"({one} > {other} ? tanh({one}) : 0.2)",
                f"split({one})",
                f"power(tanh({one}), m[{self.index(loops)}])",
                "0.1 * pick(u, 3)",
                "0.2 * mean(w)",
            ]
        )

    def row(self, loops: list[str]) -> str:
        return self.one_of(["1", "2", "3", f"1 + {self.index(loops)} % 3"])

    def condition(self, loops: list[str]) -> str:
        """A condition that is known."""
        at = self.index(loops)
        return self.one_of(
            [f"b[{at}] == 1", f"g[{at}] > 4", f"{at} > 3", f"{at} != k", f"m[{at}] == 2 || b[1]"]
        )

    def traced(self, loops: list[str], reals: list[str]) -> str:
        return f"{self.real(1, loops, reals)} > {self.one_of(['0', '0.3', 'a'])}"

    # ------------------------------------------------------------------ statements

    def statement(self, depth: int, loops: list[str], reals: list[str]) -> str:
        self.left -= 1
        kinds = [self.assign, self.assign, self.add, self.add, self.sample, self.count]
        if depth < 4 and self.left > 0:
            kinds += [self.loop, self.loop, self.branch, self.traced_branch, self.block]
            kinds += [self.each, self.while_loop]
        return "  " * depth + self.one_of(kinds)(depth, loops, reals) + "\n"

    def target(self, loops: list[str]) -> str:
        at = self.index(loops)
        return self.one_of(
            ["r", "q", f"u[{at}]", f"u[{at}]", f"w[{at}]", f"M[{self.row(loops)}, {at}]"]
        )

    def assign(self, depth: int, loops: list[str], reals: list[str]) -> str:
        if self.choose(8) == 0:
            at = self.index(loops)
            return self.one_of(
                [
                    f"w = 0.5 * w + {self.real(0, loops, reals)};",
                    f"M[:, {at}] = 0.4 * M[:, {self.index(loops)}];",
                    f"u[2:4] = {{{self.real(1, loops, reals)}, 0.3, u[{at}]}};",
                    f"w[g] = 0.3 * v + 0.1 * {self.real(0, loops, reals)};",
                ]
            )
        return f"{self.target(loops)} = {self.real(2, loops, reals)};"

    def add(self, depth: int, loops: list[str], reals: list[str]) -> str:
        target, value = self.target(loops), self.real(1, loops, reals)
        return self.one_of(
            [
                f"{target} += 0.3 * {value};",
                f"{target} = {target} - 0.2 * {value};",
                f"{target} *= 0.5 + 0.1 * tanh({value});",
                f"target += 0.1 * {value};",
            ]
        )

    def sample(self, depth: int, loops: list[str], reals: list[str]) -> str:
        scale = self.one_of(["1.5", "exp(0.2 * a)"])
        return f"x[{self.index(loops)}] ~ normal({self.real(1, loops, reals)}, {scale});"

    def count(self, depth: int, loops: list[str], reals: list[str]) -> str:
        return self.one_of(
            ["k = step_from(k, 1);", f"k = g[{self.index(loops)}];", "if (k < N) k += 1;"]
        )

    def body(self, depth: int, loops: list[str], reals: list[str]) -> str:
        """Statements in braces, perhaps with a variable of their own."""
        text = "{\n"
        reals = list(reals)
        if self.choose(2):
            self.names += 1
            name = f"t{self.names}"
            text += "  " * (depth + 1) + f"real {name} = {self.real(1, loops, reals)};\n"
            reals.append(name)
        for _ in range(1 + self.choose(3)):
            text += self.statement(depth + 1, loops, reals)
        return text + "  " * depth + "}"

    def loop(self, depth: int, loops: list[str], reals: list[str]) -> str:
        self.names += 1
        i = f"i{self.names}"
        ranges = ["1:N", "2:N", "1:N", "3:5", "1:2", "4:3"]
        if loops:
            ranges += [f"1:m[{loops[-1]}]", f"{loops[-1]}:N"]
        text = self.body(depth, [*loops, i], reals)
        leave = self.choose(8)
        if leave < 3:
            condition = (self.condition, self.condition, None)[leave]
            when = condition([*loops, i]) if condition else self.traced([*loops, i], reals)
            word = self.one_of(["break", "continue"])
            text = "{ if (" + when + f") {word};\n" + text + "}"
        return f"for ({i} in {self.one_of(ranges)}) " + text

    def each(self, depth: int, loops: list[str], reals: list[str]) -> str:
        self.names += 1
        name = f"e{self.names}"
        if self.choose(2):
            return f"for ({name} in g) " + self.body(depth, [*loops, name], reals)
        over = self.one_of(["w", "u", "x"])
        return f"for ({name} in {over}) " + self.body(depth, loops, [*reals, name])

    def while_loop(self, depth: int, loops: list[str], reals: list[str]) -> str:
        self.names += 1
        name = f"n{self.names}"
        text = self.body(depth, loops, reals)
        bound = f"m[{self.index(loops)}]"
        return f"{{ int {name} = 0; int {name}b = {bound}; while ({name} < {name}b) " + (
            "{ " + f"{name} += 1;\n" + text + "} }"
        )

    def branch(self, depth: int, loops: list[str], reals: list[str]) -> str:
        return self.conditional(self.condition(loops), depth, loops, reals)

    def traced_branch(self, depth: int, loops: list[str], reals: list[str]) -> str:
        return self.conditional(self.traced(loops, reals), depth, loops, reals)

    def conditional(self, when: str, depth: int, loops: list[str], reals: list[str]) -> str:
        text = f"if ({when}) " + self.body(depth, loops, reals)
        return text + (" else " + self.body(depth, loops, reals) if self.choose(2) else "")

    def block(self, depth: int, loops: list[str], reals: list[str]) -> str:
        return self.body(depth, loops, reals)
