#include "core/generate/training_program.h"

#include "core/generate/stage_emitter.h"

#include <algorithm>
#include <cctype>

namespace altiscope::generate {

namespace {

/// Builds one unit; the stages are shared by all units of a run.
struct Model {
    ModelShape shape;
    Stage embedding;
    std::vector<Stage> layer;
    Stage finalNorm;
    Stage head;
    std::vector<Stage> loss;

    std::vector<Tensor> parameters() const {
        std::vector<Tensor> all = embedding.parameters;
        for (std::uint32_t i = 0; i < shape.layers; ++i) {
            for (const Stage& stage : layer) all.insert(all.end(), stage.parameters.begin(), stage.parameters.end());
        }
        all.insert(all.end(), finalNorm.parameters.begin(), finalNorm.parameters.end());
        all.insert(all.end(), head.parameters.begin(), head.parameters.end());
        return all;
    }
};

class UnitWriter {
public:
    UnitWriter(const Model& model, const ProgramExtras& extras, RunProgram& run, UnitProgram& unit)
        : m_model(model), m_extras(extras), m_builder(run, unit), m_stages(m_builder) {}

    void write(bool first, bool last) {
        if (first) startStep();
        loadData();
        forward();
        backward(last);
        if (last) optimize();
        readLoss();
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
        m_outputs.push_back(toDevice("megatron/training/utils.py(287): get_batch_on_this_tp_rank", 1));
        m_outputs.push_back(toDevice("megatron/training/utils.py(301): get_batch_on_this_tp_rank", 2));
    }

    void forward() {
        m_builder.enter("train.py(118): forward_step");
        m_builder.enter("torch/nn/parallel/distributed.py(1519): forward");
        m_builder.openScope("DistributedDataParallel.forward");
        m_builder.enter("torch/nn/parallel/distributed.py(1355): _run_ddp_forward");
        m_builder.enter("nn.Module: GPTModel_0", 1);
        m_builder.enter("torch/nn/modules/module.py(1520): _call_impl");
        m_builder.leaf("<built-in method _get_tracing_state of PyCapsule object at 0x", 1'200);
        m_builder.enter("megatron/core/models/gpt/gpt_model.py(152): forward");
        m_saved.push_back(m_stages.forward(m_model.embedding));
        for (std::uint32_t i = 0; i < m_model.shape.layers; ++i) forwardLayer(i);
        m_saved.push_back(m_stages.forward(m_model.finalNorm));
        m_saved.push_back(m_stages.forward(m_model.head));
        for (int i = 0; i < 4; ++i) m_builder.leave();
        m_builder.closeScope();
        m_builder.leave();
        for (const Stage& stage : m_model.loss) m_saved.push_back(m_stages.forward(stage));
        for (const std::string& type : m_extras.operations) callOperation(type);
        m_builder.leave();
    }

    void forwardLayer(std::uint32_t number) {
        m_builder.enter("nn.Module: TransformerLayer_" + std::to_string(number), number + 1);
        m_builder.enter("torch/nn/modules/module.py(1520): _call_impl");
        m_builder.leaf("<built-in method _get_tracing_state of PyCapsule object at 0x", 1'100);
        m_builder.enter("megatron/core/transformer/transformer_layer.py(158): forward");
        m_builder.openScope("transformer_layer");
        for (const Stage& stage : m_model.layer) {
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
    void reduceBucket(std::uint64_t bytes, bool last) {
        if (!last || m_model.shape.dataParallel < 2 || bytes == 0) return;
        m_reduced.push_back(m_stages.allReduce(kDataParallelSlot, bytes / 2, bytes));
        if (m_extras.waitsForReductions) m_stages.waitForReduced(m_reduced.back());
        m_builder.launch("destroy_event", {m_builder.text("Dequeue@destroy_event"),
                                           m_builder.text("aclrtDestroyEvent"),
                                           kNoText,
                                           ApiMode::Rts,
                                           {},
                                           {}});
    }

    void backward(bool last) {
        m_builder.enter("torch/_tensor.py(428): backward");
        m_builder.enter("torch/autograd/__init__.py(106): backward");
        m_builder.leaf("<built-in method ones_like of type object at 0x", 9'000);
        m_builder.enter("<built-in method run_backward of torch._C._EngineBase object at 0x");
        m_builder.useThread(HostThread::Autograd);
        m_builder.hostApi("aclrtSetCurrentContext", 3'000);
        const std::size_t layerStages = m_model.layer.size();
        std::size_t inLayer = 0;
        std::uint64_t bucket = 0;
        // Saved in the order of the forward pass: embedding, layers, final norm, head, loss.
        const std::size_t behindLayers = 2 + m_model.loss.size();
        for (std::size_t i = m_saved.size(); i-- > 0;) {
            m_stages.backward(m_saved[i]);
            bucket += bytesOf(m_saved[i].stage->parameters);
            const bool inside = i > 0 && i < m_saved.size() - behindLayers;
            if (inside) ++inLayer;
            const bool layerDone = inside && inLayer == layerStages;
            if (layerDone || i == 0 || i == m_saved.size() - behindLayers) {
                reduceBucket(bucket, last);
                bucket = 0;
                inLayer = 0;
            }
        }
        for (const std::uint32_t event : m_reduced) m_stages.waitForReduced(event);
        m_builder.useThread(HostThread::Main);
        m_builder.pause(20'000);
        m_builder.leave();
        m_builder.leave();
        m_builder.leave();
    }

    struct ForeachOp {
        const char* op;
        const char* api;
        const char* type;
        std::uint32_t lists;  ///< Tensor lists that it reads.
        bool allocates;
    };

    /// One operator over all parameters; the device takes a few dozen tensors at a time.
    void foreachOp(const ForeachOp& foreach, const std::vector<Tensor>& parameters) {
        constexpr std::size_t kTensorsPerKernel = 24;
        const std::string name(foreach.op);
        m_builder.enter("<built-in method " + name + " of type object at 0x");
        std::string scalars = "TensorList";
        for (std::uint32_t i = 1; i < foreach.lists; ++i) scalars += ";\r\nTensorList";
        m_builder.openOp("aten::" + name, argumentsOf({}, scalars + ";\r\nScalar"), 40'000);
        for (const Tensor& parameter : parameters)
            m_builder.op("aten::result_type", argumentsOf({parameter}, "Scalar"), 6'000);
        std::vector<std::uint32_t> blocks;
        Call call{{}, {}, {}, foreach.api, {}};
        for (std::size_t i = 0; i < parameters.size(); i += kTensorsPerKernel) {
            const std::vector<Tensor> part(
                parameters.begin() + static_cast<std::ptrdiff_t>(i),
                parameters.begin() + static_cast<std::ptrdiff_t>(std::min(i + kTensorsPerKernel, parameters.size())));
            std::vector<Tensor> inputs;
            for (std::uint32_t list = 0; list < foreach.lists; ++list)
                inputs.insert(inputs.end(), part.begin(), part.end());
            if (foreach.allocates) {
                for (const Tensor& tensor : part) blocks.push_back(m_builder.allocate("aten::" + name, tensor.bytes()));
            }
            call.kernels.push_back(
                elementwise(std::string(foreach.api).substr(5), foreach.type, std::move(inputs), part));
        }
        m_builder.launch(foreach.api, launchOf(m_builder, call));
        m_builder.closeOp();
        m_builder.leave();
        for (const std::uint32_t block : blocks) m_builder.release(block);
    }

    void optimize() {
        static constexpr ForeachOp kOps[] = {
            {"_foreach_mul_", "aclnnForeachMulScalarV2", "ForeachMulScalar", 1, false},
            {"_foreach_lerp_", "aclnnForeachLerpScalar", "ForeachLerpScalar", 2, false},
            {"_foreach_addcmul_", "aclnnForeachAddcmulScalarV2", "ForeachAddcmulScalar", 3, false},
            {"_foreach_sqrt", "aclnnForeachSqrt", "ForeachSqrt", 1, true},
            {"_foreach_add_", "aclnnForeachAddListV2", "ForeachAddList", 2, false},
            {"_foreach_addcdiv_", "aclnnForeachAddcdivScalarV2", "ForeachAddcdivScalar", 3, false}};
        const std::vector<Tensor> parameters = m_model.parameters();
        m_builder.enter("torch/optim/lr_scheduler.py(68): wrapper");
        m_builder.enter("torch/optim/optimizer.py(361): wrapper");
        m_builder.openScope("Optimizer.step#AdamW.step");
        m_builder.enter("torch/optim/optimizer.py(70): _use_grad");
        m_builder.enter("torch/optim/adamw.py(162): step");
        m_builder.enter("torch/optim/adamw.py(114): _init_group");
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            m_builder.leaf("<built-in method append of list object at 0x", 250);
            m_builder.leaf("torch/_tensor.py(1002): __hash__", 900);
        }
        m_builder.leave();
        m_builder.enter("torch/optim/adamw.py(292): adamw");
        m_builder.enter("torch/optim/adamw.py(462): _multi_tensor_adamw");
        m_builder.leaf("torch/optim/optimizer.py(384): _group_tensors_by_device_and_dtype", 60'000);
        for (const ForeachOp& foreach : kOps) foreachOp(foreach, parameters);
        for (int i = 0; i < 4; ++i) m_builder.leave();
        m_builder.closeScope();
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
        for (const std::uint32_t tensor : m_outputs) m_builder.keepAtTheEnd(tensor);
    }

    const Model& m_model;
    const ProgramExtras& m_extras;
    ProgramBuilder m_builder;
    StageEmitter m_stages;
    std::vector<SavedStage> m_saved;
    std::vector<std::uint32_t> m_outputs;  ///< Blocks that live until the end of the unit.
    std::vector<std::uint32_t> m_reduced;  ///< Events of reduced buckets.
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
    const Model model{
        shape, embeddingStage(shape), layerStages(shape), finalNormStage(shape), headStage(shape), lossStages(shape)};
    for (const bool first : {false, true}) {
        for (const bool last : {false, true}) {
            const bool used = shape.microBatches == 1 ? first && last : shape.microBatches > 2 || first != last;
            if (!used || (shape.microBatches > 1 && first && last)) continue;
            UnitWriter(model, extras, run, run.units[RunProgram::unitVariant(first, last)]).write(first, last);
        }
    }
    return run;
}

}  // namespace altiscope::generate
