"""The instances on which the three forms of ball iteration and of randomised smoothing are compared, and what both
become for some parameters."""

from __future__ import annotations

import math

import numpy as np

from dpaudit.agreement.cases import Case, Pair, Reduction
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.resque import ball_iteration, randomised_smoothing
from dpaudit.algorithms.srgd import dp_sgd
from dpaudit.noise.stream import Stream
from dpaudit.problems import losses
from dpaudit.problems.domains import ball, box
from dpaudit.sampling.batches import Batches

# Ball iteration. ---------------------------------------------------------------------------------


def ball_cases(seed: int) -> tuple[Case, ...]:
    """Plain and smoothed, every way to draw a batch, both outputs, losses with and without kinks."""
    rng = np.random.default_rng([seed, 0xBA11])
    features, targets = rng.normal(size=(7, 4)), rng.normal(size=7)
    absolute, huber = losses.absolute(features, targets), losses.huber(features, targets, 0.5)
    linear, start = losses.linear(features), (0.3, -0.2, 0.1, 0.4)
    listed = (
        ("all records", absolute, ball_iteration.Params(start, 3, 0.2, (0.1, 0.08), Batches("all records", 7, 7))),
        (
            "smoothed",
            absolute,
            ball_iteration.Params(start, 2, 0.2, (0.1, 0.2, 0.1), Batches("all records", 7, 7), 0.3),
        ),
        (
            "one draw",
            huber,
            ball_iteration.Params(start, 3, 0.2, (0.1, 0.2), Batches("with replacement", 7, 1), 0.3, "last"),
        ),
        (
            "subsets",
            huber,
            ball_iteration.Params(start, 3, 0.1, (0.3, 0.2), Batches("without replacement", 7, 3), 0.0, "last"),
        ),
        ("one pass", linear, ball_iteration.Params(start, 3, 0.1, (0.3,), Batches("in order", 7, 2), 0.2, "last")),
    )
    return stepwise.cases(ball_iteration, seed, listed)


def ball_reductions(seed: int) -> tuple[Reduction, ...]:
    """One ball is projected gradient descent; on |x - c|^2/2 every exact ball goes r towards c."""
    return (
        Reduction(
            "resque/B-BALL/one-ball",
            "one ball, last point: projected stochastic gradient descent",
            "K = 1 gives the iterates of B-SGD on B_{x_0}(r) (tolerance 1e-12: sums over a batch in another order)",
            "the definitions of both",
            lambda: _one_ball(seed),
        ),
        Reduction(
            "resque/B-BALL/straight",
            "exact minimisers walk straight to the minimiser of |x - c|^2/2",
            "J = 1 and eta = 1 minimise exactly in the ball: x_k = x_0 + min(1, k r/|c - x_0|)(c - x_0) "
            "(tolerance 1e-12: k steps are rounded one after the other)",
            "closed form",
            lambda: _straight(seed),
        ),
    )


def _one_ball(seed: int) -> tuple[Pair, ...]:
    rng, start, eta = np.random.default_rng([seed, 0x1BA]), (0.3, -0.2, 0.1), (0.5, 0.4, 0.3, 0.2)
    problem = losses.absolute(rng.normal(size=(7, 3)), rng.normal(size=7))
    stream, batches = Stream(seed, "reduce/ball_iteration"), Batches("without replacement", 7, 3)
    here = ball_iteration.Params(start, 1, 0.3, eta, batches, inner_output="last")
    there = dp_sgd.Params(start, eta, batches, 0.0, 1.0, domain=ball(0.3, start))
    left = ball_iteration.reference(here, problem, ball_iteration.draw_inputs(here, stream, 0))
    right = dp_sgd.reference(there, problem, dp_sgd.draw_inputs(there, stream, 0))
    return (Pair("gradients", left.transcript, right.transcript, 1e-12), Pair("last", left.final, right.final, 1e-12))


def _straight(seed: int) -> tuple[Pair, ...]:
    centre, start, radius = np.random.default_rng([seed, 0x57A]).normal(size=3), (0.5, -0.25, 1.0), 0.25
    problem, distance = losses.quadratic(np.eye(3), centre), float(np.linalg.norm(centre - start))
    balls = math.ceil(distance / radius)
    params = ball_iteration.Params(start, balls, radius, (1.0,), Batches("all records", 1, 1), inner_output="last")
    run = ball_iteration.reference(
        params, problem, ball_iteration.draw_inputs(params, Stream(seed, "reduce/ball_iteration"), 0)
    )
    shares = np.minimum(1.0, np.arange(balls + 1) * radius / distance)
    return (Pair("centres", run.states[:, :3], start + shares[:, None] * (centre - start), 1e-12),)


# Randomised smoothing. ---------------------------------------------------------------------------


def smoothing_cases(seed: int) -> tuple[Case, ...]:
    """Both schedules and none, every way to draw a batch, every domain, losses with and without kinks."""
    rng = np.random.default_rng([seed, 0xDB12])
    features, targets = rng.normal(size=(7, 4)), rng.normal(size=7)
    absolute, huber = losses.absolute(features, targets), losses.huber(features, targets, 0.5)
    linear, start, strip = losses.linear(features), (0.3, -0.2, 0.1, 0.4), box((-0.3,) * 4, (0.4,) * 4)
    whole, falling, growing = Batches("all records", 7, 7), (0.4, 0.3, 0.2), (2.0, 2.5, 3.0)
    listed = (
        ("fixed radius", absolute, randomised_smoothing.prescribed(start, 7, 0.5, 1.0, 0.4)),
        ("shrinking radius", huber, randomised_smoothing.prescribed(start, 7, 0.5, 0.2, 0.4, "shrinking radius")),
        ("all records", absolute, randomised_smoothing.Params(start, falling, growing, whole, ball(0.3, start))),
        (
            "no smoothing",
            huber,
            randomised_smoothing.Params(start, (0.0,) * 3, growing, Batches("without replacement", 7, 3), strip),
        ),
        ("one pass", linear, randomised_smoothing.Params(start, falling, growing, Batches("in order", 7, 2))),
    )
    return stepwise.cases(randomised_smoothing, seed, listed)


def smoothing_reductions(seed: int) -> tuple[Reduction, ...]:
    """Without smoothing it is Nesterov's method, and one step is a projected gradient step."""
    return (
        Reduction(
            "resque/B-DBW12/nesterov",
            "no smoothing, all records, one strength: Nesterov's accelerated gradients",
            "x_{t+1} = y_t - grad f(y_t)/B, y_{t+1} = x_{t+1} + theta_{t+1} (1/theta_t - 1)(x_{t+1} - x_t) "
            "(tolerance 1e-12: two orders of the same sums over eight steps)",
            "Nesterov (1983)",
            lambda: _nesterov(seed),
        ),
        Reduction(
            "resque/B-DBW12/one-step",
            "one step without smoothing: projected stochastic gradient descent",
            "T = 1 is a step 1/B_1 of B-SGD (tolerance 1e-12: sums over a batch in another order)",
            "the definitions of both",
            lambda: _one_smoothing_step(seed),
        ),
    )


def _nesterov(seed: int) -> tuple[Pair, ...]:
    rng, start, strength, steps = np.random.default_rng([seed, 0x4E5]), (0.5, -0.4, 0.3), 4.0, 8
    problem = losses.log_cosh(rng.normal(size=(7, 3)), rng.normal(size=7))
    params = randomised_smoothing.Params(start, (0.0,) * steps, (strength,) * steps, Batches("all records", 7, 7))
    run = randomised_smoothing.reference(
        params, problem, randomised_smoothing.draw_inputs(params, Stream(seed, "reduce/randomised_smoothing"), 0)
    )
    theta, x, y, listed = randomised_smoothing.momentum(steps), np.array(start), np.array(start), [np.array(start)]
    for t in range(steps):
        after = y - problem.gradient(y) / strength
        y = after + theta[t + 1] * (1 / theta[t] - 1) * (after - x)
        x = after
        listed.append(x)
    return (Pair("iterates", run.states[:, :3], np.array(listed), 1e-12),)


def _one_smoothing_step(seed: int) -> tuple[Pair, ...]:
    rng, start, domain = np.random.default_rng([seed, 0x05]), (0.3, -0.2, 0.1), ball(0.2, (0.3, -0.2, 0.1))
    problem = losses.absolute(rng.normal(size=(7, 3)), rng.normal(size=7))
    stream, batches = Stream(seed, "reduce/randomised_smoothing"), Batches("without replacement", 7, 3)
    here = randomised_smoothing.Params(start, (0.0,), (2.0,), batches, domain)
    there = dp_sgd.Params(start, (0.5,), batches, 0.0, 1.0, domain=domain)
    left = randomised_smoothing.reference(here, problem, randomised_smoothing.draw_inputs(here, stream, 0))
    right = dp_sgd.reference(there, problem, dp_sgd.draw_inputs(there, stream, 0))
    return (Pair("last", left.final, right.final, 1e-12),)
