#include "core/generate/model/trained_model.h"

namespace altiscope::generate {

std::vector<Tensor> TrainedModel::parameters() const {
    std::vector<Tensor> all;
    for (const ModelPart& part : parts) {
        for (const Stage& stage : part.stages) all.insert(all.end(), stage.parameters.begin(), stage.parameters.end());
    }
    return all;
}

TrainedModel transformerModel(const ModelShape& shape, std::uint32_t stage) {
    TrainedModel model;
    model.module = "GPTModel_0";
    model.frame = "megatron/core/models/gpt/gpt_model.py(152): forward";
    model.activation = {{shape.sequence, 1, shape.hidden}};
    model.trainer = "train.py(187): pretrain";
    model.stageHook = "megatron/core/utils.py(54): log_shape";
    model.logValues = "megatron/training/utils.py(402): log_values";
    model.logOneValue = "megatron/training/metrics.py(31): update";
    model.isFirst = stage == 0;
    model.isLast = stage + 1 == shape.pipelineParallel;
    const Tensor tokens{{1, shape.sequence}, ElementType::Int64};
    // After the first stage only the targets are of use.
    if (model.isFirst) model.batch.push_back({"megatron/training/utils.py(287): get_batch_on_this_tp_rank", tokens});
    model.batch.push_back({"megatron/training/utils.py(301): get_batch_on_this_tp_rank", tokens, 2});
    if (model.isFirst) model.parts.push_back({{embeddingStage(shape)}});
    for (std::uint32_t i = 0; i < shape.layersOfStage(); ++i) {
        const std::uint32_t layer = stage * shape.layersOfStage() + i;
        model.parts.push_back({shape.hasExperts(layer) ? expertLayerStages(shape) : layerStages(shape),
                               "TransformerLayer_" + std::to_string(layer), layer + 1,
                               "megatron/core/transformer/transformer_layer.py(158): forward", "transformer_layer"});
    }
    if (!model.isLast) return model;
    model.parts.push_back({{finalNormStage(shape), headStage(shape)}});
    model.loss = lossStages({{shape.sequence, shape.vocabulary / shape.tensorParallel}});
    return model;
}

TrainedModel trainedModel(const ModelShape& shape, std::uint32_t stage) {
    return shape.kind == ModelKind::Resnet ? resnetModel(shape) : transformerModel(shape, stage);
}

}  // namespace altiscope::generate
