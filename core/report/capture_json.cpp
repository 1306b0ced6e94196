#include "core/report/capture_text.h"

#include "core/analysis/communication/absent_ranks.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/findings/run_rules.h"
#include "core/report/list_part_json.h"
#include "core/store/capture_store.h"

#include <nlohmann/json.hpp>

namespace altiscope {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json rankJson(const RankEntry& entry, const std::optional<RankSpan>& span) {
    const RankInfo& info = entry.info;
    Json json;
    json["rank_id"] = orNull(info.rankId);
    json["device_id"] = orNull(info.deviceId);
    json["host"] = info.host.empty() ? Json(nullptr) : Json(repairedUtf8(info.host));
    json["framework"] = frameworkName(info.framework);
    json["source"] = sourceKindName(info.source);
    json["path"] = repairedUtf8(info.path);
    json["state"] = rankStateName(info.state);
    json["start_ts"] = span ? Json(span->all.begin.value) : Json(nullptr);
    json["end_ts"] = span ? Json(span->all.end.value) : Json(nullptr);
    // A rank of which all was read has no such key.
    if (entry.window) json["window"] = {entry.window->begin.value, entry.window->end.value};
    json["steps"] = Json::array();
    for (const Step& step : entry.steps) json["steps"].push_back(step.number);
    json["missing"] = Json::array();
    for (const MissingData& missing : info.missing) {
        Json item;
        item["what"] = repairedUtf8(missing.what);
        item["switch"] = repairedUtf8(missing.switchName);
        json["missing"].push_back(std::move(item));
    }
    json["alternatives"] = Json::array();
    for (const std::string& path : info.alternatives) json["alternatives"].push_back(repairedUtf8(path));
    return json;
}

/// The members that both objects have, in their order; the caller fills them in.
Json emptyCaptureJson(std::string_view path, std::string_view state) {
    Json json;
    json["schema"] = 1;
    json["path"] = repairedUtf8(path);
    json["state"] = state;
    json["ranks"] = Json::array();
    json["tables"] = Json::object();
    json["sealed"] = false;
    json["window"] = nullptr;
    json["findings"] = {{"high", 0}, {"medium", 0}, {"low", 0}};
    json["versions"] = Json::object();
    json["diagnostics"] = Json::array();
    return json;
}

Json diagnosticJson(std::string_view severity, const Error& error, std::uint64_t count, std::string_view message) {
    Json json;
    json["severity"] = severity;
    json["code"] = error.code;
    json["count"] = count;
    json["file"] = repairedUtf8(error.file);
    json["place"] = repairedUtf8(error.place);
    json["message"] = repairedUtf8(message);
    return json;
}

}  // namespace

std::string captureJson(const CaptureSummary& summary, ListPart part, const std::optional<TimeRange>& window) {
    const CaptureStore& capture = *summary.capture;
    Json json = emptyCaptureJson(capture.path, captureStateName(capture));
    const std::vector<Diagnostic>& diagnostics = capture.diagnostics.entries();
    const auto [firstRank, endOfRanks] = boundsOf(part, capture.ranks.size());
    for (std::size_t i = firstRank; i < endOfRanks; ++i)
        json["ranks"].push_back(rankJson(capture.ranks[i], spanOf(summary, i)));
    if (!summary.absent.ranks.empty()) json["absent_ranks"] = summary.absent.ranks;
    for (const auto& [table, rows] : summary.rows) json["tables"][table] = rows;
    json["sealed"] = capture.sealed;
    if (window) json["window"] = {{"start_ts", window->begin.value}, {"end_ts", window->end.value}};
    for (const auto& [name, version] : summary.versions) json["versions"][name] = repairedUtf8(version);
    const auto [firstDiagnostic, endOfDiagnostics] = boundsOf(part, diagnostics.size());
    for (std::size_t i = firstDiagnostic; i < endOfDiagnostics; ++i) {
        const Diagnostic& entry = diagnostics[i];
        const std::string place = entry.places.empty() ? std::string() : entry.places.front().text();
        json["diagnostics"].push_back(diagnosticJson(severityName(entry.severity), {entry.code, entry.file, place, {}},
                                                     entry.count, entry.message("en")));
    }
    const FindingCounts findings = countFindings(summary.findings);
    json["findings"] = {{"high", findings.high}, {"medium", findings.medium}, {"low", findings.low}};
    if (!part.isAll())
        json["lists"] = {{"ranks", listPartJson(part, capture.ranks.size())},
                         {"diagnostics", listPartJson(part, diagnostics.size())}};
    return dumpJson(json) + "\n";
}

std::string failedCaptureJson(std::string_view path, const Error& error) {
    Json json = emptyCaptureJson(path, "failed");
    json["diagnostics"].push_back(diagnosticJson("lost", error, 1, errorText(error, "en")));
    return dumpJson(json) + "\n";
}

}  // namespace altiscope
