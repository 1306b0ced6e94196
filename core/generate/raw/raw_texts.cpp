#include "core/generate/raw/raw_texts.h"

#include "core/generate/model/run_plan.h"

namespace altiscope::generate {

namespace {

constexpr std::pair<RuntimeTask, std::string_view> kRuntimeTasks[] = {{RuntimeTask::AiCore, "KERNEL_AICORE"},
                                                                      {RuntimeTask::AiCpu, "KERNEL_AICPU"},
                                                                      {RuntimeTask::EventRecord, "EVENT_RECORD"},
                                                                      {RuntimeTask::EventWait, "EVENT_WAIT"},
                                                                      {RuntimeTask::Copy, "MEMCPY_ASYNC"},
                                                                      {RuntimeTask::AiVector, "KERNEL_AIVEC"},
                                                                      {RuntimeTask::FftsPlus, "FFTS_PLUS"},
                                                                      {RuntimeTask::MixCube, "KERNEL_MIX_AIC"},
                                                                      {RuntimeTask::MixVector, "KERNEL_MIX_AIV"},
                                                                      {RuntimeTask::Common, "STARS_COMMON"},
                                                                      {RuntimeTask::ProfilingOn, "PROFILING_ENABLE"},
                                                                      {RuntimeTask::ProfilingOff, "PROFILING_DISABLE"}};

std::string typeLine(std::uint16_t level, std::uint32_t type, std::string_view name) {
    return std::to_string(level) + '_' + std::to_string(type) + ':' + std::string(name) + '\n';
}

}  // namespace

std::uint64_t RawTexts::hash(std::string_view text) {
    if (text.empty()) return 0;
    const auto known = m_hashes.find(text);
    if (known != m_hashes.end()) return known->second;
    // Groups have this hash in communication files, too.
    return m_hashes.emplace(text, groupHash(text)).first->second;
}

std::uint32_t RawTexts::aclType(std::uint32_t group, std::string_view name) {
    const auto next = static_cast<std::uint32_t>(m_aclTypes.size()) + 1;
    return m_aclTypes.try_emplace({group, std::string(name)}, (group << 16U) | next).first->second;
}

std::string RawTexts::hashes() const {
    std::string lines;
    for (const auto& [text, hash] : m_hashes) lines += std::to_string(hash) + ':' + text + '\n';
    return lines;
}

std::string RawTexts::types() const {
    std::string lines = typeLine(kNodeLevel, kLaunchType, "launch") + typeLine(kHcclLevel, kMasterType, "master");
    for (const auto& [task, name] : kRuntimeTasks)
        lines += typeLine(kRuntimeLevel, static_cast<std::uint16_t>(task), name);
    for (const auto& [key, type] : m_aclTypes) lines += typeLine(kAclLevel, type, key.second);
    return lines;
}

}  // namespace altiscope::generate
