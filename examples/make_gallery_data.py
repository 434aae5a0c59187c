"""Write the data of the gallery of models, `src/trustvi/study/gallery`.

    python examples/make_gallery_data.py KIDIQ.csv RADON.csv

The two tables are `kidiq` and `radon` of the R package rstanarm (2.21), written as CSV. All other
data are typed in here from the literature, or simulated here; `PROVENANCE.md` beside the data
says which.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

GALLERY = Path(__file__).parent.parent / "src" / "trustvi" / "study" / "gallery"

# Davies and Goldsmith 1972, "Statistical Methods in Research and Production", table 6.2; Box and
# Tiao 1973, "Bayesian Inference in Statistical Analysis", table 5.1.2: grams of standard colour.
DYESTUFF = [
    [1545, 1440, 1440, 1520, 1580],
    [1540, 1555, 1490, 1560, 1495],
    [1595, 1550, 1605, 1510, 1560],
    [1445, 1440, 1595, 1465, 1545],
    [1595, 1630, 1515, 1635, 1625],
    [1520, 1455, 1450, 1480, 1445],
]

# Gelfand, Hills, Racine-Poon and Smith 1990, "Illustration of Bayesian inference in normal data
# models using Gibbs sampling", table 3: grams of 30 rats of the control group.
DAYS = [8, 15, 22, 29, 36]
RATS = """
151 199 246 283 320  145 199 249 293 354  147 214 263 312 328  155 200 237 272 297
135 188 230 280 323  159 210 252 298 331  141 189 231 275 305  159 201 248 297 338
177 236 285 350 376  134 182 220 260 296  160 208 261 313 352  143 188 220 273 314
154 200 244 289 325  171 221 270 326 358  163 216 242 281 312  160 207 248 288 324
142 187 234 280 316  156 203 243 283 317  157 212 259 307 336  152 203 246 286 321
154 205 253 298 334  139 190 225 267 302  146 191 229 272 302  157 211 250 285 323
132 185 237 286 331  160 207 257 303 345  169 216 261 295 333  157 205 248 289 316
137 180 219 258 291  153 200 244 286 324
"""

# Agresti 1990, "Categorical Data Analysis", table 9.1, summed over sexes: lake (Hancock,
# Oklawaha, Trafford, George) by size (up to 2.3 m, more) by food (fish, invertebrate, reptile,
# bird, other).
ALLIGATORS = [
    [[23, 4, 2, 2, 8], [7, 0, 1, 3, 5]],
    [[5, 11, 1, 0, 3], [13, 8, 6, 1, 0]],
    [[5, 11, 2, 1, 5], [8, 7, 6, 3, 5]],
    [[16, 19, 1, 2, 3], [17, 1, 0, 1, 3]],
]

# Crowder 1978, "Beta-binomial Anova for proportions", table 3: germinated, of all, for 21 plates;
# variety (O. aegyptiaca 75, 73) and extract (bean, cucumber).
SEEDS = {
    (0, 0): [(10, 39), (23, 62), (23, 81), (26, 51), (17, 39)],
    (0, 1): [(5, 6), (53, 74), (55, 72), (32, 51), (46, 79), (10, 13)],
    (1, 0): [(8, 16), (10, 30), (8, 28), (23, 45), (0, 4)],
    (1, 1): [(3, 12), (22, 41), (15, 30), (32, 51), (3, 7)],
}
DISHES_PER_PLATE = 8


def rows(path: str) -> list[dict[str, str]]:
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def numbers(table: list[dict[str, str]], column: str, digits: int = 6) -> list[float]:
    values = [round(float(row[column]), digits) for row in table]
    return [int(v) if v == int(v) else v for v in values]


def write(name: str, data: dict[str, Any]) -> None:
    text = json.dumps(data, separators=(", ", ": "))
    (GALLERY / f"{name}.data.json").write_text(text.replace('], "', '],\n "') + "\n")


def seeds() -> dict[str, Any]:
    """Each plate's seeds dealt at random into dishes."""
    rng = np.random.default_rng(1978)
    columns: dict[str, list[int]] = {k: [] for k in ("seeds", "germinated", "variety", "extract")}
    for (variety, extract), plates in SEEDS.items():
        for germinated, count in plates:
            kind = rng.permutation(np.arange(count) < germinated)
            dish = np.arange(count) % DISHES_PER_PLATE
            for d in range(DISHES_PER_PLATE):
                columns["seeds"].append(int(np.sum(dish == d)))
                columns["germinated"].append(int(np.sum(kind[dish == d])))
                columns["variety"].append(variety)
                columns["extract"].append(extract)
    return {"dishes": len(columns["seeds"]), **columns}


def electric() -> dict[str, Any]:
    """192 classes in pairs, one of each treated; 46 groups."""
    rng = np.random.default_rng(2006)
    classes, groups = 192, 46
    group = np.arange(classes) // 2 % groups
    treated = np.arange(classes) % 2
    effect = rng.normal(0, 12, groups)
    score = 92 + effect[group] + 6 * treated + rng.normal(0, 7, classes)
    return {"classes": classes, "groups": groups, "group": (group + 1).tolist(),
            "treated": treated.tolist(), "post_test": np.round(score, 1).tolist()}  # fmt: skip


def earnings() -> dict[str, Any]:
    """1192 people, heights in inches."""
    rng = np.random.default_rng(1192)
    male = rng.binomial(1, 0.42, 1192)
    height = np.round(rng.normal(64.5 + 5.5 * male, 2.7), 1)
    log_earnings = 3.6 + 1.4 * np.log(height) + 0.42 * male + rng.normal(0, 0.88, 1192)
    return {"people": 1192, "earnings": np.round(np.exp(log_earnings), -1).tolist(),
            "height": height.tolist(), "male": male.tolist()}  # fmt: skip


def capture() -> dict[str, Any]:
    """100 animals over three occasions, and 150 rows of animals never seen."""
    rng = np.random.default_rng(2012)
    seen = rng.binomial(1, [0.3, 0.5, 0.6], (100, 3))
    seen = seen[seen.sum(axis=1) > 0]
    table = np.concatenate([seen, np.zeros((150, 3), int)])
    return {"animals": len(table), "occasions": 3, "seen": table.tolist()}


def main(kidiq: str, radon: str) -> None:
    write("dyes", {"batches": 6, "samples": 5, "yield": DYESTUFF})
    weights = np.array(RATS.split(), int).reshape(30, 5)
    write("birats", {"rats": 30, "weeks": 5, "day": DAYS, "weight": weights.tolist()})
    write("alligators", {"lakes": 4, "sizes": 2, "foods": 5, "count": ALLIGATORS})
    kids, houses = rows(kidiq), rows(radon)
    columns = {name: numbers(kids, name) for name in ("kid_score", "mom_hs", "mom_iq")}
    for name in ("kidiq_interaction", "kidiq_interaction_c2"):
        write(name, {"children": len(kids), **columns})
    names = sorted({row["county"] for row in houses})
    county = [names.index(row["county"]) + 1 for row in houses]
    write("radon_redundant_chr", {"houses": len(houses), "counties": len(names), "county": county,
                                  "log_radon": numbers(houses, "log_radon")})  # fmt: skip
    write("seeds", seeds())
    write("electric_chr", electric())
    write("logearn_logheight", earnings())
    write("mt", capture())


if __name__ == "__main__":
    main(*sys.argv[1:])
