#include "core/generate/model/transformer_parts.h"

namespace altiscope::generate {

namespace {

/// All experts of this rank at once: each multiplies the tokens that came to it.
Stage groupedLinearStage(const ModelShape& shape, std::uint32_t inputs, std::uint32_t outputs) {
    const std::uint32_t experts = shape.experts / shape.expertParallel;
    const Tensor tokens{{shape.sequence, inputs}};
    const Tensor weights{{experts, inputs, outputs}};
    const Tensor result{{shape.sequence, outputs}};
    const Tensor borders{{experts}, ElementType::Int64};
    const auto call = [&](const Tensor& left, const Tensor& right, const Tensor& product) {
        const std::uint64_t flop = 2ULL * shape.sequence * inputs * outputs;
        return Call{"npu::npu_grouped_matmul",
                    {left, right, borders},
                    "None;\r\nScalar;\r\nScalar",
                    "aclnnGroupedMatmulV4",
                    {{"GroupedMatmul",
                      "GroupedMatmul",
                      CoreKind::MixCube,
                      {left, right, borders},
                      {product},
                      static_cast<std::int64_t>(flop / kFlopPerNs) + 9'000}}};
    };
    Stage stage;
    stage.module = "GroupedMLP";
    stage.frame = "megatron/core/transformer/moe/experts.py(233): forward";
    stage.function = "<built-in method npu_grouped_matmul of PyCapsule object at 0x";
    stage.forward = call(tokens, weights, result);
    stage.result = result;
    stage.node = "NpuGroupedMatmulBackward0";
    stage.backward = {call(result, weights, tokens), call(tokens, result, weights)};
    stage.parameters = {weights};
    stage.ofExpert = true;
    return stage;
}

/// Tokens into the order of their experts, or back; the gradient goes the other way.
Stage permuteStage(const ModelShape& shape, const std::string& direction) {
    const Tensor tokens{{shape.sequence, shape.hidden}};
    const Tensor places{{shape.sequence}, ElementType::Int64};
    const auto call = [&](const std::string& op, const std::string& type) {
        return Call{
            op, {tokens, places}, "Scalar", "aclnn" + type, {elementwise(type, type, {tokens, places}, {tokens})}};
    };
    const std::string type = "MoeToken" + direction;
    const std::string op = direction == "Permute" ? "npu::npu_moe_token_permute" : "npu::npu_moe_token_unpermute";
    return pointwiseStage("megatron/core/transformer/moe/moe_utils.py(181): permute",
                          "<built-in method " + op.substr(5) + " of PyCapsule object at 0x", call(op, type),
                          "NpuMoeToken" + direction + "Backward0", {call(op + "_grad", type + "Grad")});
}

/// Which expert each token goes to.
std::vector<Stage> routerStages(const ModelShape& shape) {
    const Tensor scores{{shape.sequence, shape.experts}};
    const Tensor chosen{{shape.sequence, 1}, ElementType::Int64};
    Stage softmax = pointwiseStage("megatron/core/transformer/moe/router.py(204): aux_loss_load_balancing",
                                   "<built-in method softmax of type object at 0x",
                                   {"aten::_softmax",
                                    {scores},
                                    "Scalar;\r\nScalar",
                                    "aclnnSoftmax",
                                    {elementwise("SoftmaxV2", "SoftmaxV2", {scores}, {scores})}},
                                   "SoftmaxBackward0",
                                   {{"aten::_softmax_backward_data",
                                     {scores, scores},
                                     "Scalar;\r\nScalar",
                                     "aclnnSoftmaxBackward",
                                     {elementwise("SoftmaxGrad", "SoftmaxGrad", {scores, scores}, {scores})}}});
    softmax.outerOp = "aten::softmax";
    const Stage top = pointwiseStage("megatron/core/transformer/moe/moe_utils.py(262): topk_softmax_with_capacity",
                                     "<built-in method topk of type object at 0x",
                                     {"aten::topk",
                                      {scores},
                                      "Scalar;\r\nScalar;\r\nScalar;\r\nScalar",
                                      "aclnnTopk",
                                      {elementwise("TopKV2", "TopKV2", {scores}, {chosen})}},
                                     "TopkBackward0",
                                     {{"aten::scatter",
                                       {scores, chosen},
                                       "Scalar",
                                       "aclnnScatter",
                                       {elementwise("ScatterElementsV2", "ScatterElementsV2", {chosen}, {scores})}}});
    return {linearStage(shape, shape.hidden, shape.experts), softmax, top};
}

}  // namespace

std::vector<Stage> expertLayerStages(const ModelShape& shape) {
    const std::uint32_t feedForward = shape.expertFeedForward / shape.tensorParallel;
    const Tensor gate{{shape.sequence, feedForward}};
    std::vector<Stage> stages = attentionStages(shape);
    stages.push_back(normStage(shape));
    for (const Stage& stage : routerStages(shape)) stages.push_back(stage);
    // The tokens travel to the ranks of their experts, and what these make of them travels back.
    Stage dispatch = permuteStage(shape, "Permute");
    dispatch.exchanges = true;
    Stage widen = groupedLinearStage(shape, shape.hidden, 2 * feedForward);
    widen.reducesBackward = shape.tensorParallel > 1;
    Stage narrow = groupedLinearStage(shape, feedForward, shape.hidden);
    narrow.reducesForward = shape.tensorParallel > 1;
    narrow.exchanges = true;
    for (const Stage& stage : {dispatch, widen, siluStage(gate), productStage(gate), narrow,
                               permuteStage(shape, "Unpermute"), residualStage(shape)})
        stages.push_back(stage);
    return stages;
}

}  // namespace altiscope::generate
