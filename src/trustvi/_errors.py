"""The errors that people meet, each one sentence that names what is at fault."""


class TrustviError(Exception):
    """Base of every error that this package raises on purpose."""


class InputError(TrustviError, ValueError):
    """An argument is not what the function needs; the message names the argument."""


class NotConvergedError(TrustviError, RuntimeError):
    """A fit that had to converge ended otherwise; `posterior` is what it came to."""

    def __init__(self, message: str, posterior: object) -> None:
        super().__init__(message)
        self.posterior = posterior


class DiagnosticError(TrustviError):
    """What was asked for doesn't exist for this fit; the message says why."""


class PrecisionWarning(UserWarning):
    """The log density was given less than double precision."""


class DiagnosticWarning(UserWarning):
    """A diagnostic says that what was asked for can't be relied on; the message says why."""
