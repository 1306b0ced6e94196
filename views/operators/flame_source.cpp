#include "views/operators/flame_source.h"

#include "core/base/text/percent_text.h"
#include "views/common/plots/colour_ramp.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Change of a share that has the full colour: less is mostly noise.
constexpr double kFullChange = 0.01;

}  // namespace

QString formatPoints(double difference) {
    return (difference < 0 ? u"−"_s : u"+"_s) + QString::number(std::abs(difference) * 100, 'f', 2) +
           toQString(percentSign(catalogueLanguage()));
}

FlameFrames::FlameFrames(std::shared_ptr<const FlameTree> tree) : m_tree(std::move(tree)) {
    for (std::uint32_t i = 1; i < m_tree->nodes.size(); ++i) {
        m_mostSelf = std::max(m_mostSelf, m_tree->frame(i).self);
        m_mostChange = std::max(m_mostChange, std::abs(m_tree->change(i)));
    }
}

QString FlameFrames::title(std::uint32_t node) const {
    const FlameFrame& frame = m_tree->frame(node);
    const QString name = node == 0 ? tr("All") : toQString(frame.name);
    if (m_tree->base != nullptr) return name + u"  "_s + formatPoints(m_tree->change(node));
    return name + u"  "_s + formatDuration({node == 0 ? m_tree->all : frame.weight});
}

QString FlameFrames::tip(std::uint32_t node) const {
    const FlameFrame& frame = m_tree->frame(node);
    const bool isBottomUp = m_tree->order == FlameOrder::BottomUp;
    const std::int64_t weight = node == 0 ? m_tree->all : frame.weight;
    QStringList lines{node == 0 ? tr("All") : toQString(frame.name)};
    lines << tr("%1, %2 of all").arg(formatDuration({weight}), formatPercent(flameShare(weight, m_tree->all)));
    if (node > 0 && m_tree->base == nullptr) {
        const FrameNode& of = m_tree->nodes[node];
        if (of.parent > 0)
            lines << (isBottomUp ? tr("%1 of the function that it calls") : tr("%1 of its caller"))
                         .arg(formatPercent(flameShare(of.weight, m_tree->nodes[of.parent].weight)));
    }
    if (m_tree->base != nullptr)
        lines << tr("In the base: %1, %2 of all; change of the share: %3")
                     .arg(formatDuration({node == 0 ? m_tree->baseAll : frame.baseWeight}),
                          formatPercent(flameShare(node == 0 ? m_tree->baseAll : frame.baseWeight, m_tree->baseAll)),
                          formatPoints(m_tree->change(node)));
    if (node == 0) return lines.join(u'\n');
    lines << withCount(tr("%n call(s)", nullptr, pluralCount(frame.calls)), frame.calls);
    lines << (isBottomUp
                  ? tr("Host time: itself %1 (its time without what it called)").arg(formatDuration({frame.self}))
                  : tr("Host time: %1, of it itself %2 (its time without what it called)")
                        .arg(formatDuration({frame.total}), formatDuration({frame.self})));
    lines << withCount(tr("Device time of %n task(s) that it launched: %1", nullptr, pluralCount(frame.tasks)),
                       frame.tasks)
                 .arg(formatDuration({frame.device}));
    return lines.join(u'\n');
}

std::optional<QColor> FlameFrames::fill(std::uint32_t node, const Theme& theme) const {
    const ColourRamp::Look diverging =
        theme.background.lightness() > 127 ? ColourRamp::Look::DivergingOnLight : ColourRamp::Look::DivergingOnDark;
    if (m_tree->base != nullptr) {
        const double part = m_tree->change(node) / std::max(m_mostChange, kFullChange);
        return QColor::fromRgb(ColourRamp::colourOf(0.5 + part / 2, diverging));
    }
    if (m_tree->weight != FlameWeight::Self) return std::nullopt;
    // A quarter of the largest is to be seen beside it.
    const double part = std::sqrt(static_cast<double>(m_tree->frame(node).self) / static_cast<double>(m_mostSelf));
    return QColor::fromRgb(ColourRamp::colourOf(0.5 + std::clamp(part, 0.0, 1.0) / 2, diverging));
}

}  // namespace altiscope
