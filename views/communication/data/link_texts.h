#pragma once

#include "core/analysis/communication/link_picture.h"

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace altiscope {

// Links and groups in words; translated, pure functions.

/// "3", or of a place whose rank is not known "[2]"; with several groups of such places "[2] …586".
std::vector<std::string> nodeLabels(const LinkMatrix& matrix);
/// "Rank 3", or "Index 2 in the group 17522688603477080586, rank unknown".
QString nodeTitle(const LinkNode& node);

QString metricTitle(LinkMetric metric);
/// "18.4 GB/s", "1.25 ms"; of transports their name.
QString metricText(LinkMetric metric, double value, const LinkMatrix& matrix);
/// The same of a difference, with its sign.
QString differenceText(LinkMetric metric, double value);
/// In which users state a range of colours.
struct MetricUnit {
    double value = 1;  ///< Size of one unit in values of the metric; for the bandwidth 1.
    QString name;      ///< "GB/s"; empty: a number.
};
MetricUnit metricUnit(LinkMetric metric);
/// How it is computed, and which link stands for several in one pixel.
QString metricFormula(LinkMetric metric);

/// Which links are too small to have a bandwidth, and why; after a colon.
QString smallFormula();

/// Base, current and difference of a link by a metric, a line each.
QStringList differenceLines(const LinkComparison& links, const LinkSum& link, LinkMetric metric);
/// All that is known of a link, a line each, with exact values.
QStringList linkLines(const LinkSum& link, const LinkMatrix& matrix);

}  // namespace altiscope
