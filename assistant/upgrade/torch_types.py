"""Types of torch's API that the inference needs: aliases, base classes, and what functions return."""

from __future__ import annotations

from functools import lru_cache

TENSOR = "torch.Tensor"
_SCHEDULER = "torch.optim.lr_scheduler.LRScheduler"
_SAMPLER = "torch.utils.data.Sampler"
_SCHEDULERS = (
    "LambdaLR MultiplicativeLR StepLR MultiStepLR ConstantLR LinearLR ExponentialLR SequentialLR "
    "PolynomialLR CosineAnnealingLR ChainedScheduler ReduceLROnPlateau CyclicLR "
    "CosineAnnealingWarmRestarts OneCycleLR"
)

#: Other names of the same object; the beginning of a name counts as well.
ALIASES = {
    "torch.optim.lr_scheduler._LRScheduler": _SCHEDULER,
    "torch.nn.modules.module.Module": "torch.nn.Module",
    "torch.nn.modules.Module": "torch.nn.Module",
    "torch._tensor.Tensor": TENSOR,
    "torch.tensor.Tensor": TENSOR,
    "torch.autograd.function.Function": "torch.autograd.Function",
    "torch.serialization.load": "torch.load",
    "torch.utils.data.dataloader.DataLoader": "torch.utils.data.DataLoader",
    "torch.utils.data.sampler": "torch.utils.data",
    "torch.distributed.distributed_c10d.all_gather_into_tensor": "torch.distributed.all_gather_into_tensor",
    "torch.distributed.distributed_c10d.reduce_scatter_tensor": "torch.distributed.reduce_scatter_tensor",
    "torch.distributed._tensor.DTensor": "torch.distributed.tensor.DTensor",
    "torch.distributed.DeviceMesh": "torch.distributed.device_mesh.DeviceMesh",
    "torch.distributed.init_device_mesh": "torch.distributed.device_mesh.init_device_mesh",
    "torch.export.exported_program.ExportedProgram": "torch.export.ExportedProgram",
    "torch.profiler.profiler.profile": "torch.profiler.profile",
    "torch.cuda.graphs.CUDAGraph": "torch.cuda.CUDAGraph",
    "torch.onnx.utils.export": "torch.onnx.export",
    "torch._dynamo.is_compiling": "torch._dynamo.external_utils.is_compiling",
    "torch.distributed.launcher.LaunchConfig": "torch.distributed.launcher.api.LaunchConfig",
}

BASES: dict[str, tuple[str, ...]] = {
    **{f"torch.optim.lr_scheduler.{name}": (_SCHEDULER,) for name in _SCHEDULERS.split()},
    **{
        f"torch.utils.data.{name}": (_SAMPLER,)
        for name in (
            "SequentialSampler RandomSampler SubsetRandomSampler WeightedRandomSampler BatchSampler "
            "distributed.DistributedSampler DistributedSampler"
        ).split()
    },
    "torch.nn.Parameter": (TENSOR,),
    "torch.nn.parameter.Parameter": (TENSOR,),
}

#: Classes that functions return; a class by its own name returns itself.
RESULTS = {
    "torch.export.export": "torch.export.ExportedProgram",
    "torch.export.export_for_training": "torch.export.ExportedProgram",
    "torch.export.load": "torch.export.ExportedProgram",
    "torch.distributed.device_mesh.init_device_mesh": "torch.distributed.device_mesh.DeviceMesh",
    "torch.profiler.profile": "torch.profiler.profile",
    "torch.autograd.profiler.profile": "torch.autograd.profiler.profile",
    "torch.autograd.Variable": TENSOR,
    "torch.distributed.tensor.distribute_tensor": "torch.distributed.tensor.DTensor",
}

#: Functions of torch that return one tensor.
_FACTORIES = frozenset(
    (
        "abs add addmm arange as_tensor atleast_1d atleast_2d bernoulli bmm cat ceil chunk_cat clamp "
        "clone complex concat conj cos cross cumsum diag diag_embed diagonal diff div dot einsum "
        "empty empty_like empty_strided exp eye flatten flip floor from_numpy full full_like gather "
        "hstack index_select inverse kron linspace log logspace logsumexp masked_select matmul mean "
        "mm mul multinomial mv normal ones ones_like outer permute pow prod quantize_per_channel "
        "quantize_per_tensor rand rand_like randint randint_like randn randn_like randperm real relu "
        "reshape roll rsqrt scalar_tensor sigmoid sign sin softmax sparse_coo_tensor sqrt squeeze "
        "stack std sub sum take tanh tensor tensordot tile trace transpose tril triu unsqueeze var "
        "vstack where zeros zeros_like"
    ).split()
)
#: Those whose result is of the class of what they are given: other packages have them for containers.
JOINING = frozenset(
    f"torch.{name}"
    for name in (
        "cat hstack stack vstack clone empty_like full_like gather ones_like permute rand_like randn_like "
        "squeeze unsqueeze where zeros_like"
    ).split()
)
#: Methods and attributes of a tensor that are tensors.
TENSOR_MEMBERS = frozenset(
    (
        "T H mT mH data grad real imag abs add add_ addmm argmax argmin bfloat16 bmm bool byte ceil "
        "clamp clamp_ clone conj contiguous copy_ cos cpu cuda cumsum detach detach_ diag diagonal "
        "div div_ dot double exp expand expand_as fill_ flatten flip float floor gather half "
        "index_select int inverse log long masked_fill masked_fill_ masked_select matmul mean mm mul "
        "mul_ neg normal_ outer permute pow prod reciprocal repeat requires_grad_ reshape roll round "
        "rsqrt scatter scatter_ sigmoid sign sin softmax sqrt squeeze std sub sub_ sum t tanh to "
        "transpose tril triu type_as uniform_ unsqueeze unsqueeze_ var view view_as zero_ "
        "refine_names align_to align_as"
    ).split()
)

#: Names of positional arguments, where a change concerns one that can be given by position.
POSITIONAL: dict[str, tuple[str, ...]] = {
    _SAMPLER: ("data_source",),
    "torch.utils.checkpoint.checkpoint_sequential": ("functions", "segments", "input", "use_reentrant"),
    "torch.distributed.init_process_group": ("backend", "init_method", "timeout"),
    "torch.nn.functional.scaled_dot_product_attention": ("query", "key", "value", "attn_mask"),
    _SCHEDULER: ("optimizer", "last_epoch", "verbose"),
    **{
        f"torch.optim.lr_scheduler.{name}": tuple(arguments.split())
        for name, arguments in {
            "LambdaLR": "optimizer lr_lambda last_epoch verbose",
            "MultiplicativeLR": "optimizer lr_lambda last_epoch verbose",
            "StepLR": "optimizer step_size gamma last_epoch verbose",
            "MultiStepLR": "optimizer milestones gamma last_epoch verbose",
            "ExponentialLR": "optimizer gamma last_epoch verbose",
            "CosineAnnealingLR": "optimizer T_max eta_min last_epoch verbose",
            "CosineAnnealingWarmRestarts": "optimizer T_0 T_mult eta_min last_epoch verbose",
            "ReduceLROnPlateau": "optimizer mode factor patience threshold threshold_mode cooldown "
            "min_lr eps verbose",
        }.items()
    },
}


@lru_cache(maxsize=4096)
def canonical(name: str) -> str:
    """Return the usual name of an object that has several.

    Args:
        name: full name.
    """
    if not name.startswith("torch."):
        return name
    for other, usual in ALIASES.items():
        if name == other or name.startswith(f"{other}."):
            return usual + name[len(other) :]
    return name


def result_of(name: str) -> str:
    """Return the class of what calling a name of torch returns, "" if unknown.

    Args:
        name: full name.
    """
    if name in RESULTS:
        return RESULTS[name]
    module, _, last = name.rpartition(".")
    if module == "torch" and last in _FACTORIES:
        return TENSOR
    if module == "torch.nn.functional" and last.islower() and not last.startswith("_"):
        return TENSOR
    return name if last[:1].isupper() else ""
