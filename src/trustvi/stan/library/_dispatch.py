"""Functions that compute with NumPy what is known now, and with JAX what is traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trustvi.stan.library._namespace import special


def _dispatched(name: str) -> Callable[..., Any]:
    def call(*arrays: Any) -> Any:
        return getattr(special(*arrays), name)(*arrays)

    call.__name__ = name
    return call


exp, expm1, log, log1p, log1m, sqrt = map(
    _dispatched, ("exp", "expm1", "log", "log1p", "log1m", "sqrt")
)
absolute, arctan2, cos, sin, where = map(_dispatched, ("abs", "arctan2", "cos", "sin", "where"))
maximum, minimum = map(_dispatched, ("maximum", "minimum"))
lgamma_positive, lgamma_rise = map(_dispatched, ("lgamma_positive", "lgamma_rise"))
digamma, lbeta, lchoose = map(_dispatched, ("digamma", "lbeta", "lchoose"))
log1p_exp, log1m_exp, log_diff_exp = map(_dispatched, ("log1p_exp", "log1m_exp", "log_diff_exp"))
log_sum_exp, log_inv_logit, inv_logit = map(
    _dispatched, ("log_sum_exp", "log_inv_logit", "inv_logit")
)
std_normal_lcdf, std_normal_lcdf_diff = map(
    _dispatched, ("std_normal_lcdf", "std_normal_lcdf_diff")
)
Phi, erfcx = map(_dispatched, ("Phi", "erfcx"))
skew_normal_lcdf, student_t_lcdf, von_mises_mass = map(
    _dispatched, ("skew_normal_lcdf", "student_t_lcdf", "von_mises_mass")
)
log_i0, multiply_log = map(_dispatched, ("log_i0", "multiply_log"))
gamma_p, gamma_q, log_gamma_p, log_gamma_q = map(
    _dispatched, ("gamma_p", "gamma_q", "log_gamma_p", "log_gamma_q")
)
inc_beta_of_pair, log_inc_beta = map(_dispatched, ("inc_beta_of_pair", "log_inc_beta"))
