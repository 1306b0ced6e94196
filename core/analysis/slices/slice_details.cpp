#include "core/analysis/slices/slice_details.h"

#include "core/base/text/json_text.h"
#include "core/base/values/parse.h"

#include <nlohmann/json.hpp>

namespace altiscope {

namespace {

using Json = nlohmann::json;

/// Length of the JSON string or other value at the front of `text`, up to the comma or bracket that ends it.
/// @pre text begins a value of well-formed JSON.
std::size_t valueLength(std::string_view text) {
    bool inString = false;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\') ++i;
            else if (c == '"') inString = false;
            continue;
        }
        if (c == '"') inString = true;
        if (c == '{' || c == '[') ++depth;
        if ((c == '}' || c == ']') && depth-- == 0) return i;
        if ((c == ',' || c == ':') && depth == 0) return i;
    }
    return text.size();
}

/// A string's content; any other value as it stands in the source, because numbers may pass 64 bits.
std::string readable(std::string_view json) {
    if (!json.starts_with('"')) return std::string(json);
    return parseJson(json).get<std::string>();
}

/// "file(line): function" parts, innermost first, are joined by ";\r\n" (core/import/trace/FORMAT.md section 5).
std::vector<std::string> splitCallStack(std::string_view text) {
    std::vector<std::string> frames;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view frame = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        while (!frame.empty() && (frame.back() == '\r' || frame.back() == ';' || frame.back() == ' '))
            frame.remove_suffix(1);
        if (!frame.empty()) frames.emplace_back(frame);
    }
    return frames;
}

std::vector<LinkedSlice> linksOf(const TraceStore& store, SliceIndex slice) {
    const TraceColumns& c = store.columns();
    std::vector<LinkedSlice> links;
    for (const std::uint32_t flow : store.flowsTo(slice)) {
        links.push_back({std::string(store.flowCategory(flow)), false, {c.flowFrom[flow]}, {c.flowFromTime[flow]}});
    }
    for (const std::uint32_t flow : store.flowsFrom(slice)) {
        links.push_back({std::string(store.flowCategory(flow)), true, {c.flowTo[flow]}, {c.flowToTime[flow]}});
    }
    return links;
}

}  // namespace

std::vector<Argument> splitArguments(const std::string& json) {
    std::vector<Argument> arguments;
    std::string_view rest = trimmed(json);
    if (!rest.starts_with('{') || !isJson(json)) return arguments;
    rest.remove_prefix(1);
    while (!trimmed(rest).starts_with('}')) {
        const std::size_t keyLength = valueLength(rest);
        const std::string key = readable(trimmed(rest.substr(0, keyLength)));
        rest.remove_prefix(keyLength + 1);
        const std::size_t length = valueLength(rest);
        const std::string_view value = trimmed(rest.substr(0, length));
        arguments.push_back({key, readable(value), std::string(value)});
        rest.remove_prefix(length);
        if (rest.starts_with(',')) rest.remove_prefix(1);
    }
    return arguments;
}

SliceDetails describeSlice(const CaptureStore& capture, SliceRef ref, const CancelToken& cancel) {
    const RankEntry& rank = capture.ranks[ref.rank.value];
    const TraceStore& store = *rank.trace;
    const DepthRun& run = store.runOf(ref.slice);
    SliceDetails details;
    details.ref = ref;
    details.name = store.name(ref.slice);
    details.category = store.category(ref.slice);
    details.track = {run.track};
    details.begin = store.begin(ref.slice);
    details.duration = store.duration(ref.slice);
    details.selfDuration = store.selfDuration(ref.slice);
    details.depth = run.depth;
    details.parent = store.parent(ref.slice);
    details.links = linksOf(store, ref.slice);
    if (!rank.arguments) return details;

    rank.arguments->prepare(store.pos(ref.slice), cancel);
    if (cancel.cancelled()) return details;
    const Result<std::string> text = rank.arguments->arguments(store.pos(ref.slice));
    if (!text.ok()) {
        details.argumentsProblem = text.failed() ? text.error().code : std::string();
        return details;
    }
    for (Argument& argument : splitArguments(text.value())) {
        if (argument.key == "Call stack") {
            details.callStack = splitCallStack(argument.text);
        } else {
            details.arguments.push_back(std::move(argument));
        }
    }
    return details;
}

std::optional<SliceRef> findSlice(const CaptureStore& capture, SliceKey key) {
    if (key.rank.value >= capture.ranks.size() || !capture.ranks[key.rank.value].trace) return std::nullopt;
    const auto slice = capture.ranks[key.rank.value].trace->findSlice(key.id);
    if (!slice) return std::nullopt;
    return SliceRef{key.rank, *slice};
}

SliceKey keyOf(const CaptureStore& capture, SliceRef ref) {
    return {ref.rank, capture.ranks[ref.rank.value].trace->id(ref.slice)};
}

}  // namespace altiscope
