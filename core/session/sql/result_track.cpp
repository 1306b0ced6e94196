#include "core/session/sql/result_track.h"

#include "core/base/threads/parallel.h"
#include "core/store/seal/trace_builder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr std::size_t kRowsOfTrackPoll = 4096;
constexpr const char *kQueryPid = "query", *kQueryTid = "rows";

std::optional<std::size_t> findInteger(const TableSource& table, std::string_view name) {
    const auto columns = table.columns();
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].name == name && columns[i].type == CellType::Integer) return i;
    return std::nullopt;
}

/// The column that names slices: name, else the first of texts.
std::optional<std::size_t> nameColumn(const TableSource& table) {
    std::optional<std::size_t> first;
    const auto columns = table.columns();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].type != CellType::Text) continue;
        if (columns[i].name == "name") return i;
        if (!first) first = i;
    }
    return first;
}

/// When rows were: begin and end, by whichever columns say it.
struct TimeColumns {
    std::size_t begin = 0, second = 0;
    bool isLength = true;
};

std::optional<TimeColumns> timeColumns(const TableSource& table) {
    const auto ts = findInteger(table, "ts"), dur = findInteger(table, "dur");
    if (ts && dur) return TimeColumns{*ts, *dur, true};
    const auto from = findInteger(table, "start_ts"), to = findInteger(table, "end_ts");
    if (from && to) return TimeColumns{*from, *to, false};
    return std::nullopt;
}

/// Which rank a row is of, without a search for each row.
class RowRanks {
public:
    RowRanks(const CaptureStore& capture, const TableSource& table)
        : m_table(table), m_rank(findInteger(table, "rank_id")), m_track(findInteger(table, "track_id")) {
        if (capture.ranks.size() == 1) m_single = RankIndex{};
        for (RankIndex rank; rank.value < capture.ranks.size(); ++rank.value) {
            const RankEntry& entry = capture.ranks[rank.value];
            if (entry.info.rankId) m_byNumber.emplace(*entry.info.rankId, rank);
            if (!m_track || entry.trace == nullptr) continue;
            for (const Track& track : entry.trace->tracks()) m_byTrack.emplace(track.id.value, rank);
        }
    }

    std::optional<RankIndex> of(std::size_t row) const {
        if (m_track)
            if (const auto rank = find(m_byTrack, m_table.cell(*m_track, row))) return rank;
        if (m_rank)
            if (const auto rank = find(m_byNumber, m_table.cell(*m_rank, row))) return rank;
        return m_track || m_rank ? std::nullopt : m_single;
    }

private:
    using Ranks = std::unordered_map<std::int64_t, RankIndex>;
    static std::optional<RankIndex> find(const Ranks& ranks, std::int64_t number) {
        const auto found = ranks.find(number);
        return found == ranks.end() ? std::nullopt : std::optional(found->second);
    }

    const TableSource& m_table;
    std::optional<std::size_t> m_rank, m_track;
    std::optional<RankIndex> m_single;
    Ranks m_byNumber, m_byTrack;
};

/// The slices of one rank while they are gathered.
struct RankSlices {
    std::vector<std::uint32_t> rows;
    std::vector<std::int64_t> begins, lengths;
};

std::shared_ptr<const TraceStore> traceOf(const RankSlices& slices, const TableSource& table,
                                          std::optional<std::size_t> names, std::string_view title,
                                          const CancelToken& cancel) {
    TraceBuilder builder(kQueryPid);
    TraceBuilder::Names texts(builder);
    Segment segment;
    const ProvisionalTrack track = texts.thread(kQueryPid, kQueryTid);
    const ProvisionalText category = texts.text("query"), unnamed = texts.text(title);
    for (std::size_t i = 0; i < slices.rows.size(); ++i) {
        if (i % kRowsOfTrackPoll == 0 && cancel.cancelled()) return nullptr;
        const std::int64_t name = names ? table.cell(*names, slices.rows[i]) : kAbsentCell;
        segment.slices.add(track, slices.begins[i], slices.lengths[i],
                           name == kAbsentCell ? unnamed : texts.text(table.text(*names, name)), category,
                           SourcePos::make(0, i));
    }
    builder.setProcessName(kQueryPid, title, SourcePos::make(0, 0));
    builder.setThreadName(kQueryPid, kQueryTid, title, SourcePos::make(0, 0));
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    // Nothing of a result can be wrong that its rows did not show.
    Diagnostics diagnostics;
    auto sealed = builder.seal(kQueryPid, diagnostics, cancel);
    return sealed.ok() ? std::move(sealed).value() : nullptr;
}

}  // namespace

bool canBeTrack(const TableSource& table) { return timeColumns(table).has_value(); }

ResultTrack resultTrack(const CaptureStore& capture, const TableSource& table, std::string_view title,
                        const CancelToken& cancel) {
    ResultTrack made;
    const auto times = timeColumns(table);
    if (!times) return made;
    const RowRanks ranks(capture, table);
    std::vector<RankSlices> slices(capture.ranks.size());
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        if (row % kRowsOfTrackPoll == 0 && cancel.cancelled()) return {};
        const std::int64_t begin = table.cell(times->begin, row), second = table.cell(times->second, row);
        const auto rank = ranks.of(row);
        const bool isTime = begin != kAbsentCell && second != kAbsentCell && isTraceTime(begin) && isTraceTime(second);
        const std::int64_t length = !isTime ? -1 : times->isLength ? second : second - begin;
        if (!rank || length < 0 || !isTraceTime(begin + length)) {
            ++made.unplaced;
            continue;
        }
        if (made.slices == ResultTrack::kMaxSlices) {
            ++made.omitted;
            continue;
        }
        ++made.slices;
        slices[rank->value].rows.push_back(static_cast<std::uint32_t>(row));
        slices[rank->value].begins.push_back(begin);
        slices[rank->value].lengths.push_back(length);
    }
    if (made.slices == 0) return made;
    auto store = std::make_shared<CaptureStore>();
    store->path = std::string(title);
    store->state = CaptureStore::State::Ok;
    store->sealed = true;
    store->ranks.resize(capture.ranks.size());
    const auto names = nameColumn(table);
    parallelFor(slices.size(), [&](std::size_t rank) {
        store->ranks[rank].info = capture.ranks[rank].info;
        if (!slices[rank].rows.empty()) store->ranks[rank].trace = traceOf(slices[rank], table, names, title, cancel);
    });
    if (!cancel.cancelled()) made.store = std::move(store);
    return made;
}

}  // namespace altiscope
