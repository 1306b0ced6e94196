#pragma once

#include "core/generate/model/model_stage.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::generate {

/// Group slots of a rank.
inline constexpr std::uint32_t kDataParallelSlot = 0;
inline constexpr std::uint32_t kTensorParallelSlot = 1;
inline constexpr std::uint32_t kPipelineSlot = 2;
inline constexpr std::uint32_t kExpertSlot = 3;
inline constexpr std::uint32_t kExpertDataSlot = 4;  ///< Ranks that hold the same experts.

/// What the backward pass needs to know of a stage that ran forward.
struct SavedStage {
    const Stage* stage = nullptr;
    std::uint32_t sequence = 0;
    std::vector<std::uint32_t> tensors;  ///< Released once the gradient is computed.
    std::uint32_t exchangeSequence = 0;  ///< Of the exchange after it, if there is one.
};

/// Writes stages of a model into a unit program the way the framework would record them.
class StageEmitter {
public:
    /// @param hook  Frame that every stage calls first; empty: none. Must outlive the emitter.
    StageEmitter(ProgramBuilder& builder, std::string_view hook) : m_builder(builder), m_hook(hook) {}

    /// Another micro-batch runs through the same modules.
    void startBatch() { m_modules.clear(); }

    /// @param stage  Must outlive what is returned.
    SavedStage forward(const Stage& stage);

    /// The autograd nodes of the stage, then those of its parameters.
    void backward(const SavedStage& saved);

    /// A collective on the stream of its group. The compute stream goes on; waitForCollective makes it wait.
    /// @return The event that marks the end.
    std::uint32_t collective(CollectiveOperation operation, std::uint32_t groupSlot, const Tensor& payload);
    void waitForCollective(std::uint32_t event);

private:
    void moduleFrames(const std::string& module);
    void drawMask(const Stage& stage, SavedStage& saved);
    void runCall(const Call& call, const std::string& owner);
    void prepareCall(const Call& call, std::uint32_t tilingNs);
    void transposedView(const Tensor& tensor);
    void accumulate(const Tensor& parameter);
    void exchangeForward(const Stage& stage, SavedStage& saved);
    void exchangeBackward(const SavedStage& saved);

    ProgramBuilder& m_builder;
    std::string_view m_hook;
    std::map<std::string, std::uint32_t> m_modules;  ///< Instances met so far, by class.
};

}  // namespace altiscope::generate
