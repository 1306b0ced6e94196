#include "core/generate/model_stage.h"

namespace altiscope::generate {

namespace {

constexpr std::uint64_t kFlopPerNs = 200'000;

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

/// A linear layer without bias from `inputs` to `outputs` features.
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

Stage rotaryStage(const ModelShape& shape, std::uint32_t heads) {
    const Tensor input{{shape.sequence, 1, heads, shape.hidden / shape.heads}};
    const Tensor angles{{shape.sequence, 1, 1, shape.hidden / shape.heads}};
    Stage stage;
    stage.frame = "megatron/core/models/common/embeddings/rotary_pos_embedding.py(178): apply_rotary_pos_emb";
    stage.function = "<built-in method npu_rotary_mul of PyCapsule object at 0x";
    stage.forward = {
        "npu::npu_rotary_mul",
        {input, angles, angles},
        {},
        "aclnnRotaryPositionEmbedding",
        {elementwise("RotaryPositionEmbedding", "RotaryPositionEmbedding", {input, angles, angles}, {input})}};
    stage.forward.tiling = true;
    stage.result = input;
    stage.node = "NpuRotaryMulBackward0";
    stage.backward = {{"npu::npu_rotary_mul_backward",
                       {input, input, angles, angles},
                       {},
                       "aclnnRotaryPositionEmbeddingGrad",
                       {elementwise("RotaryPositionEmbeddingGrad", "RotaryPositionEmbeddingGrad",
                                    {input, angles, angles}, {input})}}};
    return stage;
}

Stage attentionStage(const ModelShape& shape, std::uint32_t heads) {
    const Tensor qkv{{shape.sequence, 1, heads * (shape.hidden / shape.heads)}};
    const Tensor softmax{{1, heads, shape.sequence, 8}, ElementType::Float};
    // Two multiplications over the lower triangle.
    const std::uint64_t flop = 2ULL * shape.sequence * shape.sequence * qkv.dims.back();
    const auto forwardNs = static_cast<std::int64_t>(flop / (kFlopPerNs * 7 / 10));
    Stage stage;
    stage.module = "FlashSelfAttention";
    stage.frame = "megatron/core/transformer/dot_product_attention.py(103): forward";
    stage.function = "<built-in method npu_fusion_attention of PyCapsule object at 0x";
    stage.forward = {"npu::npu_fusion_attention",
                     {qkv, qkv, qkv},
                     "Scalar;\r\nNone;\r\nNone;\r\nScalar",
                     "aclnnFlashAttentionScore",
                     {{"FlashAttentionScore",
                       "FlashAttentionScore",
                       CoreKind::MixCube,
                       {qkv, qkv, qkv},
                       {softmax, softmax, qkv},
                       forwardNs}}};
    stage.forward.tiling = true;
    stage.forward.scratchBytes = 32ULL << 20;
    stage.result = qkv;
    stage.node = "NpuFusionAttentionBackward0";
    Call backward{"npu::npu_fusion_attention_grad",
                  {qkv, qkv, qkv, qkv, softmax, softmax},
                  "Scalar;\r\nScalar",
                  "aclnnFlashAttentionScoreGrad",
                  {{"FlashAttentionScoreGrad",
                    "FlashAttentionScoreGrad",
                    CoreKind::MixCube,
                    {qkv, qkv, qkv, qkv},
                    {qkv, qkv, qkv},
                    forwardNs * 5 / 2}}};
    backward.scratchBytes = 3 * qkv.bytes();
    stage.backward = {backward};
    return stage;
}

Stage dropoutStage(const ModelShape& shape) {
    const Tensor input{{shape.sequence, shape.hidden}};
    const Tensor mask{{shape.sequence * shape.hidden / 8}, ElementType::UInt8};
    Stage stage;
    stage.module = "Dropout";
    stage.frame = "torch/nn/modules/dropout.py(57): forward";
    stage.function = "<built-in function dropout>";
    stage.outerOp = "npu::_npu_dropout";
    stage.forward = {"npu::_npu_dropout_do_mask",
                     {input, mask},
                     "Scalar",
                     "aclnnDropoutDoMask",
                     {elementwise("DropoutDoMaskAiCore", "DropOutDoMask", {input, mask}, {input})}};
    stage.result = input;
    stage.node = "NpuDropoutBackward0";
    stage.backward = {{"npu::npu_dropout_backward",
                       {input, mask},
                       "Scalar",
                       "aclnnDropoutDoMask",
                       {elementwise("DropoutDoMaskAiCore", "DropOutDoMask", {input, mask}, {input})}}};
    stage.drawsMask = true;
    return stage;
}

/// An operator that combines tensors of one shape; its gradient launches `gradientKernels`.
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

}  // namespace

std::vector<Stage> layerStages(const ModelShape& shape) {
    const std::uint32_t heads = shape.heads / shape.tensorParallel;
    const std::uint32_t width = shape.hidden / shape.tensorParallel;
    const std::uint32_t feedForward = shape.feedForward / shape.tensorParallel;
    const Tensor gate{{shape.sequence, feedForward}};
    std::vector<Stage> stages{normStage(shape),
                              linearStage(shape, shape.hidden, 3 * width),
                              rotaryStage(shape, heads),
                              rotaryStage(shape, heads),
                              attentionStage(shape, heads),
                              linearStage(shape, width, shape.hidden),
                              dropoutStage(shape),
                              residualStage(shape),
                              normStage(shape),
                              linearStage(shape, shape.hidden, 2 * feedForward),
                              siluStage(gate),
                              productStage(gate),
                              linearStage(shape, feedForward, shape.hidden),
                              residualStage(shape)};
    if (shape.tensorParallel > 1) {
        // Row parallel results are sums over the group; so are the gradients behind column parallel layers.
        for (const std::size_t row : {5U, 12U}) stages[row].reducesForward = true;
        for (const std::size_t column : {1U, 9U}) stages[column].reducesBackward = true;
    }
    return stages;
}

Stage embeddingStage(const ModelShape& shape) {
    const Tensor table{{shape.vocabulary / shape.tensorParallel, shape.hidden}};
    const Tensor tokens{{1, shape.sequence}, ElementType::Int64};
    const Tensor result{{shape.sequence, shape.hidden}};
    Stage stage;
    stage.module = "Embedding";
    stage.frame = "torch/nn/modules/sparse.py(162): forward";
    stage.function = "<built-in method embedding of type object at 0x";
    stage.outerOp = "aten::embedding";
    stage.forward = {"aten::index_select",
                     {table, tokens},
                     "Scalar",
                     "aclnnEmbedding",
                     {elementwise("GatherV2AiCore", "GatherV2", {result, tokens}, {result})}};
    stage.result = result;
    stage.node = "EmbeddingBackward0";
    Call backward{"aten::embedding_dense_backward",
                  {result, tokens},
                  "Scalar;\r\nScalar;\r\nScalar",
                  "EmbeddingDenseGrad",
                  {elementwise("trans_TransData_1", "TransData", {result}, {result}),
                   elementwise("EmbeddingDenseGrad1", "EmbeddingDenseGrad", {result, tokens}, {table})}};
    backward.compiled = true;
    stage.backward = {backward};
    stage.parameters = {table};
    return stage;
}

Stage finalNormStage(const ModelShape& shape) { return normStage(shape); }

Stage headStage(const ModelShape& shape) {
    return linearStage(shape, shape.hidden, shape.vocabulary / shape.tensorParallel);
}

std::vector<Stage> lossStages(const ModelShape& shape) {
    const Tensor logits{{shape.sequence, shape.vocabulary / shape.tensorParallel}};
    const Tensor targets{{shape.sequence}, ElementType::Int64};
    const Tensor loss{{}, ElementType::Float};
    Stage softmax = pointwiseStage(
        "torch/nn/functional.py(1912): log_softmax", "<built-in method log_softmax of Tensor object at 0x",
        {"aten::_log_softmax",
         {logits},
         "Scalar;\r\nScalar",
         "aclnnLogSoftmax",
         {elementwise("LogSoftmaxAiCore", "LogSoftmaxV2", {logits}, {logits})}},
        "LogSoftmaxBackward0",
        {{"aten::_log_softmax_backward_data",
          {logits, logits},
          "Scalar;\r\nScalar",
          "aclnnLogSoftmaxBackward",
          {elementwise("LogSoftmaxGradAiCore", "LogSoftmaxGrad", {logits, logits}, {logits})}}});
    softmax.outerOp = "aten::log_softmax";
    Call forward{"aten::nll_loss_forward",
                 {logits, targets},
                 "None;\r\nScalar;\r\nScalar",
                 "aclnnNLLLoss",
                 {{"NLLLossAiCore", "MemSet", CoreKind::Vector, {}, {}, 9'000},
                  elementwise("NLLLossAiCore", "NLLLoss", {targets, targets}, {loss})}};
    forward.kernels.back().core = CoreKind::MixVector;
    Stage nll = pointwiseStage("torch/nn/functional.py(3014): cross_entropy", "<built-in function nll_loss>",
                               std::move(forward), "NllLossBackward0",
                               {{"aten::nll_loss_backward",
                                 {loss, logits, targets},
                                 "None;\r\nScalar;\r\nScalar",
                                 "aclnnNLLLossBackward",
                                 {elementwise("NLLLossGradAiCore", "NLLLossGrad", {targets}, {logits})}}});
    nll.outerOp = "aten::nll_loss";
    nll.result = loss;
    return {softmax, nll};
}

}  // namespace altiscope::generate
