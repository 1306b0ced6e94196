#include "core/query/capture_summary.h"

#include "core/base/catalogue.h"
#include "core/base/text.h"
#include "core/query/database.h"
#include "core/query/row_sink.h"
#include "core/query/schema.h"

#include <optional>
#include <set>

namespace altiscope {

namespace {

/// Keeps the one number of a counting query.
class CountSink final : public RowSink {
public:
    bool begin(std::span<const std::string>) override { return true; }
    bool row(std::span<const Value> values) override {
        count = static_cast<std::uint64_t>(values.front().integer);
        return true;
    }
    std::uint64_t count = 0;
};

std::vector<std::pair<std::string, std::string>> versionsOf(const CaptureStore& capture) {
    std::vector<std::pair<std::string, std::string>> versions;
    for (const std::string_view name : {"torch_npu", "mindspore", "cann"}) {
        std::set<std::string> values;
        for (const RankEntry& rank : capture.ranks) {
            for (const auto& [key, value] : rank.info.metadata) {
                if (key == std::string(name) + "_version") values.insert(value);
            }
        }
        std::string joined;
        for (const std::string& value : values) joined += (joined.empty() ? "" : ", ") + value;
        if (!joined.empty()) versions.emplace_back(name, joined);
    }
    return versions;
}

template <class T>
std::string numberOrNull(const std::optional<T>& value) {
    return value ? std::to_string(*value) : "null";
}

/// A range of a trace, where it holds anything.
std::optional<TimeRange> rangeOf(const RankEntry& rank) {
    if (!rank.trace || rank.trace->tracks().empty()) return std::nullopt;
    return rank.trace->range();
}

std::string rankJson(const RankEntry& rank) {
    const RankInfo& info = rank.info;
    const auto range = rangeOf(rank);
    std::string json = "{\"rank_id\":" + numberOrNull(info.rankId) + ",\"device_id\":" + numberOrNull(info.deviceId) +
                       ",\"host\":" + (info.host.empty() ? "null" : jsonQuoted(info.host)) +
                       ",\"framework\":" + jsonQuoted(frameworkName(info.framework)) +
                       ",\"source\":" + jsonQuoted(sourceKindName(info.source)) + ",\"path\":" + jsonQuoted(info.path) +
                       ",\"state\":" + jsonQuoted(rankStateName(info.state)) +
                       ",\"start_ts\":" + (range ? std::to_string(range->begin.value) : "null") +
                       ",\"end_ts\":" + (range ? std::to_string(range->end.value) : "null") + ",\"steps\":[";
    for (std::size_t i = 0; i < rank.steps.size(); ++i) json += (i > 0 ? "," : "") + std::to_string(rank.steps[i].number);
    json += "],\"missing\":[";
    for (std::size_t i = 0; i < info.missing.size(); ++i) {
        json += (i > 0 ? "," : "") + std::string("{\"what\":") + jsonQuoted(info.missing[i].what) +
                ",\"switch\":" + jsonQuoted(info.missing[i].switchName) + "}";
    }
    json += "],\"alternatives\":[";
    for (std::size_t i = 0; i < info.alternatives.size(); ++i) json += (i > 0 ? "," : "") + jsonQuoted(info.alternatives[i]);
    return json + "]}";
}

std::string diagnosticJson(std::string_view severity, const std::string& code, std::uint64_t count, const std::string& file,
                           const std::string& place, const std::string& message) {
    return "{\"severity\":" + jsonQuoted(severity) + ",\"code\":" + jsonQuoted(code) + ",\"count\":" + std::to_string(count) +
           ",\"file\":" + jsonQuoted(file) + ",\"place\":" + jsonQuoted(place) + ",\"message\":" + jsonQuoted(message) + "}";
}

std::string_view stateName(CaptureStore::State state) {
    switch (state) {
    case CaptureStore::State::Ok: return "ok";
    case CaptureStore::State::Loading:
    case CaptureStore::State::Partial: return "partial";
    case CaptureStore::State::Failed: return "failed";
    }
    return {};
}

std::string firstPlace(const Diagnostic& entry) { return entry.places.empty() ? std::string() : entry.places.front().text(); }

}  // namespace

Result<CaptureSummary> summariseCapture(std::shared_ptr<const CaptureStore> capture, const CancelToken& cancel) {
    CaptureSummary summary{capture, {}, versionsOf(*capture)};
    const QueryDatabase database(capture);
    for (const TableInfo& table : tableSchema()) {
        CountSink sink;
        const auto done = database.run("SELECT count(*) FROM \"" + std::string(table.name) + '"', sink, cancel);
        if (!done.ok()) return done.as<CaptureSummary>();
        summary.rows.emplace_back(table.name, sink.count);
    }
    return summary;
}

std::string captureJson(const CaptureSummary& summary) {
    const CaptureStore& capture = *summary.capture;
    std::string json = "{\"schema\":1,\"path\":" + jsonQuoted(capture.path) + ",\"state\":" + jsonQuoted(stateName(capture.state)) + ",\"ranks\":[";
    for (std::size_t i = 0; i < capture.ranks.size(); ++i) json += (i > 0 ? "," : "") + rankJson(capture.ranks[i]);
    json += "],\"tables\":{";
    for (std::size_t i = 0; i < summary.rows.size(); ++i) {
        json += (i > 0 ? "," : "") + jsonQuoted(summary.rows[i].first) + ":" + std::to_string(summary.rows[i].second);
    }
    json += std::string("},\"sealed\":") + (capture.sealed ? "true" : "false") + ",\"versions\":{";
    for (std::size_t i = 0; i < summary.versions.size(); ++i) {
        json += (i > 0 ? "," : "") + jsonQuoted(summary.versions[i].first) + ":" + jsonQuoted(summary.versions[i].second);
    }
    json += "},\"diagnostics\":[";
    bool isFirst = true;
    for (const Diagnostic& entry : capture.diagnostics.entries()) {
        if (!isFirst) json += ',';
        isFirst = false;
        json += diagnosticJson(severityName(entry.severity), entry.code, entry.count, entry.file, firstPlace(entry), entry.message("en"));
    }
    return json + "]}\n";
}

std::string failedCaptureJson(std::string_view path, const Error& error) {
    return "{\"schema\":1,\"path\":" + jsonQuoted(path) +
           ",\"state\":\"failed\",\"ranks\":[],\"tables\":{},\"sealed\":false,\"versions\":{},\"diagnostics\":[" +
           diagnosticJson("lost", error.code, 1, error.file, error.place, errorText(error, "en")) + "]}\n";
}

namespace {

std::string secondsText(DurationNs duration) {
    // Exact decimals; trailing zeros say nothing.
    std::string fraction = std::to_string(1'000'000'000 + duration.value % 1'000'000'000).substr(1);
    while (fraction.size() > 1 && fraction.back() == '0') fraction.pop_back();
    return std::to_string(duration.value / 1'000'000'000) + "." + fraction + " s";
}

std::string rankText(const RankEntry& rank) {
    const RankInfo& info = rank.info;
    std::string text = "rank " + (info.rankId ? std::to_string(*info.rankId) : "N/A");
    if (info.deviceId) text += ", device " + std::to_string(*info.deviceId);
    if (!info.host.empty()) text += ", host " + info.host;
    text += ": " + std::string(rankStateName(info.state)) + ", " + std::string(frameworkName(info.framework)) + " " +
            std::string(sourceKindName(info.source)) + ", " + info.path + "\n";
    if (const auto range = rangeOf(rank)) {
        text += "  time     " + std::to_string(range->begin.value) + " .. " + std::to_string(range->end.value) + " ns (" +
                secondsText(range->length()) + ")\n";
    }
    if (!rank.steps.empty()) {
        text += "  steps   ";
        for (const Step& step : rank.steps) text += " " + std::to_string(step.number);
        text += "\n";
    }
    if (!info.present.empty()) {
        text += "  present ";
        for (std::size_t i = 0; i < info.present.size(); ++i) text += (i > 0 ? ", " : " ") + info.present[i];
        text += "\n";
    }
    for (const MissingData& missing : info.missing) {
        text += "  missing  " + missing.what + (missing.switchName.empty() ? "" : " (recorded with " + missing.switchName + ")") + "\n";
    }
    for (const std::string& path : info.alternatives) text += "  also     " + path + "\n";
    return text;
}

}  // namespace

std::string captureText(const CaptureSummary& summary) {
    const CaptureStore& capture = *summary.capture;
    std::string text = capture.path + ": " + std::string(stateName(capture.state)) + ", " + std::to_string(capture.ranks.size()) +
                       (capture.ranks.size() == 1 ? " rank" : " ranks") + "\n";
    for (const auto& [name, version] : summary.versions) text += name + " " + version + "\n";
    for (const RankEntry& rank : capture.ranks) text += rankText(rank);
    text += "rows\n";
    for (const auto& [table, rows] : summary.rows) {
        if (rows == 0) continue;
        std::string line = "  " + table;
        line.resize(22, ' ');
        text += line + std::to_string(rows) + "\n";
    }
    const auto entries = capture.diagnostics.entries();
    if (entries.empty()) return text;
    text += "diagnostics\n";
    for (const Diagnostic& entry : entries) {
        const std::string place = firstPlace(entry);
        text += "  " + std::string(severityName(entry.severity)) + " " + entry.code + ", " + std::to_string(entry.count) + " x, " +
                entry.file + (place.empty() ? "" : ", " + place) + ": " + entry.message("en") + "\n";
    }
    return text;
}

}  // namespace altiscope
