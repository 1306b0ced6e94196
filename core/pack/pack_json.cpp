#include "core/pack/pack_json.h"

#include "core/base/text/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace altiscope::pack {

namespace {

using Json = nlohmann::json;

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

/// Where a value is no whole number of the type.
struct NoInteger {};

/// The library converts reals, texts of bool and numbers beyond the type instead of refusing them.
template <class T>
T integer(const Json& value) {
    const bool isWide = value.is_number_unsigned() && !std::in_range<T>(value.get<std::uint64_t>());
    const bool isNegative = value.is_number_integer() && !value.is_number_unsigned();
    if (!value.is_number_integer() || isWide || (isNegative && !std::in_range<T>(value.get<std::int64_t>())))
        throw NoInteger{};
    return value.get<T>();
}

std::optional<std::int64_t> numberOrNull(const Json& value) {
    return value.is_null() ? std::nullopt : std::optional(integer<std::int64_t>(value));
}

/// @return False for a number that is none of the enumeration, whose last value is given.
template <class Enum>
bool take(const Json& value, Enum last, Enum& to) {
    const auto number = integer<std::int64_t>(value);
    if (number < 0 || number > static_cast<std::int64_t>(last)) return false;
    to = static_cast<Enum>(number);
    return true;
}

Json stepJson(const Step& step) {
    return {step.number, step.range ? Json(step.range->begin.value) : Json(),
            step.range ? Json(step.range->end.value) : Json(), step.isOfDevice};
}

Step stepOf(const Json& list) {
    Step step{integer<std::int64_t>(list.at(0)), {}, list.at(3).get<bool>()};
    const auto begin = numberOrNull(list.at(1)), end = numberOrNull(list.at(2));
    // A range that is none leaves the number, as where a capture states it.
    if (begin && end && isTraceTime(*begin) && isTraceTime(*end) && *begin <= *end)
        step.range = TimeRange{{*begin}, {*end}};
    return step;
}

Json rankJson(const PackedRank& rank) {
    const RankInfo& info = rank.info;
    Json missing = Json::array(), metadata = Json::array(), steps = Json::array();
    for (const MissingData& one : info.missing) missing.push_back({one.what, one.switchName});
    for (const auto& [key, value] : info.metadata) metadata.push_back({key, value});
    for (const Step& step : rank.steps) steps.push_back(stepJson(step));
    return {{"rank_id", orNull(info.rankId)},
            {"device_id", orNull(info.deviceId)},
            {"host", info.host},
            {"framework", static_cast<int>(info.framework)},
            {"source", static_cast<int>(info.source)},
            {"path", info.path},
            {"place", info.place},
            {"state", static_cast<int>(info.state)},
            {"trace_bytes", info.traceBytes},
            {"present", info.present},
            {"missing", missing},
            {"alternatives", info.alternatives},
            {"metadata", metadata},
            {"steps", steps},
            {"trace", rank.hasTrace},
            {"store", rank.hasStore},
            {"arguments", rank.hasArguments}};
}

std::optional<PackedRank> rankOf(const Json& json) {
    PackedRank rank;
    RankInfo& info = rank.info;
    info.rankId = numberOrNull(json.at("rank_id"));
    info.deviceId = numberOrNull(json.at("device_id"));
    json.at("host").get_to(info.host);
    if (!take(json.at("framework"), Framework::Chrome, info.framework) ||
        !take(json.at("source"), SourceKind::Cluster, info.source) ||
        !take(json.at("state"), RankState::Listed, info.state))
        return std::nullopt;
    json.at("path").get_to(info.path);
    json.at("place").get_to(info.place);
    info.traceBytes = integer<std::uint64_t>(json.at("trace_bytes"));
    json.at("present").get_to(info.present);
    for (const Json& one : json.at("missing"))
        info.missing.push_back({one.at(0).get<std::string>(), one.at(1).get<std::string>()});
    json.at("alternatives").get_to(info.alternatives);
    for (const Json& one : json.at("metadata"))
        info.metadata.emplace_back(one.at(0).get<std::string>(), one.at(1).get<std::string>());
    for (const Json& one : json.at("steps")) rank.steps.push_back(stepOf(one));
    std::stable_sort(rank.steps.begin(), rank.steps.end(),
                     [](const Step& a, const Step& b) { return a.number < b.number; });
    json.at("trace").get_to(rank.hasTrace);
    json.at("store").get_to(rank.hasStore);
    json.at("arguments").get_to(rank.hasArguments);
    return rank;
}

}  // namespace

std::string ranksToJson(const PackedRanks& ranks) {
    Json list = Json::array();
    for (const PackedRank& rank : ranks.ranks) list.push_back(rankJson(rank));
    return dumpJson(Json{{"identity", ranks.identity},
                         {"path", ranks.path},
                         {"program", ranks.program},
                         {"state", static_cast<int>(ranks.state)},
                         {"groups", ranks.hasGroups},
                         {"ranks", std::move(list)}});
}

std::optional<PackedRanks> ranksFromJson(std::string_view text) {
    const Json json = parseJson(text);
    if (!json.is_object()) return std::nullopt;
    try {
        PackedRanks ranks;
        json.at("identity").get_to(ranks.identity);
        json.at("path").get_to(ranks.path);
        json.at("program").get_to(ranks.program);
        if (!take(json.at("state"), CaptureStore::State::Partial, ranks.state) ||
            ranks.state == CaptureStore::State::Loading)
            return std::nullopt;
        json.at("groups").get_to(ranks.hasGroups);
        for (const Json& one : json.at("ranks")) {
            auto rank = rankOf(one);
            if (!rank) return std::nullopt;
            ranks.ranks.push_back(std::move(*rank));
        }
        return ranks;
    } catch (const nlohmann::json::exception&) { return std::nullopt; } catch (const NoInteger&) {
        return std::nullopt;
    }
}

std::string sourcesToJson(const std::vector<PackedSource>& sources) {
    Json list = Json::array();
    for (const PackedSource& source : sources) {
        list.push_back({{"rank", source.rank},
                        {"path", source.stamp.path.string()},
                        {"size", source.stamp.size},
                        {"modified_ns", source.stamp.modifiedNs},
                        {"xxh3", orNull(source.checksum)}});
    }
    return dumpJson(list);
}

}  // namespace altiscope::pack
