#pragma once

#include "core/generate/model/model_stage.h"
#include "core/generate/model/optimizer_step.h"

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope::generate {

/// A part of a model whose gradients are reduced together.
struct ModelPart {
    std::vector<Stage> stages;
    std::string module = {};         ///< "TransformerLayer_3"; empty: the model itself calls the stages.
    std::uint32_t moduleNumber = 0;  ///< + 1
    std::string frame = {};          ///< In which a module calls its stages.
    std::string scope = {};          ///< User range around them; empty: none.
};

/// A tensor that each micro-batch brings to the device.
struct BatchTensor {
    std::string frame;
    Tensor tensor;
    std::uint32_t copies = 1;  ///< Pieces in which it travels.
};

/// What the ranks of one pipeline stage train, as data: the program around it is the same for all models.
struct TrainedModel {
    std::string module;  ///< "GPTModel_0"
    std::string frame;   ///< In which it calls its parts.
    std::vector<BatchTensor> batch;
    std::vector<ModelPart> parts;  ///< Of this pipeline stage.
    std::vector<Stage> loss;
    Tensor activation;  ///< What goes from one pipeline stage to the next, and its gradient back.
    ElementType gradients = ElementType::Half;
    Optimizer optimizer = Optimizer::AdamW;
    std::string trainer;    ///< Frame around the training loop.
    std::string stageHook;  ///< Frame that every stage calls first; empty: none.
    std::string logValues;  ///< Frames that look at values at the end of a step.
    std::string logOneValue;
    bool isFirst = true;  ///< Of the pipeline.
    bool isLast = true;

    std::vector<Tensor> parameters() const;
};

/// @param stage  Of the pipeline.
TrainedModel transformerModel(const ModelShape& shape, std::uint32_t stage);
/// A residual network of bottleneck blocks for images; 16 layers make ResNet-50. There is one pipeline stage.
TrainedModel resnetModel(const ModelShape& shape);

/// Of the kind that the shape names.
TrainedModel trainedModel(const ModelShape& shape, std::uint32_t stage);

}  // namespace altiscope::generate
