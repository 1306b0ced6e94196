#include "core/generate/options/generate_options.h"

#include "core/base/values/parse.h"
#include "core/generate/options/plant_options.h"
#include "core/generate/support/byte_count.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace altiscope::generate {

namespace {

constexpr std::array<std::string_view, 12> kOptions{
    "--format", "--model",          "--ranks",           "--steps",           "--layers", "--size",
    "--seed",   "--distinct-names", "--clock-offset-us", "--clock-drift-ppm", "--plant",  "--micro-batches"};
/// Options that stand alone.
constexpr std::array<std::string_view, 2> kFlags{"--late-metadata", "--uneven-warmup"};
constexpr std::array<std::pair<std::string_view, CaptureFormat>, 6> kFormats{{{"text", CaptureFormat::Text},
                                                                              {"db", CaptureFormat::Db},
                                                                              {"cluster", CaptureFormat::Cluster},
                                                                              {"mindspore", CaptureFormat::MindSpore},
                                                                              {"snapshot", CaptureFormat::Snapshot},
                                                                              {"raw", CaptureFormat::Raw}}};

template <std::size_t n>
bool contains(const std::array<std::string_view, n>& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

Error usageError(std::string code, MessageParameters parameters) {
    return Error{.code = std::move(code), .file = {}, .place = {}, .parameters = std::move(parameters)};
}

Error badValue(std::string_view option, const std::string& value, std::string expected) {
    return usageError("generate.bad_value",
                      {{"option", std::string(option)}, {"value", value}, {"expected", std::move(expected)}});
}

/// Sets a count of the options; gives the error if the text is none within 1 .. most.
template <class Target>
std::optional<Error> setCount(std::string_view option, const std::string& value, std::uint32_t most, Target& target) {
    const auto count = wholeNumber<std::uint64_t>(value);
    if (!count || *count < 1 || *count > most) return badValue(option, value, "1 .. " + std::to_string(most));
    target = static_cast<std::uint32_t>(*count);
    return std::nullopt;
}

std::optional<Error> setAmplitude(std::string_view option, const std::string& value, std::uint64_t most,
                                  std::uint64_t& target) {
    const auto amplitude = wholeNumber<std::uint64_t>(value);
    if (!amplitude || *amplitude > most) return badValue(option, value, "0 .. " + std::to_string(most));
    target = *amplitude;
    return std::nullopt;
}

std::optional<Error> addFormat(std::string_view option, const std::string& value, std::vector<CaptureFormat>& formats) {
    const auto known =
        std::find_if(kFormats.begin(), kFormats.end(), [&](const auto& one) { return one.first == value; });
    if (known == kFormats.end()) return badValue(option, value, "text, db, cluster, mindspore, snapshot, raw");
    if (std::find(formats.begin(), formats.end(), known->second) == formats.end()) formats.push_back(known->second);
    return std::nullopt;
}

std::optional<Error> setModel(std::string_view option, const std::string& value, ModelKind& model) {
    if (value != "transformer" && value != "resnet") return badValue(option, value, "transformer, resnet");
    model = value == "resnet" ? ModelKind::Resnet : ModelKind::Transformer;
    return std::nullopt;
}

std::optional<Error> setOption(std::string_view option, const std::string& value, GenerateOptions& options) {
    if (option == "--ranks") return setCount(option, value, kMaxRanks, options.ranks);
    if (option == "--steps") return setCount(option, value, kMaxSteps, options.steps);
    if (option == "--layers") return setCount(option, value, kMaxLayers, options.layers);
    if (option == "--micro-batches") return setCount(option, value, kMaxMicroBatches, options.conditions.microBatches);
    if (option == "--model") return setModel(option, value, options.conditions.model);
    if (option == "--seed") {
        const auto seed = wholeNumber<std::uint64_t>(value);
        if (!seed) return badValue(option, value, "0 .. 18446744073709551615");
        options.seed = *seed;
        return std::nullopt;
    }
    if (option == "--distinct-names")
        return setCount(option, value, kMaxDistinctNames, options.conditions.distinctNames);
    if (option == "--clock-offset-us")
        return setAmplitude(option, value, kMaxClockOffsetUs, options.conditions.clockOffsetUs);
    if (option == "--clock-drift-ppm")
        return setAmplitude(option, value, kMaxClockDriftPpm, options.conditions.clockDriftPpm);
    if (option == "--plant") {
        Result<Plant> plant = parsePlant(value);
        if (!plant.ok()) return plant.error();
        options.conditions.plants.push_back(std::move(plant).value());
        return std::nullopt;
    }
    if (option == "--size") {
        options.size = byteCount(value);
        if (!options.size) return badValue(option, value, "2000000, 500M, 1G");
        return std::nullopt;
    }
    return addFormat(option, value, options.formats);
}

}  // namespace

Result<GenerateOptions> parseGenerateOptions(std::span<const std::string> arguments) {
    GenerateOptions options;
    bool onlyOutput = false;  // After "--" no word is an option.
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        if (word == "--" && !onlyOutput) {
            onlyOutput = true;
            continue;
        }
        if (onlyOutput || word.empty() || word.front() != '-') {
            if (!options.output.empty()) return usageError("generate.two_outputs", {{"word", word}});
            if (word.empty()) return usageError("generate.no_output", {});
            options.output = word;
            continue;
        }
        const std::size_t equals = word.find('=');
        const std::string option = word.substr(0, equals);
        if (contains(kFlags, option)) {
            if (equals != std::string::npos) return usageError("generate.value_unexpected", {{"option", option}});
            options.words.push_back(word);
            (option == kFlags[0] ? options.lateMetadata : options.conditions.unevenWarmup) = true;
            continue;
        }
        if (!contains(kOptions, option)) return usageError("generate.unknown_option", {{"option", option}});
        options.words.push_back(word);
        std::string value;
        if (equals != std::string::npos) {
            value = word.substr(equals + 1);
        } else {
            if (i + 1 == arguments.size()) return usageError("generate.no_value", {{"option", option}});
            value = arguments[++i];
            options.words.push_back(value);
        }
        if (auto error = setOption(option, value, options)) return *std::move(error);
    }
    if (options.output.empty()) return usageError("generate.no_output", {});
    // Layers that are chosen for a size are laid out as the usual number of them.
    const std::uint32_t layers = options.layers.value_or(usualLayers(options.conditions.model));
    // How many steps make a size is not known yet.
    const std::optional<std::uint32_t> steps =
        options.steps || options.size ? options.steps : std::optional(kDefaultSteps);
    const Result<Done> possible = checkPlants(options.conditions, options.ranks, layers, steps);
    if (!possible.ok()) return possible.error();
    return options;
}

bool isValueOption(std::string_view option) { return contains(kOptions, option); }

bool wants(const GenerateOptions& options, CaptureFormat format) {
    if (options.formats.empty()) return format == CaptureFormat::Text;
    return std::find(options.formats.begin(), options.formats.end(), format) != options.formats.end();
}

bool isWrongUsage(const Error& error) {
    constexpr std::array<std::string_view, 8> kCodes{
        "generate.bad_plant", "generate.bad_value",   "generate.no_output",      "generate.no_value",
        "generate.too_small", "generate.two_outputs", "generate.unknown_option", "generate.value_unexpected"};
    return contains(kCodes, error.code);
}

}  // namespace altiscope::generate
