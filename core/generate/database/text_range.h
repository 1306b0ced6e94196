#pragma once

#include "core/generate/model/run_plan.h"
#include "core/generate/model/unit_program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::generate {

/// Texts with consecutive ids of STRING_IDS.
class TextRange {
public:
    explicit TextRange(std::uint32_t first) : m_first(first) {}

    std::uint32_t idOf(std::string_view text);
    /// The text must have been given to idOf.
    std::uint32_t operator[](std::string_view text) const;
    std::uint32_t first() const { return m_first; }
    std::uint32_t end() const { return m_first + static_cast<std::uint32_t>(m_texts.size()); }
    const std::vector<std::string>& texts() const { return m_texts; }

private:
    std::uint32_t m_first;
    std::vector<std::string> m_texts;
    std::map<std::string, std::uint32_t, std::less<>> m_ids;
};

/// Ids of the texts that all ranks of a run have in common. As in real files each writer has a range of its own, so
/// that a text can have several ids: CANN's from 0, the framework's from 2^28, its memory files' from 2^29.
class CommonTexts {
public:
    CommonTexts(const RunPlan& plan, const RunProgram& program);

    struct Kernel {
        std::uint32_t name, type, core, task;
        std::uint32_t inputShapes, inputTypes, inputFormats, outputShapes, outputTypes, outputFormats;
    };
    struct Site {
        std::uint32_t name = 0;
        std::optional<std::uint32_t> dims, types;
        std::vector<std::uint32_t> frames;  ///< Innermost first.
    };

    const TextRange& cann() const { return m_cann; }
    const TextRange& framework() const { return m_framework; }
    const TextRange& memory() const { return m_memory; }

    const Kernel& kernel(std::uint32_t index) const { return m_kernels[index]; }
    const Site& site(std::uint32_t index) const { return m_sites[index]; }
    /// Of a text that CANN or the framework use as a name.
    std::uint32_t cann(TextId text) const { return m_cannIds[text.value]; }
    std::uint32_t framework(TextId text) const { return m_frameworkIds[text.value]; }

private:
    void addCann(const RunProgram& program, TextId text);
    void addFramework(const RunProgram& program, TextId text);
    void addActions(const RunProgram& program, const UnitProgram& unit);

    TextRange m_cann{0};
    TextRange m_framework{std::uint32_t{1} << 28U};
    TextRange m_memory{std::uint32_t{2} << 28U};
    std::vector<std::uint32_t> m_cannIds;
    std::vector<std::uint32_t> m_frameworkIds;
    std::vector<Kernel> m_kernels;
    std::vector<Site> m_sites;
};

/// Names of the counters of TASK_PMU_INFO, of a kernel in the order of its rows.
const std::vector<std::string_view>& pmuNames();

}  // namespace altiscope::generate
