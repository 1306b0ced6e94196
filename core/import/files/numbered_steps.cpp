#include "core/import/files/numbered_steps.h"

#include <set>

namespace altiscope::reader {

std::vector<Step> numberedSteps(const RowTables& rows) {
    std::set<std::int64_t> numbers;
    for (const RowTable& table : rows.tables()) {
        const std::size_t column = rowColumn(table.kind(), "step");
        if (column == rowColumns(table.kind()).size()) continue;
        std::optional<std::int64_t> last;
        for (std::size_t row = 0; row < table.size(); ++row) {
            const auto step = table.integer(column, row);
            // Neighbours mostly lie in the same step.
            if (step && step != last) numbers.insert(*step);
            last = step;
        }
    }
    std::vector<Step> steps;
    for (const std::int64_t number : numbers) steps.push_back({number, std::nullopt});
    return steps;
}

}  // namespace altiscope::reader
