#pragma once

#include "core/base/values/result.h"
#include "core/generate/support/run_conditions.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::generate {

/// How a run is written: text and database export of torch_npu, text output of a cluster analysis, MindSpore's text
/// export; memory snapshots; records that nobody has analysed.
enum class CaptureFormat : std::uint8_t { Text, Db, Cluster, MindSpore, Snapshot, Raw };

/// What `altiscope-cli generate` is to make (resources/help/reference/command-line.md).
struct GenerateOptions {
    std::filesystem::path output;         ///< Folder to make, or an empty one.
    std::uint32_t ranks = 2;              ///< 1 .. kMaxRanks.
    std::optional<std::uint32_t> steps;   ///< 1 .. kMaxSteps; absent: kDefaultSteps, or what `size` requests.
    std::optional<std::uint32_t> layers;  ///< 1 .. kMaxLayers; absent: usualLayers(), or what `size` requests.
    std::optional<std::uint64_t> size;    ///< Bytes of one rank's folder, approximately.
    std::uint64_t seed = 1;
    std::vector<CaptureFormat> formats;  ///< Twins of one run, each at most once. Empty: text.
    RunConditions conditions;
    bool lateMetadata = false;       ///< Names of processes and threads stand at the end of the timeline.
    std::vector<std::string> words;  ///< The arguments as given, without the output folder: truth.json names them.
};

inline constexpr std::uint32_t kMaxRanks = 4096;
inline constexpr std::uint32_t kMaxSteps = 10'000'000;
inline constexpr std::uint32_t kMaxLayers = 256;
inline constexpr std::uint32_t kDefaultSteps = 2;
/// Of a transformer; the bottleneck blocks of ResNet-50.
constexpr std::uint32_t usualLayers(ModelKind model) { return model == ModelKind::Transformer ? 4 : 16; }

/// Reads the words after `generate`. An option's value follows as the next word or after `=`.
/// @return Error with one of the codes of wrong usage: generate.no_output, generate.two_outputs,
///         generate.unknown_option, generate.no_value, generate.bad_value, generate.bad_plant,
///         generate.value_unexpected.
Result<GenerateOptions> parseGenerateOptions(std::span<const std::string> arguments);

/// Whether the word after this option is its value.
bool isValueOption(std::string_view option);

/// True if the format shall be written.
bool wants(const GenerateOptions& options, CaptureFormat format);

/// True for the codes that mean that the command line was wrong, not the work.
bool isWrongUsage(const Error& error);

}  // namespace altiscope::generate
