"""What the engine and a posterior need of a member of a family, whatever its covariance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float

Either = Any  # NumPy's arrays, or JAX's within a compiled kernel
Vector = Float[np.ndarray, " dim"]
Matrix = Float[np.ndarray, "dim dim"]
Shape = Float[np.ndarray, " shape"]
Flat = Float[np.ndarray, " flat"]


@runtime_checkable
class Frame(Protocol):
    """A member seen by a compiled kernel: z = loc + A x, with x made of standard normals e.

    A is square, so that x serves as the coordinate in which log p is looked at: its gradient there
    is y = A' grad log p, its Hessian S = A' B A. Frames are named tuples of arrays, which JAX
    traces, and have no parameter that isn't one.
    """

    @property
    def loc(self) -> Float[Either, " dim"]: ...

    def spread(self, e: Float[Either, "base draws"]) -> Float[Either, "dim draws"]:
        """x of standard normals."""
        ...

    def place(self, x: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        """z = loc + A x."""
        ...

    def whiten(self, z: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        """x = A^-1 (z - loc)."""
        ...

    def pull(self, g: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        """y = A' g."""
        ...

    def shape(
        self, y: Float[Either, "dim draws"], e: Float[Either, "base draws"]
    ) -> Float[Either, "shape draws"]:
        """y's part in the gradient along the shape, draw by draw; y_i x_i comes first."""
        ...

    def displaced(
        self, u: Float[Either, " dim"], w: Float[Either, " shape"], e: Float[Either, "base draws"]
    ) -> Float[Either, "dim draws"]:
        """Draws of the member a step (u, w) away: `move` to first order, smooth, for JAX only."""
        ...

    def volume(self, w: Float[Either, " shape"]) -> Float[Either, ""]:
        """By how much the entropy of `displaced` exceeds this member's; for JAX only."""
        ...


class Seen(NamedTuple):
    """A Gaussian in the x of another member: mean, and covariance diag(variances) + C C'."""

    mean: Vector
    variances: Vector
    columns: Float[np.ndarray, "dim columns"]


class Bend(NamedTuple):
    """The Newton step of the shape and what it is worth, before the noise of the gradient."""

    step: Shape
    gain: float
    curvature: Any
    """Minus the model's Hessian along the shape, as an ascending family's `precondition` wants."""


@runtime_checkable
class Family(Protocol):
    """A Gaussian q over the unconstrained reals.

    Members are named tuples of arrays, so that states can hold them. They are all moved by steps
    (u, w) in *local coordinates*: u is the change of the location in x, w that of the shape,
    scaled so that KL(q || q.move(u, w)) = length(u, w)^2 / 2 up to third order: the family's
    Fisher metric, which is invariant under linear maps of the parameters that the family allows
    (Amari 1998, "Natural gradient works efficiently in learning").
    """

    @property
    def name(self) -> str:
        """What `trustvi.fit(family=...)` calls the family."""
        ...

    @property
    def loc(self) -> Vector: ...

    @property
    def scale(self) -> Vector:
        """Marginal standard deviations."""
        ...

    @property
    def scaling(self) -> Vector:
        """Square roots of the diagonal of A A'."""
        ...

    @property
    def log_widths(self) -> Vector:
        """Logarithms of the standard deviations of each coordinate given those before it."""
        ...

    @property
    def base_dim(self) -> int:
        """How many standard normals make a draw."""
        ...

    @property
    def shape_size(self) -> int:
        """How many numbers a step of the shape has."""
        ...

    @property
    def frame(self) -> Frame: ...

    def sample(self, e: Float[Either, "base draws"]) -> Float[Either, "dim draws"]:
        """Draws from q made of standard normals."""
        ...

    def log_density(self, z: Float[Either, "dim draws"]) -> Float[Either, " draws"]:
        """log q(z), constants kept."""
        ...

    def log_volume(self) -> float:
        """The entropy without its constant: half the log determinant of the covariance."""
        ...

    def entropy(self) -> float:
        """-E[log q(z)]."""
        ...

    def covariance(self) -> Matrix: ...

    def precision_diagonal(self) -> Vector:
        """The diagonal of the inverse covariance."""
        ...

    # ------------------------------------------------------------------ geometry

    def move(self, u: Vector, w: Shape) -> Family:
        """The member a step away in local coordinates, `u` for the location, `w` for the shape."""
        ...

    def length(self, u: Vector, w: Shape) -> float:
        """The length of a step in the Fisher metric."""
        ...

    def shrunk(self) -> Family:
        """The member whose scales are e times smaller."""
        ...

    def growth(self, before: Family) -> float:
        """By how much the entropy exceeds that of `before`."""
        ...

    def seen_from(self, before: Family) -> Seen:
        """This member in the x of `before`."""
        ...

    def congruent(self, matrix: Matrix) -> Matrix:
        """A' matrix A."""
        ...

    def congruent_diagonal(self, matrix: Matrix) -> Vector:
        """The diagonal of `congruent`."""
        ...

    def uncongruent(self, matrix: Matrix) -> Matrix:
        """A^-T matrix A^-1, the inverse of `congruent`."""
        ...

    def expected_shape(
        self,
        diagonal: Vector,
        apply: Callable[[Float[np.ndarray, "dim k"]], Float[np.ndarray, "dim k"]],
    ) -> Shape:
        """E[shape(S x, e)], given S by its diagonal and its products."""
        ...

    def shape_slope(self, moments: Float[np.ndarray, "shape *k"]) -> Float[np.ndarray, "shape *k"]:
        """The gradient of the ELBO along w, given E[shape(y, e)]: the entropy's part and units."""
        ...

    def bend(self, w: Shape) -> Bend:
        """The Newton step that a gradient `w` asks for, on a log density that is quadratic."""
        ...


@runtime_checkable
class Ascending(Family, Protocol):
    """A family whose shape a few draws can tell, so that the ELBO sampled on them has a maximum.

    The slope is then the very gradient of the sampled ELBO. A full covariance isn't of this kind:
    directions that no draw has are free to grow.

    An ascent compares gradients at different members, in coordinates that don't move with them:
    the *chart*, `flat` numbers that any member has.
    """

    def flat(self) -> Flat: ...

    def along(self, direction: Flat, t: float) -> Ascending:
        """The member `t` times a direction away in the chart."""
        ...

    def chart_gradient(self, u: Vector, w: Shape) -> Flat:
        """A gradient in local coordinates as one in the chart."""
        ...

    def chart_length(self, direction: Flat) -> float:
        """The length of a direction of the chart in the Fisher metric."""
        ...

    def precondition(
        self, gradient: Flat, solve: Callable[[Vector], Vector], curvature: Any
    ) -> Flat:
        """The Newton direction of a gradient in the chart: `solve` divides by minus S, the shape
        by the `curvature` of `bend`."""
        ...
