#include "core/generate/training_program.h"

#include "core/generate/optimizer_step.h"
#include "core/generate/stage_emitter.h"

#include <algorithm>
#include <cctype>

namespace altiscope::generate {

namespace {

/// The part of the model that one pipeline stage holds; shared by all units of its ranks.
struct Model {
    ModelShape shape;
    std::uint32_t stage = 0;
    Stage embedding;
    std::vector<Stage> denseLayer;
    std::vector<Stage> expertLayer;
    Stage finalNorm;
    Stage head;
    std::vector<Stage> loss;

    bool isFirst() const { return stage == 0; }
    bool isLast() const { return stage + 1 == shape.pipelineParallel; }
    std::uint32_t firstLayer() const { return stage * shape.layersOfStage(); }
    std::uint32_t endLayer() const { return firstLayer() + shape.layersOfStage(); }
    const std::vector<Stage>& layer(std::uint32_t number) const {
        return shape.hasExperts(number) ? expertLayer : denseLayer;
    }

    std::vector<Tensor> parameters() const {
        std::vector<Tensor> all;
        const auto add = [&all](const Stage& one) {
            all.insert(all.end(), one.parameters.begin(), one.parameters.end());
        };
        if (isFirst()) add(embedding);
        for (std::uint32_t i = firstLayer(); i < endLayer(); ++i) {
            for (const Stage& one : layer(i)) add(one);
        }
        if (!isLast()) return all;
        add(finalNorm);
        add(head);
        return all;
    }
};

class UnitWriter {
public:
    UnitWriter(const Model& model, const ProgramExtras& extras, RunProgram& run, UnitProgram& unit)
        : m_model(model), m_extras(extras), m_builder(run, unit), m_stages(m_builder) {}

    void write(bool first, bool last) {
        if (first) startStep();
        if (!m_model.isFirst()) receive("recv_forward");
        loadData();
        forward();
        if (!m_model.isLast()) {
            send("send_forward");
            receive("recv_backward");
        }
        backward(last);
        if (!m_model.isFirst()) send("send_backward");
        if (last) writeOptimizerStep(m_builder, m_model.parameters());
        if (m_model.isLast()) readLoss();
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

    /// One tensor from host to device. @return Its block.
    std::uint32_t toDevice(const std::string& line, std::uint32_t pieces) {
        const Tensor tokens{{1, m_model.shape.sequence}, ElementType::Int64};
        m_builder.enter(line);
        m_builder.enter("<built-in method to of Tensor object at 0x");
        m_builder.openOp("aten::to", argumentsOf({tokens}, "Scalar;\r\nScalar;\r\nScalar;\r\nScalar;\r\nNone"), 40'000);
        m_builder.openOp("aten::_to_copy", argumentsOf({tokens}, "Scalar;\r\nScalar;\r\nScalar;\r\nScalar;\r\nNone"),
                         40'000);
        m_builder.openOp("aten::empty_strided",
                         argumentsOf({}, "ScalarList;\r\nScalarList;\r\nScalar;\r\nScalar;\r\nScalar;\r\nScalar"),
                         30'000);
        const std::uint32_t block = m_builder.allocate("aten::empty_strided", tokens.bytes());
        m_builder.closeOp();
        m_builder.openOp("aten::copy_", argumentsOf({tokens, tokens}, "Scalar"), 60'000);
        LaunchSpec copy{m_builder.text("Dequeue@acl_memcpy_host_to_device"),
                        m_builder.text("aclrtMemcpyAsync"),
                        kNoText,
                        ApiMode::Rts,
                        {},
                        {}};
        for (std::uint32_t i = 0; i < pieces; ++i) {
            copy.tasks.push_back({TaskKind::HostCopy, StreamRole::Compute, 0, 0, tokens.bytes() / pieces, 4'000});
        }
        m_builder.launch("acl_memcpy_host_to_device", std::move(copy));
        m_builder.closeOp();
        m_builder.closeOp();
        m_builder.closeOp();
        m_builder.leave();
        m_builder.leave();
        return block;
    }

    void loadData() {
        m_builder.enter("torch/utils/data/dataloader.py(625): __next__");
        m_builder.openScope("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
        m_builder.enter("torch/utils/data/dataloader.py(1298): _next_data");
        m_builder.leaf("<built-in function len>", 250);
        m_builder.enter("torch/utils/data/dataloader.py(1265): _get_data");
        m_builder.enter("torch/utils/data/dataloader.py(1119): _try_get_data");
        m_builder.enter("multiprocessing/queues.py(98): get");
        m_builder.leaf("<built-in function monotonic>", 500);
        m_builder.leaf("<built-in method acquire of _multiprocessing.SemLock object at 0x", 2'000);
        m_builder.enter("multiprocessing/connection.py(253): poll");
        m_builder.enter("multiprocessing/connection.py(423): _poll");
        m_builder.enter("selectors.py(403): select");
        m_builder.leaf("<built-in method poll of select.poll object at 0x", 300'000);
        m_builder.leave();
        m_builder.leave();
        m_builder.leave();
        m_builder.enter("multiprocessing/connection.py(208): recv_bytes");
        m_builder.enter("multiprocessing/connection.py(374): _recv");
        m_builder.leaf("<built-in function read>", 7'000);
        m_builder.leaf("<built-in method write of _io.BytesIO object at 0x", 400);
        m_builder.leave();
        m_builder.leaf("<built-in method getvalue of _io.BytesIO object at 0x", 250);
        m_builder.leave();
        m_builder.leaf("<built-in method release of _multiprocessing.SemLock object at 0x", 800);
        m_builder.enter("<built-in function loads>");
        m_builder.enter("torch/multiprocessing/reductions.py(354): rebuild_storage_fd");
        m_builder.leaf("<built-in method detach of socket.socket object at 0x", 90'000);
        m_builder.leave();
        m_builder.op("aten::empty", argumentsOf({}, "ScalarList;\r\nScalar;\r\nScalar;\r\nNone;\r\nScalar;\r\nNone"),
                     90'000);
        m_builder.leave();
        for (int i = 0; i < 4; ++i) m_builder.leave();
        m_builder.closeScope();
        m_builder.leave();
        // Behind the first stage only the targets are of use.
        if (m_model.isFirst())
            m_outputs.push_back(toDevice("megatron/training/utils.py(287): get_batch_on_this_tp_rank", 1));
        m_outputs.push_back(toDevice("megatron/training/utils.py(301): get_batch_on_this_tp_rank", 2));
    }

    /// What goes from one pipeline stage to the next, and its gradient back.
    Tensor activation() const { return {{m_model.shape.sequence, 1, m_model.shape.hidden}}; }

    void receive(const std::string& function) {
        m_builder.enter("megatron/core/pipeline_parallel/schedules.py(1098): " + function);
        m_builder.enter("megatron/core/pipeline_parallel/p2p_communication.py(239): _communicate");
        m_builder.openOp("aten::empty",
                         argumentsOf({}, "ScalarList;\r\nScalar;\r\nScalar;\r\nNone;\r\nScalar;\r\nNone"), 9'000);
        m_outputs.push_back(m_builder.allocate("aten::empty", activation().bytes()));
        m_builder.closeOp();
        m_builder.enter("torch/distributed/distributed_c10d.py(1579): irecv");
        m_stages.waitForCollective(m_stages.collective(CollectiveOperation::Receive, kPipelineSlot, activation()));
        for (int i = 0; i < 3; ++i) m_builder.leave();
    }

    void send(const std::string& function) {
        m_builder.enter("megatron/core/pipeline_parallel/schedules.py(1116): " + function);
        m_builder.enter("megatron/core/pipeline_parallel/p2p_communication.py(239): _communicate");
        m_builder.enter("torch/distributed/distributed_c10d.py(1530): isend");
        m_stages.waitForCollective(m_stages.collective(CollectiveOperation::Send, kPipelineSlot, activation()));
        for (int i = 0; i < 3; ++i) m_builder.leave();
    }

    /// The part of the model that begins here reduces its gradients together.
    void beginPart() { m_partBegins.push_back(m_saved.size()); }

    void forward() {
        m_builder.enter("train.py(118): forward_step");
        m_builder.enter("torch/nn/parallel/distributed.py(1519): forward");
        m_builder.openScope("DistributedDataParallel.forward");
        m_builder.enter("torch/nn/parallel/distributed.py(1355): _run_ddp_forward");
        m_builder.enter("nn.Module: GPTModel_0", 1);
        m_builder.enter("torch/nn/modules/module.py(1520): _call_impl");
        m_builder.leaf("<built-in method _get_tracing_state of PyCapsule object at 0x", 1'200);
        m_builder.enter("megatron/core/models/gpt/gpt_model.py(152): forward");
        if (m_model.isFirst()) {
            beginPart();
            m_saved.push_back(m_stages.forward(m_model.embedding));
        }
        for (std::uint32_t i = m_model.firstLayer(); i < m_model.endLayer(); ++i) forwardLayer(i);
        if (m_model.isLast()) {
            beginPart();
            m_saved.push_back(m_stages.forward(m_model.finalNorm));
            m_saved.push_back(m_stages.forward(m_model.head));
        }
        for (int i = 0; i < 4; ++i) m_builder.leave();
        m_builder.closeScope();
        m_builder.leave();
        if (m_model.isLast()) {
            for (const Stage& stage : m_model.loss) m_saved.push_back(m_stages.forward(stage));
        }
        for (const std::string& type : m_extras.operations) callOperation(type);
        m_builder.leave();
    }

    void forwardLayer(std::uint32_t number) {
        beginPart();
        m_builder.enter("nn.Module: TransformerLayer_" + std::to_string(number), number + 1);
        m_builder.enter("torch/nn/modules/module.py(1520): _call_impl");
        m_builder.leaf("<built-in method _get_tracing_state of PyCapsule object at 0x", 1'100);
        m_builder.enter("megatron/core/transformer/transformer_layer.py(158): forward");
        m_builder.openScope("transformer_layer");
        for (const Stage& stage : m_model.layer(number)) {
            m_builder.leaf("<built-in method append of list object at 0x", 350);
            m_saved.push_back(m_stages.forward(stage));
        }
        m_builder.closeScope();
        for (int i = 0; i < 3; ++i) m_builder.leave();
    }

    std::uint64_t bytesOf(const std::vector<Tensor>& tensors) {
        std::uint64_t bytes = 0;
        for (const Tensor& tensor : tensors) bytes += tensor.bytes();
        return bytes;
    }

    /// One bucket of gradients; the reduction runs beside the rest of the backward pass.
    void reduceBucket(std::uint32_t groupSlot, std::uint64_t bytes) {
        const Tensor gradients{{static_cast<std::uint32_t>(bytes / 2)}};
        m_reduced.push_back(m_stages.collective(CollectiveOperation::AllReduce, groupSlot, gradients));
        if (m_extras.waitsForReductions) m_stages.waitForCollective(m_reduced.back());
        m_builder.launch("destroy_event", {m_builder.text("Dequeue@destroy_event"),
                                           m_builder.text("aclrtDestroyEvent"),
                                           kNoText,
                                           ApiMode::Rts,
                                           {},
                                           {}});
    }

    void reduceGradients(std::uint64_t& shared, std::uint64_t& ofExperts) {
        if (m_model.shape.dataParallel > 1 && shared > 0) reduceBucket(kDataParallelSlot, shared);
        if (m_model.shape.expertDataParallel > 1 && ofExperts > 0) reduceBucket(kExpertDataSlot, ofExperts);
        shared = 0;
        ofExperts = 0;
    }

    void backward(bool last) {
        m_builder.enter("torch/_tensor.py(428): backward");
        m_builder.enter("torch/autograd/__init__.py(106): backward");
        m_builder.leaf("<built-in method ones_like of type object at 0x", 9'000);
        m_builder.enter("<built-in method run_backward of torch._C._EngineBase object at 0x");
        m_builder.useThread(HostThread::Autograd);
        m_builder.hostApi("aclrtSetCurrentContext", 3'000);
        std::uint64_t shared = 0;
        std::uint64_t ofExperts = 0;
        for (std::size_t i = m_saved.size(); i-- > 0;) {
            const Stage& stage = *m_saved[i].stage;
            m_stages.backward(m_saved[i]);
            (stage.ofExpert ? ofExperts : shared) += bytesOf(stage.parameters);
            const bool partDone = !m_partBegins.empty() && m_partBegins.back() == i;
            if (!partDone) continue;
            m_partBegins.pop_back();
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
        for (const std::uint64_t bytes : m_extras.leaks) {
            m_builder.enter("train.py(175): keep_history");
            m_builder.openOp("aten::clone", argumentsOf({}, "TensorList"), 8'000);
            m_builder.leak(m_builder.allocate("aten::clone", bytes));
            m_builder.closeOp();
            m_builder.leave();
        }
        if (m_extras.loggedValues == 0) return;
        m_builder.enter("megatron/training/utils.py(402): log_values");
        for (std::uint32_t i = 0; i < m_extras.loggedValues; ++i)
            m_builder.leaf("megatron/training/metrics.py(31): update", 250);
        m_builder.leave();
    }

    void callOperation(const std::string& type) {
        std::string name = type;
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        const Tensor tokens{{1, m_model.shape.sequence}, ElementType::Int64};
        const Call call{"aten::" + name, {tokens}, {}, "aclnn" + type, {elementwise(type, type, {tokens}, {tokens})}};
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

    const Model& m_model;
    const ProgramExtras& m_extras;
    ProgramBuilder m_builder;
    StageEmitter m_stages;
    std::vector<SavedStage> m_saved;
    std::vector<std::size_t> m_partBegins;  ///< Places in m_saved.
    std::vector<std::uint32_t> m_outputs;   ///< Blocks that live until the end of the unit.
    std::vector<std::uint32_t> m_reduced;   ///< Events of reduced buckets.
};

}  // namespace

RunProgram transformerTraining(const ModelShape& shape, const ProgramExtras& extras) {
    RunProgram run;
    run.microBatches = shape.microBatches;
    run.names = {run.texts.idOf("opCompile"), run.texts.idOf("aclopDestroyAttr"),
                 run.texts.idOf("aclDestroyTensorDesc"), run.texts.idOf("Launch_Ffts")};
    for (const char* frame :
         {"<string>(1): <module>", "multiprocessing/spawn.py(116): spawn_main", "multiprocessing/spawn.py(129): _main",
          "multiprocessing/process.py(315): _bootstrap", "multiprocessing/process.py(108): run",
          "torch/distributed/elastic/multiprocessing/api.py(412): _wrap", "train.py(212): main",
          "train.py(187): pretrain"}) {
        run.baseFrames.push_back(run.texts.idOf(frame));
    }
    for (std::uint32_t stage = 0; stage < shape.pipelineParallel; ++stage) {
        const Model model{shape,
                          stage,
                          embeddingStage(shape),
                          layerStages(shape),
                          expertLayerStages(shape),
                          finalNormStage(shape),
                          headStage(shape),
                          lossStages(shape)};
        StageProgram& program = run.stages.emplace_back();
        for (const bool first : {false, true}) {
            for (const bool last : {false, true}) {
                const bool used = shape.microBatches == 1 ? first && last : shape.microBatches > 2 || first != last;
                if (!used || (shape.microBatches > 1 && first && last)) continue;
                UnitWriter(model, extras, run, program.units[RunProgram::unitVariant(first, last)]).write(first, last);
            }
        }
    }
    return run;
}

}  // namespace altiscope::generate
