"""The Stan language, compiled to JAX. Knows nothing of variational inference."""
