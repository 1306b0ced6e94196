#include "core/import/mindspore/parallel_strategy.h"

#include "core/base/files/file.h"
#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/import/contracts/strategy_facts.h"
#include "core/import/json/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace altiscope::reader {

namespace {

using StrategyJson = nlohmann::json;
/// Keys in the order in which they are shown.
using StrategyFacts = nlohmann::ordered_json;

constexpr std::string_view kBlanks = " \t\r\n";
/// Objects with ordered keys are slow beyond it.
constexpr std::size_t kMaxConfig = std::size_t{1} << 20;

const StrategyJson* strategyMember(const StrategyJson& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() ? nullptr : &*found;
}

std::string strategyWord(const StrategyJson& object, const char* key) {
    const StrategyJson* text = strategyMember(object, key);
    return text != nullptr && text->is_string() ? text->get<std::string>() : std::string();
}

/// [0,1] of {"dim": [{"size": "0"}, {"size": "1"}]}; protobuf leaves out a size of 0. nullopt: it is something else.
std::optional<StrategyJson> sizesOf(const StrategyJson& shape) {
    const StrategyJson* dims = strategyMember(shape, "dim");
    if (dims == nullptr || !dims->is_array()) return std::nullopt;
    StrategyJson sizes = StrategyJson::array();
    for (const StrategyJson& dim : *dims) {
        if (!dim.is_object()) return std::nullopt;
        const StrategyJson* size = strategyMember(dim, "size");
        const auto number = size == nullptr ? std::optional<std::int64_t>(0) : wholeNumber(plainJson(*size));
        if (!number) return std::nullopt;
        sizes.push_back(*number);
    }
    return sizes;
}

/// "[[0,1],[2,3]]" of a list of such shapes.
std::optional<std::string> stageDevices(const StrategyJson& stages) {
    if (!stages.is_array()) return std::nullopt;
    StrategyJson all = StrategyJson::array();
    for (const StrategyJson& stage : stages) {
        auto ranks = sizesOf(stage);
        if (!ranks) return std::nullopt;
        all.push_back(std::move(*ranks));
    }
    return dumpJson(all);
}

/// The shape of an output, or those of its parts; null: it has none.
StrategyJson shapeOf(const StrategyJson& type) {
    if (const StrategyJson* tensor = strategyMember(type, "tensorType")) {
        const StrategyJson* shape = strategyMember(*tensor, "shape");
        return (shape == nullptr ? std::nullopt : sizesOf(*shape)).value_or(StrategyJson());
    }
    const StrategyJson* sequence = strategyMember(type, "sequenceType");
    const StrategyJson* parts = sequence == nullptr ? nullptr : strategyMember(*sequence, "elemTypes");
    if (parts == nullptr || !parts->is_array()) return {};
    StrategyJson shapes = StrategyJson::array();
    for (const StrategyJson& part : *parts) {
        if (StrategyJson shape = shapeOf(part); !shape.is_null()) shapes.push_back(std::move(shape));
    }
    return shapes.empty() ? StrategyJson() : shapes;
}

/// The value of an attribute: whole numbers, texts and lists of them. null: it is something else.
StrategyJson attributeValue(const StrategyJson& value) {
    if (const StrategyJson* list = strategyMember(value, "values"); list != nullptr && list->is_array()) {
        StrategyJson values = StrategyJson::array();
        for (const StrategyJson& one : *list) values.push_back(attributeValue(one));
        return values;
    }
    for (const char* key : {"intVal", "uintVal"}) {
        const StrategyJson* number = strategyMember(value, key);
        if (number == nullptr) continue;
        const auto whole = wholeNumber(plainJson(*number));
        return whole ? StrategyJson(*whole) : StrategyJson();
    }
    if (const StrategyJson* text = strategyMember(value, "strVal"); text != nullptr && text->is_string()) return *text;
    // protobuf leaves out a 0 and an empty list.
    const std::string type = strategyWord(value, "dtype");
    if (type.starts_with("DT_INT") || type.starts_with("DT_UINT")) return 0;
    return type == "DT_TUPLE" || type == "DT_LIST" ? StrategyJson::array() : StrategyJson();
}

/// Whether addDividedOperator() may find anything in an operator: most have nothing, and parsing costs most.
bool mayBeDivided(std::string_view node) {
    static constexpr std::string_view kWords[] = {"\"in_strategy\"", "\"gen_strategy\"", "\"group\"", "grad_mirror",
                                                  "redistribution"};
    return std::any_of(std::begin(kWords), std::end(kWords),
                       [node](std::string_view word) { return node.find(word) != std::string_view::npos; });
}

void addDividedOperator(const StrategyJson& node, Metadata& metadata) {
    StrategyFacts facts = StrategyFacts::object();
    if (const std::string type = strategyWord(node, "opType"); !type.empty()) facts["type"] = type;
    const std::size_t named = facts.size();
    if (const StrategyJson* attributes = strategyMember(node, "attribute");
        attributes != nullptr && attributes->is_array()) {
        struct Fact {
            const char *attribute, *name;
        };
        // The first two say the same, of newer and older versions.
        for (const Fact& fact : {Fact{"in_strategy", "strategy"},
                                 {"gen_strategy", "strategy"},
                                 {"group", "group"},
                                 {"group_ranks", "ranks"}}) {
            const auto found = std::find_if(attributes->begin(), attributes->end(), [&fact](const StrategyJson& one) {
                return strategyWord(one, "name") == fact.attribute;
            });
            const StrategyJson* value = found == attributes->end() ? nullptr : strategyMember(*found, "value");
            if (value == nullptr || facts.contains(fact.name)) continue;
            StrategyJson plain = attributeValue(*value);
            // A convolution has a number of groups under the same name.
            const bool isStrategy = fact.name == std::string_view("strategy");
            if (isStrategy ? plain.is_array() : plain.is_string()) facts[fact.name] = StrategyFacts(plain);
        }
    }
    const std::string instance = strategyWord(node, "instanceName");
    if (instance.find("grad_mirror") != std::string::npos) facts["role"] = "gradient_aggregation";
    else if (instance.find("redistribution") != std::string::npos) facts["role"] = "redistribution";
    if (facts.size() == named) return;
    if (const StrategyJson* type = strategyMember(node, "outputType")) {
        if (const StrategyJson shape = shapeOf(*type); !shape.is_null()) facts["shape"] = StrategyFacts(shape);
    }
    const std::string fullName = strategyWord(node, "fullName");
    metadata.emplace_back(std::string(kStrategyOperatorPrefix) +
                              (fullName.empty() ? strategyWord(node, "name") : fullName),
                          dumpJson(facts));
}

/// A JSON text of which parts are parsed.
class StrategyText {
public:
    StrategyText(std::string_view text, std::string_view name, Diagnostics& diagnostics, const CancelToken& cancel)
        : m_text(text), m_name(name), m_diagnostics(diagnostics), m_cancel(cancel) {}

    /// Where the value of a key begins, from a place on; npos: it is not there.
    std::size_t valueAfter(std::string_view key, std::size_t from) const {
        for (std::size_t at = from; (at = m_text.find(key, at)) != std::string_view::npos; at += key.size()) {
            const std::size_t colon = m_text.find_first_not_of(kBlanks, at + key.size());
            if (colon == std::string_view::npos || m_text[colon] != ':') continue;
            return afterBlanks(colon + 1);
        }
        return std::string_view::npos;
    }
    /// The value that begins at a place; nullopt, and a report, where there is none.
    std::optional<std::string_view> value(std::size_t begin) const {
        // Also keeps the depth within bounds: the library recurses.
        const ValueExtent extent = valueExtent(m_text.substr(begin));
        if (extent.end == ValueExtent::End::Complete) return m_text.substr(begin, extent.length);
        broken(begin + extent.length);
        return std::nullopt;
    }
    void broken(std::size_t byte) const {
        m_diagnostics.add("metadata.broken", Severity::Lost, m_name, {PlaceUnit::Byte, byte});
    }
    std::size_t placeOf(std::string_view part) const { return static_cast<std::size_t>(part.data() - m_text.data()); }
    /// Calls for each value of the array that begins at a place.
    template <class Visit>
    std::size_t eachOf(std::size_t begin, const Visit& visit) const {
        std::size_t count = 0;
        if (begin >= m_text.size() || m_text[begin] != '[') return count;
        std::size_t at = afterBlanks(begin + 1);
        while (at < m_text.size() && m_text[at] != ']') {
            if (count % kBetweenLooks == 0 && m_cancel.cancelled()) return count;
            const auto one = value(at);
            if (!one) return count;
            visit(*one);
            ++count;
            at = afterBlanks(at + one->size());
            if (at < m_text.size() && m_text[at] == ',') at = afterBlanks(at + 1);
            else if (at < m_text.size() && m_text[at] != ']') break;
        }
        if (at >= m_text.size() || m_text[at] != ']') broken(at);
        return count;
    }

private:
    static constexpr std::size_t kBetweenLooks = 256;

    std::size_t afterBlanks(std::size_t at) const {
        return std::min(m_text.find_first_not_of(kBlanks, at), m_text.size());
    }

    std::string_view m_text, m_name;
    Diagnostics& m_diagnostics;
    const CancelToken& m_cancel;
};

struct StrategyContent {
    std::string text;
    bool isWhole = false;
};

/// The text of a file, or its beginning: the graph of all operators may be of any size, and what lies before it says
/// how the job was divided. A reason why there is less than all is reported.
StrategyContent strategyContentOf(const std::filesystem::path& path, std::string_view name, Diagnostics& diagnostics) {
    static constexpr std::uint64_t kMaxStrategy = std::uint64_t{64} << 20;
    const auto report = [&](const Error& error) {
        diagnostics.add(error.code, Severity::Lost, name, {}, error.parameters);
        return StrategyContent();
    };
    auto whole = readSmallText(path, kMaxStrategy);
    if (whole.ok()) return {std::move(whole).value(), true};
    report(whole.error());
    if (whole.error().code != "file.too_large") return {};
    const auto file = ReadOnlyFile::openText(path);
    if (!file.ok()) return report(file.error());
    std::string text(kMaxConfig, '\0');
    const auto got = file.value().read(0, std::span(text));
    if (!got.ok()) return report(got.error());
    text.resize(got.value());
    return {std::move(text), false};
}

/// Operators of the graph, on their way to metadata.
class StrategyOperators {
public:
    StrategyOperators(const StrategyText& text, std::string_view name, Metadata& metadata, Diagnostics& diagnostics)
        : m_text(text), m_name(name), m_metadata(metadata), m_diagnostics(diagnostics) {}

    void add(std::string_view node) {
        const bool isObject = node.starts_with('{');
        if (isObject && !mayBeDivided(node)) return;
        if (isObject && m_metadata.size() >= m_most) {
            ++m_leftOff;
            return;
        }
        const auto parsed = isObject ? parseJson(repairedUtf8(node)) : StrategyJson();
        if (parsed.is_object()) return addDividedOperator(parsed, m_metadata);
        if (m_broken++ == 0) m_firstBroken = m_text.placeOf(node);
    }
    void finish(std::size_t operators) {
        if (m_broken > 0)
            m_diagnostics.add("table.broken", Severity::Lost, m_name, {PlaceUnit::Byte, m_firstBroken},
                              {{"what", "graph.node"}}, m_broken);
        if (m_leftOff > 0) m_metadata.emplace_back("parallel_strategy.operators_not_listed", std::to_string(m_leftOff));
        if (operators > 0) m_metadata.emplace_back("parallel_strategy.operators", std::to_string(operators));
    }

private:
    // Metadata are copied with their rank, and 10^4 operators are more than anybody reads.
    static constexpr std::size_t kMostListed = 10'000;

    const StrategyText& m_text;
    std::string_view m_name;
    Metadata& m_metadata;
    Diagnostics& m_diagnostics;
    const std::size_t m_most = m_metadata.size() + kMostListed;
    std::size_t m_leftOff = 0, m_broken = 0, m_firstBroken = 0;
};

}  // namespace

void addParallelStrategy(const std::filesystem::path& path, std::string_view name, Metadata& metadata,
                         Diagnostics& diagnostics, const CancelToken& cancel) {
    const StrategyContent content = strategyContentOf(path, name, diagnostics);
    if (content.text.empty() && !content.isWhole) return;
    const StrategyText text(content.text, name, diagnostics, cancel);
    const std::size_t begin = text.valueAfter("\"config\"", 0);
    if (begin == std::string_view::npos) return text.broken(0);
    const auto configText = text.value(begin);
    if (!configText) return;
    if (configText->size() > kMaxConfig) return text.broken(begin);
    const auto config = parseOrderedJson(repairedUtf8(*configText));
    if (!config.is_object()) return text.broken(begin);
    for (const auto& [option, value] : config.items()) {
        std::string shown = plainJson(value);
        if (option == "stageDevices") shown = stageDevices(StrategyJson(value)).value_or(std::move(shown));
        metadata.emplace_back("parallel_strategy." + repairedUtf8(option), std::move(shown));
    }
    if (!content.isWhole) return;
    // The graph stands after it.
    const std::size_t graph = text.valueAfter("\"graph\"", begin + configText->size());
    const std::size_t nodes = graph == std::string_view::npos ? graph : text.valueAfter("\"node\"", graph);
    if (nodes == std::string_view::npos) return;
    StrategyOperators operators(text, name, metadata, diagnostics);
    operators.finish(text.eachOf(nodes, [&](std::string_view node) { operators.add(node); }));
    const std::size_t parameters = text.valueAfter("\"parameters\"", graph);
    const std::size_t count =
        parameters == std::string_view::npos ? 0 : text.eachOf(parameters, [](std::string_view) {});
    if (count > 0) metadata.emplace_back("parallel_strategy.parameters", std::to_string(count));
}

}  // namespace altiscope::reader
