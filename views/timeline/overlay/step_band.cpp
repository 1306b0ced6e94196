#include "views/timeline/overlay/step_band.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"
#include "views/timeline/scene/timeline_selection.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

struct StepTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::StepBand)
};

constexpr double kNumberPadding = 8;
/// Narrower steps are one grey line; borders between them would be all that is seen.
constexpr double kMinStepWidth = 3;

}  // namespace

void paintSteps(QPainter& painter, const QRectF& area, const TimelineSelection& selection, const QString& rank,
                const PixelScale& scale, const Theme& theme) {
    painter.fillRect(area, theme.sunken);
    const QFontMetricsF metrics(painter.font());
    const double far = area.width() + 10;
    const double named = rank.isEmpty() ? 0 : metrics.horizontalAdvance(rank) + 2 * kNumberPadding;
    QColor tint = theme.accent;
    tint.setAlphaF(theme.dark ? 0.30F : 0.16F);
    double painted = -10;
    const std::vector<ShownStep>& steps = selection.steps();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const ShownStep& step = steps[i];
        const double left = std::clamp(scale.x(step.range.begin), -10.0, far),
                     right = std::clamp(scale.x(step.range.end), -10.0, far);
        if (right < 0 || left > area.width()) continue;
        const bool isChosen = selection.isChosen(step);
        // Thousands within a pixel are painted once.
        if (!isChosen && right - left < kMinStepWidth && right <= painted) continue;
        painted = std::max(painted, std::ceil(right));
        const QRectF part(area.left() + left, area.top(), std::max(right - left, 1.0), area.height() - 1);
        painter.fillRect(part, i % 2 == 0 ? theme.raised : theme.hairLine);
        if (isChosen) {
            painter.fillRect(part, tint);
            painter.fillRect(QRectF(part.left(), part.bottom() - 2, part.width(), 2), theme.accent);
        }
        if (right - left >= kMinStepWidth)
            painter.fillRect(QRectF(part.left(), part.top(), 1, part.height()), theme.muted);
        // In what is in sight of it.
        const double from = std::max(left, named), to = std::min(right, area.width());
        QString text = StepTexts::tr("Step %1").arg(step.number);
        if (metrics.horizontalAdvance(text) + kNumberPadding > to - from) text = QString::number(step.number);
        if (metrics.horizontalAdvance(text) + kNumberPadding > to - from) continue;
        painter.setPen(isChosen ? theme.text : theme.muted);
        painter.drawText(QRectF(area.left() + from, area.top(), to - from, area.height()), Qt::AlignCenter, text);
    }
    if (named > 0) {
        const QRectF label(area.left(), area.top(), named, area.height() - 1);
        painter.fillRect(label, theme.sunken);
        painter.setPen(theme.text);
        painter.drawText(label, Qt::AlignCenter, rank);
    }
    painter.fillRect(QRectF(area.left(), area.bottom() - 1, area.width(), 1), theme.hairLine);
}

QString stepToolTip(const ShownStep& step, const QString& rank, TimeNs origin) {
    const QString number = StepTexts::tr("Step %1").arg(step.number);
    return (rank.isEmpty() ? number : StepTexts::tr("%1 of %2", "Step 5 of Rank 3").arg(number, rank)) + u'\n' +
           StepTexts::tr("from %1, %2 long")
               .arg(formatRelativeTime(step.range.begin, origin), formatDuration(step.range.length())) +
           u'\n' + StepTexts::tr("Click: show this step only, on all pages. Double click: zoom to it, too.");
}

StepBand::StepBand(TimelineScene& scene, TimelineSelection& selection, QWidget* parent)
    : QWidget(parent), m_scene(scene), m_selection(selection) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&scene, &TimelineScene::windowChanged, this, qOverload<>(&QWidget::update));
    // Another rank may be the topmost one.
    connect(&scene, &TimelineScene::scrolled, this, &StepBand::follow);
    connect(&scene, &TimelineScene::rowsChanged, this, &StepBand::follow);
    connect(&selection, &TimelineSelection::changed, this, &StepBand::follow);
    setAccessibleName(tr("Steps"));
    hide();
}

QSize StepBand::sizeHint() const { return {200, static_cast<int>(std::ceil(QFontMetricsF(font()).height() * 1.15))}; }

void StepBand::follow() {
    update();
    const bool isShown = !m_selection.steps().empty();
    if (isShown == !isHidden()) return;
    setVisible(isShown);
    emit shownChanged();
}

void StepBand::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) setAccessibleName(tr("Steps"));
    update();
}

std::optional<ShownStep> StepBand::stepAtX(int x) const {
    if (m_scene.window().empty() || width() <= 0) return std::nullopt;
    return stepAt(m_selection.steps(), PixelScale(m_scene.window().range(), width()).timeAt(x));
}

bool StepBand::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto step = stepAtX(help->pos().x()))
        QToolTip::showText(help->globalPos(), stepToolTip(*step, m_selection.stepRankName(), m_scene.origin()), this);
    else QToolTip::hideText();
    return true;
}

void StepBand::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = themeOf(palette());
    if (m_scene.window().empty() || width() <= 0) return painter.fillRect(rect(), theme.sunken);
    painter.setFont(scaledFont(font(), 0.9));
    paintSteps(painter, QRectF(rect()), m_selection, m_selection.stepRankName(),
               PixelScale(m_scene.window().range(), width()), theme);
}

void StepBand::mousePressEvent(QMouseEvent* event) { m_pressed = event->button() == Qt::LeftButton; }

void StepBand::mouseReleaseEvent(QMouseEvent* event) {
    if (!std::exchange(m_pressed, false) || !rect().contains(event->pos())) return;
    if (const auto step = stepAtX(event->pos().x())) m_selection.toggleStep(*step);
}

void StepBand::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto step = stepAtX(event->pos().x())) m_selection.zoomToStep(*step);
}

void StepBand::wheelEvent(QWheelEvent* event) { emit wheelTurned(event, static_cast<int>(event->position().x())); }

}  // namespace altiscope
