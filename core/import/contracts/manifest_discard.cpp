#include "core/import/contracts/manifest_discard.h"

#include "core/base/memory/discard.h"

#include <algorithm>
#include <cstddef>

namespace altiscope::reader {

namespace {

/// Whether copies of files go with it that were made for it.
bool ownsFiles(const CaptureManifest& manifest) {
    if (manifest.archive) return true;
    const auto isCopy = [](const SourceFile& file) { return file.copy != nullptr; };
    return std::any_of(manifest.ranks.begin(), manifest.ranks.end(),
                       [&](const RankManifest& rank) {
                           return std::any_of(rank.traces.begin(), rank.traces.end(), isCopy) ||
                                  std::any_of(rank.tables.begin(), rank.tables.end(),
                                              [&](const TableFile& one) { return isCopy(one.source); });
                       }) ||
           std::any_of(manifest.clusters.begin(), manifest.clusters.end(),
                       [&](const ClusterManifest& cluster) { return cluster.database && isCopy(*cluster.database); });
}

std::size_t fileCountOf(const CaptureManifest& manifest) {
    std::size_t files = 0;
    for (const RankManifest& rank : manifest.ranks) files += 1 + rank.traces.size() + rank.tables.size();
    return files;
}

}  // namespace

ManifestDiscard::~ManifestDiscard() {
    static constexpr std::size_t kLarge = 10'000;  // takes 10 ms
    const bool isLarge = fileCountOf(m_manifest) > kLarge;
    if ((m_cancel.cancelled() || isLarge) && !ownsFiles(m_manifest)) moveAside(m_manifest);
}

}  // namespace altiscope::reader
