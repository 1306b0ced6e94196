#pragma once

#include "core/import/raw_files/raw_blocks.h"
#include "core/import/raw_host/raw_host.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope::reader {

/// An operator of a model into which the graph engine fused several.
struct RawFusion {
    std::uint64_t model = 0;                 ///< Number of the model.
    std::optional<std::uint64_t> modelName;  ///< Hash; nullopt: no record names the model.
    std::uint64_t name = 0;                  ///< Hash. This and the next ones.
    std::vector<std::uint64_t> ops;
    std::array<std::uint64_t, 5> bytes{};  ///< Those of inputs, outputs, weights, workspace, and in all.
};

/// Fusions in models, in the order of their threads, then of times; none where no record names a model.
/// A record belongs to the model whose call on its thread is the nearest one around it; those of no model are none, as
/// with the vendor. "raw.outside" (repaired): how many. Source: FORMAT.md.
std::vector<RawFusion> readRawFusions(const RawFiles& files, const RawHost& host, RawContext& context);

}  // namespace altiscope::reader
