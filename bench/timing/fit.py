# SPDX-License-Identifier: BSD-3-Clause
"""Fits the coefficients of a model to latencies, on all rows or with one family of networks held out at a time.

Gauss-Newton with damping, on logarithms of coefficients and of times: a relative error counts the same for short and long
inferences. Large errors count less than their square, so that a network which the equations do not explain bends them less.
"""

import dataclasses

import numpy as np

from .measurements import FAMILIES, chips_of

ROBUST_WIDTH = 0.15    # errors beyond it count about linearly
PRIOR_WEIGHT = 0.01    # of a coefficient one spread away from its prior, against a row's squared error
STEP = 1e-2            # of derivatives; cycles are whole numbers
LARGEST_MOVE = 0.7     # of a logarithm, in one step


@dataclasses.dataclass(frozen=True)
class Fitted:
    """Logarithms of the coefficients: shared ones, and a line for every chip."""
    model: object
    chips: list
    shared_logs: np.ndarray
    chip_logs: np.ndarray

    @property
    def shared(self):
        return dict(zip(self.model.shared, np.exp(self.shared_logs)))

    def rates(self, chip):
        return dict(zip(self.model.chip, np.exp(self.chip_logs[self.chips.index(chip)])))


class Prior:
    """Priors and bounds of all coefficients in one vector: the shared ones, then every chip's."""

    def __init__(self, model, chip_count):
        coefficients = [*model.shared.values(), *(list(model.chip.values()) * chip_count)]
        self.centre = np.log([coefficient.prior for coefficient in coefficients])
        self.weight = PRIOR_WEIGHT / np.array([coefficient.spread for coefficient in coefficients])**2
        self.low = np.log([coefficient.low for coefficient in coefficients])
        self.high = np.log([coefficient.high for coefficient in coefficients])


class Descent:
    """The search for the coefficients of one model on one table."""

    def __init__(self, model, table):
        self.model, self.table = model, table
        self.shared_count, self.chip_count = len(model.shared), len(model.chip)
        self.prior = Prior(model, len(table.chips))
        self.damping = 1e-2

    def split(self, logs):
        return logs[:self.shared_count], logs[self.shared_count:].reshape(-1, self.chip_count)

    def errors(self, logs):
        return self.table.errors(self.model, *self.split(logs))

    def all_errors(self, points):
        """Of several points at once, where the table can do that."""
        return self.table.map(lambda point, worker: self.table.errors(self.model, *self.split(point), worker), points)

    def loss(self, errors, logs):
        robust = 2 * ROBUST_WIDTH**2 * (np.sqrt(1 + (errors / ROBUST_WIDTH)**2) - 1)
        return (self.table.weights * robust).sum() + (self.prior.weight * (logs - self.prior.centre)**2).sum()

    def jacobian(self, logs, errors):
        """A chip's coefficient touches its own rows only, so one evaluation serves all chips."""
        result = np.zeros((len(errors), len(logs)))
        rows = np.arange(len(errors))
        moves = [slice(index, index + 1) for index in range(self.shared_count)]
        moves += [slice(self.shared_count + index, None, self.chip_count) for index in range(self.chip_count)]
        moved = [logs.copy() for _ in moves]
        for point, move in zip(moved, moves):
            point[move] += STEP
        slopes = [(moved_errors - errors) / STEP for moved_errors in self.all_errors(moved)]
        for index in range(self.shared_count):
            result[:, index] = slopes[index]
        for index in range(self.chip_count):
            columns = self.shared_count + self.table.chip_of_row * self.chip_count + index
            result[rows, columns] = slopes[self.shared_count + index]
        return result

    def improved(self, logs, errors, loss):
        """The coefficients, errors and loss after one step, or None where no damping makes a step that helps."""
        jacobian = self.jacobian(logs, errors)
        weights = self.table.weights / np.sqrt(1 + (errors / ROBUST_WIDTH)**2)
        curvature = jacobian.T @ (weights[:, None] * jacobian) + np.diag(self.prior.weight)
        slope = jacobian.T @ (weights * errors) + self.prior.weight * (logs - self.prior.centre)
        for _ in range(8):
            step = -np.linalg.solve(curvature + self.damping * np.diag(np.diag(curvature) + 1e-6), slope)
            moved = np.clip(logs + np.clip(step, -LARGEST_MOVE, LARGEST_MOVE), self.prior.low, self.prior.high)
            moved_errors = self.errors(moved)
            moved_loss = self.loss(moved_errors, moved)
            if moved_loss < loss:
                self.damping = max(self.damping / 3, 1e-6)
                return moved, moved_errors, moved_loss
            self.damping *= 4
        return None

    def run(self, start, steps):
        logs = self.prior.centre if start is None else start
        errors = self.errors(logs)
        loss = self.loss(errors, logs)
        for _ in range(steps):
            better = self.improved(logs, errors, loss)
            if better is None:
                break
            gained = loss - better[2]
            logs, errors, loss = better
            if gained < 1e-5 * (loss + gained):
                break
        return logs


def fit(model, rows, table_of, start=None, steps=40):
    """`table_of(rows, chips)` tells errors; `start` is what another fit on the same chips found."""
    chips = start.chips if start else chips_of(rows)
    descent = Descent(model, table_of(rows, chips))
    first = None if start is None else np.concatenate([start.shared_logs, start.chip_logs.ravel()])
    return Fitted(model, chips, *descent.split(descent.run(first, steps)))


def errors_of(fitted, rows, table_of):
    """log(predicted / measured) of every row."""
    return table_of(rows, fitted.chips).errors(fitted.model, fitted.shared_logs, fitted.chip_logs)


@dataclasses.dataclass(frozen=True)
class Validated:
    """A fit on all rows, its errors, and those of each row when its family is held out; `folds` are the fits for that."""
    fitted: Fitted
    rows: list
    errors: np.ndarray
    held_out_errors: np.ndarray
    folds: list


def leave_one_family_out(model, rows, table_of, families=FAMILIES):
    strangers = {row.model for row in rows} - {name for family in families for name in family}
    if strangers:
        raise ValueError(f"networks of no family: {', '.join(sorted(strangers))}")
    fitted = fit(model, rows, table_of)
    held_out, folds = np.full(len(rows), np.nan), []
    for family in families:
        places = [place for place, row in enumerate(rows) if row.model in family]
        if not places:
            continue
        fold = fit(model, [row for row in rows if row.model not in family], table_of, start=fitted, steps=15)
        held_out[places] = errors_of(fold, [rows[place] for place in places], table_of)
        folds.append(fold)
    return Validated(fitted, rows, errors_of(fitted, rows, table_of), held_out, folds)
