"""The scanner: what is a token, of which kind, and where it stands."""

import pytest

from trustvi.stan import _lexer as lexer
from trustvi.stan._lexer import KEYWORDS, Origin, scan, split_lines


def tokens(text):
    return list(scan(text, Origin("file")))


def kinds(text):
    return [(token.kind, token.text) for token in tokens(text)[:-1]]


SYMBOLS = [*"+-*/%\\^!'<>=~?:;,|(){}[]", ".*", "./", ".^", "%/%", "&&", "||", ".*=", "./="] + [
    f"{first}=" for first in "+-*/=!<>"
]


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_symbols_are_their_own_kind(symbol):
    assert kinds(f"a{symbol}b") == [("identifier", "a"), (symbol, symbol), ("identifier", "b")]


@pytest.mark.parametrize("left", SYMBOLS)
def test_neighbouring_symbols_split_at_the_longest_token(left):
    for right in SYMBOLS:
        if left + right in {"//", "/*", "//=", "/*="} or (left[-1] == "/" and right[0] in "/*"):
            continue  # a comment
        found = [kind for kind, _ in kinds(f"{left}{right} ")]
        assert "".join(found) == left + right
        longest = max((s for s in SYMBOLS if (left + right).startswith(s)), key=len)
        assert found[0] == longest


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_keywords_are_their_own_kind_but_not_as_parts_of_names(word):
    assert kinds(word) == [(word, word)]
    assert kinds(f"{word}_ {word}1 x{word}") == [
        ("identifier", f"{word}_"),
        ("identifier", f"{word}1"),
        ("identifier", f"x{word}"),
    ]


@pytest.mark.parametrize(
    "words", ["transformed data", "transformed parameters", "generated quantities"]
)
def test_block_names_of_two_words(words):
    first, second = words.split()
    assert kinds(words) == [(words, words)]
    assert kinds(f"{first} \t {second}")[0][0] == words
    assert kinds(f"{first}\n{second}")[0] == ("identifier", first)
    assert kinds(f"x{first} {second}")[0] == ("identifier", f"x{first}")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("0", lexer.INTEGER),
        ("1_000", lexer.INTEGER),
        ("1.", lexer.REAL),
        ("1.5", lexer.REAL),
        ("1_0.5_0e1_0", lexer.REAL),
        ("1e5", lexer.REAL),
        ("1.e-5", lexer.REAL),
        (".5E+5", lexer.REAL),
        (".5", lexer.DOT_INTEGER),
        (".1_0", lexer.DOT_INTEGER),
        ("3i", lexer.IMAGINARY),
        ("3.5e-1i", lexer.IMAGINARY),
        (".5i", lexer.IMAGINARY),
    ],
)
def test_numbers(text, kind):
    assert kinds(text) == [(kind, text)]
    assert kinds(f"{text} ") == [(kind, text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1e", ["1", "e"]),
        ("1e+", ["1", "e", "+"]),
        ("x.1.2", ["x", ".1", ".2"]),
        ("1.2.3", ["1.2", ".3"]),
        ("3if", ["3i", "f"]),
        ("0x1", ["0", "x1"]),
        ("1./x", ["1.", "/", "x"]),
        ("1.*x", ["1.", "*", "x"]),
        ("a.*b", ["a", ".*", "b"]),
    ],
)
def test_where_numbers_end(text, parts):
    assert [part for _, part in kinds(text)] == parts


def test_comments_and_blanks_are_no_tokens():
    text = 'a // é @ # " /* \n\t/* " é // \n * / ** */ b /**/ c\f'
    assert [word for _, word in kinds(text)] == ["a", "b", "c"]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_and_columns_count_from_one(newline):
    text = newline.join(["ab  +", "", "/* x", " y */ 1.5", '\t"s t" // end', "z"])
    places = [(token.text, token.line, token.column) for token in tokens(text)]
    assert places == [
        ("ab", 1, 1),
        ("+", 1, 5),
        ("1.5", 4, 7),
        ('"s t"', 5, 2),
        ("z", 6, 1),
        ("", 6, 2),
    ]
    for word, line, column in places[:-1]:
        assert split_lines(text)[line - 1][column - 1 :].startswith(word)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a @ b", (1, 3), "'@'"),
        ("a\n  # b", (2, 3), "'#'"),
        ("a & b", (1, 3), "'&'"),
        ("a.b", (1, 2), "'.'"),
        ("_a", (1, 1), "'_'"),
        ("é", (1, 1), "'é'"),
        ("a\v", (1, 2), "x0b"),
        ('a "b\n"', (1, 3), "closing quote"),
        ("a /* b\n c", (2, 3), "line 1, column 3"),
        ("#include", (1, 1), "file's name"),
        ("#includefoo", (1, 1), "file's name"),
        ("\ufeffmodel", (1, 1), "no token"),
    ],
)
def test_what_is_no_token_ends_the_scan_with_an_error(text, place, message):
    *_, last = tokens(text)
    assert last.kind == lexer.INVALID
    assert last.error is not None
    assert (last.error.line, last.error.column) == place
    assert message in last.error.message


@pytest.mark.parametrize(
    ("directive", "named"),
    [
        ("#include a.stan", "a.stan"),
        ('#include\t"a b.stan"', "a b.stan"),
        ("#include <a b.stan>  x", "a b.stan"),
        ("#include a.stan} // c", "a.stan}"),
        ('#include "a.stan', '"a.stan'),
        ("#include ../lib/a.stan", "../lib/a.stan"),
    ],
)
def test_include_directives(directive, named):
    first = tokens(directive)[0]
    assert first.kind == lexer.INCLUDE
    assert lexer.include_name(first.text) == named
