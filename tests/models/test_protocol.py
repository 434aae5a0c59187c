"""The optional parts of the model protocol: there or not, callers get mappings."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from trustvi.models import FunctionModel, from_function, labels, predictions


class Labels(FunctionModel):
    coords = {"school": np.array(["a", "b"])}  # noqa: RUF012
    dims = {"theta": ("school",)}  # noqa: RUF012

    def predict_draws(self, theta_unc, *, seed=0):
        return {"observed_data": {"y": np.full(3, float(seed))}}


def plain() -> FunctionModel:
    return from_function(lambda x: -0.5 * (x["theta"] ** 2).sum(), {"theta": np.zeros(2)})


def test_a_model_without_labels_has_empty_ones() -> None:
    assert labels(plain()) == ({}, {})
    assert predictions(plain(), np.zeros((2, 5))) == {}


def test_a_models_labels_come_as_lists() -> None:
    base = plain()
    model = Labels(*(getattr(base, field.name) for field in fields(base)))
    assert labels(model) == ({"school": ["a", "b"]}, {"theta": ["school"]})
    groups = predictions(model, np.zeros((2, 5)), seed=4)
    assert groups["observed_data"]["y"].tolist() == [4.0, 4.0, 4.0]
