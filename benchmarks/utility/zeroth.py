"""DPZero and Noisy-ZOGD against DP-GD: the mean of points, by values of the loss alone.

    python benchmarks/utility/zeroth.py       prints the table and writes reports/utility/zeroth.md and .json

Source: Chien, Chen, Li (2025), who have one figure of bounds and no training; the model Q of its specification. All
promises are those of the whole transcript: the hidden-state bounds are bounds for another adversary.
"""

from __future__ import annotations

from _common import Task, gap, grid, main, private
from utility.methods import Experiment, Method

from dpaudit.algorithms.rbcd import dp_gd
from dpaudit.algorithms.zeroth import dpzero, noisy_zogd, zogd
from dpaudit.problems.families import centred_quadratic
from dpaudit.sampling.batches import Batches

RECORDS, DIMENSION = 300, 8
START = (0.4,) * DIMENSION
CLIP = 4.0
"""Of a slope along a unit vector: |w - x_i| stays below it."""
SETTINGS = grid((16, 64), (0.5, 1.0, 2.0))


def family(seed):
    return Task(centred_quadratic(seed, RECORDS, DIMENSION))


def length(steps, factor):
    """The step size with which `factor` times the distance is covered in all steps, at most that of a stable run."""
    return min(1.0, factor * DIMENSION / steps)


def zero(kind):
    """noise: over the sensitivity of the mean slope."""

    def made(setting, noise):
        steps, factor = setting
        return dpzero.Params(
            start=START, steps=steps, records=RECORDS, step_size=length(steps, factor), perturbation=1e-3,
            clip_norm=CLIP, noise=noise * 2 * CLIP / RECORDS, noise_kind=kind,
        )  # fmt: skip

    return made


def noisy(directions, share):
    """noise: over the sensitivity of the mean slope along one direction."""

    def made(setting, noise):
        steps, factor = setting
        return noisy_zogd.Params(
            start=START, steps=steps // directions, batches=Batches("all records", RECORDS, RECORDS),
            directions=directions, step_size=length(steps // directions, factor), perturbation=1e-3, clip_norm=CLIP,
            noise=noise * 2 * CLIP / RECORDS, variance_share=share,
        )  # fmt: skip

    return made


def first_order(setting, noise):
    steps, factor = setting
    return dp_gd.Params(
        start=START, step_sizes=(min(1.0, factor / steps),) * DIMENSION, epochs=1, inner_steps=steps,
        noise=noise * 2 * CLIP / RECORDS, lipschitz=CLIP, records=RECORDS,
    )  # fmt: skip


def without_noise(task, setting, noise, trials):
    steps, factor = setting
    made = zogd.Params(
        start=START, steps=steps, records=RECORDS, directions=1, step_size=length(steps, factor), perturbation=1e-3,
        clip_norm=CLIP,
    )  # fmt: skip
    return zogd.cpu(made, task.problem, trials, "final")


EXPERIMENT = Experiment(
    title="DPZero, Noisy-ZOGD and DP-GD: a quadratic",
    family=family,
    errors={"objective gap": gap},
    methods=(
        private("DPZero, scalar noise", dpzero, zero("scalar"), SETTINGS),
        private("DPZero, isotropic noise", dpzero, zero("isotropic"), SETTINGS),
        private("Noisy-ZOGD, K = 1, noise along directions", noisy_zogd, noisy(1, 1.0), SETTINGS),
        private("Noisy-ZOGD, K = 4, noise along directions", noisy_zogd, noisy(4, 1.0), SETTINGS),
        private("Noisy-ZOGD, K = 4, half of it everywhere", noisy_zogd, noisy(4, 0.5), SETTINGS),
        private("DP-GD", dp_gd, first_order, grid((1, 4, 16), (1.0, 3.0, 10.0))),
        Method("ZOGD", SETTINGS, without_noise),
    ),
    trials=40,
    tuning_trials=4,
)

NOTES = (
    "The two kinds of noise of DPZero promise the same to an adversary who sees every iterate; noise everywhere "
    "costs more, by the dimension. With first-order gradients DP-GD is better than all of them. The least error "
    "of ZOGD is that of its grid of at most 64 evaluations.",
)

if __name__ == "__main__":
    main("zeroth", [(EXPERIMENT, NOTES)])
