"""The name that Stan gives to a model, which nothing in the program may have."""

import pytest

from trustvi.stan import StanError, check_program

# The second of each pair is what stanc 2.35 calls the model, without its "_model".
FILES = [
    ("reg.stan", "reg"),
    ("folder/reg.stan", "reg"),
    ("../up.stan/reg.stan", "reg"),
    ("my-reg.stan", "my_reg"),
    ("a b.stan", "ax32b"),
    ("A+b.stan", "Ax43b"),
    ("a.b.stan", "ax46b"),
    ("é.stan", "x195x169"),
]
USES = [
    "model {{ real {}; }}",
    "model {{ for ({} in 1:2); }}",
    "functions {{ real {}(real x) {{ return x; }} }}",
    "functions {{ real f(real {}) {{ return 1; }} }}",
    "model {{ 1 ~ {}(); }}",
]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(("file", "name"), FILES)
def test_the_name_of_the_model_is_taken(file, name, use):
    text = use.format(f"{name}_model")
    with pytest.raises(StanError, match="gives to the model") as caught:
        check_program(text, file)
    assert (caught.value.line, caught.value.column) == (1, text.index(f"{name}_model") + 1)


@pytest.mark.parametrize("file", [None, "other.stan", "reg.stanfunctions", "reg"])
def test_elsewhere_the_name_is_free(file):
    text = "real reg_model(real x) { return x; }"
    functions = file is not None and file.endswith(".stanfunctions")
    check_program(text if functions else f"functions {{ {text} }}", file)


def test_the_file_of_the_program_counts_not_the_included_one(tmp_path):
    (tmp_path / "part.stan").write_text("real whole_model; real part_model;\n")
    with pytest.raises(StanError, match='"whole_model" is the name'):
        check_program("data {\n#include part.stan\n}\n", "whole.stan", [tmp_path])
    checked = check_program("data {\n#include part.stan\n}\n", "half.stan", [tmp_path])
    assert [each.name for each in checked.program.data or ()] == ["whole_model", "part_model"]
