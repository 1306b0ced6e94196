#pragma once

#include "core/session/findings_loader.h"
#include "views/cluster/data/cluster_source.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

// The page Cluster in words; translated, pure functions of the GUI thread.

QString metricTitle(RankMetric metric);                     ///< "Exposed communication"
QString metricFormula(RankMetric metric);                   ///< How it is computed.
QString metricText(RankMetric metric, double value);        ///< "1.25 ms", "1,650 MHz"
QString exactMetricText(RankMetric metric, double value);   ///< "1.25 ms (1,250,000 ns)"
QString metricDifference(RankMetric metric, double value);  ///< "+1.25 ms"
/// "tp"; what the dimension without a kind is called.
QString dimensionTitle(const std::string& kind);

/// "Rank 17", "rank 17 is not in the capture" as a title.
QString placedRankTitle(const ClusterSource& source, const PlacedRank& rank);
/// "tp 1, dp 2, pp 0"; empty where places are not known.
QString placeText(const RankPlaces& places, std::size_t rank);
/// "4, 5, 6-9": the numbers of some ranks, as indexes in places.ranks.
QString numbersOf(const RankPlaces& places, const std::vector<std::uint32_t>& ranks);

/// Where a link of the sentence leads.
struct ClusterLink {
    std::optional<std::size_t> finding;  ///< In CaptureFindings::findings: its evidence.
    SliceId slice{};                     ///< Else this slice.
};
/// What the page begins with, as rich text; its links are indexes in `links`.
struct ClusterSentence {
    QString text;
    std::vector<ClusterLink> links;
};
/// Step time of the job, what of it could be won back and by which causes; or why that is not known.
/// @param found  Of the same capture; others are not linked.
ClusterSentence clusterSentence(const ClusterSource& source, const CaptureFindings& found);

/// What is not there or not known beside what is shown, one sentence each.
QStringList clusterGaps(const ClusterSource& source);
/// The same of a capture that has nothing to show.
QStringList clusterMissing(const ClusterSource& source);

}  // namespace altiscope
