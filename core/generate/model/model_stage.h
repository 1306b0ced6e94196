#pragma once

#include "core/generate/model/program_builder.h"
#include "core/generate/support/run_conditions.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::generate {

/// Sizes of the model that is trained, as one rank sees it.
struct ModelShape {
    std::uint32_t layers = 4;         ///< Layers of the whole model; bottleneck blocks of a residual network.
    std::uint32_t microBatches = 1;   ///< Units of a step.
    std::uint32_t batchesOfUnit = 1;  ///< Micro-batches of each, after which a pipeline is empty again.
    std::uint32_t tensorParallel = 1;
    std::uint32_t dataParallel = 1;
    std::uint32_t pipelineParallel = 1;  ///< Stages, each with the same number of layers.
    /// Ranks that share the experts of a layer; above 1 every second layer has experts.
    std::uint32_t expertParallel = 1;
    std::uint32_t expertDataParallel = 1;  ///< Ranks that hold the same experts.
    std::uint32_t sequence = 4096;         ///< Tokens of a micro-batch.
    std::uint32_t hidden = 4096;
    std::uint32_t feedForward = 11'008;
    std::uint32_t heads = 32;
    std::uint32_t vocabulary = 32'000;
    std::uint32_t experts = 8;  ///< Of a layer that has some; each token goes to one of them.
    std::uint32_t expertFeedForward = 8'192;
    ModelKind kind = ModelKind::Transformer;
    std::uint32_t images = 32;  ///< Of a micro-batch of a residual network.
    std::uint32_t imageSide = 224;
    std::uint32_t classes = 1'000;

    std::uint32_t layersOfStage() const { return layers / pipelineParallel; }
    /// @param layer  Of the whole model.
    bool hasExperts(std::uint32_t layer) const { return expertParallel > 1 && layer % 2 == 1; }
};

enum class ElementType : std::uint8_t { Half, Float, Int64, UInt8, Bool, UInt16 };
enum class TensorFormat : std::uint8_t { Nd, Nchw, Nc1hwc0, FractalZ };

struct Tensor {
    std::vector<std::uint32_t> dims;
    ElementType type = ElementType::Half;
    TensorFormat format = TensorFormat::Nd;  ///< As kernels see it.

    std::uint64_t elements() const;
    std::uint64_t bytes() const;
};

/// One kernel of a call: `{api}_{infix}_{type}` on the device.
struct KernelDraft {
    std::string infix;
    std::string type;
    CoreKind core = CoreKind::Vector;
    std::vector<Tensor> inputs;
    std::vector<Tensor> outputs;
    std::int64_t typicalNs = 0;
};

/// One framework operator that launches kernels.
struct Call {
    std::string op;  ///< "aten::mm"
    std::vector<Tensor> inputs;
    std::string scalars;  ///< Types of the arguments that are no tensors: "Scalar;\r\nNone".
    std::string api;      ///< "aclnnMm"; with `compiled` an operator type of the graph engine ("ReduceSum").
    std::vector<KernelDraft> kernels;
    std::uint64_t scratchBytes = 0;
    bool compiled = false;  ///< Goes through aclopCompileAndExecute instead of a two-stage API.
    bool tiling = false;
    bool transposes = false;  ///< Views its second input transposed first.
};

/// A step of the forward pass and what autograd does for it on the way back.
struct Stage {
    std::string module;    ///< Class of the nn.Module; empty: called by the layer itself.
    std::string frame;     ///< "torch/nn/modules/linear.py(114): forward"
    std::string function;  ///< "<built-in function linear>"
    std::string outerOp;   ///< Operator around `forward`; empty: none.
    Call forward;
    Tensor result;
    std::string node;  ///< "MmBackward0"
    std::vector<Call> backward;
    std::vector<Tensor> parameters;
    bool drawsMask = false;        ///< Dropout: a mask is drawn on the stream of random numbers.
    bool reducesForward = false;   ///< Its result is summed over the tensor parallel group.
    bool reducesBackward = false;  ///< The gradient of its input is.
    bool exchanges = false;  ///< Its result goes to the ranks that have the experts, or back; so does the gradient.
    bool ofExpert = false;   ///< Its parameters are those of experts, which other ranks hold others of.
};

/// Stages of the transformer. Kernel times follow from work and size: 200 TFLOP/s, 1.1 TB/s.
std::vector<Stage> layerStages(const ModelShape& shape);
/// A layer whose feed-forward part is shared between experts on several ranks.
std::vector<Stage> expertLayerStages(const ModelShape& shape);
Stage embeddingStage(const ModelShape& shape);
Stage finalNormStage(const ModelShape& shape);
Stage headStage(const ModelShape& shape);
/// @param logits  Rows by classes.
std::vector<Stage> lossStages(const Tensor& logits);

/// "1,4096;\r\n;\r\n" and the types beside it, for tensors followed by the arguments that are none.
OpArguments argumentsOf(const std::vector<Tensor>& tensors, std::string_view scalars);

/// A kernel that reads and writes memory and computes little.
KernelDraft elementwise(std::string infix, std::string type, std::vector<Tensor> inputs, std::vector<Tensor> outputs);

/// The launch of a call: its API and kernels, registered with the builder.
LaunchSpec launchOf(ProgramBuilder& builder, const Call& call);

}  // namespace altiscope::generate
