"""`#include`: what stands where, and errors in and of included files."""

from pathlib import Path

import pytest

from trustvi.stan import StanError, StanModel
from trustvi.stan._diagnostics import StanSyntaxError
from trustvi.stan._parser import parse


@pytest.fixture
def library(tmp_path):
    files = {
        "a.stan": "real a;",
        "nested/b.stan": "#include a.stan\nreal b;\n",
        "loop.stan": "real x;\n#include other.stan\n",
        "other.stan": "#include loop.stan\n",
        "wrong.stan": "real c;\nreal d\nreal e;",
        "open.stan": "real f; /* ...",
        "half.stan": "model { x = 1;",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (tmp_path / "binary.stan").write_bytes(b"\xff\xfe\x00")
    return tmp_path


def test_included_files_stand_in_their_places(library):
    program = parse(
        'data {\n#include nested/b.stan\nint c;#include "a.stan"\n} #include <half.stan>\n}',
        include_paths=["/nowhere", library],
    )
    assert [d.name for d in program.data] == ["a", "b", "c", "a"]
    assert len(program.model) == 1
    span = program.data[0].name_span
    assert (span.file, span.line, span.column) == (str(library / "a.stan"), 1, 6)
    chain = [span.included_from, span.included_from.included_from]
    assert [(s.file, s.line, s.column) for s in chain] == [
        (str(library / "nested/b.stan"), 1, 1),
        ("program.stan", 2, 1),
    ]
    assert program.data[2].span.included_from is None


def test_the_folder_of_the_program_is_searched_last(library, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "a.stan").write_text("int z;")
    main = library / "main.stan"
    main.write_text("data {\n#include a.stan\n}")
    assert parse(main.read_text(), str(main)).data[0].name == "a"
    assert parse(main.read_text(), str(main), [other]).data[0].name == "z"


@pytest.mark.parametrize(
    ("text", "file", "place", "message"),
    [
        ("#include wrong.stan", "wrong.stan", (3, 1), 'expected ";"'),
        ("#include open.stan", "open.stan", (1, 15), "never closed"),
        ("int i;\n #include loop.stan", "other.stan", (1, 1), "includes itself"),
        ("int i;\n #include nowhere.stan", "program.stan", (3, 2), "cannot find"),
        ("int i;\n #include binary.stan", "binary.stan", (1, 1), "no token starts"),
        ("int i;\n #include nested", "program.stan", (3, 2), "cannot find"),
        ("int i #include a.stan", "a.stan", (1, 1), 'expected ";"'),
        ("int i\n#include a.stan", "a.stan", (1, 1), 'expected ";"'),
        ("int 3 #include nowhere.stan", "program.stan", (2, 5), "expected a name"),
    ],
)
def test_errors_in_and_of_includes(library, text, file, place, message):
    with pytest.raises(StanSyntaxError, match=message) as caught:
        parse(f"data {{\n{text}\n}}", include_paths=[library])
    assert Path(caught.value.file).name == file
    assert (caught.value.line, caught.value.column) == place


def test_a_program_that_includes_itself(library):
    main = library / "main.stan"
    main.write_text("#include main.stan")
    with pytest.raises(StanSyntaxError, match="includes itself"):
        parse(main.read_text(), str(main))


def test_comments_may_be_in_any_encoding(tmp_path):
    part = "/* Gr\xf6\xdfe */ real mu;\n".encode("latin-1")
    (tmp_path / "part.stan").write_bytes(part)
    program = tmp_path / "whole.stan"
    program.write_bytes(
        b"parameters {\n#include part.stan\n} // caf\xe9\nmodel { mu ~ normal(0, s); }"
    )
    with pytest.raises(StanError, match='"s" is not declared') as caught:
        StanModel(program)
    assert (caught.value.line, caught.value.column) == (4, 24)
    str(caught.value).encode()


@pytest.mark.parametrize("program", ["no such file", "a\0b", "x" * 5000, "\ud800"])
def test_what_is_no_file_is_an_error_of_ours(program):
    with pytest.raises(StanError, match="can't be read"):
        StanModel(program)
