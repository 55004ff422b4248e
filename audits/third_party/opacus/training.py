"""Opacus 1.6.0 at its documented guarantee, recorded once and replayed: its modes, and where they fail.

What: four steps of softmax regression by `PrivacyEngine.make_private`, Poisson batches of 10 of 40 records, noise
multiplier 1, clipping norm 1; for some targets two steps on all records, or 40 steps on batches of one. One function
trains every target here; a target is a `Setting`, what it does differently.
Why: every way to the per-record gradients (hooks, functorch, expanded weights, ghost clipping), every way to clip and
every helper around the optimiser must keep one bound: a record moves the noisy sum by the clipping norm at most, and
nothing leaves without noise. The first group of targets keeps it. Those of the second group do not, and name the target
of the first group that is right. Some of them are hazards: what they do is promised nowhere, and their effect says so;
`reports/third-party/findings.toml` has the status of each.
Worst-case neighbours: among far and mislabelled records the one that moves the steps most, or no record in its place.
The FAQ of Opacus names neighbours that "differ in a single example", one of them "without your data", and "any training
example, no matter how strange, ill-fitting, or perfect".
The adversary sees every noisy gradient and the final model.
The noise is that of torch's global generator, as Opacus has it without its secure mode, which it warns about. Records
that are not finite are a target of their own.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.content.loading import load_module
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, Mechanism, PoissonSampled, SelfComposed
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyClaim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome

DATA = load_module(Path(__file__).with_name("_data.py"))
RECORDS, FEATURES, CLASSES, RATE = DATA.RECORDS, DATA.FEATURES, DATA.CLASSES, 0.5
EPSILON = {10: 4.2059, 1: 1.3187}
"""At delta 1e-5, by the size of Poisson batches, after one epoch with noise multiplier 1."""
SOURCE = "Opacus 1.6.0, PrivacyEngine.make_private: 'the privacy budget' of its accountant for what the engine made"

CHECKED = Assumptions(shared_generators=True, checked_records=True)
SHARED = Assumptions(shared_generators=True)
EFFECT = "models trained with this mode of Opacus leak more about single records than its accountant reports"
FOUND = {
    "non-finite": ("poisson", "the model is NaN if and only if the record is there: one step tells it for certain"),
    "class-weights": ("class-weights-ghost", "a record of a heavy class shrinks the gradients of all others: 3.2 "
    "clipping norms for the 1 that is paid for in a batch of 10; 1.0 where all gradients are longer than that norm"),
    "regularised-ghost": ("regularised", "a hazard, since no sum with such a tensor is promised: a record adds the "
    "gradient of the penalty, unclipped, 245 clipping norms for 1 at 50 times the squared weights"),
    "sequences-ghost": ("sequences", "a record made for it is released at 100 clipping norms, 1 is paid for"),
    "clip-schedule-ghost": ("clip-schedule", "clipping keeps the first norm while the noise follows the schedule: 8 "
    "times the move that is paid for after three halvings"),
    "clip-schedule-per-layer": ("clip-schedule", "clipping keeps the first norms while the noise follows the schedule: "
    "8 times the move that is paid for after three halvings"),
    "adaptive-ghost": ("ghost", "nothing is clipped since 1.6.0: one record moves the sum by 6,700 "
    "clipping norms, 1 is paid for"),
    "frozen-norm": ("frozen-norm-evaluated", "exact means and variances of the batches leave with the model, whatever "
    "the noise"),
    "embedding-max-norm": ("embedding", "the model tells for certain which words occurred in the batches"),
    "pickled": ("poisson", "a hazard, since state_dict() is what is documented: a model saved by torch.save holds the "
    "gradient of every record of the last batch"),
    "virtual-steps-cut": ("virtual-steps", "a hazard of loops that are left early: a record counts twice in one step, "
    "epsilon 9.99 instead of 4.38 for that step at noise multiplier 1, delta 1e-5"),
    "random-on-empty": ("poisson", "a record against an empty batch moves the sum by up to 2 clipping norms, 1 is paid "
    "for"),
}  # fmt: skip
"""Which target is right, and what goes wrong, by the name of a target that is not."""


def softmax() -> Any:
    """Softmax regression."""
    import torch

    return torch.nn.Linear(FEATURES, CLASSES)


def plain_loss(criterion: Any, outputs: Any, targets: Any, model: Any) -> Any:
    """What the criterion says."""
    return criterion(outputs, targets)


def nothing(model: Any, optimizer: Any) -> Callable[[], object]:
    """Nothing more after a step."""
    return lambda: None


@dataclass(frozen=True)
class Setting:
    """How one training differs from the usual.

    model, optimizer, criterion: make them; loss(criterion, outputs, targets, model); prepare(model, optimizer): what
    is called after each step; returned(model): what leaves; engine: name of the class; private: for make_private;
    batch_size: of the loader, expected under Poisson sampling; epochs: passes of the loader; physical: largest batch
    in memory, None for no virtual steps; cut: the first epoch ends after its first physical batch, and as many as
    always follow.
    """

    model: Callable[[], Any] = softmax
    optimizer: Callable[[Any], Any] = lambda model: _torch().optim.SGD(model.parameters(), lr=RATE)
    criterion: Callable[[], Any] = lambda: _torch().nn.CrossEntropyLoss()
    loss: Callable[[Any, Any, Any, Any], Any] = plain_loss
    prepare: Callable[[Any, Any], Callable[[], object]] = nothing
    returned: Callable[[Any], Any] = lambda model: model
    engine: Callable[[], Any] = lambda: _opacus().PrivacyEngine()
    private: Mapping[str, Any] = field(default_factory=dict)
    noise_multiplier: float = 1.0
    batch_size: int = 10
    epochs: int = 1
    physical: int | None = None
    cut: bool = False

    @property
    def mechanism(self) -> Mechanism:
        """What Opacus' accountant is told."""
        steps = self.epochs * RECORDS // self.batch_size
        once = Gaussian(self.noise_multiplier)
        return SelfComposed(once if self.whole else PoissonSampled(self.batch_size / RECORDS, once), steps)

    @property
    def guarantee(self) -> Guarantee:
        """What that mechanism promises."""
        if self.whole:
            return GaussianDP(self.epochs**0.5 / self.noise_multiplier)
        return ApproximateDP(EPSILON[self.batch_size], 1e-5)

    @property
    def whole(self) -> bool:
        """Does every batch hold all records?"""
        return self.batch_size == RECORDS

    def train(self, records: Any, watch: Any) -> Any:
        """The training that is audited."""
        model, criterion = self.model(), self.criterion()
        given = {"max_grad_norm": 1.0, **self.private, "noise_multiplier": self.noise_multiplier}
        made = self.engine().make_private(
            module=model,
            optimizer=self.optimizer(model),
            criterion=criterion,
            data_loader=_torch().utils.data.DataLoader(records, batch_size=self.batch_size),
            **given,
        )
        wrapped, optimizer, loader = made[0] if callable(made[0]) else model, made[1], made[-1]
        after, called = self.prepare(model, optimizer), made[2] if len(made) == 4 else criterion
        watch(optimizer)
        for epoch in range(self.epochs + self.cut):
            for inputs, targets in self._batches(loader, optimizer):
                optimizer.zero_grad()
                self.loss(called, wrapped(inputs), targets, model).backward()
                optimizer.step()
                after()
                if self.cut and epoch == 0:
                    break
        return self.returned(model)

    def _batches(self, loader: Any, optimizer: Any) -> Iterator[Any]:
        """The batches of one epoch, cut to the physical size."""
        if self.physical is None:
            yield from loader
            return
        from opacus.utils.batch_memory_manager import BatchMemoryManager

        limits = {"max_physical_batch_size": self.physical, "optimizer": optimizer}
        with BatchMemoryManager(data_loader=loader, **limits) as smaller:
            yield from smaller


def _torch() -> Any:
    import torch

    return torch


def _opacus() -> Any:
    import opacus

    return opacus


class Opacus(TorchTraining):
    """The adversary sees every noisy gradient and the final model."""

    def __init__(self, name: str, title: str, setting: Setting = Setting(), *, check: str = "", **more: Any) -> None:
        """check: the structural check that refutes, empty where none does."""
        if "pair" not in more:
            more["records"] = DATA.digits()
        if check:
            repair, effect = FOUND[name]
            more |= {"expects": Outcome.REFUTED, "repair": f"opacus/{repair}", "effect": effect}
        super().__init__(
            f"opacus/{name}",
            setting.train,
            title=f"Opacus, {title}",
            claim=PrivacyClaim(setting.guarantee, Neighbours.ZERO_OUT, delta=1e-5, source=SOURCE),
            mechanism=setting.mechanism,
            needs=(("opacus", "third-party"), ("torch", "third-party")),
            optional=True,
            from_level=Level.STANDARD,
            **{"trials": None, "assumptions": CHECKED, "effect": EFFECT, **more},
        )
        if check:
            self.__doc__ = f'{title}. The adversary sees every noisy gradient. The structural check "{check}" finds it.'


# Settings: what is asked of Opacus. ----------------------------------------------------------------


def ghost(**more: Any) -> Setting:
    """Ghost clipping."""
    return Setting(private={"grad_sample_mode": "ghost"}, **more)


def two_groups(model: Any) -> Any:
    """The weights of two layers in groups with rates of their own; the first bias is frozen."""
    model[0].bias.requires_grad_(False)
    groups = [{"params": [model[0].weight], "lr": 0.1}, {"params": list(model[2].parameters())}]
    return _torch().optim.SGD(groups, lr=RATE, momentum=0.9)


def two_layers() -> Any:
    """A perceptron with one hidden layer."""
    torch = _torch()
    return torch.nn.Sequential(torch.nn.Linear(FEATURES, 8), torch.nn.Tanh(), torch.nn.Linear(8, CLASSES))


def secure_noise(model: Any, optimizer: Any) -> Callable[[], object]:
    """Sums of four draws, as in secure mode; its generator, torchcsprng, could not be installed."""
    optimizer.secure_mode = True
    return lambda: None


def clip_schedule(model: Any, optimizer: Any) -> Callable[[], object]:
    """The clipping norm is halved after every step."""
    from opacus.schedulers import ExponentialGradClip

    return ExponentialGradClip(optimizer, gamma=0.5).step


def regularised(criterion: Any, outputs: Any, targets: Any, model: Any) -> Any:
    """A penalty on the weights beside the loss of the records."""
    return criterion(outputs, targets) + sum((p**2).sum() for p in model.parameters())


def weighted() -> Any:
    """The last class counts a hundred times."""
    torch = _torch()
    return torch.nn.CrossEntropyLoss(weight=torch.tensor([1.0] * (CLASSES - 1) + [100.0]))


def words(**options: Any) -> Callable[[], Any]:
    """The mean of the embeddings of five words, then a linear layer."""

    def model() -> Any:
        torch = _torch()

        class Words(torch.nn.Module):  # type: ignore[misc, name-defined]
            def __init__(self) -> None:
                super().__init__()
                self.embedding, self.out = torch.nn.Embedding(30, 8, **options), torch.nn.Linear(8, CLASSES)

            def forward(self, given: Any) -> Any:
                return self.out(self.embedding(given.long()).mean(dim=1))

        return Words()

    return model


def normalised() -> Any:
    """A frozen backbone with batch normalisation under a linear layer that is trained."""
    torch = _torch()
    backbone = torch.nn.Sequential(torch.nn.Linear(FEATURES, 8), torch.nn.BatchNorm1d(8)).requires_grad_(False)
    return torch.nn.Sequential(backbone, torch.nn.Linear(8, CLASSES))


def evaluated(model: Any, optimizer: Any) -> Callable[[], object]:
    """The frozen backbone does not learn the statistics of batches."""
    model[0].eval()
    return lambda: None


def pickled(model: Any) -> dict[str, Any]:
    """Tensors on the parameters of a model that went through torch.save and torch.load."""
    file = io.BytesIO()
    _torch().save(model, file)
    file.seek(0)
    loaded = _torch().load(file, weights_only=False)
    return {f"{name}.{key}": value for name, p in loaded.named_parameters() for key, value in vars(p).items()
            if key == "summed_grad"}  # fmt: skip


def tokens() -> Any:
    """One linear layer on every token of a sequence."""
    layer = _torch().nn.Linear(2, 1, bias=False)
    layer.weight.data.zero_()
    return layer


def of_tokens(criterion: Any, outputs: Any, targets: Any, model: Any) -> Any:
    """The mean over the tokens of a record, as the docstring of the ghost criterion has it."""
    shape = {"shape": tuple(targets.shape)} if hasattr(criterion, "loss_reduction") else {}
    return criterion(outputs.reshape(-1), targets.reshape(-1), **shape)


def adaptive_engine() -> Any:
    """Ghost clipping whose norm follows a quantile."""
    from opacus.utils.adaptive_clipping.adaptive_clipping_utils import PrivacyEngineAdaptiveClipping

    return PrivacyEngineAdaptiveClipping()


# Targets. -----------------------------------------------------------------------------------------

FULL = Setting(batch_size=RECORDS, epochs=2)
SEQUENCES = Setting(model=tokens, criterion=lambda: _torch().nn.MSELoss(), loss=of_tokens)
PER_LAYER = Setting(private={"clipping": "per_layer", "max_grad_norm": [0.6, 0.8]})
ADAM = Setting(optimizer=lambda model: _torch().optim.Adam(model.parameters(), lr=0.05))
TWINS = {"pair": DATA.without(DATA.sequences(), RECORDS - 1)}
RARE = {"pair": DATA.without(DATA.rare_last(), RECORDS - 1)}
GAME = replace(FULL, noise_multiplier=2.0)
PLAYED = {"trials": TrialPlan(700, 3_000, 100_000)}  # 30 ms each: standard has no time for 0.8 of the noise
WORDS = {"pair": DATA.without(DATA.sentences(), RECORDS - 1)}

KEPT = (
    Opacus("poisson", "Poisson batches"),
    Opacus("per-layer", "per-layer clipping", PER_LAYER),
    Opacus("ghost", "ghost clipping", ghost()),
    Opacus("whole-per-layer", "all records, per-layer clipping", replace(GAME, private=PER_LAYER.private), **PLAYED),
    Opacus("whole-ghost", "all records, ghost clipping", replace(GAME, private=ghost().private), **PLAYED),
    Opacus("functorch", "gradients by functorch", Setting(private={"grad_sample_mode": "functorch"})),
    Opacus("expanded-weights", "gradients by expanded weights", replace(FULL, private={"grad_sample_mode": "ew"})),
    Opacus("unwrapped", "hooks on the model itself", Setting(private={"wrap_model": False})),
    Opacus("adam", "DP-Adam", ADAM),
    Opacus("groups", "two groups of parameters, one frozen", Setting(model=two_layers, optimizer=two_groups)),
    Opacus("secure-noise", "noise of secure mode", Setting(prepare=secure_noise)),
    Opacus("virtual-steps", "virtual steps", replace(FULL, physical=16), pair=DATA.without(DATA.far(), DATA.FAR)),
    Opacus("embedding", "word embeddings", Setting(model=words()), **WORDS),
    Opacus("regularised", "a penalty on the weights, hooks", Setting(loss=regularised)),
    Opacus("clip-schedule", "a schedule of clipping norms", Setting(prepare=clip_schedule)),
    Opacus("class-weights-ghost", "class weights, ghost clipping", ghost(criterion=weighted), **RARE),
    Opacus("sequences", "sequences", SEQUENCES, **TWINS),
    Opacus("frozen-norm-evaluated", "frozen batch norm in eval()", replace(FULL, model=normalised, prepare=evaluated)),
)  # fmt: skip
BROKEN = (
    Opacus("non-finite", "a record that is not finite", check="bad records", assumptions=SHARED),
    Opacus("class-weights", "class weights, hooks", Setting(criterion=weighted), check="sensitivity", **RARE),
    Opacus("regularised-ghost", "a penalty on the weights, ghost clipping", ghost(loss=regularised),
           check="sensitivity"),
    Opacus("sequences-ghost", "sequences, ghost clipping", replace(SEQUENCES, private=ghost().private),
           check="sensitivity", **TWINS),
    Opacus("clip-schedule-ghost", "a schedule of clipping norms, ghost clipping", ghost(prepare=clip_schedule),
           check="sensitivity"),
    Opacus("clip-schedule-per-layer", "a schedule of clipping norms, per-layer clipping",
           replace(PER_LAYER, prepare=clip_schedule), check="sensitivity"),
    Opacus("adaptive-ghost", "ghost clipping whose norm adapts, at the rate 0: a noisy norm would hide what moves",
           replace(FULL, private=ghost().private | {"clipbound_learning_rate": 0.0}, engine=adaptive_engine),
           check="sensitivity"),
    Opacus("frozen-norm", "frozen batch norm", replace(FULL, model=normalised), check="un-noised outputs"),
    Opacus("embedding-max-norm", "word embeddings with max_norm", Setting(model=words(max_norm=1.0)),
           check="un-noised outputs", **WORDS),
    Opacus("pickled", "the model by torch.save", Setting(returned=pickled), check="un-noised outputs"),
    Opacus("virtual-steps-cut", "an epoch that ends within a virtual step", replace(FULL, physical=16, cut=True),
           check="sensitivity", pair=DATA.without(DATA.far(), DATA.FAR)),
    Opacus("random-on-empty", "rand_on_empty", Setting(private={"rand_on_empty": True}, batch_size=1),
           check="sensitivity", pair=DATA.without(DATA.far(), DATA.FAR)),
)  # fmt: skip
AUDITS = (*KEPT, *BROKEN)
