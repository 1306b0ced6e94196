#include "core/generate/model/transformer_parts.h"

namespace altiscope::generate {

namespace {

/// One kernel that multiplies [m, k] by [k, n].
KernelDraft matmulKernel(std::uint32_t m, std::uint32_t k, std::uint32_t n) {
    const std::uint64_t flop = 2ULL * m * k * n;
    return {"MatMulCommon",       "MatMulV2", CoreKind::Cube,
            {{{m, k}}, {{k, n}}}, {{{m, n}}}, static_cast<std::int64_t>(flop / kFlopPerNs) + 4'000};
}

Call matmulCall(std::uint32_t m, std::uint32_t k, std::uint32_t n) {
    Call call{"aten::mm", {{{m, k}}, {{k, n}}}, {}, "aclnnMm", {matmulKernel(m, k, n)}};
    call.transposes = true;
    return call;
}

}  // namespace

Stage linearStage(const ModelShape& shape, std::uint32_t inputs, std::uint32_t outputs) {
    Stage stage;
    stage.module = "Linear";
    stage.frame = "torch/nn/modules/linear.py(113): forward";
    stage.function = "<built-in function linear>";
    stage.outerOp = "aten::linear";
    stage.forward = matmulCall(shape.sequence, inputs, outputs);
    stage.result = {{shape.sequence, outputs}};
    stage.node = "MmBackward0";
    stage.backward = {matmulCall(shape.sequence, outputs, inputs), matmulCall(outputs, shape.sequence, inputs)};
    stage.parameters = {{{outputs, inputs}}};
    return stage;
}

Stage normStage(const ModelShape& shape) {
    const Tensor input{{shape.sequence, shape.hidden}};
    const Tensor gamma{{shape.hidden}};
    const Tensor deviation{{shape.sequence, 1}, ElementType::Float};
    Stage stage;
    stage.module = "RMSNorm";
    stage.frame = "megatron/legacy/model/rms_norm.py(42): forward";
    stage.function = "<built-in method npu_rms_norm of PyCapsule object at 0x";
    stage.forward = {"npu::npu_rms_norm",
                     {input, gamma},
                     "Scalar",
                     "aclnnRmsNorm",
                     {elementwise("RmsNorm", "RmsNorm", {input, gamma}, {input, deviation})}};
    stage.result = input;
    stage.node = "NpuRmsNormBackward0";
    Call backward{"npu::npu_rms_norm_backward",
                  {input, input, gamma, deviation},
                  {},
                  "aclnnRmsNormGrad",
                  {elementwise("RmsNormGrad", "RmsNormGrad", {input, input, deviation}, {input, gamma})}};
    backward.scratchBytes = 2 * input.bytes();
    // The sum over tokens is an operator of the graph engine.
    Call sum{"aten::sum",
             {{{20, shape.hidden}, ElementType::Float}},
             "ScalarList;\r\nScalar;\r\nNone",
             "ReduceSum",
             {elementwise("ReduceSum1", "ReduceSum", {{{20, shape.hidden}, ElementType::Float}}, {gamma})}};
    sum.kernels.front().core = CoreKind::MixVector;
    sum.compiled = true;
    stage.backward = {backward, sum};
    stage.parameters = {gamma};
    return stage;
}

Stage pointwiseStage(std::string frame, std::string function, Call forward, std::string node,
                     std::vector<Call> backward) {
    Stage stage;
    stage.frame = std::move(frame);
    stage.function = std::move(function);
    stage.result = forward.inputs.front();
    stage.forward = std::move(forward);
    stage.node = std::move(node);
    stage.backward = std::move(backward);
    return stage;
}

Stage residualStage(const ModelShape& shape) {
    const Tensor input{{shape.sequence, shape.hidden}};
    return pointwiseStage(
        "megatron/core/fusions/fused_bias_dropout.py(17): _bias_dropout_add_func",
        "<built-in method add of Tensor object at 0x",
        {"aten::add", {input, input}, "Scalar", "aclnnAdd", {elementwise("AddAiCore", "Add", {input, input}, {input})}},
        "AddBackward0", {});
}

Stage siluStage(const Tensor& gate) {
    return pointwiseStage(
        "torch/nn/functional.py(2072): silu", "<built-in function silu>",
        {"aten::silu", {gate}, {}, "aclnnSilu", {elementwise("SwishAiCore", "Swish", {gate}, {gate})}}, "SiluBackward0",
        {{"aten::silu_backward",
          {gate, gate},
          {},
          "aclnnSiluBackward",
          {elementwise("SwishGradAiCore", "SwishGrad", {gate, gate, gate}, {gate})}}});
}

Stage productStage(const Tensor& gate) {
    const Call product{
        "aten::mul", {gate, gate}, {}, "aclnnMul", {elementwise("MulAiCore", "Mul", {gate, gate}, {gate})}};
    return pointwiseStage("megatron/core/transformer/mlp.py(119): glu", "<built-in method mul of Tensor object at 0x",
                          product, "MulBackward0", {product, product});
}

}  // namespace altiscope::generate
