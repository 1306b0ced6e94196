#pragma once

#include "core/generate/model_stage.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace altiscope::generate {

/// Group slots of a rank.
inline constexpr std::uint32_t kDataParallelSlot = 0;
inline constexpr std::uint32_t kTensorParallelSlot = 1;

/// What the backward pass needs to know of a stage that ran forward.
struct SavedStage {
    const Stage* stage = nullptr;
    std::uint32_t sequence = 0;
    std::vector<std::uint32_t> tensors;  ///< Released once the gradient is computed.
};

/// Writes stages of a model into a unit program the way the framework would record them.
class StageEmitter {
public:
    explicit StageEmitter(ProgramBuilder& builder) : m_builder(builder) {}

    /// @param stage  Must outlive what is returned.
    SavedStage forward(const Stage& stage);

    /// The autograd nodes of the stage, then those of its parameters.
    void backward(const SavedStage& saved);

    /// Sum over a group on the group's stream. The compute stream goes on; waitForReduced makes it wait.
    /// @return The event that marks the end.
    std::uint32_t allReduce(std::uint32_t groupSlot, std::uint64_t elements, std::uint64_t bytes);
    void waitForReduced(std::uint32_t event);

private:
    void moduleFrames(const std::string& module);
    void drawMask(const Stage& stage, SavedStage& saved);
    void runCall(const Call& call, const std::string& owner);
    void transposedView(const Tensor& tensor);
    void accumulate(const Tensor& parameter);

    ProgramBuilder& m_builder;
    std::map<std::string, std::uint32_t> m_modules;  ///< Instances met so far, by class.
};

}  // namespace altiscope::generate
