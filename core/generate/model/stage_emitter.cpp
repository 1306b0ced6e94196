#include "core/generate/model/stage_emitter.h"

#include "core/generate/model/operation_names.h"

#include <algorithm>

namespace altiscope::generate {

namespace {

/// How torch_npu calls a collective.
struct CollectiveCall {
    std::string_view op;
    std::string_view scalars;
    std::string_view queueOp;
};

CollectiveCall callOf(CollectiveOperation operation) {
    switch (operation) {
    case CollectiveOperation::AllReduce:
        return {"c10d::allreduce_", "TensorList;\r\nNone;\r\nNone;\r\nNone;\r\nScalar", "HcclAllreduce"};
    case CollectiveOperation::AllToAllV:
        return {"c10d::alltoall_base_", "None;\r\nScalarList;\r\nScalarList;\r\nScalar", "HcclAlltoAllV"};
    case CollectiveOperation::Send: return {"c10d::send", "TensorList;\r\nNone;\r\nScalar;\r\nScalar", "HcclSend"};
    case CollectiveOperation::Receive: return {"c10d::recv_", "TensorList;\r\nNone;\r\nScalar;\r\nScalar", "HcclRecv"};
    }
    return {};
}

}  // namespace

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

void StageEmitter::prepareCall(const Call& call, std::uint32_t tilingNs) {
    if (call.tiling) m_builder.hostApi(call.api + "GetWorkspaceSize", tilingNs);
    if (!call.compiled) return;
    // Descriptors of the tensors, on the calling thread; the clean-up thread of the runtime destroys them later.
    m_builder.hostApi("aclopCreateAttr", 250);
    for (std::size_t i = 0; i < call.inputs.size() + 1; ++i) {
        m_builder.hostApi("aclCreateTensorDesc", 800);
        m_builder.hostApi("aclCreateDataBuffer", 150);
    }
}

void StageEmitter::runCall(const Call& call, const std::string& owner) {
    if (call.transposes) transposedView(call.inputs[1]);
    m_builder.openOp(call.op, argumentsOf(call.inputs, call.scalars));
    std::uint32_t scratch = 0;
    if (call.scratchBytes > 0) scratch = m_builder.allocate(owner, call.scratchBytes);
    const std::uint64_t bytes = call.kernels.back().outputs.empty() ? 512 : call.kernels.back().outputs.front().bytes();
    const std::uint32_t result = m_builder.allocate(owner, std::max<std::uint64_t>(bytes, 512));
    prepareCall(call, 18'000);
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
    if (!m_hook.empty()) {
        m_builder.enter(m_hook);
        m_builder.leaf("<built-in method size of Tensor object at 0x", 700);
        m_builder.leaf("<built-in method get of dict object at 0x", 300);
        m_builder.leave();
    }
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
    prepareCall(stage.forward, 22'000);
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
        waitForCollective(collective(CollectiveOperation::AllReduce, kTensorParallelSlot, stage.result));
        m_builder.leave();
        m_builder.leave();
    }
    if (stage.exchanges) exchangeForward(stage, saved);
    return saved;
}

void StageEmitter::backward(const SavedStage& saved) {
    const Stage& stage = *saved.stage;
    if (stage.exchanges) exchangeBackward(saved);
    m_builder.openOp("autograd::engine::evaluate_function: " + stage.node, {}, 6'000);
    m_builder.openBackward(stage.node, argumentsOf({stage.result}, {}), saved.sequence);
    for (const Call& call : stage.backward) runCall(call, call.op);
    if (stage.backward.empty()) m_builder.op("aten::view", argumentsOf({stage.result}, "ScalarList"), 5'000);
    m_builder.closeOp();
    if (stage.reducesBackward) {
        waitForCollective(
            collective(CollectiveOperation::AllReduce, kTensorParallelSlot, stage.forward.inputs.front()));
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

void StageEmitter::exchangeForward(const Stage& stage, SavedStage& saved) {
    m_builder.enter("megatron/core/tensor_parallel/mappings.py(415): all_to_all");
    m_builder.enter("<built-in method apply of FunctionMeta object at 0x");
    saved.exchangeSequence = m_builder.openForward("_AllToAll", argumentsOf({stage.result}, {}));
    saved.tensors.push_back(m_builder.allocate("_AllToAll", stage.result.bytes()));
    waitForCollective(collective(CollectiveOperation::AllToAllV, kExpertSlot, stage.result));
    m_builder.closeOp();
    m_builder.leave();
    m_builder.leave();
}

void StageEmitter::exchangeBackward(const SavedStage& saved) {
    const Tensor& gradient = saved.stage->result;
    m_builder.openOp("autograd::engine::evaluate_function: _AllToAllBackward", {}, 6'000);
    m_builder.openBackward("_AllToAllBackward", argumentsOf({gradient}, {}), saved.exchangeSequence);
    const std::uint32_t received = m_builder.allocate("_AllToAllBackward", gradient.bytes());
    waitForCollective(collective(CollectiveOperation::AllToAllV, kExpertSlot, gradient));
    m_builder.closeOp();
    m_builder.closeOp();
    m_builder.release(received);
}

std::uint32_t StageEmitter::collective(CollectiveOperation operation, std::uint32_t groupSlot, const Tensor& payload) {
    const CollectiveCall call = callOf(operation);
    const std::string queueOp(call.queueOp);
    const std::uint32_t ready = m_builder.newEvent();
    const std::uint32_t done = m_builder.newEvent();
    std::vector<Tensor> tensors;
    // Lists of tensors have no shapes; an exchange names what it writes and what it reads.
    if (operation == CollectiveOperation::AllToAllV) tensors = {payload, payload};
    m_builder.openOp(call.op, argumentsOf(tensors, call.scalars), 22'000);
    m_builder.hostApi("aclrtCreateEventExWithFlag", 4'000);
    m_builder.recordEvent(ready, StreamRole::Compute);
    m_builder.waitEvent(ready, StreamRole::Collective, groupSlot);
    const Tensor flat{{static_cast<std::uint32_t>(payload.elements())}, payload.type};
    m_builder.openOp(queueOp, argumentsOf({flat}, {}), 8'000);
    LaunchSpec spec{m_builder.text("Dequeue@" + queueOp),
                    m_builder.text(namesOf(operation).type),
                    kNoText,
                    ApiMode::Collective,
                    {},
                    {}};
    spec.tasks.push_back({TaskKind::Collective, StreamRole::Collective, 0, groupSlot, payload.bytes()});
    spec.tasks.back().operation = operation;
    m_builder.launch(queueOp, std::move(spec));
    m_builder.closeOp();
    m_builder.recordEvent(done, StreamRole::Collective, groupSlot);
    m_builder.hostApi("aclrtQueryEventStatus", 3'000);
    m_builder.closeOp();
    return done;
}

void StageEmitter::waitForCollective(std::uint32_t event) { m_builder.waitEvent(event, StreamRole::Compute); }

}  // namespace altiscope::generate
