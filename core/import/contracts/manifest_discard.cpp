#include "core/import/contracts/manifest_discard.h"

#include "core/base/files/discard.h"

#include <algorithm>

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

}  // namespace

DiscardManifestOnCancel::~DiscardManifestOnCancel() {
    if (!m_cancel.cancelled() || ownsFiles(m_manifest)) return;
    const DiscardOnCancel aside(m_cancel, m_manifest);
}

}  // namespace altiscope::reader
