#include "core/session/reading/capture_results.h"

#include "core/analysis/capture_analysis.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/pack/pack_file.h"
#include "core/pack/pack_set.h"
#include "core/pack/result_section.h"
#include "core/query/schema/schema.h"
#include "core/session/reading/capture_loader.h"
#include "core/session/reading/load_estimate.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

using ResultJson = nlohmann::json;

/// Calls `take` with the members of a value that are kept, in the order of the list: the one place for both ways.
template <class Value, class Take>
void withMembers(Value& v, const Take& take) {
    using T = std::remove_const_t<Value>;
    if constexpr (std::is_same_v<T, FactSlice>) take(v.id, v.name, v.range, v.amount);
    else if constexpr (std::is_same_v<T, FindingEvidence::Slice>) take(v.rank, v.slice);
    else if constexpr (std::is_same_v<T, FindingEvidence::Range>) take(v.rank, v.range, v.isGap, v.host);
    else if constexpr (std::is_same_v<T, FindingEvidence::Rows>)
        take(v.table, v.condition, v.rank, v.device, v.event, v.stack);
    else if constexpr (std::is_same_v<T, FindingEvidence>)
        take(v.slices, v.ranges, v.rows, v.isOfIdleDevice, v.peers, v.counter, v.levels);
    else if constexpr (std::is_same_v<T, Finding>)
        take(v.rule, v.severity, v.rank, v.rankId, v.step, v.range, v.recoverable, v.parameters, v.notes, v.thresholds,
             v.evidence, v.isOfRecording, v.isReplayed, v.now);
    else if constexpr (std::is_same_v<T, RankSpan>) take(v.home, v.all);
    else if constexpr (std::is_same_v<T, AbsentRanks>) take(v.ranks, v.all);
    else if constexpr (std::is_same_v<T, CaptureSummary>) take(v.rows, v.findings, v.spans, v.absent);
    else if constexpr (std::is_same_v<T, StepTime>)
        take(v.rank, v.device, v.step, v.origin, v.isOfHost, v.use, v.parts);
    else if constexpr (std::is_same_v<T, StepPhases>) take(v.rank, v.device, v.step, v.durations);
    else if constexpr (std::is_same_v<T, TopConsumer>) take(v.name, v.core, v.origin, v.count, v.total, v.max, v.ranks);
    else if constexpr (std::is_same_v<T, MemoryPeak>)
        take(v.rank, v.device, v.component, v.reserved, v.allocated, v.at);
    else if constexpr (std::is_same_v<T, OverviewNumbers>) take(v.steps, v.phases, v.top, v.peaks, v.mostReserved);
    else if constexpr (std::is_same_v<T, CaptureResults>) take(v.summary, v.overview);
    else static_assert(!sizeof(T), "has no members here");
}

constexpr FindingSeverity lastValueOf(FindingSeverity) { return FindingSeverity::Low; }
constexpr Origin lastValueOf(Origin) { return Origin::Computed; }
constexpr StepUse lastValueOf(StepUse) { return StepUse::Differs; }

/// Values to JSON.
struct CaptureResultsWriter {
    bool isSound = true;  ///< All texts are UTF-8, and all numbers are numbers.

    template <class T>
    ResultJson json(const T& value) {
        if constexpr (std::is_same_v<T, bool>) return value;
        else if constexpr (std::is_enum_v<T>) return static_cast<int>(value);
        else if constexpr (std::is_integral_v<T>) return value;
        else if constexpr (std::is_floating_point_v<T>) {
            isSound = isSound && std::isfinite(value);
            return value;
        } else {
            ResultJson list = ResultJson::array();
            withMembers(value, [&](const auto&... members) { (list.push_back(json(members)), ...); });
            return list;
        }
    }
    ResultJson json(std::string_view text) {
        isSound = isSound && isValidUtf8(text);
        return std::string(text);
    }
    ResultJson json(const std::string& text) { return json(std::string_view(text)); }
    ResultJson json(const TimeRange& range) { return {range.begin.value, range.end.value}; }
    template <class Tag, class Value>
    ResultJson json(const Id<Tag, Value>& id) {
        return id.value;
    }
    template <class T>
    ResultJson json(const std::optional<T>& value) {
        return value ? json(*value) : ResultJson();
    }
    template <class A, class B>
    ResultJson json(const std::pair<A, B>& value) {
        ResultJson list = ResultJson::array();
        list.push_back(json(value.first));
        list.push_back(json(value.second));
        return list;
    }
    template <class T>
    ResultJson json(const std::vector<T>& values) {
        return listOf(values);
    }
    template <class T, std::size_t N>
    ResultJson json(const std::array<T, N>& values) {
        return listOf(values);
    }

private:
    template <class Values>
    ResultJson listOf(const Values& values) {
        ResultJson list = ResultJson::array();
        for (const auto& value : values) list.push_back(json(value));
        return list;
    }
};

/// JSON to values. Nothing of it is believed: what is no value of its kind makes all of it unsound.
struct ResultReader {
    std::size_t ranks = 0;
    bool isSound = true;

    template <class T>
    void read(const ResultJson& json, T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            if (require(json.is_boolean())) value = json.get<bool>();
        } else if constexpr (std::is_enum_v<T>) {
            std::int64_t number = 0;
            read(json, number);
            if (require(number >= 0 && number <= static_cast<std::int64_t>(lastValueOf(T{}))))
                value = static_cast<T>(number);
        } else if constexpr (std::is_integral_v<T>) {
            if (!require(json.is_number_integer())) return;
            const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                                        : std::in_range<T>(json.get<std::int64_t>());
            if (require(fits)) value = json.get<T>();
            // Sums of what is believed must not overflow.
            if constexpr (std::is_same_v<T, std::int64_t>) require(isTraceTime(value));
        } else if constexpr (std::is_floating_point_v<T>) {
            if (require(json.is_number())) value = json.get<T>();
        } else {
            std::size_t at = 0;
            if (!require(json.is_array())) return;
            withMembers(value, [&](auto&... members) {
                if (require(json.size() == sizeof...(members))) (read(json[at++], members), ...);
            });
        }
    }
    void read(const ResultJson& json, std::string& text) {
        if (require(json.is_string())) text = json.get<std::string>();
    }
    /// Codes of the catalogue, which live as long as the program.
    void read(const ResultJson& json, std::string_view& code) {
        static const std::vector<std::string> kCodes = catalogueCodes();
        if (!require(json.is_string())) return;
        const auto& text = json.get_ref<const std::string&>();
        const auto known = std::lower_bound(kCodes.begin(), kCodes.end(), text);
        if (require(known != kCodes.end() && *known == text)) code = *known;
    }
    void read(const ResultJson& json, TimeRange& range) {
        std::array<std::int64_t, 2> times{};
        read(json, times);
        if (require(isTraceTime(times[0]) && isTraceTime(times[1]) && times[0] <= times[1]))
            range = {{times[0]}, {times[1]}};
    }
    void read(const ResultJson& json, RankIndex& rank) {
        read(json, rank.value);
        require(rank.value < ranks);
    }
    template <class Tag, class Value>
    void read(const ResultJson& json, Id<Tag, Value>& id) {
        read(json, id.value);
    }
    template <class T>
    void read(const ResultJson& json, std::optional<T>& value) {
        if (!json.is_null()) read(json, value.emplace());
    }
    template <class A, class B>
    void read(const ResultJson& json, std::pair<A, B>& value) {
        if (!require(json.is_array() && json.size() == 2)) return;
        read(json[0], value.first);
        read(json[1], value.second);
    }
    template <class T>
    void read(const ResultJson& json, std::vector<T>& values) {
        if (!require(json.is_array())) return;
        // Room is made for what was looked at alone: a list of zeros is short, and what they stand for is not.
        for (const ResultJson& one : json) {
            if (!isSound) return;
            read(one, values.emplace_back());
        }
    }
    template <class T, std::size_t N>
    void read(const ResultJson& json, std::array<T, N>& values) {
        if (!require(json.is_array() && json.size() == N)) return;
        for (std::size_t i = 0; i < N; ++i) read(json[i], values[i]);
    }

private:
    bool require(bool condition) {
        isSound = isSound && condition;
        return condition;
    }
};

/// Rows of each table of this version, in its order.
bool areRowsOfSchema(const CaptureSummary& summary) {
    return std::equal(summary.rows.begin(), summary.rows.end(), tableSchema().begin(), tableSchema().end(),
                      [](const auto& rows, const TableInfo& table) { return rows.first == table.name; });
}

/// Without one findings name the rank by the capture's file.
bool haveAllNumbers(const CaptureStore& capture) {
    return std::all_of(capture.ranks.begin(), capture.ranks.end(),
                       [](const RankEntry& rank) { return rank.info.rankId.has_value(); });
}

/// Whether the pack itself has something to be said of it.
bool isOfPack(const Diagnostic& entry) { return entry.code.starts_with("pack."); }

}  // namespace

std::optional<std::string> resultsJson(const CaptureResults& results) {
    CaptureResultsWriter writer;
    const ResultJson json = writer.json(results);
    return writer.isSound ? std::optional(dumpJson(json)) : std::nullopt;
}

std::optional<CaptureResults> resultsOf(std::string_view json, std::size_t ranks) {
    const ResultJson read = parseJson(json);
    CaptureResults results;
    ResultReader reader{ranks};
    reader.read(read, results);
    const bool isSound = reader.isSound && results.summary.spans.size() <= ranks && areRowsOfSchema(results.summary);
    return isSound ? std::optional(std::move(results)) : std::nullopt;
}

std::shared_ptr<const CaptureResults> resultsOfPack(const CaptureStore& capture, std::string_view program,
                                                    const CancelToken& cancel,
                                                    const std::shared_ptr<const pack::PackSource>& source) {
    if (!pack::isPack(capture.path) || !haveAllNumbers(capture)) return nullptr;
    const auto set = pack::openPackSet(capture.path, cancel, source);
    if (!set.ok() || set.value().list.program != program || capture.ranks.empty()) return nullptr;
    // Another pack may lie there by now.
    const auto& read = capture.ranks.front().sources;
    if (read == nullptr || read->empty() || read->front() != set.value().files.front()->stamp()) return nullptr;
    const auto text = pack::resultsIn(set.value(), cancel);
    if (!text) return nullptr;
    auto results = resultsOf(*text, capture.ranks.size());
    return results ? std::make_shared<const CaptureResults>(std::move(*results)) : nullptr;
}

std::shared_ptr<const CaptureResults> resultsBeside(CaptureSummary summary, const CaptureAnalysis& analysis,
                                                    const CancelToken& cancel) {
    auto numbers = recordedOverview(summary.capture, {}, cancel);
    if (!numbers || !addComputed(*numbers, analysis, cancel)) return nullptr;
    return std::make_shared<const CaptureResults>(CaptureResults{std::move(summary), std::move(*numbers)});
}

Result<bool> addResultsToPack(const std::filesystem::path& path, ProgressSlot& progress, const CancelToken& cancel) {
    const auto bytes = pack::storeBytes(path);
    if (!bytes.ok()) return bytes.as<bool>();
    if (bytes.value() > memoryUnasked()) return false;
    const auto loaded = loadCapture(path, {}, progress, cancel);
    if (!loaded.ok()) return loaded.as<bool>();
    const std::vector<Diagnostic> notes = loaded.value()->diagnostics.entries();
    if (!haveAllNumbers(*loaded.value()) || std::any_of(notes.begin(), notes.end(), isOfPack)) return false;
    const CaptureAnalysis analysis(loaded.value());
    auto summary = summariseCapture(loaded.value(), analysis, cancel);
    const auto results = summary ? resultsBeside(std::move(*summary), analysis, cancel) : nullptr;
    if (results == nullptr) return Cancelled{};
    const auto text = resultsJson(*results);
    // Results that cannot be read back would only be looked at in vain.
    if (!text || !resultsOf(*text, loaded.value()->ranks.size())) return false;
    const auto added = pack::addResults(path, *text, cancel);
    if (added.failed() && added.error().code == "pack.too_large") return false;
    if (!added.ok()) return added.as<bool>();
    return true;
}

}  // namespace altiscope
