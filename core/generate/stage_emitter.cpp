#include "core/generate/stage_emitter.h"

#include <algorithm>

namespace altiscope::generate {

void StageEmitter::moduleFrames(const std::string& module) {
    const std::uint32_t number = m_modules[module]++;
    m_builder.leaf("torch/nn/modules/module.py(1682): __getattr__", 900);
    m_builder.enter("nn.Module: " + module + "_" + std::to_string(number), number + 1);
    m_builder.enter("torch/nn/modules/module.py(1520): _call_impl");
    m_builder.leaf("<built-in method _get_tracing_state of PyCapsule object at 0x", 1'200);
}

void StageEmitter::transposedView(const Tensor& tensor) {
    m_builder.openOp("aten::t", argumentsOf({tensor}, {}), 3'000);
    m_builder.openOp("aten::transpose", argumentsOf({tensor}, "Scalar;\r\nScalar"), 3'000);
    m_builder.op("aten::as_strided", argumentsOf({tensor}, "ScalarList;\r\nScalarList;\r\nScalar"), 4'000);
    m_builder.closeOp();
    m_builder.closeOp();
}

void StageEmitter::drawMask(const Stage& stage, SavedStage& saved) {
    const Tensor& mask = stage.forward.inputs[1];
    const std::uint32_t event = m_builder.newEvent();
    m_builder.openOp("npu::_npu_dropout_gen_mask", argumentsOf({stage.result}, "Scalar;\r\nScalar;\r\nNone"));
    saved.tensors.push_back(m_builder.allocate("npu::_npu_dropout", mask.bytes(), true));
    Call draw{
        {}, {}, {}, "aclnnDropoutGenMaskV2", {{"DSAGenBitMask", "DSAGenBitMask", CoreKind::Random, {}, {mask}, 3'000}}};
    m_builder.launch("aclnnDropoutGenMaskV2", launchOf(m_builder, draw));
    m_builder.recordEvent(event, StreamRole::Random);
    m_builder.closeOp();
    m_builder.waitEvent(event, StreamRole::Compute);
}

void StageEmitter::runCall(const Call& call, const std::string& owner) {
    if (call.transposes) transposedView(call.inputs[1]);
    m_builder.openOp(call.op, argumentsOf(call.inputs, call.scalars));
    std::uint32_t scratch = 0;
    if (call.scratchBytes > 0) scratch = m_builder.allocate(owner, call.scratchBytes);
    const std::uint64_t bytes = call.kernels.back().outputs.empty() ? 512 : call.kernels.back().outputs.front().bytes();
    const std::uint32_t result = m_builder.allocate(owner, std::max<std::uint64_t>(bytes, 512));
    if (call.compiled) {
        // Descriptors of the tensors, on the calling thread; the clean-up thread of the runtime destroys them later.
        m_builder.hostApi("aclopCreateAttr", 250);
        for (std::size_t i = 0; i < call.inputs.size() + 1; ++i) {
            m_builder.hostApi("aclCreateTensorDesc", 800);
            m_builder.hostApi("aclCreateDataBuffer", 150);
        }
    } else if (call.tiling) {
        m_builder.hostApi(call.api + "GetWorkspaceSize", 18'000);
    }
    m_builder.launch(call.api, launchOf(m_builder, call));
    m_builder.closeOp();
    // A gradient is used up by the next node, right after this one.
    m_builder.release(result);
    if (call.scratchBytes > 0) m_builder.release(scratch);
}

SavedStage StageEmitter::forward(const Stage& stage) {
    SavedStage saved{&stage, 0, {}};
    const bool module = !stage.module.empty();
    if (module) moduleFrames(stage.module);
    m_builder.enter(stage.frame);
    if (module) {
        m_builder.leaf("torch/nn/modules/module.py(1682): __getattr__", 1'800);
        m_builder.leaf("torch/nn/modules/module.py(1682): __getattr__", 600);
    }
    m_builder.enter("megatron/core/utils.py(54): log_shape");
    m_builder.leaf("<built-in method size of Tensor object at 0x", 700);
    m_builder.leaf("<built-in method get of dict object at 0x", 300);
    m_builder.leave();
    m_builder.leaf("<built-in function isinstance>", 300);
    m_builder.leaf("<built-in function has_torch_function_variadic>", 700);
    m_builder.enter(stage.function);

    const OpArguments arguments = argumentsOf(stage.forward.inputs, stage.forward.scalars);
    if (!stage.outerOp.empty()) m_builder.openOp(stage.outerOp, arguments);
    if (stage.drawsMask) drawMask(stage, saved);
    if (stage.forward.transposes) transposedView(stage.forward.inputs[1]);
    saved.sequence = m_builder.openForward(stage.forward.op, arguments);
    std::uint32_t scratch = 0;
    if (stage.forward.scratchBytes > 0) scratch = m_builder.allocate(stage.forward.op, stage.forward.scratchBytes);
    saved.tensors.push_back(m_builder.allocate(stage.forward.op, std::max<std::uint64_t>(stage.result.bytes(), 512)));
    if (stage.forward.tiling) m_builder.hostApi(stage.forward.api + "GetWorkspaceSize", 22'000);
    m_builder.launch(stage.forward.api, launchOf(m_builder, stage.forward));
    m_builder.closeOp();
    if (stage.forward.scratchBytes > 0) m_builder.release(scratch);
    if (!stage.outerOp.empty()) m_builder.closeOp();

    m_builder.leave();
    m_builder.leave();
    if (module) {
        m_builder.leave();
        m_builder.leave();
    }
    if (stage.reducesForward) {
        m_builder.enter("megatron/core/tensor_parallel/mappings.py(23): _reduce");
        m_builder.enter("torch/distributed/distributed_c10d.py(1986): all_reduce");
        m_builder.leaf("<built-in function isinstance>", 300);
        waitForReduced(allReduce(kTensorParallelSlot, stage.result.elements(), stage.result.bytes()));
        m_builder.leave();
        m_builder.leave();
    }
    return saved;
}

void StageEmitter::backward(const SavedStage& saved) {
    const Stage& stage = *saved.stage;
    m_builder.openOp("autograd::engine::evaluate_function: " + stage.node, {}, 6'000);
    m_builder.openBackward(stage.node, argumentsOf({stage.result}, {}), saved.sequence);
    for (const Call& call : stage.backward) runCall(call, call.op);
    if (stage.backward.empty()) m_builder.op("aten::view", argumentsOf({stage.result}, "ScalarList"), 5'000);
    m_builder.closeOp();
    if (stage.reducesBackward) {
        const Tensor& input = stage.forward.inputs.front();
        waitForReduced(allReduce(kTensorParallelSlot, input.elements(), input.bytes()));
    }
    m_builder.closeOp();
    for (const std::uint32_t tensor : saved.tensors) m_builder.release(tensor);
    for (const Tensor& parameter : stage.parameters) accumulate(parameter);
}

void StageEmitter::accumulate(const Tensor& parameter) {
    const OpArguments arguments = argumentsOf({parameter}, {});
    m_builder.openOp("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", {}, 6'000);
    m_builder.openOp("torch::autograd::AccumulateGrad", arguments, 8'000);
    m_builder.openOp("aten::detach", arguments, 5'000);
    m_builder.op("detach", arguments, 7'000);
    m_builder.closeOp();
    m_builder.closeOp();
    m_builder.openOp("torch::distributed::reducer::mul_out", arguments, 5'000);
    const Call scale{"aten::mul",
                     {parameter, parameter},
                     "Scalar",
                     "aclnnMuls",
                     {elementwise("MulAiCore", "Mul", {parameter}, {parameter})}};
    m_builder.openOp(scale.op, argumentsOf(scale.inputs, scale.scalars));
    m_builder.openOp("aten::item", argumentsOf({}, "Scalar"), 4'000);
    m_builder.op("aten::_local_scalar_dense", argumentsOf({}, "Scalar"), 3'000);
    m_builder.closeOp();
    m_builder.launch(scale.api, launchOf(m_builder, scale));
    m_builder.closeOp();
    m_builder.closeOp();
    m_builder.closeOp();
}

std::uint32_t StageEmitter::allReduce(std::uint32_t groupSlot, std::uint64_t elements, std::uint64_t bytes) {
    const std::uint32_t ready = m_builder.newEvent();
    const std::uint32_t done = m_builder.newEvent();
    m_builder.openOp("c10d::allreduce_", argumentsOf({}, "TensorList;\r\nNone;\r\nNone;\r\nNone;\r\nScalar"), 22'000);
    m_builder.hostApi("aclrtCreateEventExWithFlag", 4'000);
    m_builder.recordEvent(ready, StreamRole::Compute);
    m_builder.waitEvent(ready, StreamRole::Collective, groupSlot);
    const Tensor payload{{static_cast<std::uint32_t>(elements)}};
    m_builder.openOp("HcclAllreduce", argumentsOf({payload}, {}), 8'000);
    LaunchSpec spec{m_builder.text("Dequeue@HcclAllreduce"),
                    m_builder.text("hcom_allReduce_"),
                    kNoText,
                    ApiMode::Collective,
                    {},
                    {}};
    spec.tasks.push_back({TaskKind::Collective, StreamRole::Collective, 0, groupSlot, bytes});
    m_builder.launch("HcclAllreduce", std::move(spec));
    m_builder.closeOp();
    m_builder.recordEvent(done, StreamRole::Collective, groupSlot);
    m_builder.hostApi("aclrtQueryEventStatus", 3'000);
    m_builder.closeOp();
    return done;
}

void StageEmitter::waitForReduced(std::uint32_t event) { m_builder.waitEvent(event, StreamRole::Compute); }

}  // namespace altiscope::generate
