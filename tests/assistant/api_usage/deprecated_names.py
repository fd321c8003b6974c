"""Public names of torch 2.13 that its own sources call deprecated, and names that they do not.

Read from marks, documentation, warnings and errors in the sources. Of those that are not deprecated most are
the successors of deprecated ones, or have a deprecated argument or use. The hash of a name decides its half:
the rules were made on the first, the second was held back.
"""

from __future__ import annotations

#: Deprecated; the rules were made on these.
DEPRECATED = """
    functorch.functionalize functorch.grad functorch.jacrev functorch.make_functional functorch.vjp
    functorch.vmap torch.accelerator.current_device_idx torch.ao.nn.quantized.functional.upsample_nearest
    torch.ao.quantization.get_default_qconfig_dict torch.ao.quantization.prepare
    torch.autograd.profiler_legacy.profile torch.autograd.profiler_util.FunctionEvent.cuda_time_total
    torch.autograd.variable torch.backends.cuda.sdp_kernel torch.cpu.amp.autocast torch.cuda.amp.GradScaler
    torch.cuda.max_memory_cached torch.cuda.memory_cached torch.distributed.all_gather_coalesced
    torch.distributed.all_gather_into_tensor
    torch.distributed.checkpoint.staging.AsyncStager.synchronize_staging
    torch.distributed.elastic.metrics.profile
    torch.distributed.fsdp.FSDPModule.set_reduce_scatter_divide_factor
    torch.distributed.fsdp.FullyShardedDataParallel.set_state_dict_type torch.distributed.launch
    torch.distributed.reduce_scatter_tensor torch.distributions.Distribution.sample_n torch.eig
    torch.jit.annotate torch.jit.export torch.jit.load torch.jit.optimize_for_inference torch.jit.script
    torch.jit.trace torch.lstsq torch.matrix_rank torch.nn.NLLLoss2d torch.nn.functional.upsample
    torch.nn.functional.upsample_nearest torch.nn.init.uniform torch.nn.init.xavier_uniform
    torch.nn.parallel.DistributedDataParallelCPU torch.nn.qat torch.nn.quantized.Linear
    torch.nn.quantized.functional torch.nn.quantized.modules torch.nn.utils.clip_grad_norm
    torch.nn.utils.weight_norm torch.onnx.utils.disable_apex_o2_state_dict_hook torch.quantization.convert
    torch.quantization.prepare torch.set_default_tensor_type torch.svd torch.triangular_solve
    torch.utils.data.ConcatDataset.cummulative_sizes torch.utils.data.backward_compatibility.worker_init_fn
    torch.utils.model_dump.main
""".split()

#: Deprecated; held back.
DEPRECATED_HELD_BACK = """
    torch.FloatStorage torch.Tensor.matrix_power torch.Tensor.resize torch.Tensor.resize_as
    torch.TypedStorage torch.accelerator.set_device_idx torch.ao.nn.quantized.functional.upsample
    torch.ao.quantization.QConfigDynamic torch.ao.quantization.quantize_dynamic
    torch.ao.quantization.quantize_fx.prepare_fx torch.autograd.function.FunctionCtx.mark_shared_storage
    torch.chain_matmul torch.cholesky torch.cpu.amp.GradScaler torch.cuda.amp.autocast
    torch.cuda.amp.custom_fwd torch.distributed.all_reduce_coalesced
    torch.distributed.checkpoint.load_state_dict torch.distributed.checkpoint.save_state_dict
    torch.distributed.elastic.metrics.publish_metric torch.distributed.nn.all_reduce
    torch.distributed.nn.broadcast torch.functional.lu torch.ger torch.jit.fork torch.jit.freeze
    torch.jit.ignore torch.jit.isinstance torch.jit.save torch.jit.strict_fusion torch.jit.trace_module
    torch.library.impl_abstract torch.lu_solve torch.nn.Container torch.nn.Module.register_backward_hook
    torch.nn.UpsamplingBilinear2d torch.nn.UpsamplingNearest2d torch.nn.functional.upsample_bilinear
    torch.nn.init.orthogonal torch.nn.modules.module.register_module_backward_hook torch.nn.qat.Linear
    torch.nn.quantized torch.nn.utils.spectral_norm torch.nn.utils.stateless.functional_call torch.norm
    torch.onnx.utils.exporter_context torch.onnx.utils.unconvertible_ops torch.qr
    torch.quantization.quantize_fx.convert_fx torch.range torch.solve torch.symeig
    torch.utils.data.datapipes.iter.RoutedDecoder torch.utils.data.graph.traverse
    torch.utils.data.graph_settings.apply_shuffle_seed
""".split()

#: Not deprecated; the rules were made on these.
KEPT = """
    torch.Tensor.resize_ torch.Tensor.scatter_ torch.Tensor.type torch.UntypedStorage torch.amp.GradScaler
    torch.amp.GradScaler.step torch.amp.autocast torch.amp.custom_fwd torch.ao.nn.qat.Linear
    torch.ao.nn.quantized.Linear torch.ao.quantization.PlaceholderObserver torch.ao.quantization.fx.prepare
    torch.ao.quantization.get_fuser_method_new torch.arange torch.autograd.Function torch.autograd.backward
    torch.autograd.grad torch.autograd.gradcheck torch.autograd.profiler.profile torch.compile
    torch.compiler.is_compiling torch.cross torch.cuda.max_memory_reserved torch.cuda.nccl.reduce
    torch.distributed.checkpoint.load torch.distributed.checkpoint.state_dict.get_model_state_dict
    torch.distributed.fsdp.FullyShardedDataParallel.full_optim_state_dict
    torch.distributed.tensor.distribute_module torch.distributions.Distribution.sample torch.export.export
    torch.func.functional_call torch.func.jvp torch.func.stack_module_state torch.hub.get_dir
    torch.linalg.cholesky torch.linalg.lu_factor torch.linalg.matrix_rank torch.linalg.multi_dot
    torch.linalg.pinv torch.linalg.solve_triangular torch.linalg.svd torch.matmul
    torch.multiprocessing.spawn torch.nn.Linear torch.nn.NLLLoss torch.nn.Sequential
    torch.nn.attention.flex_attention.flex_attention torch.nn.functional.embedding_bag
    torch.nn.functional.gumbel_softmax torch.nn.functional.interpolate
    torch.nn.functional.scaled_dot_product_attention torch.nn.init.uniform_
    torch.nn.parallel.DistributedDataParallel torch.nn.parallel.gather torch.nn.utils.clip_grad_norm_
    torch.nn.utils.parametrizations.spectral_norm torch.nn.utils.parametrizations.weight_norm
    torch.onnx.export torch.onnx.utils.export torch.optim.lr_scheduler.LRScheduler.step
    torch.optim.lr_scheduler.ReduceLROnPlateau.step torch.overrides.get_ignored_functions
    torch.overrides.handle_torch_function torch.profiler torch.profiler.profile torch.set_default_dtype
    torch.stft torch.storage.TypedStorage.type torch.utils.checkpoint.SelectiveCheckpointContext
""".split()

#: Not deprecated; held back.
KEPT_HELD_BACK = """
    torch.Tensor.T torch.Tensor.untyped_storage torch.accelerator.current_device_index
    torch.accelerator.set_device_index torch.ao.quantization.QConfig
    torch.autograd.profiler_util.FunctionEvent torch.cuda.memory_reserved
    torch.distributed.checkpoint.DefaultSavePlanner torch.distributed.checkpoint.save
    torch.distributed.elastic.metrics.put_metric torch.distributed.fsdp.FullyShardedDataParallel
    torch.distributed.fsdp.fully_shard torch.distributed.init_process_group torch.distributed.run
    torch.distributed.tensor.experimental.context_parallel torch.export.load torch.func.grad torch.func.vmap
    torch.hub.load_state_dict_from_url torch.library.register_fake torch.linalg.norm torch.linalg.qr
    torch.nn.CrossEntropyLoss torch.nn.Hardtanh torch.nn.MSELoss torch.nn.Module.register_full_backward_hook
    torch.nn.Module.state_dict torch.nn.Upsample torch.nn.attention.flex_attention.create_block_mask
    torch.nn.attention.sdpa_kernel torch.nn.functional.cross_entropy torch.nn.functional.dropout2d
    torch.nn.init.orthogonal_ torch.nn.quantizable.LSTM torch.outer torch.sparse.to_sparse_semi_structured
    torch.utils.data.ConcatDataset torch.utils.data.DataLoader
""".split()

#: Of those held back, what is missed: told by a helper, of an inherited method, or when it is called.
MISSED = """
    torch.FloatStorage torch.Tensor.matrix_power torch.Tensor.resize torch.Tensor.resize_as
    torch.TypedStorage torch.distributed.nn.all_reduce torch.distributed.nn.broadcast torch.jit.trace_module
    torch.utils.data.datapipes.iter.RoutedDecoder
""".split()
