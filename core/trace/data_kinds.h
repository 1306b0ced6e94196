#pragma once

#include <span>
#include <string>
#include <string_view>

namespace altiscope {

/// A kind of data that a capture may hold, and the collection switch that records it.
struct DataKind {
    /// "missing." and the word of RankInfo::present: code of the sentence that says how to record it.
    std::string_view code;
    std::string_view option;  ///< The profiler's option.
    std::string_view value;   ///< Value to set it to, as a user writes it; of several the cheapest.
    /// Whether a value, as profiler_info.json has it, records the data.
    bool (*isOn)(std::string_view value) = nullptr;
    bool hasFile = false;  ///< In a file of its own; else within the timeline or other files.

    std::string_view what() const { return code.substr(code.find('.') + 1); }
};

/// All kinds that a switch records, in the order of the help. Source: core/import/csv/FORMAT.md section 11.
std::span<const DataKind> dataKinds();

}  // namespace altiscope
