#include "views/compare/step_bars.h"

#include "core/analysis/steps/step_parts.h"
#include "core/analysis/support/saturating.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/meaning_look.h"
#include "views/compare/difference_table.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <numeric>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

std::int64_t sumOf(const StepSides::value_type& parts) {
    return std::accumulate(parts.begin(), parts.end(), std::int64_t{0}, saturatedSum);
}

}  // namespace

std::optional<StepSides> stepSides(const Comparison& comparison) {
    if (!comparison.step) return std::nullopt;
    StepSides sides{};
    for (std::size_t part = 0; part < kWholeStep.size(); ++part) {
        const auto& means = comparison.parts[part];
        if (!means && kWholeStep[part] == StepPart::Bubble) continue;  // Not stated: within the exposed time.
        if (!means) return std::nullopt;
        for (std::size_t side = 0; side < sides.size(); ++side) sides[side][part] = (*means)[side];
    }
    return sides;
}

StepBars::StepBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    hide();
}

void StepBars::setComparison(const Comparison* comparison) {
    m_parts = comparison == nullptr ? std::nullopt : stepSides(*comparison);
    setVisible(m_parts.has_value());
    showText();
    update();
}

QSize StepBars::sizeHint() const { return {300, fontMetrics().height() * 7 / 2 + 12}; }

void StepBars::showText() {
    if (!m_parts) return;
    QStringList lines;
    for (const std::size_t side : {0, 1}) {
        QStringList texts;
        for (std::size_t part = 0; part < kWholeStep.size(); ++part)
            texts << differenceWord(toQString(infoOf(kWholeStep[part]).name)) + u' ' +
                         formatDuration({(*m_parts)[side][part]});
        lines << (side == 0 ? tr("Base: %1") : tr("Current: %1")).arg(texts.join(u", "_s));
    }
    setToolTip(lines.join(u'\n'));
    setAccessibleName(tr("Parts of a step on both sides"));
    setAccessibleDescription(lines.join(u". "_s));
}

void StepBars::paintEvent(QPaintEvent*) {
    if (!m_parts) return;
    QPainter painter(this);
    const Theme& theme = themeOf(palette());
    static constexpr std::array<QColor Theme::*, kWholeStep.size()> kColours{&Theme::computing, &Theme::communication,
                                                                             &Theme::wait, &Theme::free};
    const auto fill = [&painter, &theme](const QRectF& rect, std::size_t part) {
        painter.fillRect(rect, theme.sunken);
        painter.fillRect(rect, meaningBrush(theme, kColours[part]));
    };
    const int line = fontMetrics().height(), bar = line * 6 / 5;
    const QString names[] = {tr("Base"), tr("Current")};
    const int label = std::max(fontMetrics().horizontalAdvance(names[0]), fontMetrics().horizontalAdvance(names[1]));
    const int left = 8 + label + 8;
    const std::int64_t max = std::max({std::int64_t{1}, sumOf((*m_parts)[0]), sumOf((*m_parts)[1])});
    const QString longest = formatDuration({max});
    const double width = std::max(10, this->width() - left - 24 - fontMetrics().horizontalAdvance(longest));
    int y = 4;
    for (const std::size_t side : {0, 1}) {
        painter.setPen(theme.text);
        painter.drawText(QRect(8, y, label, bar), Qt::AlignVCenter | Qt::AlignRight, names[side]);
        double x = left;
        for (std::size_t part = 0; part < kWholeStep.size(); ++part) {
            const double length = width * static_cast<double>((*m_parts)[side][part]) / static_cast<double>(max);
            const QRectF rect(x, y + 1, length, bar - 2);
            fill(rect, part);
            x += length;
        }
        painter.drawText(QRect(static_cast<int>(x) + 6, y, this->width(), bar), Qt::AlignVCenter | Qt::AlignLeft,
                         formatDuration({sumOf((*m_parts)[side])}));
        y += bar + 2;
    }
    int x = left;
    for (std::size_t part = 0; part < kWholeStep.size(); ++part) {
        const QRect sign(x, y + line / 4, line * 2 / 3, line * 2 / 3);
        fill(sign, part);
        const QString name = differenceWord(toQString(infoOf(kWholeStep[part]).name));
        x += line;
        painter.setPen(theme.muted);
        painter.drawText(QRect(x, y, this->width(), line + 4), Qt::AlignVCenter | Qt::AlignLeft, name);
        x += fontMetrics().horizontalAdvance(name) + 16;
    }
}

void StepBars::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) showText();
    if (event->type() == QEvent::FontChange) updateGeometry();
    QWidget::changeEvent(event);
}

}  // namespace altiscope
