#include "core/import/mindspore/cpu_usage.h"

#include "core/base/text/json_text.h"
#include "core/base/values/parse.h"
#include "core/import/mindspore/json_table.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

using UsageJson = nlohmann::json;

constexpr std::string_view kUsageBegin = "minddata_cpu_utilization_", kUsageEnd = ".json";

/// A list of the file that becomes a series.
struct Series {
    std::string_view key, name;
};
/// An object of the file that becomes a counter.
struct Counter {
    std::string_view key, process, name;
    std::span<const Series> series;
};

constexpr std::string_view kHost = "host", kProcess = "process", kPipeline = "pipeline";
constexpr std::string_view kHostKey = "device_info";

constexpr Series kUse[] = {{"user_utilization", "user(%)"}, {"sys_utilization", "sys(%)"}};
constexpr Series kHostUse[] = {{"user_utilization", "user(%)"},
                               {"sys_utilization", "sys(%)"},
                               {"io_utilization", "io(%)"},
                               {"idle_utilization", "idle(%)"}};
constexpr Series kSwitches[] = {{"context_switch_count", "count"}};
// Both spellings are in use.
constexpr Series kRunnable[] = {{"runnable_process", "count"}, {"runable_processes", "count"}};
constexpr Series kHostMemory[] = {{"used_sys_memory_mbytes", "used(MB)"},
                                  {"available_sys_memory_mbytes", "available(MB)"},
                                  {"total_sys_memory_mbytes", "total(MB)"}};
constexpr Series kProcessMemory[] = {{"rss_mbytes", "RSS(MB)"}, {"pss_mbytes", "PSS(MB)"}, {"vss_mbytes", "VSS(MB)"}};

constexpr Counter kCounters[] = {{kHostKey, kHost, "CPU", kHostUse},
                                 {kHostKey, kHost, "Context switches", kSwitches},
                                 {kHostKey, kHost, "Runnable processes", kRunnable},
                                 {"system_memory_info", kHost, "Memory", kHostMemory},
                                 {"process_info", kProcess, "CPU", kUse},
                                 {"process_memory_info", kProcess, "Memory", kProcessMemory}};

const UsageJson* usageMember(const UsageJson& object, std::string_view key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() ? nullptr : &*found;
}

/// One file, on its way into a trace.
class Samples {
public:
    Samples(const SourceFile& file, ImportContext& context)
        : m_file(file), m_context(context), m_names(context.builder) {}

    bool addTimes(const UsageJson& list) {
        static constexpr std::int64_t kNsPerMs = 1'000'000;
        static constexpr std::int64_t kMaxMs = std::numeric_limits<std::int64_t>::max() / kNsPerMs / 2;
        if (!list.is_array()) return false;
        for (const UsageJson& one : list) {
            if (isCancelled(m_times.size())) return true;
            const double ms = one.is_number() ? one.get<double>() : -1;
            // A stamp that is none keeps its place, as all lists go by it.
            const bool isTime = ms >= 0 && ms < static_cast<double>(kMaxMs);
            if (!isTime) broken("time_stamp");
            m_times.push_back(isTime ? std::optional(std::llround(ms) * kNsPerMs) : std::nullopt);
        }
        return true;
    }

    void addCounter(const UsageJson& object, const Counter& counter) {
        if (!object.is_object()) return broken(counter.key);
        for (const Series& series : counter.series) {
            const UsageJson* list = usageMember(object, series.key);
            // The spellings of one series.
            if (list == nullptr || !m_added.emplace(counter.process, counter.name, series.name).second) continue;
            addList(*list, counter, series, counter.key == kHostKey && m_isHostTwice);
        }
    }

    /// Whether each sample of the host stands there twice, as writers do that read the same lines of /proc/stat
    /// twice: the lists that such a writer does not cut say it.
    void readHost(const UsageJson& host) {
        static constexpr std::string_view kWhole[] = {"idle_utilization", "io_utilization", "context_switch_count"};
        for (const std::string_view key : kWhole) {
            const UsageJson* list = usageMember(host, key);
            m_isHostTwice = m_isHostTwice || (list != nullptr && list->is_array() && !m_times.empty() &&
                                              list->size() == 2 * m_times.size());
        }
    }

    void addOperators(const UsageJson& list) {
        if (list.is_null()) return;
        if (!list.is_array()) return broken("op_info");
        std::set<std::int64_t> numbers;
        for (const UsageJson& one : list) {
            const UsageJson* id = usageMember(one, "op_id");
            const UsageJson* metrics = usageMember(one, "metrics");
            const auto number = id == nullptr ? std::nullopt : wholeNumber(dumpJson(*id));
            if (!number || metrics == nullptr || !numbers.insert(*number).second) {
                broken("op_info");
                continue;
            }
            const std::string name = *number < 0 ? "Other threads" : "Operator " + std::to_string(*number);
            addCounter(*metrics, {"op_info", kPipeline, name, kUse});
        }
    }

    std::uint64_t commit() {
        struct Process {
            std::string_view pid, name;
        };
        const SourcePos begin = SourcePos::make(m_file.number, 0);
        for (std::int64_t sort = 0;
             const Process& one :
             {Process{kHost, "Host"}, {kProcess, "Process of the rank"}, {kPipeline, "Data pipeline"}}) {
            m_context.builder.setProcessName(one.pid, one.name, begin);
            m_context.builder.setProcessSort(one.pid, sort++, begin);
        }
        m_context.builder.commit(begin, std::move(m_segment));
        return m_count;
    }

private:
    bool isCancelled(std::size_t done) const { return done % 4096 == 0 && m_context.cancel.cancelled(); }

    void addList(const UsageJson& list, const Counter& counter, const Series& series, bool isTwice) {
        if (!list.is_array()) return broken(series.key);
        const std::size_t step = isTwice ? 2 : 1, count = (list.size() + step - 1) / step;
        if (count > m_times.size()) return broken(series.key);
        // A list that was cut lacks the end, not the beginning.
        const std::size_t lacking = isTwice ? 0 : m_times.size() - count;
        const auto track = m_names.counter(counter.process, counter.name);
        const auto name = m_names.text(series.name);
        for (std::size_t i = 0; i < count && !isCancelled(i); ++i) {
            const UsageJson& value = list[i * step];
            if (value.is_null()) continue;
            if (!value.is_number()) {
                broken(series.key);
                continue;
            }
            const auto& time = m_times[lacking + i];
            if (!time) continue;
            m_segment.samples.push_back(
                {track, name, *time, value.get<double>(), SourcePos::make(m_file.number, m_count++)});
        }
    }

    void broken(std::string_view what) {
        m_context.diagnostics.add("table.broken", Severity::Lost, m_file.name, {}, {{"what", std::string(what)}});
    }

    const SourceFile& m_file;
    ImportContext& m_context;
    TraceBuilder::Names m_names;
    Segment m_segment;
    std::vector<std::optional<std::int64_t>> m_times;                               ///< ns; nullopt: the stamp is none.
    std::set<std::tuple<std::string_view, std::string, std::string_view>> m_added;  ///< Process, counter, series.
    std::uint64_t m_count = 0;
    bool m_isHostTwice = false;
};

class CpuUsageReader final : public TraceReader {
public:
    Result<ReadSummary> read(const SourceFile& file, ImportContext& context) override {
        const auto json = jsonTable(file, context.diagnostics, context.progress);
        if (!json.ok()) return json.as<ReadSummary>();
        const UsageJson& all = json.value();
        if (all.empty()) return ReadSummary{file.size, 0, false};
        Samples samples(file, context);
        const UsageJson* times = usageMember(all, "time_stamp");
        if (times == nullptr || !samples.addTimes(*times))
            return Error{"csv.no_column", file.name, {}, {{"column", "time_stamp"}}};
        if (const UsageJson* host = usageMember(all, kHostKey)) samples.readHost(*host);
        for (const Counter& counter : kCounters) {
            if (const UsageJson* object = usageMember(all, counter.key)) samples.addCounter(*object, counter);
        }
        if (const UsageJson* operators = usageMember(all, "op_info")) samples.addOperators(*operators);
        if (context.cancel.cancelled()) return Cancelled{};
        const std::uint64_t count = samples.commit();
        if (context.committed) context.committed(file.size);
        return ReadSummary{file.size, count, false};
    }
};

}  // namespace

std::optional<std::int64_t> rankInCpuUsageName(std::string_view name) {
    if (name.size() <= kUsageBegin.size() + kUsageEnd.size() || !name.starts_with(kUsageBegin) ||
        !name.ends_with(kUsageEnd))
        return std::nullopt;
    const auto rank = wholeNumber(name.substr(kUsageBegin.size(), name.size() - kUsageBegin.size() - kUsageEnd.size()));
    return rank && *rank >= 0 ? rank : std::nullopt;
}

std::unique_ptr<TraceReader> makeCpuUsageReader() { return std::make_unique<CpuUsageReader>(); }

bool addCpuUsage(RankManifest& rank, const ListedFolder& folder, const RankCorrections& corrections,
                 Diagnostics& diagnostics) {
    std::string name;
    std::uint64_t size = 0;
    for (const ListedFile& file : folder.files) {
        const auto number = rankInCpuUsageName(file.name);
        if (!number || (rank.info.rankId && rank.info.rankId != number)) continue;
        name = file.name;
        size = file.size;
    }
    if (folder.files.empty() && rank.info.rankId) {
        // A folder of records is not listed; links are not followed.
        const std::string wanted =
            std::string(kUsageBegin) + std::to_string(*rank.info.rankId) + std::string(kUsageEnd);
        std::error_code error;
        const bool isFile =
            std::filesystem::is_regular_file(std::filesystem::symlink_status(folder.path / wanted, error));
        if (isFile) size = std::filesystem::file_size(folder.path / wanted, error);
        if (isFile && !error) name = wanted;
    }
    if (name.empty()) return false;
    SourceFile source{folder.path / name, folder.relativeTo(name), SourceFormat::CpuUsage, size, 0, {}};
    const auto correction = corrections.find(rank.info.path);
    const bool isWanted = correction != corrections.end() && correction->second.source == source.name;
    if (rank.traces.empty()) {
        rank.traces.push_back(std::move(source));
        return true;
    }
    std::string other = source.name, taken = rank.traces.front().name;
    if (isWanted) {
        for (const SourceFile& one : rank.traces) rank.info.alternatives.push_back(one.name);
        rank.traces.assign(1, std::move(source));
        std::swap(other, taken);
        rank.info.source = SourceKind::Text;
    } else {
        rank.info.alternatives.push_back(other);
    }
    diagnostics.add("source_not_taken", Severity::Info, other, {}, {{"taken", taken}});
    return isWanted;
}

}  // namespace altiscope::reader
