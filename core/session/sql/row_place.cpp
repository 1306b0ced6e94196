#include "core/session/sql/row_place.h"

#include <algorithm>
#include <string_view>

namespace altiscope {

namespace {

std::optional<std::size_t> columnOf(const TableSource& table, std::string_view name) {
    const auto columns = table.columns();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].name == name && columns[i].type == CellType::Integer) return i;
    }
    return std::nullopt;
}

std::optional<std::int64_t> valueOf(const TableSource& table, std::string_view name, std::size_t row) {
    const auto column = columnOf(table, name);
    const std::int64_t cell = column ? table.cell(*column, row) : kAbsentCell;
    return cell == kAbsentCell ? std::nullopt : std::optional(cell);
}

std::optional<TimeRange> rangeOf(const TableSource& table, std::size_t row) {
    auto begin = valueOf(table, "ts", row), length = valueOf(table, "dur", row), end = std::optional<std::int64_t>();
    if (begin && length && isTraceTime(*begin) && isTraceTime(*length)) end = *begin + *length;
    if (!end) {
        begin = valueOf(table, "start_ts", row);
        end = valueOf(table, "end_ts", row);
    }
    if (!begin || !end || !isTraceTime(*begin) || !isTraceTime(*end) || *end < *begin) return std::nullopt;
    return TimeRange{{*begin}, {*end}};
}

bool hasTrack(const RankEntry& rank, TrackId id) {
    if (rank.trace == nullptr) return false;
    const auto& tracks = rank.trace->tracks();
    return std::any_of(tracks.begin(), tracks.end(), [id](const auto& track) { return track.id == id; });
}

std::optional<RankIndex> rankOf(const CaptureStore& capture, const TableSource& table, std::size_t row) {
    const auto track = valueOf(table, "track_id", row), rank = valueOf(table, "rank_id", row);
    const auto found = std::find_if(capture.ranks.begin(), capture.ranks.end(), [&](const RankEntry& entry) {
        if (track) return hasTrack(entry, TrackId{*track});
        return rank ? entry.info.rankId == rank : capture.ranks.size() == 1;
    });
    if (found == capture.ranks.end()) return std::nullopt;
    return rankIndex(static_cast<std::size_t>(found - capture.ranks.begin()));
}

}  // namespace

std::optional<RowPlace> placeOfRow(const CaptureStore& capture, const TableSource& table, std::size_t row) {
    if (row >= table.rowCount()) return std::nullopt;
    if (const auto slice = valueOf(table, "slice_id", row)) return RowPlace{SliceId{*slice}, 0, {}};
    const auto range = rangeOf(table, row);
    const auto rank = range ? rankOf(capture, table, row) : std::nullopt;
    if (!rank) return std::nullopt;
    return RowPlace{std::nullopt, *rank, *range};
}

bool leadsToPlaces(const TableSource& table) {
    const auto has = [&](std::string_view name) { return columnOf(table, name).has_value(); };
    return has("slice_id") || (has("ts") && has("dur")) || (has("start_ts") && has("end_ts"));
}

}  // namespace altiscope
