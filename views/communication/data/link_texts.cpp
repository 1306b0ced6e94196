#include "views/communication/data/link_texts.h"

#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <cmath>
#include <set>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct LinkTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::LinkTexts)
};

constexpr std::size_t kGroupEnd = 3;  // digits that operators' names have of their group, too

}  // namespace

std::vector<std::string> nodeLabels(const LinkMatrix& matrix) {
    std::set<std::string_view> groups;
    for (const LinkNode& node : matrix.nodes()) {
        if (!node.rank) groups.insert(node.group);
    }
    std::vector<std::string> labels;
    for (const LinkNode& node : matrix.nodes()) {
        if (node.rank) {
            labels.push_back(std::to_string(*node.rank));
            continue;
        }
        labels.push_back(node.local < 0 ? std::string("[?]") : '[' + std::to_string(node.local) + ']');
        if (groups.size() > 1)
            labels.back() += " \u2026" + node.group.substr(node.group.size() - std::min(kGroupEnd, node.group.size()));
    }
    return labels;
}

QString nodeTitle(const LinkNode& node) {
    if (node.rank) return LinkTexts::tr("Rank %1").arg(*node.rank);
    return LinkTexts::tr("Index %1 in the group %2, rank unknown").arg(node.local).arg(toQString(node.group));
}

QString metricTitle(LinkMetric metric) {
    switch (metric) {
    case LinkMetric::Bandwidth: return LinkTexts::tr("Bandwidth");
    case LinkMetric::Size: return LinkTexts::tr("Size");
    case LinkMetric::Time: return LinkTexts::tr("Transit time");
    case LinkMetric::Count: return LinkTexts::tr("Calls");
    case LinkMetric::Transport: return LinkTexts::tr("Transport");
    }
    return {};
}

QString metricText(LinkMetric metric, double value, const LinkMatrix& matrix) {
    switch (metric) {
    case LinkMetric::Bandwidth: return formatRate(value * 1e9);
    case LinkMetric::Size: return formatBytes(value <= 0 ? 0 : static_cast<std::uint64_t>(value));
    case LinkMetric::Time: return formatDuration({std::llround(value)});
    case LinkMetric::Count: return formatCountShort(static_cast<std::uint64_t>(value));
    case LinkMetric::Transport: {
        const auto& names = matrix.transports();
        const auto place = static_cast<std::size_t>(std::max(0.0, static_cast<double>(names.size()) - value));
        return place < names.size() ? toQString(names[place]) : QString();
    }
    }
    return {};
}

QString differenceText(LinkMetric metric, double value) {
    static const LinkMatrix kNone;
    const QString size =
        metric == LinkMetric::Count ? formatNumber(std::abs(value)) : metricText(metric, std::abs(value), kNone);
    return value == 0 ? size : (value > 0 ? u"+"_s : u"\u2212"_s) + size;
}

QStringList differenceLines(const LinkComparison& links, const LinkSum& link, LinkMetric metric) {
    const auto place = links.current->placeOf(link.source, link.target);
    const auto values = place ? links.values(link.source, *place, metric) : std::nullopt;
    if (!values) return {LinkTexts::tr("Base: not known on both sides, so that there is no difference")};
    const auto text = [metric](double value) {
        return metric == LinkMetric::Count ? formatNumber(value) : metricText(metric, value, LinkMatrix());
    };
    const QString title = metricTitle(metric);
    const bool isPerStep = metric != LinkMetric::Bandwidth;
    return {isPerStep ? LinkTexts::tr("%1 per step: %2").arg(title, text(values->current))
                      : LinkTexts::tr("%1: %2").arg(title, text(values->current)),
            LinkTexts::tr("Base: %1").arg(text(values->base)),
            LinkTexts::tr("Difference: %1").arg(differenceText(metric, values->current - values->base))};
}

MetricUnit metricUnit(LinkMetric metric) {
    switch (metric) {
    case LinkMetric::Bandwidth: return {1, u"GB/s"_s};
    case LinkMetric::Size: return {1024.0 * 1024, u"MiB"_s};
    case LinkMetric::Time: return {1e6, u"ms"_s};
    case LinkMetric::Count:
    case LinkMetric::Transport: break;
    }
    return {1, {}};
}

QString metricFormula(LinkMetric metric) {
    switch (metric) {
    case LinkMetric::Bandwidth:
        return LinkTexts::tr(
                   "Sum of sizes / sum of transit times, from the communication matrix files, or computed from the "
                   "timeline where these are missing. Where several links share a pixel the lowest is shown. Grey: %1")
            .arg(smallFormula());
    case LinkMetric::Size:
        return LinkTexts::tr(
            "Sum of what was transferred, from the communication matrix files, or computed from the timeline where "
            "these are missing. Where several links share a pixel the largest is shown.");
    case LinkMetric::Time:
        return LinkTexts::tr("Sum of transit times, from the communication matrix files, or computed from the timeline "
                             "where these are missing. Where several links share a pixel the largest is shown.");
    case LinkMetric::Count:
        return LinkTexts::tr("Operators of the type that the rank recorded in the group; of single calls their number. "
                             "Where several links share a pixel the largest is shown.");
    case LinkMetric::Transport:
        return LinkTexts::tr("How the ranks are connected. Of several on a link, and where several links share a "
                             "pixel, the slowest is shown.");
    }
    return {};
}

QString smallFormula() {
    return LinkTexts::tr("a call moves less than %1 on average (by RDMA %2), so that its time is mostly the fixed cost "
                         "of each transfer and does not show how fast the link is.")
        .arg(formatBytes(LinkSum::kSmallTransfer), formatBytes(LinkSum::kSmallRemoteTransfer));
}

QStringList linkLines(const LinkSum& link, const LinkMatrix& matrix) {
    const LinkNode &source = matrix.nodes()[link.source], &target = matrix.nodes()[link.target];
    QStringList lines{LinkTexts::tr("From: %1").arg(nodeTitle(source)), LinkTexts::tr("To: %1").arg(nodeTitle(target))};
    const QString transport = toQString(matrix.transportText(link.transports));
    if (!transport.isEmpty()) lines << LinkTexts::tr("Transport: %1").arg(transport);
    if (const auto rate = link.bandwidth()) lines << LinkTexts::tr("Bandwidth: %1").arg(formatRate(*rate * 1e9));
    if (matrix.isTooSmall(link))
        lines << LinkTexts::tr("Too small for a bandwidth: %1 per call on average")
                     .arg(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, link.size) /
                                                                 std::max<std::int64_t>(1, link.calls))));
    lines << LinkTexts::tr("Size: %1 (%2)")
                 .arg(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, link.size))),
                      formatExactBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, link.size))));
    if (link.hasTime())
        lines << LinkTexts::tr("Transit time: %1 (%2)").arg(formatDuration({link.time}), formatExactNs({link.time}));
    else
        lines << (transport.contains(u"RDMA"_s)
                      ? LinkTexts::tr("Transit time: unknown, as it went by RDMA, at least in part")
                      : LinkTexts::tr("Transit time: not recorded"));
    if (link.calls > 0) lines << LinkTexts::tr("Calls: %1").arg(formatCount(link.calls));
    if (matrix.isComputed(link.source)) lines << LinkTexts::tr("Computed from the timeline.");
    return lines;
}

}  // namespace altiscope
