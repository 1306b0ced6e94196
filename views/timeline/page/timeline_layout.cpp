#include "views/timeline/page/timeline_layout.h"

#include "views/common/support/bare_layout.h"
#include "views/common/theme/icons.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/canvas/track_header.h"
#include "views/timeline/overlay/overview_strip.h"
#include "views/timeline/overlay/step_band.h"
#include "views/timeline/overlay/time_ruler.h"
#include "views/timeline/panels/find_bar.h"
#include "views/timeline/panels/flow_button.h"
#include "views/timeline/panels/track_filter_button.h"
#include "views/timeline/scene/timeline_selection.h"

#include <QFontInfo>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace altiscope {

namespace {

struct LayoutTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::TimelineLayout)
};

/// Resolution of the horizontal scroll bar: it counts in parts of the axis, which itself does not fit its int.
constexpr int kScrollParts = 1'000'000;

RowMetrics metricsOf(const QFont& font) {
    const double em = QFontInfo(font).pixelSize();
    const auto rounded = [em](double parts) { return static_cast<int>(std::lround(em * parts)); };
    return {.lane = rounded(1.45), .group = rounded(1.6), .counter = rounded(2.9), .gap = 4};
}

QWidget* column(QWidget* parent, std::initializer_list<QWidget*> widgets) {
    auto* holder = new QWidget(parent);
    auto* layout = bareLayout<QVBoxLayout>(holder);
    for (QWidget* widget : widgets) layout->addWidget(widget);
    return holder;
}

}  // namespace

TimelineLayout::TimelineLayout(TimelineScene& scene, TimelineSelection& selection, FindController& find, QWidget* page)
    : body(new QWidget(page)), findBar(new FindBar(find, body)), overview(new OverviewStrip(scene, selection, body)),
      steps(new StepBand(scene, selection, body)), ruler(new TimeRuler(scene, body)),
      canvas(new TimelineCanvas(scene, selection, body)), header(new TrackHeader(scene, body)), m_scene(scene),
      m_horizontal(new QScrollBar(Qt::Horizontal, body)), m_vertical(new QScrollBar(Qt::Vertical, body)) {
    m_corner = makeCorner();
    arrange();
    followFont();
    connectScrollBars();
    QObject::connect(steps, &StepBand::shownChanged, body, [this] { sizeParts(); });
    QObject::connect(canvas, &TimelineCanvas::heightChanged, body, [this, &selection] {
        m_scene.useHeight(canvas->height(), selection.slice() || selection.markedRange());
    });
}

QWidget* TimelineLayout::makeCorner() {
    auto* bar = new QWidget(body);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(4, 0, 4, 0);
    layout->setSpacing(0);
    struct Entry {
        TimelineAction action;
        const char16_t* icon;
    };
    for (const Entry entry :
         {Entry{TimelineAction::Find, u"search"}, Entry{TimelineAction::ZoomIn, u"zoom_in"},
          Entry{TimelineAction::ZoomOut, u"zoom_out"}, Entry{TimelineAction::WholeRun, u"whole_run"},
          Entry{TimelineAction::UndoView, u"undo"}, Entry{TimelineAction::ShowKeys, u"keys"}}) {
        auto* button = new QToolButton(bar);
        button->setAutoRaise(true);
        button->setIcon(themedIcon(QString::fromUtf16(entry.icon), IconTone::Muted));
        button->setIconSize(QSize(16, 16));
        QObject::connect(button, &QToolButton::clicked, canvas,
                         [this, action = entry.action] { canvas->perform(action); });
        m_buttons.emplace_back(button, entry.action);
        layout->addWidget(button);
    }
    layout->addStretch(1);
    flows = new FlowButton(canvas->flows(), bar);
    layout->addWidget(flows);
    tracks = new TrackFilterButton(m_scene, bar);
    layout->addWidget(tracks);
    return bar;
}

void TimelineLayout::arrange() {
    m_horizontal->setRange(0, kScrollParts);
    // Keeps the names as high as the canvas, which has the scroll bar below it.
    auto* foot = new QWidget(body);
    foot->setFixedHeight(m_horizontal->sizeHint().height());
    auto* splitter = new QSplitter(Qt::Horizontal, body);
    splitter->setHandleWidth(4);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(column(body, {m_corner, header, foot}));
    splitter->addWidget(column(body, {steps, ruler, canvas, m_horizontal}));
    splitter->setStretchFactor(0, 0);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({header->sizeHint().width(), 4000});

    auto* lower = new QHBoxLayout;
    lower->setSpacing(0);
    lower->addWidget(splitter);
    lower->addWidget(m_vertical);
    auto* layout = bareLayout<QVBoxLayout>(body);
    layout->addWidget(findBar);
    layout->addWidget(overview);
    layout->addLayout(lower);
}

void TimelineLayout::followFont() {
    m_scene.setMetrics(metricsOf(body->font()));
    sizeParts();
}

void TimelineLayout::sizeParts() {
    overview->setFixedHeight(overview->sizeHint().height());
    ruler->setFixedHeight(ruler->sizeHint().height());
    steps->setFixedHeight(steps->sizeHint().height());
    // By their hints: what is not shown yet has no height of its own.
    m_corner->setFixedHeight(ruler->sizeHint().height() + (steps->isHidden() ? 0 : steps->sizeHint().height()));
}

void TimelineLayout::retranslate() {
    for (const auto& [button, action] : m_buttons) {
        const QString text = describeAction(action), key = keyText(action, m_scene.keys());
        button->setToolTip(key.isEmpty() ? text : LayoutTexts::tr("%1 (%2)").arg(text, key));
        button->setAccessibleName(text);
    }
}

void TimelineLayout::connectScrollBars() {
    for (const auto signal : {&TimelineScene::rowsChanged, &TimelineScene::windowChanged, &TimelineScene::scrolled}) {
        QObject::connect(&m_scene, signal, body, [this] { updateScrollBars(); });
    }
    QObject::connect(m_vertical, &QScrollBar::valueChanged, body, [this](int value) {
        if (!m_inScrollBars) m_scene.viewport().setScrollTop(value);
    });
    QObject::connect(m_horizontal, &QScrollBar::valueChanged, body, [this](int value) {
        if (m_inScrollBars || m_scene.window().empty()) return;
        const TimeRange limits = m_scene.window().limits(), range = m_scene.window().range();
        const double part = static_cast<double>(value) / kScrollParts;
        const auto begin = limits.begin + DurationNs{std::llround(part * static_cast<double>(limits.length().value))};
        m_scene.change([&](ViewWindow& window) {
            window.show({begin, begin + range.length()}, HistoryMark::Continue);
        });
    });
}

void TimelineLayout::updateScrollBars() {
    constexpr std::int64_t kMaxScroll = std::numeric_limits<int>::max();
    m_inScrollBars = true;
    m_vertical->setRange(0, static_cast<int>(std::min(m_scene.viewport().maxScrollTop(), kMaxScroll)));
    m_vertical->setPageStep(std::max(m_scene.viewport().height() - m_scene.viewport().pinnedView(), 1));
    m_vertical->setSingleStep(m_scene.model().metrics().lane);
    m_vertical->setValue(static_cast<int>(std::min(m_scene.viewport().scrollTop(), kMaxScroll)));
    if (!m_scene.window().empty()) {
        const TimeRange limits = m_scene.window().limits(), range = m_scene.window().range();
        const double all = static_cast<double>(limits.length().value);
        const auto parts = [all](DurationNs part) {
            return static_cast<int>(std::lround(static_cast<double>(part.value) / all * kScrollParts));
        };
        const int page = std::clamp(parts(range.length()), 1, kScrollParts);
        m_horizontal->setRange(0, kScrollParts - page);
        m_horizontal->setPageStep(page);
        m_horizontal->setSingleStep(std::max(page / 10, 1));
        m_horizontal->setValue(parts(range.begin - limits.begin));
    }
    m_inScrollBars = false;
}

}  // namespace altiscope
