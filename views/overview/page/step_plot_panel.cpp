#include "views/overview/page/step_plot_panel.h"

#include "core/analysis/steps/step_parts.h"
#include "core/session/marks.h"
#include "core/tables/overview/operator_durations.h"
#include "views/common/pages/shown_capture.h"
#include "views/common/plots/plot_view.h"
#include "views/common/support/formatters.h"
#include "views/common/support/view_list.h"
#include "views/overview/page/step_marks.h"
#include "views/overview/page/titled_part.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QLabel>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// More ranks than these are shown as a heat map as well.
constexpr std::size_t kManyRanks = 2;
/// Fewer steps have no spread worth a box, fewer values none worth a histogram.
constexpr std::size_t kFewestSteps = 4, kFewestTimes = 8;
constexpr int kTypeChars = 28;
/// With its legend.
constexpr int kMinPlotLines = 8;

struct PlotTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::StepPlotPanel)
};

/// Which pages show what there is instead.
QString withOtherPages(const QString& sentence, const CaptureStore* capture) {
    if (capture == nullptr) return sentence;
    QStringList pages;
    for (const ViewId view : allViews()) {
        const auto needs = viewNeeds(view);
        const bool isThere = std::any_of(capture->ranks.begin(), capture->ranks.end(), [&needs](const RankEntry& rank) {
            const auto& present = rank.info.present;
            return std::find_first_of(present.begin(), present.end(), needs.begin(), needs.end()) != present.end();
        });
        if (isThere) pages << viewTitle(view);
    }
    if (pages.isEmpty()) return sentence;
    return sentence + u'\n' +
           PlotTexts::tr("See the pages: %1").arg(pages.join(PlotTexts::tr(", ", "between parts of a list")));
}

}  // namespace

StepPlotPanel::StepPlotPanel(Session& session, Selection& selection, const Marks& marks, const ShownCapture& capture,
                             QWidget* parent)
    : Translated(parent), m_selection(selection), m_marks(marks), m_capture(capture),
      m_shown(std::make_shared<OverviewShown>()), m_durationsSlot(session.jobs()), m_kinds(new QComboBox(this)),
      m_plot(new PlotView(session, this)), m_title(new QLabel(this)) {
    // Lower, and the times beside the bars would stand on each other.
    m_plot->setMinimumHeight(fontMetrics().height() * kMinPlotLines);
    layOutTitled(*this, *m_title, m_kinds, *m_plot);
    connect(m_kinds, &QComboBox::activated, this, [this] {
        m_chosen = m_kinds->currentData().toInt();
        showPlot();
    });
    connect(m_plot, &PlotView::clicked, this, &StepPlotPanel::click);
    connect(&selection, &Selection::changed, this, &StepPlotPanel::showMarks);
    connect(&selection, &Selection::shownCaptureChanged, this, [this] { m_operator.reset(); });
    connect(&marks, &Marks::changed, this, &StepPlotPanel::showMarks);
    retranslate();
}

void StepPlotPanel::setShown(std::shared_ptr<const OverviewShown> shown) {
    // A new base is to be seen.
    if (shown->hasBase && !m_shown->hasBase) m_chosen = -1;
    m_shown = std::move(shown);
    showPlot();
    if (m_operator) readDurations();
}

void StepPlotPanel::showKernels(std::string type, std::string core) {
    m_operator = {std::move(type), std::move(core)};
    m_chosen = static_cast<int>(Kind::Kernels);
    readDurations();
}

StepPlotPanel::Kind StepPlotPanel::kind() const { return static_cast<Kind>(m_kinds->currentData().toInt()); }

void StepPlotPanel::readDurations() {
    if (m_shown->numbers.capture == nullptr) {
        m_operator.reset();
        return m_durationsSlot.cancel();
    }
    m_durationsSlot.start(
        [capture = m_shown->numbers.capture, context = m_capture.context(),
         wanted = *m_operator](const CancelToken& cancel) {
            const auto durations = operatorDurations(*capture, context, wanted.type, wanted.core, cancel);
            return histogramOfKernels(toQString(wanted.type), durations.value_or(std::vector<std::int64_t>()));
        },
        [this](Histogram histogram) {
            m_durations = std::move(histogram);
            showPlot();
        });
}

/// On plots whose bottom axis follows time.
void StepPlotPanel::showMarks() {
    const Kind kind = this->kind();
    const bool isOverTime = kind == Kind::ByStep || kind == Kind::Variation || kind == Kind::Heat;
    const OpenCapture* open = m_capture.open();
    if (!isOverTime || open == nullptr || m_shown->sheet.times.empty()) return m_plot->setRanges({});
    const SelectionState& state = m_selection.current();
    const auto marked = state.capture == open->id ? state.range : std::nullopt;
    m_plot->setRanges(
        rangesOnSteps(m_shown->sheet, m_marks.of(open->id), marked, open->times.origin().value_or(TimeNs{})));
}

void StepPlotPanel::fillKinds() {
    const StepSheet& sheet = m_shown->sheet;
    const bool many = sheet.ranks.size() > kManyRanks && sheet.steps.size() > 1;
    // Kinds that have nothing to show are not offered.
    std::vector<std::pair<Kind, QString>> kinds;
    if (m_shown->hasBase) {
        kinds.emplace_back(Kind::StepsBeside, tr("By step, beside the base"));
        if (sheet.ranks.size() > 1) kinds.emplace_back(Kind::RanksBeside, tr("By rank, beside the base"));
    }
    if (sheet.ranks.size() > 1) kinds.emplace_back(Kind::ByRank, tr("By rank"));
    kinds.emplace_back(Kind::ByStep, tr("By step"));
    if (!m_shown->phases.series.empty()) {
        // Where nothing else divides the steps they come first.
        const bool isDivided = std::any_of(sheet.times.begin(), sheet.times.end(), [](const StepTime& time) {
            return time.part(StepPart::Computing).has_value();
        });
        kinds.emplace(isDivided ? kinds.end() : kinds.begin(), Kind::Phases, tr("Phases of the steps"));
    }
    if (sheet.steps.size() > 1) kinds.emplace_back(Kind::Variation, tr("Variation over steps"));
    if (many) kinds.emplace_back(Kind::Heat, tr("Ranks and steps"));
    if (sheet.ranks.size() > 1 && sheet.steps.size() >= kFewestSteps)
        kinds.emplace_back(Kind::Boxes, tr("Distribution by rank"));
    if (sheet.times.size() >= kFewestTimes) kinds.emplace_back(Kind::Steps, tr("Distribution of step times"));
    if (m_operator) {
        const QString type = fontMetrics().elidedText(toQString(m_operator->type), Qt::ElideMiddle,
                                                      fontMetrics().averageCharWidth() * kTypeChars);
        kinds.emplace_back(Kind::Kernels, tr("Kernels of %1").arg(type));
    }
    const QSignalBlocker blocker(m_kinds);
    m_kinds->clear();
    for (const auto& [kind, title] : kinds) m_kinds->addItem(title, static_cast<int>(kind));
    m_kinds->setCurrentIndex(std::max(0, m_kinds->findData(m_chosen)));
    m_kinds->setVisible(kinds.size() > 1);
}

void StepPlotPanel::showPlot() {
    fillKinds();
    const Kind kind = this->kind();
    m_title->setText(kind == Kind::Kernels ? tr("&Kernel time") : tr("&Step time"));
    showMarks();
    m_plot->setAccessibleName(m_title->text().remove(u'&'));
    if (kind == Kind::Kernels)
        return m_durations.counts.empty()
                   ? m_plot->showNothing(
                         tr("No individual kernels of this type are recorded within the filter of all pages."))
                   : m_plot->show(m_durations);
    if (m_shown->sheet.times.empty() && kind != Kind::Phases) {
        m_kinds->setVisible(m_operator.has_value());
        return m_plot->showNothing(
            m_capture.isBeingRead() ? tr("The capture is being read.")
            : m_selection.current().context.empty()
                ? withOtherPages(tr("No step times are recorded or computed."), m_shown->sheet.capture.get())
                : tr("Nothing is within the filter of all pages."));
    }
    showKind(kind);
}

void StepPlotPanel::showKind(Kind kind) {
    switch (kind) {
    case Kind::ByRank: return m_plot->show(m_shown->byRank);
    case Kind::ByStep: return m_plot->show(m_shown->byStep);
    case Kind::Variation: return m_plot->show(m_shown->variation);
    case Kind::Heat: return m_plot->show(m_shown->heat);
    case Kind::Boxes: return m_plot->show(m_shown->boxes);
    case Kind::Steps: return m_plot->show(m_shown->stepTimes);
    case Kind::StepsBeside: return m_plot->show(m_shown->stepsBeside);
    case Kind::RanksBeside: return m_plot->show(m_shown->ranksBeside);
    case Kind::Phases: return m_plot->show(m_shown->phases);
    case Kind::Kernels: return;
    }
}

/// A bar leads to its rank or step: all pages then show that one.
void StepPlotPanel::click(std::size_t place, std::size_t row) {
    const StepSheet& sheet = m_shown->sheet;
    const Kind kind = this->kind();
    ContextFilter context = m_selection.current().context;
    const auto chooseRank = [&](std::size_t owner) {
        if (owner < sheet.ranks.size() && sheet.capture->ranks[sheet.ranks[owner].rank.value].info.rankId)
            context.ranks = {*sheet.capture->ranks[sheet.ranks[owner].rank.value].info.rankId};
    };
    const auto chooseStep = [&](std::size_t step) {
        if (step < sheet.steps.size() && sheet.steps[step]) context.steps = {*sheet.steps[step]};
    };
    if (kind == Kind::ByRank || kind == Kind::Boxes) chooseRank(place);
    if (kind == Kind::Heat) chooseRank(row);
    if (kind == Kind::ByStep || kind == Kind::Variation || kind == Kind::Heat) chooseStep(place);
    m_selection.setContext(std::move(context));
}

void StepPlotPanel::retranslate() { m_kinds->setAccessibleName(tr("What the plot shows")); }

}  // namespace altiscope
