#include "core/generate/model/training_program.h"

#include "core/base/text/ascii.h"
#include "core/generate/model/batch_loading.h"
#include "core/generate/model/optimizer_step.h"
#include "core/generate/model/stage_emitter.h"
#include "core/generate/model/trained_model.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::generate {

namespace {

class UnitWriter {
public:
    UnitWriter(const TrainedModel& model, const ModelShape& shape, const ProgramExtras& extras, RunProgram& run,
               UnitProgram& unit)
        : m_model(model), m_shape(shape), m_extras(extras), m_builder(run, unit), m_stages(m_builder, model.stageHook) {
    }

    void write(bool first, bool last) {
        if (first) startStep();
        if (!m_model.isFirst) receive("recv_forward");
        forwardBatch();
        if (!m_model.isLast) send("send_forward");
        // One forward, one backward: until its gradients come back, the first stage is a micro-batch ahead of the last,
        // so that both work at once. Sends and receives come in the same order on both.
        for (std::uint32_t batch = 1; batch <= m_shape.batchesOfUnit; ++batch) {
            const bool more = batch < m_shape.batchesOfUnit;
            if (!m_model.isLast) {
                if (more) {
                    forwardBatch();
                    send("send_forward");
                }
                receive("recv_backward");
            }
            backward(last && !more);
            if (!m_model.isLast) continue;
            if (!m_model.isFirst) {
                if (more) receive("recv_forward");
                send("send_backward");
            }
            if (more) forwardBatch();
        }
        if (last) writeOptimizerStep(m_builder, m_model.optimizer, m_model.parameters());
        if (m_model.isLast) readLoss();
        else synchronize();
        for (const std::uint32_t tensor : m_outputs) m_builder.keepAtTheEnd(tensor);
        if (last) endOfStepExtras();
        for (const std::uint32_t tensor : m_outputs) m_builder.release(tensor);
        if (last) endStep();
    }

private:
    void startStep() {
        m_builder.enter("torch_npu/profiler/analysis/prof_common_func/_utils.py(26): wrapper");
        m_builder.enter("torch_npu/profiler/profiler.py(241): step");
        m_builder.enter("torch_npu/profiler/_profiler_action_controller.py(25): transit_action");
        m_builder.leaf("<built-in method get of dict object at 0x", 500);
        m_builder.leave();
        m_builder.openStep();
        m_builder.leave();
        m_builder.leave();
    }

    void endStep() {
        m_builder.enter("torch_npu/profiler/profiler.py(241): step");
        m_builder.closeStep();
        m_builder.leave();
    }

    void receive(const std::string& function) {
        m_builder.enter("megatron/core/pipeline_parallel/schedules.py(1098): " + function);
        m_builder.enter("megatron/core/pipeline_parallel/p2p_communication.py(239): _communicate");
        m_builder.openOp("aten::empty",
                         argumentsOf({}, "ScalarList;\r\nScalar;\r\nScalar;\r\nNone;\r\nScalar;\r\nNone"), 9'000);
        m_outputs.push_back(m_builder.allocate("aten::empty", m_model.activation.bytes()));
        m_builder.closeOp();
        m_builder.enter("torch/distributed/distributed_c10d.py(1579): irecv");
        m_stages.waitForCollective(
            m_stages.collective(CollectiveOperation::Receive, kPipelineSlot, m_model.activation));
        for (int i = 0; i < 3; ++i) m_builder.leave();
    }

    void send(const std::string& function) {
        m_builder.enter("megatron/core/pipeline_parallel/schedules.py(1116): " + function);
        m_builder.enter("megatron/core/pipeline_parallel/p2p_communication.py(239): _communicate");
        m_builder.enter("torch/distributed/distributed_c10d.py(1530): isend");
        m_stages.waitForCollective(m_stages.collective(CollectiveOperation::Send, kPipelineSlot, m_model.activation));
        for (int i = 0; i < 3; ++i) m_builder.leave();
    }

    void forwardBatch() {
        m_stages.startBatch();
        m_passes.emplace_back();
        loadBatch(m_builder, m_model.batch, m_outputs);
        forward();
    }

    void forward() {
        m_builder.enter("train.py(118): forward_step");
        m_builder.enter("torch/nn/parallel/distributed.py(1519): forward");
        m_builder.openScope("DistributedDataParallel.forward");
        m_builder.enter("torch/nn/parallel/distributed.py(1355): _run_ddp_forward");
        m_builder.enter("nn.Module: " + m_model.module, 1);
        m_builder.enter("torch/nn/modules/module.py(1520): _call_impl");
        m_builder.leaf("<built-in method _get_tracing_state of PyCapsule object at 0x", 1'200);
        m_builder.enter(m_model.frame);
        for (const ModelPart& part : m_model.parts) forwardPart(part);
        for (int i = 0; i < 4; ++i) m_builder.leave();
        m_builder.closeScope();
        m_builder.leave();
        for (const Stage& stage : m_model.loss) m_passes.back().saved.push_back(m_stages.forward(stage));
        m_builder.setPlanted(true);
        for (const std::string& type : m_extras.operations) callOperation(type);
        m_builder.setPlanted(false);
        m_builder.leave();
    }

    /// The part of the model that begins here reduces its gradients together.
    void forwardPart(const ModelPart& part) {
        m_passes.back().partBegins.push_back(m_passes.back().saved.size());
        const bool isModule = !part.module.empty();
        if (isModule) {
            m_builder.enter("nn.Module: " + part.module, part.moduleNumber);
            m_builder.enter("torch/nn/modules/module.py(1520): _call_impl");
            m_builder.leaf("<built-in method _get_tracing_state of PyCapsule object at 0x", 1'100);
            m_builder.enter(part.frame);
        }
        if (!part.scope.empty()) m_builder.openScope(part.scope);
        for (const Stage& stage : part.stages) {
            if (!part.scope.empty()) m_builder.leaf("<built-in method append of list object at 0x", 350);
            m_passes.back().saved.push_back(m_stages.forward(stage));
        }
        if (!part.scope.empty()) m_builder.closeScope();
        for (int i = 0; isModule && i < 3; ++i) m_builder.leave();
    }

    std::uint64_t bytesOf(const std::vector<Tensor>& tensors) {
        std::uint64_t bytes = 0;
        for (const Tensor& tensor : tensors) bytes += tensor.bytes();
        return bytes;
    }

    /// One bucket of gradients; the reduction runs beside the rest of the backward pass.
    void reduceBucket(std::uint32_t groupSlot, std::uint64_t bytes) {
        const std::uint64_t each = Tensor{{1}, m_model.gradients}.bytes();
        const Tensor gradients{{static_cast<std::uint32_t>(bytes / each)}, m_model.gradients};
        m_reduced.push_back(m_stages.collective(CollectiveOperation::AllReduce, groupSlot, gradients));
        m_builder.setPlanted(true);
        if (m_extras.waitsForReductions) m_stages.waitForCollective(m_reduced.back());
        m_builder.setPlanted(false);
        m_builder.launch("destroy_event", {m_builder.text("Dequeue@destroy_event"),
                                           m_builder.text("aclrtDestroyEvent"),
                                           kNoText,
                                           ApiMode::Rts,
                                           {},
                                           {}});
    }

    void reduceGradients(std::uint64_t& shared, std::uint64_t& ofExperts) {
        if (m_shape.dataParallel > 1 && shared > 0) reduceBucket(kDataParallelSlot, shared);
        if (m_shape.expertDataParallel > 1 && ofExperts > 0) reduceBucket(kExpertDataSlot, ofExperts);
        shared = 0;
        ofExperts = 0;
    }

    /// The passes come back in the order in which they went.
    void backward(bool last) {
        ForwardPass pass = std::move(m_passes.front());
        m_passes.pop_front();
        m_builder.enter("torch/_tensor.py(428): backward");
        m_builder.enter("torch/autograd/__init__.py(106): backward");
        m_builder.leaf("<built-in method ones_like of type object at 0x", 9'000);
        m_builder.enter("<built-in method run_backward of torch._C._EngineBase object at 0x");
        m_builder.useThread(HostThread::Autograd);
        m_builder.hostApi("aclrtSetCurrentContext", 3'000);
        std::uint64_t shared = 0;
        std::uint64_t ofExperts = 0;
        for (std::size_t i = pass.saved.size(); i-- > 0;) {
            const Stage& stage = *pass.saved[i].stage;
            m_stages.backward(pass.saved[i]);
            (stage.ofExpert ? ofExperts : shared) += bytesOf(stage.parameters);
            const bool partDone = !pass.partBegins.empty() && pass.partBegins.back() == i;
            if (!partDone) continue;
            pass.partBegins.pop_back();
            if (last) reduceGradients(shared, ofExperts);
        }
        for (const std::uint32_t event : m_reduced) m_stages.waitForCollective(event);
        m_builder.useThread(HostThread::Main);
        m_builder.pause(20'000);
        m_builder.leave();
        m_builder.leave();
        m_builder.leave();
    }

    void endOfStepExtras() {
        m_builder.setPlanted(true);
        for (const std::uint64_t bytes : m_extras.leaks) {
            m_builder.enter("train.py(175): keep_history");
            m_builder.openOp("aten::clone", argumentsOf({}, "TensorList"), 8'000);
            m_builder.leak(m_builder.allocate("aten::clone", bytes));
            m_builder.closeOp();
            m_builder.leave();
        }
        m_builder.setPlanted(false);
        if (m_extras.loggedValues == 0) return;
        m_builder.enter(m_model.logValues);
        for (std::uint32_t i = 0; i < m_extras.loggedValues; ++i) m_builder.leaf(m_model.logOneValue, 250);
        m_builder.leave();
    }

    void callOperation(const std::string& type) {
        const Tensor& targets = m_model.batch.back().tensor;
        const Call call{"aten::" + asciiLower(type),
                        {targets},
                        {},
                        "aclnn" + type,
                        {elementwise(type, type, {targets}, {targets})}};
        m_builder.enter("train.py(129): loss_func");
        m_builder.openOp(call.op, argumentsOf(call.inputs, call.scalars));
        m_builder.launch(call.api, launchOf(m_builder, call));
        m_builder.closeOp();
        m_builder.leave();
    }

    void readLoss() {
        const Tensor loss{{}, ElementType::Float};
        m_builder.enter("train.py(171): training_log");
        m_builder.enter("<built-in method item of Tensor object at 0x");
        m_builder.openOp("aten::item", argumentsOf({loss}, {}), 20'000);
        m_builder.openOp("aten::_local_scalar_dense", argumentsOf({loss}, {}), 20'000);
        LaunchSpec copy{m_builder.text("Dequeue@acl_memcpy_device_to_host"),
                        m_builder.text("aclrtMemcpyAsync"),
                        kNoText,
                        ApiMode::Rts,
                        {},
                        {}};
        copy.tasks.push_back({TaskKind::DeviceCopy, StreamRole::Compute, 0, 0, 4, 1'500});
        m_builder.launch("acl_memcpy_device_to_host", std::move(copy));
        m_builder.waitForDevice("aclrtSynchronizeStreamWithTimeout");
        m_builder.closeOp();
        m_builder.closeOp();
        m_builder.leave();
        m_builder.leaf("<built-in method format of str object at 0x", 1'500);
        m_builder.leave();
    }

    /// A stage without a loss to look at waits all the same before the next micro-batch.
    void synchronize() {
        m_builder.enter("train.py(171): training_log");
        m_builder.enter("torch_npu/npu/utils.py(58): synchronize");
        m_builder.enter("<built-in function _npu_synchronize>");
        m_builder.waitForDevice("aclrtSynchronizeDevice");
        for (int i = 0; i < 3; ++i) m_builder.leave();
    }

    const TrainedModel& m_model;
    const ModelShape& m_shape;
    const ProgramExtras& m_extras;
    ProgramBuilder m_builder;
    StageEmitter m_stages;
    /// A micro-batch that ran forward.
    struct ForwardPass {
        std::vector<SavedStage> saved;
        std::vector<std::size_t> partBegins;  ///< Places in `saved`.
    };
    std::deque<ForwardPass> m_passes;      ///< That have not run backward yet.
    std::vector<std::uint32_t> m_outputs;  ///< Blocks that live until the end of the unit.
    std::vector<std::uint32_t> m_reduced;  ///< Events of reduced buckets.
};

}  // namespace

RunProgram trainingProgram(const ModelShape& shape, const ProgramExtras& extras) {
    std::vector<TrainedModel> models;
    for (std::uint32_t stage = 0; stage < shape.pipelineParallel; ++stage) models.push_back(trainedModel(shape, stage));
    RunProgram run;
    run.microBatches = shape.microBatches;
    run.names = {run.texts.idOf("opCompile"), run.texts.idOf("aclopDestroyAttr"),
                 run.texts.idOf("aclDestroyTensorDesc"), run.texts.idOf("Launch_Ffts")};
    for (const std::string_view frame : std::initializer_list<std::string_view>{
             "<string>(1): <module>", "multiprocessing/spawn.py(116): spawn_main",
             "multiprocessing/spawn.py(129): _main", "multiprocessing/process.py(315): _bootstrap",
             "multiprocessing/process.py(108): run", "torch/distributed/elastic/multiprocessing/api.py(412): _wrap",
             "train.py(212): main", models.front().trainer}) {
        run.baseFrames.push_back(run.texts.idOf(frame));
    }
    for (const TrainedModel& model : models) {
        StageProgram& program = run.stages.emplace_back();
        for (const bool first : {false, true}) {
            for (const bool last : {false, true}) {
                const bool used = shape.microBatches == 1 ? first && last : shape.microBatches > 2 || first != last;
                if (!used || (shape.microBatches > 1 && first && last)) continue;
                UnitProgram& unit = program.units[RunProgram::unitVariant(first, last)];
                UnitWriter(model, shape, extras, run, unit).write(first, last);
            }
        }
    }
    return run;
}

}  // namespace altiscope::generate
