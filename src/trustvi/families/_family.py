"""What the engine and a posterior need of a member of a family, whatever its covariance."""

from __future__ import annotations

from typing import Any, Protocol

from jaxtyping import Float

Either = Any  # NumPy's arrays, or JAX's within a compiled kernel


class Family(Protocol):
    """A Gaussian q over the unconstrained reals: z = loc + F e, e standard normal.

    Members are named tuples of arrays, so that JAX can trace them and states can hold them. They
    are all moved by steps (u, w) in *local coordinates*, in which the family's Fisher metric at
    the member is the identity: KL(q || q.move(u, w)) = (|u|^2 + |w|^2) / 2 up to third order.
    """

    @property
    def name(self) -> str:
        """What `trustvi.fit(family=...)` calls the family."""
        ...

    @property
    def loc(self) -> Float[Either, " dim"]: ...

    @property
    def scale(self) -> Float[Either, " dim"]:
        """Marginal standard deviations."""
        ...

    @property
    def base_dim(self) -> int:
        """How many standard normals make a draw."""
        ...

    def sample(self, e: Float[Either, "base draws"]) -> Float[Either, "dim draws"]:
        """Draws from q made of standard normals."""
        ...

    def log_density(self, z: Float[Either, "dim draws"]) -> Float[Either, " draws"]:
        """log q(z), constants kept."""
        ...

    def entropy(self) -> float:
        """-E[log q(z)]."""
        ...

    def covariance(self) -> Float[Either, "dim dim"]: ...

    def move(self, u: Float[Either, " dim"], w: Float[Either, " shape"]) -> Family:
        """The member a step away in local coordinates, `u` for the location, `w` for the shape."""
        ...
