#include "core/capture/session/result_steps.h"

#include "core/base/values/parse.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace altiscope::capture {

namespace {

namespace fs = std::filesystem;
using StepRange = std::pair<std::int64_t, std::int64_t>;

constexpr std::size_t kScannedBytes = std::size_t{32} << 20, kTableBytes = std::size_t{4} << 20;
constexpr std::string_view kStepName = "ProfilerStep#";

std::string beginOf(const fs::path& path, std::size_t bytes) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (error || status.type() != fs::file_type::regular) return {};
    std::ifstream file(path, std::ios::binary);
    std::string text(std::min<std::uintmax_t>(fs::file_size(path, error), bytes), '\0');
    if (error) return {};
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return text;
}

void addStep(std::optional<StepRange>& range, std::int64_t step) {
    if (!range) range.emplace(step, step + 1);
    range->first = std::min(range->first, step);
    range->second = std::max(range->second, step + 1);
}

/// The column "Step".
std::optional<StepRange> stepsOfTable(std::string_view table) {
    std::optional<StepRange> range;
    std::optional<std::size_t> column;
    while (!table.empty()) {
        const std::string_view line = table.substr(0, table.find('\n'));
        table.remove_prefix(std::min(table.size(), line.size() + 1));
        const auto cells = commaWords(trimmed(line, "\r"));
        if (!column) {
            const auto found = std::find(cells.begin(), cells.end(), "Step");
            if (found == cells.end()) return std::nullopt;
            column = static_cast<std::size_t>(found - cells.begin());
            continue;
        }
        if (*column >= cells.size()) continue;
        const std::string_view cell = trimmed(cells[*column]);
        const auto step = wholeNumber(cell.substr(0, cell.find('.')));
        if (step && *step >= 0) addStep(range, *step);
    }
    return range;
}

void scanNames(const std::string& text, std::optional<StepRange>& range) {
    for (std::size_t at = text.find(kStepName); at != std::string::npos; at = text.find(kStepName, at + 1)) {
        const std::size_t first = at + kStepName.size();
        const std::size_t end = std::min(text.find_first_not_of("0123456789", first), text.size());
        // A number that the end of what was read has cut is none.
        const auto step = wholeNumber(std::string_view(text).substr(first, end - first));
        if (step && end < text.size()) addStep(range, *step);
    }
}

}  // namespace

std::optional<std::pair<std::int64_t, std::int64_t>> stepsOfResult(const fs::path& folder) {
    const fs::path output = folder / "ASCEND_PROFILER_OUTPUT";
    if (auto range = stepsOfTable(beginOf(output / "step_trace_time.csv", kTableBytes))) return range;
    std::vector<fs::path> files{output / "trace_view.json", folder / "FRAMEWORK/torch.op_range",
                                folder / "FRAMEWORK/torch.op_mark"};
    std::error_code error;
    for (fs::directory_iterator entry(output, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->path().extension() == ".db") files.push_back(entry->path());
    }
    std::optional<StepRange> range;
    for (const fs::path& file : files) scanNames(beginOf(file, kScannedBytes), range);
    return range;
}

}  // namespace altiscope::capture
