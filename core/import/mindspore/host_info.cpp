#include "core/import/mindspore/host_info.h"

#include "core/base/values/parse.h"
#include "core/import/csv/csv_records.h"

#include <array>
#include <utility>

namespace altiscope::reader {

namespace {

enum Column : std::size_t {
    Tid,
    Pid,
    ParentPid,
    Module,
    Event,
    Stage,
    Level,
    StartEnd,
    CustomInfo,
    Memory,
    Stamp,
    kHostColumns
};
constexpr std::array<std::string_view, kHostColumns> kHostColumnNames{
    "tid",   "pid",       "parent_pid",  "module_name",      "event",         "stage",
    "level", "start_end", "custom_info", "memory_usage(kB)", "time_stamp(us)"};

HostInfoRow::Mark markOf(std::int64_t code) {
    if (code == 0) return HostInfoRow::Mark::Start;
    if (code == 1) return HostInfoRow::Mark::End;
    return code == 2 ? HostInfoRow::Mark::Instant : HostInfoRow::Mark::Other;
}

}  // namespace

std::optional<std::int64_t> rankInHostInfoName(std::string_view name) {
    if (!name.starts_with("host_info_") || !name.ends_with(".csv")) return std::nullopt;
    std::string_view rank = name.substr(name.rfind('_') + 1);
    rank = rank.substr(0, rank.find('.'));
    const auto number = wholeNumber(rank);
    return number && *number >= 0 ? number : std::nullopt;
}

Result<Done> eachHostInfoRow(const SourceFile& file, Diagnostics* problems, ProgressSlot& progress,
                             const CancelToken& cancel, const std::function<void(const HostInfoRow&)>& visit) {
    std::array<std::size_t, kHostColumns> place{};
    std::optional<std::string> absent;
    std::size_t columns = 0;
    const auto bad = [&](const CsvRecord& record, Column column, const std::string& value) {
        if (problems == nullptr) return;
        problems->add("host_info.bad_record", Severity::Lost, file.name, {PlaceUnit::Row, record.row},
                      {{"column", std::string(kHostColumnNames[column])}, {"value", value}});
    };
    const auto read = eachCsvRecord(file, problems, progress, cancel, [&](CsvRecord& record) {
        if (absent) return;
        auto& cells = record.cells;
        if (columns == 0) {
            columns = cells.size();
            const CsvColumns header(std::move(cells));
            for (std::size_t i = 0; i < kHostColumns; ++i) {
                const auto found = header.find(kHostColumnNames[i]);
                if (!found) absent = kHostColumnNames[i];
                place[i] = found.value_or(0);
            }
            return;
        }
        // The stamp stands last: without the line's end it may be cut.
        if (cells.size() < columns || record.isLast)
            return bad(record, Stamp, cells.size() < columns ? std::string() : cells.back());
        std::array<std::int64_t, kHostColumns> numbers{};
        for (const Column column : {Level, StartEnd, Memory, Stamp}) {
            const auto number = wholeNumber(cells[place[column]]);
            if (!number) return bad(record, column, cells[place[column]]);
            numbers[column] = *number;
        }
        // Beyond these a product with the unit would not fit.
        for (const auto& [column, limit] : {std::pair{Memory, std::int64_t{1} << 51}, {Stamp, kMaxTimeNs / 1000}})
            if (numbers[column] > limit || numbers[column] < -limit) return bad(record, column, cells[place[column]]);
        HostInfoRow row;
        row.mark = markOf(numbers[StartEnd]);
        if (row.mark == HostInfoRow::Mark::Other) return bad(record, StartEnd, cells[place[StartEnd]]);
        row.tid = std::move(cells[place[Tid]]);
        row.pid = std::move(cells[place[Pid]]);
        row.parentPid = std::move(cells[place[ParentPid]]);
        row.module = std::move(cells[place[Module]]);
        row.event = std::move(cells[place[Event]]);
        row.stage = std::move(cells[place[Stage]]);
        row.custom = std::move(cells[place[CustomInfo]]);
        row.memoryKb = numbers[Memory];
        row.stampUs = numbers[Stamp];
        row.row = record.row;
        row.byte = record.byte;
        visit(row);
    });
    if (read.ok() && absent) return Error{"csv.no_column", file.name, "row 1", {{"column", *absent}}};
    return read;
}

HostInfoPairs::Outcome HostInfoPairs::take(const HostInfoRow& row) {
    if (row.mark == HostInfoRow::Mark::Instant || row.mark == HostInfoRow::Mark::Other) return Outcome::Single;
    const std::string key = row.event + '_' + row.stage + '_' + row.tid + '_' + row.pid;
    if (row.mark == HostInfoRow::Mark::Start)
        return m_open.insert_or_assign(key, row).second ? Outcome::Opened : Outcome::Replaced;
    const auto found = m_open.find(key);
    if (found == m_open.end()) return Outcome::Unmatched;
    m_start = std::move(found->second);
    m_open.erase(found);
    return Outcome::Closed;
}

}  // namespace altiscope::reader
