#include "core/generate/model/trained_model.h"
#include "core/generate/model/transformer_parts.h"

#include <array>
#include <utility>

namespace altiscope::generate {

namespace {

/// Feature maps between two stages: single precision, in the framework's layout.
struct Images {
    std::uint32_t count = 0;
    std::uint32_t channels = 0;
    std::uint32_t side = 0;

    Tensor tensor() const { return {{count, channels, side, side}, ElementType::Float, TensorFormat::Nchw}; }
    /// As convolutions take it: channels in blocks of eight.
    Tensor blocked() const {
        return {{count, (channels + 7) / 8, side, side, 8}, ElementType::Float, TensorFormat::Nc1hwc0};
    }
    /// As pooling takes it: channels in blocks of sixteen.
    Tensor blockedForPooling() const {
        return {{count, (channels + 15) / 16, side, side, 16}, ElementType::Float, TensorFormat::Nc1hwc0};
    }
};

struct Window {
    std::uint32_t side = 1;
    std::uint32_t stride = 1;
};

/// Makes the stages of a residual network one after the other; each begins with what the one before gave. Names and
/// layouts are those of a convolution network in torch_npu's captures at level 1.
class ResnetStages {
public:
    explicit ResnetStages(const Images& images) : m_now(images) {}

    const Images& now() const { return m_now; }
    std::vector<Stage> take() { return std::exchange(m_stages, {}); }

    void convolution(std::uint32_t channels, const Window& window) { convolve(channels, window, m_now); }

    void batchNorm() {
        const Tensor x = m_now.tensor();
        const Tensor perChannel{{m_now.channels}, ElementType::Float};
        Stage stage = moduleStage("BatchNorm2d", "torch/nn/modules/batchnorm.py(138): forward", "batch_norm");
        stage.outerOp = "aten::batch_norm";
        stage.forward = {
            "aten::native_batch_norm",
            {x, perChannel, perChannel, perChannel, perChannel},
            "Scalar;\r\nScalar;\r\nScalar",
            "aclnnBatchNorm",
            {elementwise("BNTrainingReduce", "BNTrainingReduce", {x}, {perChannel, perChannel}),
             elementwise("BNTrainingUpdate", "BNTrainingUpdate", {x, perChannel, perChannel, perChannel, perChannel},
                         {x, perChannel, perChannel, perChannel, perChannel})}};
        stage.node = "NativeBatchNormBackward0";
        stage.backward = {{"aten::native_batch_norm_backward",
                           {x, x, perChannel, perChannel, perChannel, perChannel, perChannel},
                           "Scalar;\r\nScalar;\r\nScalarList",
                           "aclnnBatchNormBackward",
                           {elementwise("BNTrainingUpdateGrad", "BNTrainingUpdateGrad", {x, x, perChannel, perChannel},
                                        {perChannel, perChannel}),
                            elementwise("BNTrainingReduceGrad", "BNTrainingReduceGrad",
                                        {x, x, perChannel, perChannel, perChannel, perChannel, perChannel}, {x})}}};
        stage.parameters = {perChannel, perChannel};
        add(std::move(stage));
    }

    void relu() {
        const Tensor x = m_now.tensor();
        Stage stage = moduleStage("ReLU", "torch/nn/modules/activation.py(100): forward", "relu_");
        stage.forward = {"aten::relu_", {x}, {}, "aclnnInplaceRelu", {elementwise("Relu", "Relu", {x}, {x})}};
        stage.node = "ReluBackward0";
        stage.backward = {{"aten::threshold_backward",
                           {x, x},
                           "Scalar",
                           "aclnnThresholdBackward",
                           {elementwise("ReluGrad", "ReluGrad", {x, x}, {x})}}};
        add(std::move(stage));
    }

    void maxPool() {
        const Images before = m_now;
        m_now.side = (m_now.side + 1) / 2;
        const Tensor x = before.blockedForPooling();
        const Tensor y = m_now.blockedForPooling();
        const Tensor places{{y.dims[0], y.dims[1], 9, m_now.side * m_now.side / 16 + 1, 16},
                            ElementType::UInt16,
                            TensorFormat::Nc1hwc0};
        const auto layout = [](const Tensor& from, const Tensor& to) {
            return elementwise("TransDataSpecial", "TransData", {from}, {to});
        };
        Stage stage = moduleStage("MaxPool2d", "torch/nn/modules/pooling.py(165): forward", "max_pool2d");
        stage.outerOp = "aten::max_pool2d";
        stage.forward = {"aten::max_pool2d_with_indices",
                         {before.tensor()},
                         "ScalarList;\r\nScalarList;\r\nScalarList;\r\nScalarList;\r\nScalar",
                         "aclnnMaxPool2dWithMask",
                         {layout(before.tensor(), x),
                          elementwise("MaxPoolWithArgmaxV1AiCore", "MaxPoolWithArgmaxV1", {x}, {y, places}),
                          layout(y, m_now.tensor())}};
        stage.node = "MaxPool2DWithIndicesBackward0";
        stage.backward = {
            {"aten::max_pool2d_with_indices_backward",
             {m_now.tensor(), before.tensor(), places},
             "ScalarList;\r\nScalarList;\r\nScalarList;\r\nScalarList;\r\nScalar",
             "aclnnMaxPool2dWithMaskBackward",
             {layout(m_now.tensor(), y), layout(before.tensor(), x),
              elementwise("MaxPoolGradWithArgmaxV1AiCore", "MaxPoolGradWithArgmaxV1", {x, y, places}, {x}),
              layout(x, before.tensor())}}};
        add(std::move(stage));
    }

    /// Three convolutions, and the input added to what they give; the input is brought to their shape where it differs.
    void bottleneck(std::uint32_t width, std::uint32_t stride) {
        const Images input = m_now;
        for (const auto& [channels, window] :
             {std::pair(width, Window{}), std::pair(width, Window{3, stride}), std::pair(4 * width, Window{})}) {
            convolution(channels, window);
            batchNorm();
            if (channels == width) relu();
        }
        if (input.channels != m_now.channels || input.side != m_now.side) {
            convolve(4 * width, {1, stride}, input);
            batchNorm();
        }
        const Tensor x = m_now.tensor();
        Stage sum;
        sum.frame = "torchvision/models/resnet.py(160): forward";
        sum.function = "<built-in method add_ of Tensor object at 0x";
        sum.forward = {
            "aten::add_", {x, x}, "Scalar", "aclnnInplaceAdd", {elementwise("AddAiCore", "Add", {x, x}, {x})}};
        sum.node = "AddBackward0";
        add(std::move(sum));
        relu();
    }

    void averagePool() {
        const Tensor x = m_now.tensor();
        m_now.side = 1;
        const Tensor y = m_now.tensor();
        Stage stage =
            moduleStage("AdaptiveAvgPool2d", "torch/nn/modules/pooling.py(1194): forward", "adaptive_avg_pool2d");
        stage.outerOp = "aten::adaptive_avg_pool2d";
        stage.forward = {"aten::mean",
                         {x},
                         "ScalarList;\r\nScalar;\r\nNone",
                         "aclnnMean",
                         {elementwise("ReduceMeanAiCore", "ReduceMean", {x}, {y})}};
        stage.forward.kernels.front().core = CoreKind::MixVector;
        stage.node = "MeanBackward1";
        stage.backward = {
            {"aten::div", {x}, "Scalar", "aclnnDivs", {elementwise("RealDivAiCore", "RealDiv", {x}, {x})}}};
        add(std::move(stage));
    }

    void classify(std::uint32_t classes) {
        const Tensor x{{m_now.count, m_now.channels}, ElementType::Float};
        const Tensor weights{{classes, m_now.channels}, ElementType::Float};
        const Tensor bias{{classes}, ElementType::Float};
        const Tensor y{{m_now.count, classes}, ElementType::Float};
        const auto product = [](std::string infix, std::vector<Tensor> inputs, const Tensor& output) {
            // Few rows: reading the weights takes longer than multiplying.
            KernelDraft draft = elementwise(std::move(infix), "MatMulV2", std::move(inputs), {output});
            draft.core = CoreKind::Cube;
            return draft;
        };
        Stage stage = moduleStage("Linear", "torch/nn/modules/linear.py(113): forward", "linear");
        stage.outerOp = "aten::linear";
        stage.forward = {"aten::addmm",
                         {bias, x, weights},
                         "Scalar;\r\nScalar",
                         "aclnnAddmm",
                         {product("MatMulCommon", {x, weights, bias}, y)}};
        stage.result = y;
        stage.node = "AddmmBackward0";
        stage.backward = {{"aten::mm", {y, weights}, {}, "aclnnMm", {product("MatMulCommon", {y, weights}, x)}},
                          {"aten::mm", {y, x}, {}, "aclnnMm", {product("MatMulCommon", {y, x}, weights)}},
                          {"aten::sum",
                           {y},
                           "ScalarList;\r\nScalar;\r\nNone",
                           "aclnnReduceSum",
                           {elementwise("ReduceSumOpAiCore", "ReduceSum", {y}, {bias})}}};
        stage.backward.back().kernels.front().core = CoreKind::MixVector;
        stage.parameters = {weights, bias};
        m_stages.push_back(std::move(stage));
    }

private:
    static Stage moduleStage(std::string module, std::string frame, const std::string& function) {
        Stage stage;
        stage.module = std::move(module);
        stage.frame = std::move(frame);
        stage.function = "<built-in method " + function + " of type object at 0x";
        return stage;
    }

    void add(Stage stage) {
        stage.result = m_now.tensor();
        m_stages.push_back(std::move(stage));
    }

    /// Into another layout, by an operator of the graph engine.
    KernelDraft transData(const Tensor& from, const Tensor& to) {
        return elementwise("trans_TransData_" + std::to_string(m_transforms++), "TransData", {from}, {to});
    }

    KernelDraft cubeKernel(const std::string& type, std::vector<Tensor> inputs, Tensor output, std::uint64_t flop) {
        constexpr std::uint64_t kSingleFlopPerNs = 80'000;
        return {type + std::to_string(++m_compiled),
                type,
                CoreKind::Cube,
                std::move(inputs),
                {std::move(output)},
                static_cast<std::int64_t>(flop / kSingleFlopPerNs) + 12'000};
    }

    /// @param from  A copy, since m_now may be what comes in.
    void convolve(std::uint32_t channels, const Window& window, Images from) {
        m_now = {from.count, channels, (from.side + window.stride - 1) / window.stride};
        const std::uint32_t area = window.side * window.side;
        const std::uint64_t flop = 2ULL * m_now.count * channels * from.channels * area * m_now.side * m_now.side;
        const Tensor weights{
            {channels, from.channels, window.side, window.side}, ElementType::Float, TensorFormat::Nchw};
        const Tensor fractal{{area * ((from.channels + 7) / 8), (channels + 15) / 16, 16, 8},
                             ElementType::Float,
                             TensorFormat::FractalZ};
        const Tensor x = from.tensor();
        const Tensor y = m_now.tensor();
        const auto call = [](std::string op, std::vector<Tensor> inputs, std::string type,
                             std::vector<KernelDraft> kernels) {
            Call made{std::move(op), std::move(inputs),
                      "None;\r\nScalarList;\r\nScalarList;\r\nScalarList;\r\nScalar;\r\nScalarList;\r\nScalar",
                      std::move(type), std::move(kernels)};
            made.compiled = true;
            return made;
        };
        Stage stage = moduleStage("Conv2d", "torch/nn/modules/conv.py(459): forward", "conv2d");
        stage.outerOp = "aten::conv2d";
        stage.forward = call("aten::convolution", {x, weights}, "Conv2D",
                             {transData(x, from.blocked()), transData(weights, fractal),
                              cubeKernel("Conv2D", {from.blocked(), fractal}, m_now.blocked(), flop),
                              transData(m_now.blocked(), y)});
        stage.node = "ConvolutionBackward0";
        stage.backward = {call("aten::convolution_backward", {y, x, weights}, "Conv2DBackpropInput",
                               {transData(weights, fractal), transData(y, m_now.blocked()),
                                cubeKernel("Conv2DBackpropInput", {fractal, m_now.blocked()}, from.blocked(), flop),
                                transData(from.blocked(), x)}),
                          call("aten::convolution_backward", {y, x, weights}, "Conv2DBackpropFilter",
                               {transData(x, from.blocked()), transData(y, m_now.blocked()),
                                cubeKernel("Conv2DBackpropFilter", {from.blocked(), m_now.blocked()}, fractal, flop),
                                transData(fractal, weights)})};
        stage.parameters = {weights};
        add(std::move(stage));
    }

    Images m_now;
    std::vector<Stage> m_stages;
    std::uint32_t m_transforms = 0;
    std::uint32_t m_compiled = 0;
};

/// Blocks of the same width, and of how many in ResNet-50 they are.
struct Group {
    std::uint32_t width;
    std::uint32_t end;  ///< Of its blocks, among sixteen.
};
constexpr std::array<Group, 4> kGroups{{{64, 3}, {128, 7}, {256, 13}, {512, 16}}};

/// Group of a block: a network of another depth has groups in the same proportion.
std::size_t groupOf(std::uint32_t block, std::uint32_t blocks) {
    const std::uint32_t place = (2 * block + 1) * kGroups.back().end / (2 * blocks);
    std::size_t group = 0;
    while (place >= kGroups[group].end) ++group;
    return group;
}

}  // namespace

TrainedModel resnetModel(const ModelShape& shape) {
    TrainedModel model;
    model.module = "ResNet_0";
    model.frame = "torchvision/models/resnet.py(284): forward";
    model.gradients = ElementType::Float;
    model.optimizer = Optimizer::Sgd;
    model.trainer = "train.py(187): train";
    model.logValues = "train.py(203): log_values";
    model.logOneValue = "train.py(31): update";
    const Images images{shape.images, 3, shape.imageSide};
    model.batch = {{"train.py(112): to_device", images.tensor()},
                   {"train.py(113): to_device", {{shape.images}, ElementType::Int64}}};

    ResnetStages stages(images);
    stages.convolution(64, {7, 2});
    stages.batchNorm();
    stages.relu();
    stages.maxPool();
    model.parts.push_back({stages.take()});
    for (std::uint32_t block = 0; block < shape.layers; ++block) {
        const std::size_t group = groupOf(block, shape.layers);
        const bool narrows = block > 0 && group > 0 && groupOf(block - 1, shape.layers) != group;
        stages.bottleneck(kGroups[group].width, narrows ? 2 : 1);
        model.parts.push_back({stages.take(), "Bottleneck_" + std::to_string(block), block + 1,
                               "torchvision/models/resnet.py(143): forward"});
    }
    stages.averagePool();
    stages.classify(shape.classes);
    model.parts.push_back({stages.take()});
    model.loss = lossStages({{shape.images, shape.classes}, ElementType::Float});
    return model;
}

}  // namespace altiscope::generate
