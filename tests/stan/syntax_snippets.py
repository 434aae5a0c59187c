"""Snippets of Stan, right and wrong, whose verdicts are recorded from stanc.

Each topic has a frame, in which `@` stands for a line of its table. What stanc says of each is in
`syntax_reference.json`, written by `make_syntax_reference.py`. A `⏎` in a line is a line break.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

LOGICAL = ["||", "&&", "==", "!=", "<", "<=", ">", ">="]
ARITHMETIC = ["+", "-", "*", "/", "%", "%/%", "\\", ".*", "./", "^", ".^"]
BINARY = [*LOGICAL, *ARITHMETIC]
PREFIX = ["-", "+", "!"]


def expressions() -> Iterator[str]:
    """Every pair of operators, and what else precedence decides."""
    yield from (f"a {x} b {y} c" for x, y in product(BINARY, BINARY))
    yield from (f"{p}a {x} b" for p, x in product(PREFIX, BINARY))
    yield from (f"a {x} {p}b {y} c" for x, y, p in product(BINARY, BINARY, "-!"))
    yield from (f"a {x} b'" for x in BINARY)
    yield from (f"a {x} b[1]" for x in BINARY)
    yield from (f"a {x} b.1" for x in BINARY)
    yield from (f"a {x} b ? c : d" for x in BINARY)
    yield from (f"a ? b {x} c : d {x} e" for x in BINARY)
    yield from (f"{p}{q}a" for p, q in product(PREFIX, PREFIX))
    yield from (f"{p}a{tail}" for p, tail in product(PREFIX, ["'", "[1]", ".1", "^b'", " ? b : c"]))
    yield from ("a ? b : c ? d : e", "a ? b ? c : d : e", "a''", "a'^b", "a[1]'", "a[1][2].3[4]")


_DECLARED = """
int x;
int T;
int jacobian;
int x__;
int lower;
int if;
int data;
int int;
int print;
int array;
int target;
int vector;
int 3x;
int;
int x
int x x;
int x, y;
int x y;
int x,;
;
int x;; int y;
int<lower=0> x;
int<lower=0, upper=1> x;
int<upper=0, lower=1> x;
int<lower=0, lower=1> x;
int<lower=0 upper=1> x;
int<> x;
int<offset=0> x;
real<offset=0> x;
real<multiplier=2> x;
real<offset=0, multiplier=1> x;
real<multiplier=0, offset=1> x;
real<lower=0, multiplier=1> x;
real<offset=0, lower=1> x;
real<offset=0, offset=1> x;
real<lower=0, upper=1, lower=2> x;
real<lower=0,> x;
real<lower> x;
real<lower 0> x;
real<upper=> x;
real<foo=0> x;
real<lower=0>;
real<lower=0> x
real<lower=0> 3;
real<lower=a<b> x;
real<lower=a>b> x;
real<lower=(a>b)> x;
real<lower=a&&b> x;
real<lower=a||b> x;
real<lower=a==b> x;
real<lower=a!=b> x;
real<lower=a>=b> x;
real<lower=a ? b : c> x;
real<lower=!a> x;
real<lower=-a'> x;
real<lower=a+b^c.*d%/%e\\f%h> x;
real<lower=f(a<b)[c<d]> x;
real<lower={a>b}[1]> x;
real<lower=a, upper=b>= x;
real<lower=a>=2;
complex z;
complex<lower=0> z;
vector[3] x;
vector x;
vector[] x;
vector[3 x;
vector[3,4] x;
vector[a<b] x;
vector[a>b] x;
vector<lower=0> x;
vector<lower=0>[3] x;
vector[3]<lower=0> x;
row_vector[3] x;
matrix[3,4] x;
matrix[3] x;
matrix[3,4,5] x;
matrix<upper=1>[3,4] x;
complex_vector[3] z;
complex_vector<lower=0>[3] z;
complex_row_vector[3] z;
complex_matrix[3,3] z;
complex_matrix[3] z;
simplex[3] s;
simplex s;
simplex<lower=0>[3] s;
unit_vector[3] s;
ordered[3] s;
positive_ordered[3] s;
positive_ordered[3,4] s;
cov_matrix[3] s;
cov_matrix[3,3] s;
corr_matrix[3] s;
cholesky_factor_cov[3] s;
cholesky_factor_cov[3,4] s;
cholesky_factor_cov[3,4,5] s;
cholesky_factor_cov[] s;
cholesky_factor_corr[3] s;
cholesky_factor_corr[3,3] s;
array[3] real x;
array[3,4] real<lower=0> x;
array[a<b] real x;
array[] real x;
array[3,] real x;
array real x;
array[3] x;
array x;
array[3] array[4] real x;
array[3] simplex[3] x;
array[2] tuple(real, int) x;
tuple(real, int) x;
tuple(real<lower=0>, int<upper=2>) x;
tuple(simplex[3], vector[2]) x;
tuple(array[3] real, tuple(int, int)) x;
tuple(real) x;
tuple() x;
tuple(real,) x;
tuple(real a, int b) x;
tuple(void, int) x;
tuple(real[2], int) x;
tuple x;
tuple<lower=0>(real, int) x;
real x[3];
real x[3,N];
real x[];
real x[3,];
real x[3 4];
real x[1:2];
real x[3] = 3;
real x[3], y;
real y, x[3];
vector[3] x[4];
array[2] real x[3];
real x = 2;
real x, y = 2;
real x = 2, y;
real x = ;
real x == 2;
real x += 2;
data real x;
void x;
x = 2;
{ }
{ real<lower=0> x; }
if (x) {}
if (x) real<lower=0> y;
if (x) real y;
const int x;
"""

_STATEMENTS = """
x = 1;
x += 1; x -= 1; x *= 1; x /= 1; x .*= 1; x ./= 1;
x ^= 2;
x .^= 2;
x %= 2;
x %/%= 2;
x \\= 2;
x := 2;
x <- 3;
x[1] <- y;
x = y = 2;
x += a = b;
x = ;
x = 3
x;
x
x y;
3;
3 + 4;
-x = 2;
x' = 2;
x + 1 = 2;
x ? y : z = 2;
3 = 2;
f(1) = 2;
f(1)[2] = 3;
{1, 2} = 2;
[x] = 2;
(x) = 2;
(x) += 2;
(x, y) = f(2);
(x, y) += f(2);
(x[1:2], y.1) = f(2);
((x, z), y) = f(2);
(x, 3) = f(2);
(x, f(y)) = f(2);
(x + 1, y) = f(2);
(x, y);
x[1] = 2; x[1:2] = 2; x[, 1] = 2; x[] = 2; x.1.2[3] = 2; x[1].3 *= 2;
f();
f(1, 2);
f(1)(2);
f(1)[2];
f(x) y;
f(x | y);
f(x
T = 3; T[1] = 3; T(3); T += 1;
lp__ = 3;
get_lp();
increment_log_prob(3);
target += 3;
target += foo_lpdf(y | mu, sigma);
target = 3;
target -= 3;
target[1] = 3;
target() = 3;
target();
target() ~ normal(0, 1);
target;
jacobian += 3;
jacobian = 3; jacobian -= 1; jacobian[1] = 2; jacobian(3);
x ~ normal(0, 1);
x ~ foo();
x ~ foo;
x ~ foo(1 | 2);
x ~ foo(,);
x ~ foo(1,);
x ~ foo(1;
x ~ foo(1))
x ~ foo(1)
x ~ 3;
x ~ if(1);
x ~ T(3);
x ~ foo(1) + 2;
x ~ foo(1) ~ bar(2);
x ~ foo(1) T[1, 2];
x ~ foo(1) T[1, ];
x ~ foo(1) T[, 2];
x ~ foo(1) T[,];
x ~ foo(1) T[1];
x ~ foo(1) T[];
x ~ foo(1) T(1, 2);
x ~ foo(1) T[1, 2, 3];
x ~ foo(1) T[1
x ~ foo(1) T[, 2;
x ~ foo(1) T[1, 2]
x ~ foo(1) T;
x ~ foo(1) U[1, 2];
3 ~ foo(1);
x + y ~ foo(1);
-x ~ foo(1);
x < y ~ foo(1);
x ? 1 : 2 ~ foo(1);
f(3) ~ foo(1);
(x, y) ~ foo(1);
{x, y} ~ foo(1);
{x} ~ foo(1);
{{1, 2}, {3, 4}} ~ foo(1);
{1, 2}[1] ~ foo(1);
{1, 2} + 3 ~ foo(1);
{a} ? b : c ~ foo(1);
{f(x)} ~ foo(1);
[x] ~ foo(1);
{ x = 1; }
{ f(x); }
{ {x} ~ foo(1); }
{ {x = 1;} }
{ }
{ { } }
{ ; }
{ 1 2 }
{ x
{ f(x) }
{ f(x), 2 }
if (x) y = 1;
if (x) y = 1; else y = 2;
if (x) y = 1; else if (z) y = 2; else y = 3;
if (x) if (y) a = 1; else b = 2;
if (x) real y;
if (x) real y, z;
if (x) else y;
if (x) {} else
if (x, y) {}
if () {}
if x {}
if (x = 1) {}
else {}
while (x) y = 1;
while (x) real y;
while () {}
while x {}
for (i in 1:3) x = i;
for (i in 1:3) real y;
for (i in x) { }
for (i in {1, 2}) { }
for (T in 1:2) { }
for (jacobian in 1:2) { }
for (i in 1:) { }
for (i in :3) { }
for (i in 1:2:3) { }
for (i in a, b) { }
for (int i in 1:2) { }
for (lower in 1:2) { }
for (i = 1:3) { }
for (1 in 1:3) { }
for i in 1:3 { }
for (i in 1:3)
for (i in 1:3 { }
for (i in a ? b : c) { }
for (i in a ? b : c : d) { }
in = 2;
break; continue; return; return 3; ;
break
break 3;
continue
return
return 3
print("a"); print("a", b, 3 + 4, "c");
print();
print;
print("a" "b");
print("a", );
print("a")
x = print("a");
reject("a"); reject(x);
reject();
fatal_error("a");
fatal_error();
x = "a";
f("a");
profile("x") { x = 2; }
profile("x") x = 2;
profile(x) { }
profile("x", "y") { }
profile("x");
profile "x" { }
profile() { }
profile("x" { }
int x = 3, y, z = 4;
int x, y; int z
int x x;
int;
int<lower=0> x;
real<offset=0> x;
vector<lower=0>[2] x;
simplex[3] x;
array[3] simplex[3] x;
array[3] real<lower=0> x;
array[3] real x = {1, 2, 3}, y;
array[] real x;
tuple(real, int) x = (1, 2);
tuple(simplex[3], int) x;
tuple(real<lower=0>, int) x;
real x[3];
vector[3] x[4];
matrix[3, 4] x[4] = 2;
real x[];
real x, y[3];
data int x;
void x;
real(3) = 4;
"""

_EXPRESSIONS = """
1
1_000
1__0
_1
1_
007
0x1
1.
.5
1.5
1.e5
1e5
1.5e-3
1.5E+3
1e
1e+
1.5_0
1_0.5e1_0
3i
1.5i
1.i
.5i
1e3i
3if
1.2.3
1.2.e5
.1.1
3 .1
3.1.1
a.1
a .1
a.1.2
a.01
a.1_0
a.1i
a.1e5
a.99999999999999999999
a.
a.b
a . 1
f(x).1
(x).1
{1}.1
[1].1
a'.1
a'[1]
-a[1]
3[1]
{1, 2}[1]
a[]
a[,]
a[:]
a[1:]
a[:2]
a[1:2, :, , b]
a[1:2:3]
a[::]
a[1
a[1)
a[1 2]
f()
f(a)
f(a, b)
f(a | b)
f(a |)
f(a | b, c)
f(a, b | c)
f(a | b | c)
f(|)
f(,)
f(a,)
f(a b)
f(a;
f(a]
(a)
(a, b)
(a,)
()
(a
(a]
{a, b}
{}
{a,}
{a]
[a, b]
[]
[a,]
[a}
[a:b]
a ? b : c
a ? b
a ? b :
a ? : c
a : b
a < b < c
a == b == c
a = b
a & b
a | b
a ~ b
~a
a!
!a
a! b
a++
a--
--a
a - -b
a ^ -b
a ^ !b
a ** b
'a
a''
a +
a + * b
+ a
* a
a b
"a"
target
target()
target(3)
target() + 2
jacobian
jacobian(3)
T
T(3)
lower
offset(3)
int
int(3)
array(3)
data
functions
print("a")
get_lp()
é
a@b
a#b
a$b
a`b
\\a
a\\b
a.*b
a. *b
a.+b
a%b
a%/%b
a%/b
a<=b
a=<b
a<>b
a->b
a::b
a;;b
// comment
/* comment */ 1
/* a ⏎ b */ 1 /* c
1 /* /* */ 2 */
1 // @ # "
1 ⏎ 2
"""

_FUNCTIONS = """
void f();
void f() {}
real f(real x) { return x; }
real f(real x) return x;
real f(real x);
real f(real x) int y;
real f(real x) { int<lower=0> y; }
real f(real x)
real f(x) { return x; }
real f(real) { return x; }
real f(data real x) { return x; }
real f(data x) { return x; }
real f(data data real x) { return x; }
real f(real x,) { return x; }
real f(real x y) { return x; }
real f(real x; real y) { return x; }
real f(real x | real y) { return x; }
real f(real x = 3) { return x; }
real f(array[] real x);
real f(array[,] real x);
real f(array[,,] vector x, data array[] int y);
real f(array real x);
real f(array[3] real x);
real f(real[] x);
real f(real[,] x);
real f(real[3] x);
real f(real x[]);
real f(array[] real[] x);
real[] f(real x);
real[,] f(real x);
vector[3] f(real x);
real f(vector[3] x);
real f(vector<lower=0> x);
real<lower=0> f(vector x);
array[] real f(tuple(real, int) x);
tuple(real, array[] int) f(tuple(real, tuple(int, int)) x);
tuple(real) f(real x);
tuple() f(real x);
tuple(real, real[]) f(real x);
tuple(data real, int) f(real x);
real f(data tuple(int, int) x);
array[] tuple(real, int) f(real x);
array[] array[] real f(real x);
array[] void f(real x);
simplex f(real x);
real f(simplex x);
complex_matrix f(complex_vector x, complex_row_vector y, complex z);
void f(void x) {}
data real f() {}
int x;
int x = 3;
real () {}
real T() {}
real f(real T) {}
real print() {}
real target() {}
real jacobian() {}
real if(real x) {}
real f(real if) {}
real f(real target) {}
f(real x) { return x; }
x = 2;
;
real f() {};
void f() if (x) y = 2; else z = 3;
void f() {1, 2} ~ foo(1);
real f() { return 1; } real g() { return 2; }
#include
"""

_PROGRAMS = """
⏎
// only a comment
functions {} data {} transformed data {} parameters {} transformed parameters {} model {}⏎
functions {} functions {}
functions {} model {}
data {} functions {}
data {} data {}
data {} transformed data {} generated quantities {}
model {} data {}
model {} model {}
model {} x
model {} ;
parameters {} transformed data {}
transformed parameters {} parameters {}
generated quantities {} model {}
generated quantities {} x
functions {} x
data {} ;
data { int x; } } model {}
transformed data {} x
parameters {} x
transformed parameters {} x
functions
functions {
functions x
functions { real f(
functions { real f
functions { real f() {
data
data {
data ;
data x {}
data ( }
transformed data
transformed data ;
transformed data {
transformed {}
transformed ⏎ data {}
transformed/**/data {}
transformed   data {}
transformed dataset {}
parameters ( }
parameters {
model
model ;
model {
generated quantities ;
generated {}
generated quantities {
modle {}
parameter {}
}
{}
int x;
real f() {}
@
# comment
#include nowhere.stan
model { #include nowhere.stan⏎ }
model { x = 1; /* never closed
model { print("never closed
model { print("two⏎lines"); }
model { print("\\n 'é' // /* */"); }
model { // @
model {⏎x = 1⏎}
model {⏎	x = 1 2;⏎}
"""

_FRAMES = {
    "model { x = @; }": _EXPRESSIONS,
    "model { @ }": _STATEMENTS,
    "functions { @ }": _FUNCTIONS,
    "data { @ }": _DECLARED,
    "transformed data { @ }": _DECLARED + _STATEMENTS,
    "parameters { @ }": _DECLARED,
    "generated quantities { @ }": _DECLARED,
    "functions { void f() { @ } }": _STATEMENTS,
    "@": _PROGRAMS,
}


def snippets() -> Iterator[str]:
    """Every line of every table in its frame, each program once."""
    framed = (
        frame.replace("@", line).replace("⏎", "\n")
        for frame, table in _FRAMES.items()
        for line in table.strip("\n").split("\n")
    )
    yield from dict.fromkeys(framed)
