"""`#include`: the tokens of a program with those of the files it includes in their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from trustvi.stan._ast import Source, Span
from trustvi.stan._diagnostics import StanSyntaxError
from trustvi.stan._lexer import (
    END,
    INCLUDE,
    INVALID,
    Origin,
    Token,
    include_name,
    scan,
    split_lines,
)


@dataclass(frozen=True, slots=True)
class Reader:
    """What reading a program needs: where to look for files, and the lines read so far."""

    paths: tuple[Path, ...]
    lines: dict[str, Sequence[str]]


def read_tokens(
    text: str, filename: str, include_paths: Sequence[str | Path] = ()
) -> tuple[list[Token], Source]:
    """All tokens of a program, includes expanded, and its source for error messages.

    Files are looked for in the include paths and then in the folder of the program, if the
    program is a file.
    """
    program = Path(filename)
    is_file = _is_file(program)
    folders = [*map(Path, include_paths), *([program.parent] if is_file else [])]
    under_way = (program.resolve(),) if is_file else ()
    reader = Reader(tuple(dict.fromkeys(folders)), {})
    tokens = list(_expand(text, Origin(filename), reader, under_way))
    return tokens, Source(file=filename, lines=reader.lines)


def read_source(path: Path) -> str:
    """The text of a file. Only comments and strings may hold more than ASCII, and no meaning hangs
    on them: bytes that are no UTF-8 become replacement characters, as of texts in Latin-1."""
    return path.read_text(encoding="utf-8", errors="replace")


def _is_file(path: Path) -> bool:
    """Whether there is such a file; names that no file system takes are none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _expand(
    text: str, origin: Origin, reader: Reader, including: tuple[Path, ...]
) -> Iterator[Token]:
    """The tokens of one file and those it includes; `including` are the files under way."""
    reader.lines[origin.file] = split_lines(text)
    for token in scan(text, origin):
        if token.kind == INCLUDE:
            yield from _included(token, reader, including)
        elif token.kind != END or origin.included_from is None:
            yield token


def _included(token: Token, reader: Reader, including: tuple[Path, ...]) -> Iterator[Token]:
    name, span = include_name(token.text), token.span()
    path = next(filter(_is_file, (folder / name for folder in reader.paths)), None)
    if path is None:
        yield _failed(token, f'cannot find the file "{name}" to include', _searched(reader))
    elif path.resolve() in including:
        yield _failed(token, f'the file "{name}" includes itself', _chain(span))
    else:
        try:
            text = read_source(path)
        except OSError as failure:
            yield _failed(token, f'cannot read the file "{name}" to include', str(failure))
            return
        yield from _expand(text, Origin(str(path), span), reader, (*including, path.resolve()))


def _failed(token: Token, message: str, hint: str) -> Token:
    error = StanSyntaxError(message, token.span(), hints=(hint,))
    return token._replace(kind=INVALID, error=error)


def _searched(reader: Reader) -> str:
    if not reader.paths:
        return "no include paths are given"
    return f"looked in {', '.join(map(str, reader.paths))}"


def _chain(span: Span) -> str:
    files = [span.file]
    while span.included_from is not None:
        span = span.included_from
        files.append(span.file)
    return f"include chain: {' -> '.join(reversed(files))}"
