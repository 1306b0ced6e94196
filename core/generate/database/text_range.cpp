#include "core/generate/database/text_range.h"

#include "core/base/values/assert.h"
#include "core/generate/records/kernel_metrics.h"

#include <algorithm>

namespace altiscope::generate {

namespace {

/// Task type of a kernel as the runtime names it; the summary files name the core instead.
std::string_view kernelTaskType(CoreKind core) {
    switch (core) {
    case CoreKind::Cube: return "KERNEL_AICORE";
    case CoreKind::Vector: return "KERNEL_AIVEC";
    case CoreKind::MixCube: return "MIX_AIC";
    case CoreKind::MixVector: return "MIX_AIV";
    case CoreKind::Random: return "STARS_COMMON";
    case CoreKind::AiCpu: return "KERNEL_AICPU";
    }
    return {};
}

/// Shapes keep literal quotes around them.
std::string quotedShapes(const std::string& shapes) { return shapes == "N/A" ? shapes : "\"" + shapes + "\""; }

std::vector<std::string_view> framesOf(std::string_view stack) {
    constexpr std::string_view kBetween = ";\r\n";
    std::vector<std::string_view> frames;
    while (!stack.empty()) {
        const std::size_t end = std::min(stack.find(kBetween), stack.size());
        frames.push_back(stack.substr(0, end));
        stack.remove_prefix(std::min(end + kBetween.size(), stack.size()));
    }
    return frames;
}

}  // namespace

std::uint32_t TextRange::idOf(std::string_view text) {
    if (const auto known = m_ids.find(text); known != m_ids.end()) return known->second;
    const std::uint32_t id = end();
    m_texts.emplace_back(text);
    m_ids.emplace(text, id);
    return id;
}

std::uint32_t TextRange::operator[](std::string_view text) const {
    const auto known = m_ids.find(text);
    ALTI_ASSERT(known != m_ids.end());
    return known->second;
}

const std::vector<std::string_view>& pmuNames() {
    static const std::vector<std::string_view> kNames{
        "aic_total_time",   "aic_total_cycles",  "aic_mac_time",         "aic_mac_ratio",  "aic_scalar_time",
        "aic_scalar_ratio", "aic_mte1_time",     "aic_mte1_ratio",       "aic_mte2_time",  "aic_mte2_ratio",
        "aic_fixpipe_time", "aic_fixpipe_ratio", "aic_icache_miss_rate", "aiv_total_time", "aiv_total_cycles",
        "aiv_vec_time",     "aiv_vec_ratio",     "aiv_mac_time",         "aiv_mac_ratio",  "aiv_scalar_time",
        "aiv_scalar_ratio", "aiv_mte1_time",     "aiv_mte1_ratio",       "aiv_mte2_time",  "aiv_mte2_ratio",
        "aiv_mte3_time",    "aiv_mte3_ratio",    "aiv_icache_miss_rate"};
    return kNames;
}

void CommonTexts::addCann(const RunProgram& program, TextId text) {
    m_cannIds[text.value] = m_cann.idOf(program.texts[text]);
}

void CommonTexts::addFramework(const RunProgram& program, TextId text) {
    m_frameworkIds[text.value] = m_framework.idOf(program.texts[text]);
}

void CommonTexts::addActions(const RunProgram& program, const UnitProgram& unit) {
    for (const HostAction& action : unit.actions) {
        const bool python = action.kind == ActionKind::PythonEnter || action.kind == ActionKind::PythonLeaf;
        const bool api = action.kind == ActionKind::HostApi || action.kind == ActionKind::WaitForDevice;
        if (python) addFramework(program, action.name);
        if (api) addCann(program, action.name);
    }
}

CommonTexts::CommonTexts(const RunPlan& plan, const RunProgram& program)
    : m_cannIds(program.texts.size()), m_frameworkIds(program.texts.size()) {
    for (const std::string_view word :
         {"PROFILING_ENABLE", "PROFILING_DISABLE", "MEMCPY_ASYNC", "EVENT_RECORD", "EVENT_WAIT", "SDMA", "Write Value",
          "Notify Wait", "N/A", "launch", "app", "device", "read", "write", "allocate", "release", "GE", "OTHERS"}) {
        m_cann.idOf(word);
    }
    if (!plan.groups.empty()) {
        for (const std::string_view word :
             {"Memcpy", "Reduce_Inline", "Notify_Record", "Notify_Wait", "RDMASend", "MESH-RING", "hcom_allReduce_"}) {
            m_cann.idOf(word);
        }
    }
    for (const std::string_view name : pmuNames()) m_cann.idOf(name);
    const auto text = [&](TextId id) -> const std::string& { return program.texts[id]; };
    for (const KernelSpec& kernel : program.kernels) {
        m_kernels.push_back({m_cann.idOf(text(kernel.name)), m_cann.idOf(text(kernel.type)),
                             m_cann.idOf(coreName(kernel.core)), m_cann.idOf(kernelTaskType(kernel.core)),
                             m_cann.idOf(quotedShapes(text(kernel.inputShapes))), m_cann.idOf(text(kernel.inputTypes)),
                             m_cann.idOf(text(kernel.inputFormats)),
                             m_cann.idOf(quotedShapes(text(kernel.outputShapes))),
                             m_cann.idOf(text(kernel.outputTypes)), m_cann.idOf(text(kernel.outputFormats))});
    }
    m_framework.idOf("Enqueue");
    for (const LaunchSpec& launch : program.launches) {
        addFramework(program, launch.dequeue);
        addCann(program, launch.api);
        if (launch.tiling != kNoText) addCann(program, launch.tiling);
    }
    for (const TextId name : {program.names.compile, program.names.destroyAttribute, program.names.destroyDescriptor,
                              program.names.flush}) {
        addCann(program, name);
    }
    for (const StageProgram& stage : program.stages) {
        for (const UnitProgram& unit : stage.units) addActions(program, unit);
    }
    for (const TextId frame : program.baseFrames) addFramework(program, frame);
    for (const OpSite& site : program.sites) {
        Site ids;
        ids.name = m_framework.idOf(text(site.name));
        if (site.types != kNoText) {
            ids.dims = m_framework.idOf(text(site.dims));
            ids.types = m_framework.idOf(text(site.types));
        }
        if (site.stack != kNoText) {
            for (const std::string_view frame : framesOf(text(site.stack)))
                ids.frames.push_back(m_framework.idOf(frame));
        }
        m_sites.push_back(std::move(ids));
    }
    for (const std::string_view component : {"GE", "PTA", "PTA+GE"}) m_memory.idOf(component);
    for (const TensorSpec& tensor : program.tensors) {
        m_memory.idOf(text(tensor.owner));
        if (tensor.pool == MemoryPool::GraphEngine) m_cann.idOf(text(tensor.owner));
    }
}

}  // namespace altiscope::generate
