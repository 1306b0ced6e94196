#include "core/capture/session/record.h"

#include "core/base/text/catalogue.h"
#include "core/base/text/json_text.h"
#include "core/base/text/table_text.h"
#include "core/base/text/text.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <ctime>
#include <iterator>
#include <stdexcept>

namespace altiscope::capture {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kStates[] = {"preparing", "armed", "recording", "analysing",
                                        "fetching",  "done",  "failed",    "cancelled"};

/// Paths may hold any bytes, JSON only UTF-8: bytes beyond it are kept as their hexadecimal text.
Json bytesJson(const std::string& text) {
    if (isValidUtf8(text)) return text;
    return {{"hex", hexText(text)}};
}

std::string bytesOf(const Json& json) {
    if (json.is_string()) return json.get<std::string>();
    const std::string hex = json.at("hex").get<std::string>();
    std::string text;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        text += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return text;
}

Json listJson(const std::vector<std::string>& texts) {
    Json list = Json::array();
    for (const std::string& text : texts) list.push_back(bytesJson(text));
    return list;
}

Json rankJson(const std::optional<std::int64_t>& rank) { return rank ? Json(*rank) : Json(); }
std::optional<std::int64_t> rankOf(const Json& json) {
    return json.is_null() ? std::nullopt : std::optional(json.get<std::int64_t>());
}

Json messageJson(const Error& message) {
    if (message.code.empty()) return nullptr;
    Json parameters = Json::array();
    for (const auto& [name, value] : message.parameters) parameters.push_back({name, repairedUtf8(value)});
    return {{"code", message.code},
            {"file", repairedUtf8(message.file)},
            {"place", message.place},
            {"parameters", std::move(parameters)}};
}

Error messageOf(const Json& json) {
    if (json.is_null()) return {};
    Error message{json.at("code").get<std::string>(),
                  json.at("file").get<std::string>(),
                  json.at("place").get<std::string>(),
                  {}};
    for (const Json& pair : json.at("parameters")) {
        message.parameters.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
    }
    return message;
}

State stateOf(const Json& json) {
    const auto text = json.get<std::string>();
    const auto* found = std::find(std::begin(kStates), std::end(kStates), text);
    if (found == std::end(kStates)) return json.at("unknown").get<State>();  // throws
    return static_cast<State>(found - std::begin(kStates));
}

/// FNV-1a, 64 bits: the same in every build.
std::uint64_t digestOf(std::string_view line) {
    std::uint64_t digest = 0xcbf29ce484222325;
    for (const char c : line) digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return digest;
}

Json targetJson(const TargetRecord& target) {
    Json ranks = Json::array();
    for (const RankRecord& rank : target.ranks) {
        ranks.push_back({{"path", bytesJson(rank.path)},
                         {"rank", rankJson(rank.rank)},
                         {"state", stateText(rank.state)},
                         {"message", messageJson(rank.message)},
                         {"bytes", rank.bytes},
                         {"process", rank.process},
                         {"steps", rank.steps ? Json{rank.steps->first, rank.steps->second} : Json()}});
    }
    return {{"name", target.name},
            {"state", stateText(target.state)},
            {"workdir", bytesJson(target.workdir)},
            {"results", bytesJson(target.results)},
            {"config", bytesJson(target.config)},
            {"original", target.original ? bytesJson(*target.original) : Json()},
            {"config_changed", target.isConfigChanged},
            {"job_name", target.jobName},
            {"job_folder", bytesJson(target.jobFolder)},
            {"known", listJson(target.known)},
            {"ranks", std::move(ranks)},
            {"fetched", bytesJson(target.fetched)},
            {"processes", target.processes},
            {"logs", bytesJson(target.logs)},
            {"file", bytesJson(target.file)},
            {"horizon", target.horizon},
            {"watchers", listJson(target.watchers)},
            {"running_ranks", target.runningRanks},
            {"follower", bytesJson(target.follower)},
            {"settled", target.isSettled},
            {"has_command", target.hasCommand},
            {"config_due", target.isConfigDue},
            {"outputs", listJson(target.outputs)},
            {"output_known", target.isOutputKnown},
            {"earlier_lines", target.earlierLines},
            {"steps", messageJson(target.steps)}};
}

TargetRecord targetOf(const Json& json) {
    TargetRecord target;
    target.name = json.at("name").get<std::string>();
    target.state = stateOf(json.at("state"));
    target.workdir = bytesOf(json.at("workdir"));
    target.results = bytesOf(json.at("results"));
    target.config = bytesOf(json.at("config"));
    if (!json.at("original").is_null()) target.original = bytesOf(json.at("original"));
    target.isConfigChanged = json.at("config_changed").get<bool>();
    target.jobName = json.at("job_name").get<std::string>();
    target.jobFolder = bytesOf(json.at("job_folder"));
    for (const Json& path : json.at("known")) target.known.push_back(bytesOf(path));
    for (const Json& rank : json.at("ranks")) {
        target.ranks.push_back({bytesOf(rank.at("path")), rankOf(rank.at("rank")), stateOf(rank.at("state")),
                                messageOf(rank.at("message")), rank.value("bytes", std::uint64_t{0}),
                                rank.value("process", std::int64_t{0})});
        if (const auto steps = rank.find("steps"); steps != rank.end() && !steps->is_null())
            target.ranks.back().steps.emplace(steps->at(0).get<std::int64_t>(), steps->at(1).get<std::int64_t>());
    }
    target.fetched = bytesOf(json.at("fetched"));
    target.processes = json.value("processes", std::vector<std::int64_t>());
    // Of a version before.
    target.logs =
        json.contains("logs") ? bytesOf(json["logs"]) : target.config.substr(0, target.config.rfind('/') + 1) + "log";
    target.file = json.contains("file") ? bytesOf(json["file"]) : target.config;
    target.horizon = json.value("horizon", std::string());
    // It becomes part of a script.
    const bool isTime =
        target.horizon.size() == 17 && target.horizon.find_first_not_of("0123456789") == std::string::npos;
    if (!isTime && !target.horizon.empty()) throw std::invalid_argument("horizon");
    target.isSettled = json.value("settled", false);
    target.hasCommand = json.value("has_command", false);
    target.isConfigDue = json.value("config_due", false);
    if (json.contains("outputs")) {
        for (const Json& path : json["outputs"]) target.outputs.push_back(bytesOf(path));
    }
    target.isOutputKnown = json.value("output_known", false);
    target.earlierLines = json.value("earlier_lines", std::set<std::uint64_t>());
    if (json.contains("follower")) target.follower = bytesOf(json["follower"]);
    if (json.contains("steps")) target.steps = messageOf(json["steps"]);
    if (json.contains("watchers")) {
        for (const Json& path : json["watchers"]) target.watchers.push_back(bytesOf(path));
    }
    target.runningRanks = json.value("running_ranks", std::vector<std::int64_t>());
    return target;
}

CaptureRecord recordOf(const Json& json) {
    CaptureRecord record;
    record.id = json.at("id").get<std::string>();
    record.method = json.at("method").get<std::string>();
    record.preset = json.at("preset").get<std::string>();
    for (const Json& pair : json.at("settings")) {
        record.assignments.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
    }
    record.launch = bytesOf(json.at("launch"));
    record.started = json.at("started").get<std::int64_t>();
    record.place = json.value("place", std::string());
    record.state = stateOf(json.at("state"));
    record.kind =
        static_cast<ResultKind>(std::clamp(json.at("kind").get<int>(), 0, static_cast<int>(ResultKind::Served)));
    record.expectedRanks = json.at("expected_ranks").get<std::vector<std::int64_t>>();
    record.areRanksStandard = json.value("standard_ranks", false);
    record.analysis = static_cast<Analysis>(std::clamp(json.at("analysis").get<int>(), 0, 3));
    record.resultsPerRank = json.value("results_per_rank", std::int64_t{1});
    record.isStepOwn = json.value("common_is_own", false);
    record.commonMargin = json.value("common_margin", std::int64_t{0});
    if (json.contains("common_step")) record.commonStep = rankOf(json["common_step"]);
    if (json.contains("steps")) record.steps = messageOf(json["steps"]);
    record.timeout = json.value("timeout", std::int64_t{0});
    record.phaseBegin = json.value("phase_begin", record.started);
    for (const Json& target : json.at("targets")) record.targets.push_back(targetOf(target));
    for (const Json& event : json.at("events")) {
        record.events.push_back({event.at("ts").get<std::int64_t>(), event.at("host").get<std::string>(),
                                 rankOf(event.at("rank")), stateOf(event.at("state")), messageOf(event.at("message"))});
    }
    return record;
}

}  // namespace

std::string_view stateText(State state) { return kStates[static_cast<std::size_t>(state)]; }

bool isEarlier(const TargetRecord& target, std::string_view line) {
    return target.earlierLines.contains(digestOf(line));
}

void addEarlier(TargetRecord& target, std::string_view line) {
    if (!line.empty()) target.earlierLines.insert(digestOf(line));
}

std::string recordJson(const CaptureRecord& record) {
    Json settings = Json::array(), targets = Json::array(), events = Json::array();
    for (const auto& [name, value] : record.assignments) settings.push_back({name, repairedUtf8(value)});
    for (const TargetRecord& target : record.targets) targets.push_back(targetJson(target));
    for (const Event& event : record.events) {
        events.push_back({{"ts", event.time},
                          {"host", event.host},
                          {"rank", rankJson(event.rank)},
                          {"state", stateText(event.state)},
                          {"message", messageJson(event.message)}});
    }
    const Json json{{"schema", 1},
                    {"id", record.id},
                    {"method", record.method},
                    {"preset", record.preset},
                    {"settings", std::move(settings)},
                    {"launch", bytesJson(record.launch)},
                    {"started", record.started},
                    {"place", record.place},
                    {"state", stateText(record.state)},
                    {"kind", static_cast<int>(record.kind)},
                    {"expected_ranks", record.expectedRanks},
                    {"standard_ranks", record.areRanksStandard},
                    {"analysis", static_cast<int>(record.analysis)},
                    {"results_per_rank", record.resultsPerRank},
                    {"common_step", rankJson(record.commonStep)},
                    {"common_is_own", record.isStepOwn},
                    {"common_margin", record.commonMargin},
                    {"steps", messageJson(record.steps)},
                    {"timeout", record.timeout},
                    {"phase_begin", record.phaseBegin},
                    {"targets", std::move(targets)},
                    {"events", std::move(events)}};
    return dumpJson(json, 1) + "\n";
}

Result<CaptureRecord> recordOfJson(const std::string& json) {
    const Error damaged{"capture.session.damaged", {}, {}, {}};
    try {
        const Json parsed = parseOrderedJson(json);
        if (parsed.at("schema").get<int>() != 1) return damaged;
        return recordOf(parsed);
    } catch (const nlohmann::json::exception&) { return damaged; } catch (const std::logic_error&) {
        return damaged;
    }
}

std::string eventJson(const Event& event) {
    const Json message = event.message.code.empty() ? Json() : Json(errorText(event.message, "en"));
    const Json json{{"ts", event.time},
                    {"host", event.host},
                    {"rank", rankJson(event.rank)},
                    {"state", stateText(event.state)},
                    {"message", message}};
    return dumpJson(json);
}

std::int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace altiscope::capture
