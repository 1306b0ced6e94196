#include "core/pack/group_rows.h"

#include "core/store/rows/row_builder.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::pack {

std::shared_ptr<const RowTables> mergedGroups(std::span<const std::shared_ptr<const RowTables>> groups,
                                              const CancelToken& cancel) {
    constexpr RowKind kKind = RowKind::CommGroup;
    std::shared_ptr<const RowTables> only;
    std::size_t count = 0;
    for (const auto& rows : groups) {
        if (rows == nullptr) continue;
        only = rows;
        ++count;
    }
    if (count < 2) return only;
    using Cells = std::vector<std::optional<std::string>>;
    std::set<Cells> known;
    RowTablesBuilder builder;
    RowBatch batch = builder.batch(kKind);
    for (const auto& rows : groups) {
        const RowTable* table = rows == nullptr ? nullptr : rows->find(kKind);
        for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
            Cells cells;
            for (std::size_t column = 0; column < rowColumns(kKind).size(); ++column) {
                const auto text = table->text(column, row);
                cells.push_back(text ? std::optional(std::string(rows->text(*text))) : std::nullopt);
            }
            if (!known.insert(cells).second) continue;
            batch.addRow();
            for (std::size_t column = 0; column < cells.size(); ++column)
                if (cells[column]) batch.setText(column, *cells[column]);
        }
    }
    builder.commit(batch);
    auto merged = builder.seal(cancel);
    return merged.ok() ? std::move(merged).value() : nullptr;
}

}  // namespace altiscope::pack
