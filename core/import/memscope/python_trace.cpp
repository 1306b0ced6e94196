#include "core/import/memscope/python_trace.h"

#include "core/base/files/file.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/import/csv/csv_problems.h"
#include "core/import/csv/csv_records.h"
#include "core/import/database_lookup/db_position.h"
#include "core/import/sqlite/db_checked.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::string_view kCallsName = "python_trace_";
constexpr std::array<const char*, 5> kCallColumns{"FuncInfo", "StartTime(ns)", "EndTime(ns)", "Thread Id",
                                                  "Process Id"};
enum CallColumn : int { CallName, CallBegin, CallEnd, CallThread, CallProcess };
/// Words before the names of calls that the tool finds on the stack when it begins and when it ends.
constexpr std::string_view kFoundAtBegin = "start: ", kFoundAtEnd = "stop: ";
/// As many tables as have numbers of their own in positions.
constexpr std::uint8_t kMaxCallTables = 200;
constexpr std::size_t kCallsBetweenPolls = std::size_t{1} << 12;

using CallMoment = std::optional<std::int64_t>;

/// A row, of whatever file.
struct PythonCall {
    std::string_view name;
    CallMoment begin, end;
    std::int64_t thread = 0, process = 0;
    SourcePos pos;
};

std::string_view callText(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

bool beginsAsDatabase(const std::filesystem::path& path) {
    static constexpr std::string_view kMark = "SQLite format 3";
    std::array<char, kMark.size()> bytes{};
    const auto file = ReadOnlyFile::open(path);
    const auto got = file.ok() ? file.value().read(0, bytes) : file.as<std::size_t>();
    return got.ok() && std::string_view(bytes.data(), got.value()) == kMark;
}

/// "N/A" is a moment that the tool has not seen. @return false: no moment at all.
bool takeMoment(std::string_view text, CallMoment& moment) {
    text = callText(text);
    if (text == "N/A") return true;
    moment = wholeNumber(text);
    return moment && isTraceTime(*moment);
}

/// Slices of calls; those of which one end is missing are kept until all are there.
class CallSlices {
public:
    explicit CallSlices(TraceBuilder& builder) : m_builder(builder), m_names(builder) {}

    void take(const PythonCall& call) {
        const ProvisionalTrack track = trackOf(call);
        if (!m_first) m_first = call.pos;
        const std::string_view name = bareName(call.name);
        const bool isFoundAtEnd = call.name.starts_with(kFoundAtEnd);
        const auto text = m_names.text(isValidUtf8(name) ? std::string_view(name) : repairedUtf8(name));
        Reach& reach = m_reach.try_emplace(track).first->second;
        for (const CallMoment moment : {call.begin, call.end}) {
            if (moment) reach.add(*moment);
        }
        if (call.begin && call.end && !isFoundAtEnd) return add(track, *call.begin, *call.end, text, call.pos);
        // A call that is on the stack at the end is there until then.
        const std::int64_t at = call.begin ? *call.begin : *call.end;
        m_open[{track, text}].push_back({at, call.begin && !isFoundAtEnd, isFoundAtEnd, call.pos});
    }

    /// Joins what is open: an end belongs to the latest begin before it. @return Calls without one of their ends.
    std::uint64_t finish(const CancelToken& cancel) {
        std::uint64_t alone = 0;
        for (auto& [key, ends] : m_open) {
            if (cancel.cancelled()) return alone;
            const Reach& reach = m_reach[key.first];
            std::stable_sort(ends.begin(), ends.end(), [](const OpenCall& a, const OpenCall& b) {
                return std::tuple(a.at, !a.isBegin) < std::tuple(b.at, !b.isBegin);
            });
            std::vector<const OpenCall*> begun;
            for (const OpenCall& one : ends) {
                if (one.isBegin) {
                    begun.push_back(&one);
                } else if (!begun.empty()) {
                    add(key.first, begun.back()->at, one.at, key.second, begun.back()->pos);
                    begun.pop_back();
                } else if (!one.isFoundAtEnd) {
                    add(key.first, reach.first, one.at, key.second, one.pos);
                    ++alone;
                }
            }
            for (const OpenCall* one : begun) add(key.first, one->at, reach.last, key.second, one->pos);
            alone += begun.size();
        }
        if (m_first) m_builder.commit(*m_first, std::move(m_segment));
        return alone;
    }

    std::uint64_t count() const { return m_count; }

private:
    struct Reach {
        std::int64_t first = INT64_MAX, last = INT64_MIN;
        void add(std::int64_t moment) {
            first = std::min(first, moment);
            last = std::max(last, moment);
        }
    };
    struct OpenCall {
        std::int64_t at = 0;
        bool isBegin = false, isFoundAtEnd = false;
        SourcePos pos;
    };

    static std::string_view bareName(std::string_view name) {
        for (const std::string_view mark : {kFoundAtBegin, kFoundAtEnd}) {
            if (name.starts_with(mark)) return name.substr(mark.size());
        }
        return name;
    }

    ProvisionalTrack trackOf(const PythonCall& call) {
        const std::string process = std::to_string(call.process), thread = std::to_string(call.thread);
        if (m_processes.emplace(call.process, true).second) m_builder.setProcessName(process, "Python", call.pos);
        return m_names.thread(process, thread);
    }

    void add(ProvisionalTrack track, std::int64_t begin, std::int64_t end, ProvisionalText name, SourcePos pos) {
        m_segment.slices.add(track, begin, std::max<std::int64_t>(0, end - begin), name, m_names.text({}), pos);
        ++m_count;
    }

    TraceBuilder& m_builder;
    TraceBuilder::Names m_names;
    Segment m_segment;
    std::optional<SourcePos> m_first;
    std::map<std::int64_t, bool> m_processes;
    std::map<ProvisionalTrack, Reach> m_reach;
    std::map<std::pair<ProvisionalTrack, ProvisionalText>, std::vector<OpenCall>> m_open;
    std::uint64_t m_count = 0;
};

class PythonTraceReader final : public TraceReader {
public:
    Result<ReadSummary> read(const SourceFile& file, ImportContext& context) override {
        CallSlices slices(context.builder);
        const bool isDatabase = beginsAsDatabase(file.path);
        const auto read = isDatabase ? readTables(file, context, slices) : readText(file, context, slices);
        if (!read.ok()) return read.as<ReadSummary>();
        const std::uint64_t alone = slices.finish(context.cancel);
        if (context.cancel.cancelled()) return Cancelled{};
        if (alone > 0) context.diagnostics.add("memscope.open_calls", Severity::Info, file.name, {}, {}, alone);
        if (context.committed) context.committed(file.size);
        return ReadSummary{file.size, slices.count(), false};
    }

private:
    static Result<Done> readTables(const SourceFile& file, ImportContext& context, CallSlices& slices) {
        const auto opened = CheckedDatabase::open(file, context.cancel);
        if (!opened.ok()) return opened.as<Done>();
        context.progress.addDone(file.size);
        DbProblemLog problems;
        std::uint8_t number = 0;
        for (const DbTable* table : pythonTraceTables(opened.value().schema)) {
            if (context.cancel.cancelled()) return Cancelled{};
            if (number == kMaxCallTables) {
                problems.add(DbProblem::TableCut, table->name, -1, "too many tables");
                continue;
            }
            readTable(opened.value(), *table, {file.number, ++number}, context, problems, slices);
        }
        problems.addTo(context.diagnostics, file.name);
        return Done{};
    }

    struct TablePlace {
        std::uint32_t file;
        std::uint8_t table;
    };
    static void readTable(const CheckedDatabase& database, const DbTable& table, TablePlace place,
                          ImportContext& context, DbProblemLog& problems, CallSlices& slices) {
        std::vector<std::string> columns;
        for (const char* name : kCallColumns) {
            if (!table.has(name)) return problems.add(DbProblem::MissingColumn, table.name, -1, name);
            columns.emplace_back(name);
        }
        std::size_t taken = 0;
        const auto take = [&](const DbRow& row, std::int64_t number) {
            if (++taken % kCallsBetweenPolls == 0 && context.cancel.cancelled()) return;
            if (number < 0 || number > kMaxDbRow) return row.problem(DbProblem::RowNumber, CallName);
            PythonCall call{.name = row.text(CallName), .begin = {}, .end = {}, .pos = {}};
            for (const CallColumn column : {CallBegin, CallEnd}) {
                if (row.isNull(column)) continue;
                if (!takeMoment(row.text(column), column == CallBegin ? call.begin : call.end))
                    return row.problem(DbProblem::OutOfRange, column);
            }
            if (!call.begin && !call.end) return row.problem(DbProblem::MissingTime, CallBegin);
            const auto thread = row.neededId(CallThread), process = row.neededId(CallProcess);
            if (!thread || !process) return;
            if (call.begin && call.end && *call.end < *call.begin) row.problem(DbProblem::NegativeDuration, CallEnd);
            if (callText(call.name).empty()) {
                row.problem(DbProblem::MissingName, CallName);
                call.name = "N/A";
            }
            call.thread = *thread;
            call.process = *process;
            call.pos = dbPosition(place.file, place.table, number);
            slices.take(call);
        };
        readDbTable(database, table, columns, kCallColumns, problems, context.cancel, take);
    }

    static Result<Done> readText(const SourceFile& file, ImportContext& context, CallSlices& slices) {
        CsvProblems problems;
        std::optional<CsvColumns> columns;
        std::array<std::size_t, kCallColumns.size()> places{};
        const char* missing = nullptr;
        const auto read =
            eachCsvRecord(file, &context.diagnostics, context.progress, context.cancel, [&](CsvRecord& record) {
                if (columns) {
                    if (missing == nullptr) takeRecord(record, columns->size(), places, file.number, problems, slices);
                    return;
                }
                columns.emplace(std::move(record.cells));
                for (std::size_t i = 0; i < places.size() && missing == nullptr; ++i) {
                    const auto place = columns->find(kCallColumns[i]);
                    if (place) places[i] = *place;
                    else missing = kCallColumns[i];
                }
            });
        if (!read.ok()) return read;
        if (missing != nullptr)
            context.diagnostics.add("csv.no_column", Severity::Lost, file.name, {}, {{"column", missing}});
        problems.addTo(context.diagnostics, file.name, 1);
        return Done{};
    }

    static void takeRecord(const CsvRecord& record, std::size_t width,
                           const std::array<std::size_t, kCallColumns.size()>& places, std::uint32_t file,
                           CsvProblems& problems, CallSlices& slices) {
        const std::uint64_t number = record.row - 1;
        if (record.cells.size() < width)
            problems.add(record.isLast ? CsvProblem::Cut : CsvProblem::ShortRecord, number);
        if (record.cells.size() > width) problems.add(CsvProblem::LongRecord, number);
        const auto cell = [&](CallColumn column) {
            const std::size_t place = places[static_cast<std::size_t>(column)];
            return place < record.cells.size() ? std::string_view(record.cells[place]) : std::string_view();
        };
        const auto drop = [&](CallColumn column) {
            problems.add(CsvProblem::MissingValue, number, kCallColumns[static_cast<std::size_t>(column)],
                         cell(column));
        };
        PythonCall call{.name = cell(CallName), .begin = {}, .end = {}, .pos = SourcePos::make(file, record.row)};
        if (!takeMoment(cell(CallBegin), call.begin)) return drop(CallBegin);
        if (!takeMoment(cell(CallEnd), call.end)) return drop(CallEnd);
        if (!call.begin && !call.end) return drop(CallBegin);
        const auto thread = wholeNumber(callText(cell(CallThread))), process = wholeNumber(callText(cell(CallProcess)));
        if (!thread) return drop(CallThread);
        if (!process) return drop(CallProcess);
        // As in a database, such a call is kept without a length.
        if (call.begin && call.end && *call.end < *call.begin)
            problems.add(CsvProblem::OutOfRange, number, kCallColumns[CallEnd], cell(CallEnd));
        call.thread = *thread;
        call.process = *process;
        slices.take(call);
    }
};

}  // namespace

bool isPythonTraceName(std::string_view name) { return name.starts_with(kCallsName) && name.ends_with(".csv"); }

std::vector<const DbTable*> pythonTraceTables(const DbSchema& schema) {
    std::vector<const DbTable*> found;
    for (const auto& [name, table] : schema.tables()) {
        if (name.starts_with(kCallsName)) found.push_back(&table);
    }
    return found;
}

bool holdsPythonTrace(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    const auto connection = openDatabase(path, name, nullptr);
    if (!connection.ok()) return false;
    const auto schema = DbSchema::read(connection.value().get(), name);
    if (!schema.ok()) return false;
    const auto tables = pythonTraceTables(schema.value());
    return std::any_of(tables.begin(), tables.end(), [](const DbTable* table) { return !table->empty(); });
}

std::unique_ptr<TraceReader> makePythonTraceReader() { return std::make_unique<PythonTraceReader>(); }

}  // namespace altiscope::reader
