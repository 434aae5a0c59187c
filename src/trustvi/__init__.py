"""Black-box variational inference by stochastic trust-region optimization."""
