#include "core/generate/model/transformer_parts.h"

namespace altiscope::generate {

namespace {

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
    // Two multiplications over the lower triangle, at seven tenths of the cores' speed.
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

}  // namespace

std::vector<Stage> attentionStages(const ModelShape& shape) {
    const std::uint32_t heads = shape.heads / shape.tensorParallel;
    const std::uint32_t width = shape.hidden / shape.tensorParallel;
    std::vector<Stage> stages{normStage(shape),
                              linearStage(shape, shape.hidden, 3 * width),
                              rotaryStage(shape, heads),
                              rotaryStage(shape, heads),
                              attentionStage(shape, heads),
                              linearStage(shape, width, shape.hidden),
                              dropoutStage(shape),
                              residualStage(shape)};
    // Row parallel results are sums over the group; so are the gradients after column parallel layers.
    stages[5].reducesForward = shape.tensorParallel > 1;
    stages[1].reducesBackward = shape.tensorParallel > 1;
    return stages;
}

std::vector<Stage> layerStages(const ModelShape& shape) {
    const std::uint32_t feedForward = shape.feedForward / shape.tensorParallel;
    const Tensor gate{{shape.sequence, feedForward}};
    std::vector<Stage> stages = attentionStages(shape);
    Stage widen = linearStage(shape, shape.hidden, 2 * feedForward);
    widen.reducesBackward = shape.tensorParallel > 1;
    Stage narrow = linearStage(shape, feedForward, shape.hidden);
    narrow.reducesForward = shape.tensorParallel > 1;
    for (const Stage& stage :
         {normStage(shape), widen, siluStage(gate), productStage(gate), narrow, residualStage(shape)})
        stages.push_back(stage);
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

std::vector<Stage> lossStages(const Tensor& logits) {
    const Tensor targets{{logits.dims.front()}, ElementType::Int64};
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
