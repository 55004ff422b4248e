"""The structural tier: one training recorded, replayed on neighbours, and held against properties that it must have.

    recorded twice            noise scale, law and freshness; sampler; released values; global random state
    replayed on its own data  the control: a difference there is randomness that was not frozen, and no replay counts
    replayed on neighbours    sensitivity, public values, noisy calls, un-noised outputs, draws, accountant
    replayed on odd data      bad records, records outside the batch, order of the records

About twenty trainings, most of them replays. A check refutes by a witness; deterministic ones have no false alarms,
statistical ones have the probability `alpha` each, and `planned_tests` says how many there will be before any data is
seen.

Data are an array whose first axis is the records, or a tuple of such arrays. Record ids are positions.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpaudit.audit.structural.checks import (
    accountant,
    bad_records,
    calls,
    declared_epsilon,
    draws,
    freshness,
    global_state,
    noise_law,
    noise_scale,
    order,
    outputs,
    outside_batch,
    public_values,
    released_values,
    replays,
    sampler,
    sensitivity,
)
from dpaudit.audit.structural.data_sets import Data, equal, natural_neighbours, size, turned
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.recording import Recording
from dpaudit.audit.structural.training import REPLACED, Instrument, Training
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.privacy import Neighbours, PrivacyClaim
from dpaudit.records.verdict import Evidence, Outcome

__all__ = ["evidence", "examine", "planned_tests"]

ENGINE = "structural"
RANDOM = ("Poisson", "without replacement", "with replacement")
REPLAYED = (sensitivity, public_values, calls, outputs, draws, accountant, bad_records, outside_batch, order)
STATISTICAL = (noise_scale, noise_law, freshness)
USUAL = Assumptions()


def planned_tests(mechanism: Mechanism | None = None, assumptions: Assumptions = USUAL) -> int:
    """How many statistical tests `examine` makes at most; each needs a share of the error budget."""
    sampled = assumptions.sampling is not None or sampler.assumed(mechanism, 1) is not None
    return (len(STATISTICAL) if assumptions.independent_noise else 0) + sampled


def examine(
    instrument: Instrument,
    data: Data,
    neighbours: Sequence[tuple[Neighbours, Data]],
    claim: PrivacyClaim,
    mechanism: Mechanism | None = None,
    *,
    seed: int,
    alpha: float,
    assumptions: Assumptions = USUAL,
) -> tuple[Finding, ...]:
    """One finding of every check, in a fixed order; those that could see nothing are NOT_RUN and say why.

    neighbours: data sets that differ from `data` in one record, with their relation, beside the natural one of the
    claim; pairs of another relation than the claim's are left out. mechanism: what is claimed to be run, for the
    accountant. alpha: false-alarm probability of each statistical test. Whatever the training raises on `data` itself
    is raised.
    """
    sampling = assumptions.sampling or sampler.assumed(mechanism, size(data))
    kind = sampling.kind if sampling is not None else ""
    sampled = assumptions.random_batches or _sampled(kind, mechanism)
    training = Training(instrument, seed, sampled, any_batch=kind == "Poisson")
    (base, first), (second, other) = training.record(data), training.record(data, seed=seed + 1)
    control = replays.check(("the same data", base, training.replay(base, data)))
    if control.outcome is Outcome.CONSISTENT:
        listed = [neighbour for relation, neighbour in neighbours if relation is claim.neighbours]
        replayed = [
            *_on_neighbours(training, base, data, listed, claim, mechanism),
            *_on_odd_data(training, base, data, claim.neighbours, assumptions),
        ]
    else:
        reason = "replays on the same data do not repeat: randomness is not frozen"
        replayed = [Finding(check.NAME, Outcome.NOT_RUN, reason) for check in REPLAYED]
    return (
        control,
        *replayed,
        released_values.check(base),
        global_state.check((base, second), (first, other), assumptions.shared_generators),
        declared_epsilon.check(claim, mechanism),
        *_noise(base, second, alpha, assumptions.independent_noise),
        sampler.check((*base.batches, *second.batches) if training.sampled else base.batches, sampling, alpha),
    )


def evidence(findings: Sequence[Finding]) -> tuple[Evidence, ...]:
    """The findings as evidence of the engine "structural", in the same order."""
    return tuple(Evidence(ENGINE, f.outcome, f"{f.check}: {f.detail}", f.numbers) for f in findings)


def _sampled(kind: str, mechanism: Mechanism | None) -> bool:
    """Are batches random, by the sampler that is assumed or, where several are, by the mechanism?"""
    accounted = accountant.assumption(mechanism) if mechanism is not None and not kind else None
    return kind in RANDOM or (accounted is not None and accounted.sampled)


def _on_neighbours(
    training: Training,
    base: Recording,
    data: Data,
    listed: Sequence[Data],
    claim: PrivacyClaim,
    mechanism: Mechanism | None,
) -> list[Finding]:
    """The checks that replay on the listed neighbours and on the natural one."""
    natural = natural_neighbours(data, claim.neighbours)
    others = [data_set for data_set in natural if not any(equal(data_set, given) for given in listed)]
    whole = [*listed, *others]
    pairs = [pair for neighbour in whole for pair in training.pairs(data, neighbour)]
    pairs += [pair for neighbour in whole for pair in training.only_record(base, data, neighbour)]
    level = [pair for pair in pairs if pair[0] == REPLACED] or training.pairs(data, turned(data))
    found = [check.check(pairs) for check in (sensitivity, public_values, calls, outputs)]
    return [*found, draws.check(level), accountant.check(base, pairs, mechanism)]


def _on_odd_data(
    training: Training, base: Recording, data: Data, relation: Neighbours, assumptions: Assumptions
) -> list[Finding]:
    """The checks that replay on broken, unseen and permuted records."""
    broken = Finding(bad_records.NAME, Outcome.NOT_RUN, "records are checked before the training")
    moved = Finding(order.NAME, Outcome.NOT_RUN, "the order of the records matters by design")
    if not assumptions.checked_records:
        broken = _bad_records(training, base, data, relation)
    if not assumptions.ordered:
        moved = order.check(training.permuted(base, data))
    return [broken, outside_batch.check(training.unseen_pairs(base, data, relation)), moved]


def _bad_records(training: Training, base: Recording, data: Data, relation: Neighbours) -> Finding:
    """Where a record is zeroed out, nobody but the training knows the zero: its bad records need only stay finite."""
    pairs, refused = training.bad_pairs(data, relation)
    alone, refused_alone = training.odd_batches(base, data)
    if relation is Neighbours.ZERO_OUT:
        pairs, alone = [], [*pairs, *alone]
    return bad_records.check(pairs, alone, [*refused, *refused_alone])


def _noise(base: Recording, second: Recording, alpha: float, independent: bool) -> list[Finding]:
    if not independent:
        reason = "the noise is correlated by design"
        return [Finding(check.NAME, Outcome.NOT_RUN, reason) for check in STATISTICAL]
    return [noise_scale.check(base, alpha), noise_law.check(base, alpha), freshness.check(base, alpha, second)]
