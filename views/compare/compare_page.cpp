#include "views/compare/compare_page.h"

#include "views/common/pages/message_page.h"
#include "views/common/pages/side_choice.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/support/save_dialog.h"
#include "views/common/support/text_font.h"
#include "views/common/tables/table_panel.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"
#include "views/compare/comparison_file.h"
#include "views/compare/order_panel.h"
#include "views/compare/step_bars.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

const QString kGroupKey = u"compare/group"_s, kSignificantKey = u"compare/significant"_s;
/// In the list of groups: all times.
constexpr int kAllTimes = -1;

/// Whether the timeline can show what a difference is about.
bool isInTimeline(Dimension dimension) {
    return dimension == Dimension::Operator || dimension == Dimension::Kernel || dimension == Dimension::Api;
}

ViewId viewOf(Dimension dimension) {
    switch (dimension) {
    case Dimension::Category: return ViewId::Overview;
    case Dimension::Operator:
    case Dimension::Kernel:
    case Dimension::Api: return ViewId::Timeline;
    case Dimension::KernelType: return ViewId::Operators;
    case Dimension::Collective:
    case Dimension::Link: return ViewId::Communication;
    case Dimension::Memory: return ViewId::Memory;
    case Dimension::Finding: return ViewId::Findings;
    case Dimension::Role: return ViewId::Overview;
    }
    return ViewId::Overview;
}

}  // namespace

ComparePage::ComparePage(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent)
    : DataPage(parent), m_session(session), m_selection(selection), m_memory(memory), m_grouping(session.jobs()),
      m_search(session.jobs()) {
    auto* column = bareLayout<QVBoxLayout>(this);
    column->addWidget(makeBar());
    auto* rest = new QWidget(this);
    m_stack = new QStackedLayout(rest);
    m_body = makeBody();
    m_nothing = new MessagePage(rest);
    m_nothing->setAutoFillBackground(false);
    m_stack->addWidget(m_nothing);
    m_stack->addWidget(m_body);
    column->addWidget(rest, 1);
    setFocusProxy(m_table);
    connectParts();
    retranslate();
    fillCaptures();
    // Its change event wants all parts.
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
}

ComparePage::~ComparePage() = default;

QWidget* ComparePage::makeBar() {
    auto* bar = new QWidget(this);
    m_base = new SideChoice(bar);
    m_current = new SideChoice(bar);
    m_swap = new QToolButton(bar);
    m_groupName = new QLabel(bar);
    m_group = new QComboBox(bar);
    m_onlySignificant = new QCheckBox(bar);
    m_again = new QPushButton(bar);
    m_write = new QPushButton(bar);
    m_groupName->setBuddy(m_group);
    m_group->addItem(QString(), kAllTimes);
    for (std::size_t i = 0; i < kDimensions; ++i) m_group->addItem(QString(), static_cast<int>(i));
    const QVariant group = m_memory.value(kGroupKey);
    m_group->setCurrentIndex(group.isValid() ? std::max(0, m_group->findData(group.toInt())) : 0);
    m_onlySignificant->setChecked(m_memory.value(kSignificantKey).toBool());
    m_swap->setAutoRaise(true);
    m_swap->setObjectName(u"swap"_s);
    auto* sides = new QVBoxLayout;
    sides->setSpacing(4);
    sides->addWidget(m_base);
    sides->addWidget(m_current);
    auto* upper = new QHBoxLayout;
    upper->setSpacing(8);
    upper->addLayout(sides, 1);
    upper->addWidget(m_swap);
    auto* lower = new QHBoxLayout;
    lower->setSpacing(8);
    lower->addWidget(m_groupName);
    lower->addWidget(m_group);
    lower->addWidget(m_onlySignificant);
    lower->addStretch(1);
    lower->addWidget(m_again);
    lower->addWidget(m_write);
    auto* column = barLayout<QVBoxLayout>(bar, 4);
    column->addLayout(upper);
    column->addLayout(lower);
    return bar;
}

QWidget* ComparePage::makeBody() {
    auto* body = new QWidget(this);
    m_sentence = new QLabel(body);
    followTextSize(*m_sentence, 1.2);
    m_facts = new QLabel(body);
    m_bars = new StepBars(body);
    m_tabs = new QTabWidget(body);
    m_tabs->setDocumentMode(true);
    m_table = new TablePanel(m_session, m_memory, u"differences"_s, m_tabs);
    m_order = new OrderPanel(m_session, m_memory, m_tabs);
    m_tabs->addTab(m_table, QString());
    m_tabs->addTab(m_order, QString());
    for (QLabel* label : {m_sentence, m_facts}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setContentsMargins(8, 0, 8, 4);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_sentence);
    column->addWidget(m_facts);
    column->addWidget(m_bars);
    column->addWidget(m_tabs, 1);
    m_table->filterBar().setExample(u"change > 1ms and significant = yes"_s);
    return body;
}

void ComparePage::connectParts() {
    for (const auto signal : {&Session::captureOpened, &Session::captureChanged, &Session::captureClosed})
        connect(&m_session, signal, this, &ComparePage::fillCaptures);
    for (SideChoice* side : {m_base, m_current}) connect(side, &SideChoice::changed, this, &ComparePage::follow);
    connect(m_swap, &QToolButton::clicked, this, [this] {
        const CaptureId base = m_base->capture(), current = m_current->capture();
        const QString ranks = m_base->ranksText(), steps = m_base->stepsText();
        m_base->choose(current);
        m_base->setParts(m_current->ranksText(), m_current->stepsText());
        m_current->choose(base);
        m_current->setParts(ranks, steps);
    });
    connect(m_group, &QComboBox::currentIndexChanged, this, [this] {
        m_memory.setValue(kGroupKey, m_group->currentData());
        regroup();
    });
    connect(m_onlySignificant, &QCheckBox::toggled, this, [this](bool only) {
        m_memory.setValue(kSignificantKey, only);
        regroup();
    });
    connect(m_again, &QPushButton::clicked, this, &ComparePage::start);
    connect(m_write, &QPushButton::clicked, this, &ComparePage::saveAs);
    connect(m_order, &OrderPanel::kernelRequested, this, [this](bool isOfBase, SliceKey slice) {
        if (m_requested) showKernel(isOfBase ? m_requested->first.capture : m_requested->second.capture, slice);
    });
    DataTable& table = m_table->table();
    connect(&table, &DataTable::activated, this, &ComparePage::openRow);
    table.setRowMenu([this](QMenu& menu, std::uint32_t row) {
        if (m_shown == nullptr || row >= m_shown->rows.size()) return;
        const Dimension dimension = m_shown->difference(row).dimension;
        menu.addAction(isInTimeline(dimension) ? tr("Show in the &timeline")
                                               : tr("Show on the page &%1").arg(viewTitle(viewOf(dimension))),
                       this, [this, row] { openRow(row); });
    });
    table.setCellIcon([this](std::uint32_t row, std::size_t column) {
        if (m_shown == nullptr || column != static_cast<std::size_t>(DifferenceColumn::Significant)) return QIcon();
        const QString icon = differenceIcon(m_shown->difference(row).change);
        if (icon.isEmpty()) return QIcon();
        return themedIcon(icon, icon == u"ok"_s ? IconTone::Ok : IconTone::Warning);
    });
}

// --- sides --------------------------------------------------------------------------------------------------------

QJsonObject ComparePage::state(const WorkspaceIds& captures) const {
    return {{u"base"_s, m_base->state(captures)}, {u"current"_s, m_current->state(captures)}};
}

/// Captures can be chosen as soon as they are opened; they need not be read.
void ComparePage::restore(const QJsonObject& state, const WorkspaceIds& captures) {
    if (!state.contains("base"_L1)) return;
    fillCaptures();
    m_wasFilled = m_session.captures().size() > 1;
    m_base->restore(state.value("base"_L1).toObject(), captures);
    m_current->restore(state.value("current"_L1).toObject(), captures);
}

void ComparePage::fillCaptures() {
    std::vector<std::pair<CaptureId, QString>> captures;
    for (const OpenCapture& capture : m_session.captures())
        if (!capture.error) captures.emplace_back(capture.id, capture.title);
    std::erase_if(m_captures, [this](const auto& entry) {
        const OpenCapture* open = m_session.capture(entry.first);
        return open == nullptr || open->store != entry.second.store;
    });
    m_base->setCaptures(captures);
    m_current->setCaptures(captures);
    // With the second capture there is something to compare: what was opened first is the base.
    if (captures.size() < 2) m_wasFilled = false;
    else if (!std::exchange(m_wasFilled, true) && m_base->capture() == m_current->capture() &&
             m_base->ranksText().isEmpty() && m_base->stepsText().isEmpty()) {
        m_base->choose(captures.front().first);
        m_current->choose(captures.back().first);
    }
    follow();
}

void ComparePage::choose(CaptureId base, CaptureId current) {
    m_base->choose(base);
    m_base->setParts({}, {});
    m_current->choose(current);
    m_current->setParts({}, {});
}

/// Lookups of the queries are kept with a state of a capture.
std::optional<ComparedSide> ComparePage::sideOf(const SideChoice& choice) {
    const OpenCapture* open = m_session.capture(choice.capture());
    if (open == nullptr || open->store == nullptr || open->job != 0 || !choice.isPossible()) return std::nullopt;
    ComparedSide& kept = m_captures[open->id];
    if (kept.store != open->store)
        kept = {open->id, open->store, std::make_shared<const QueryDatabase>(open->store), {}, {}};
    ComparedSide side = kept;
    side.ranks = choice.ranks();
    side.steps = choice.steps();
    return side;
}

void ComparePage::follow() {
    const auto base = sideOf(*m_base), current = sideOf(*m_current);
    const bool isPossible = base && current && *base != *current;
    if (!isPossible || (m_requested && *m_requested != Sides(*base, *current))) {
        m_session.jobs().cancel(std::exchange(m_job, 0));
        ++m_run;
        m_requested.reset();
        m_comparison.reset();
        m_problem.clear();
        m_outcome.clear();
        regroup();
    }
    if (isPossible && isVisible() && !m_requested) return start();
    showState();
}

void ComparePage::start() {
    const auto base = sideOf(*m_base), current = sideOf(*m_current);
    if (!base || !current || *base == *current) return;
    m_session.jobs().cancel(m_job);
    m_requested.emplace(*base, *current);
    m_problem.clear();
    const std::uint64_t run = ++m_run;
    m_job = m_session.jobs().start(
        m_base->captureName() + u" / "_s + m_current->captureName(),
        [base = *base, current = *current](ProgressSlot& progress, const CancelToken& cancel) {
            progress.setPhase(ProgressPhase::Querying);
            return std::make_shared<const Result<Comparison>>(compareThem(base, current, cancel));
        },
        [this, run](const std::shared_ptr<const void>& result) {
            if (result != nullptr) take(run, *static_cast<const Result<Comparison>*>(result.get()));
        });
    showState();
}

void ComparePage::take(std::uint64_t run, const Result<Comparison>& result) {
    if (run != m_run) return;
    m_job = 0;
    if (result.ok()) m_comparison = std::make_shared<const Comparison>(result.value());
    else m_comparison.reset();
    m_problem = result.failed() ? errorSentence(result.error()) : result.cancelled() ? tr("Cancelled.") : QString();
    regroup();
}

// --- the result ---------------------------------------------------------------------------------------------------

bool ComparePage::idle() const {
    return m_job == 0 && !m_grouping.busy() && !m_search.busy() && !m_table->table().loader().busy() && m_order->idle();
}

void ComparePage::setGroup(DifferenceGroup group) {
    m_group->setCurrentIndex(m_group->findData(group ? static_cast<int>(*group) : kAllTimes));
}

QString ComparePage::sentence() const { return m_sentence->text(); }

QString ComparePage::message() const {
    const PageMessage& said = m_nothing->message();
    return m_stack->currentWidget() == m_body ? QString() : said.title + u'\n' + said.reason + u'\n' + said.remedy;
}

void ComparePage::regroup() {
    m_bars->setComparison(m_comparison.get());
    m_order->setComparison(m_comparison);
    if (m_comparison == nullptr) {
        m_grouping.cancel();
        m_shown.reset();
        m_table->setSource(nullptr, {});
        return showState();
    }
    const int chosen = m_group->currentData().toInt();
    DifferenceGroup group = chosen == kAllTimes ? DifferenceGroup() : static_cast<Dimension>(chosen);
    // Snapshots have no times.
    if (!group && m_comparison->atEnd && !m_comparison->step) group = Dimension::Memory;
    m_grouping.start([comparison = m_comparison, group, only = m_onlySignificant->isChecked()](
                         const CancelToken&) { return differenceTable(comparison, group, only); },
                     [this](std::shared_ptr<const DifferenceTable> table) {
                         m_shown = std::move(table);
                         showTable();
                     });
    showState();
}

void ComparePage::showTable() {
    m_table->setSource(m_shown->table, differenceHeadings());
    for (std::size_t column = 0; column < kDifferenceColumns; ++column) {
        const auto& empty = m_shown->emptyOnes;
        const bool isEmpty =
            std::find(empty.begin(), empty.end(), static_cast<DifferenceColumn>(column)) != empty.end();
        m_table->table().setColumnHidden(column, isEmpty);
    }
    QStringList scope{groupTitle(m_shown->group)};
    if (m_shown->omitted > 0) scope << tr("%1 smaller ones are only counted").arg(formatCount(m_shown->omitted));
    m_table->setScope(scope.join(u", "_s));
    showState();
}

void ComparePage::openRow(std::uint32_t row) {
    if (m_shown != nullptr && row < m_shown->rows.size()) goTo(m_shown->difference(row));
}

void ComparePage::goTo(const Difference& difference) {
    if (!m_requested) return;
    const ComparedSide& side = difference.onlyIn == Difference::Side::Base ? m_requested->first : m_requested->second;
    if (!isInTimeline(difference.dimension)) return emit viewRequested(viewOf(difference.dimension), side.capture);
    m_search.start(
        [side, dimension = difference.dimension, name = std::string(nameOf(difference).name), rank = difference.rankId](
            const CancelToken& cancel) { return longestSlice(side, dimension, name, rank, cancel); },
        [this, capture = side.capture](const std::optional<SliceKey>& slice) {
            if (!slice) return emit statusMessage(tr("The timeline has no slice of this name."));
            showKernel(capture, *slice);
        });
}

void ComparePage::showKernel(CaptureId capture, SliceKey slice) {
    m_selection.selectSlice(capture, slice);
    emit timelineRequested();
    m_selection.reveal(capture, slice);
}

// --- the file -----------------------------------------------------------------------------------------------------

void ComparePage::saveAs() {
    if (m_comparison == nullptr) return;
    const QString about = m_base->captureName() + u'_' + m_current->captureName();
    const QString file = chooseSaveFile(this, tr("Write the comparison"), about, u"HTML (*.html);;JSON (*.json)"_s);
    if (!file.isEmpty()) write(file);
}

void ComparePage::write(const QString& file) {
    if (m_comparison == nullptr || m_isWriting) return;
    m_isWriting = true;
    saveComparison(m_session, m_comparison, file, [this](const QString& outcome) {
        m_isWriting = false;
        m_outcome = outcome;
        emit statusMessage(outcome);
        showState();
    });
    showState();
}

// --- words --------------------------------------------------------------------------------------------------------

void ComparePage::showState() {
    const bool isThere = m_comparison != nullptr;
    const auto base = sideOf(*m_base), current = sideOf(*m_current);
    m_write->setEnabled(isThere && !m_isWriting);
    m_again->setVisible(!m_problem.isEmpty() && base && current);
    m_group->setEnabled(isThere);
    m_onlySignificant->setEnabled(isThere);
    m_stack->setCurrentWidget(isThere ? m_body : static_cast<QWidget*>(m_nothing));
    if (isThere) {
        m_sentence->setText(withUnbrokenUnits(toQString(comparisonSentence(*m_comparison, catalogueLanguage()))));
        const auto steps = [](std::size_t count, bool isRecording) {
            return isRecording ? tr("no steps") : tr("%n step(s)", nullptr, static_cast<int>(count));
        };
        QString facts = tr("Base: %n rank(s)", nullptr, static_cast<int>(m_comparison->baseRanks)) + u", "_s +
                        steps(m_comparison->baseSteps, m_comparison->isBaseRecording) + u" · "_s +
                        tr("Current: %n rank(s)", nullptr, static_cast<int>(m_comparison->currentRanks)) + u", "_s +
                        steps(m_comparison->currentSteps, m_comparison->isCurrentRecording) + u" · "_s +
                        tr("%n significant difference(s)", nullptr, static_cast<int>(m_comparison->significant));
        m_facts->setText(withUnbrokenUnits(facts));
        QPalette quiet = palette();
        for (const auto role : {QPalette::WindowText, QPalette::Text}) quiet.setColor(role, themeOf(palette()).muted);
        m_facts->setPalette(quiet);
        return;
    }
    PageMessage message{.kind = m_problem.isEmpty() ? PageMessage::Kind::Empty : PageMessage::Kind::Error,
                        .title = viewTitle(ViewId::Compare),
                        .reason = viewPurpose(ViewId::Compare),
                        .remedy = {},
                        .icon = viewIcon(ViewId::Compare)};
    const auto isRead = [this](CaptureId id) {
        const OpenCapture* open = m_session.capture(id);
        return open != nullptr && open->store != nullptr && open->job == 0;
    };
    if (m_session.captures().empty()) message.remedy = tr("Open two captures, or one to compare its ranks or steps.");
    else if (!m_problem.isEmpty()) message.reason = m_problem;
    else if (m_job != 0) message.reason = tr("Comparing…");
    else if (!isRead(m_base->capture()) || !isRead(m_current->capture()))
        message.reason = tr("The capture is being read.");
    else if (!m_base->isPossible() || !m_current->isPossible())
        message.remedy = tr("Ranks and steps are numbers as in 0, 2, 4-7.");
    else
        message.remedy =
            tr("Both sides are the same. Open another capture, or choose other ranks or steps for one of them: to "
               "compare rank 1 with rank 0, write 0 as rank of the base and 1 as rank of the current side.");
    m_nothing->setMessage(message);
}

void ComparePage::retranslate() {
    m_base->setTitle(tr("&Base"));
    m_current->setTitle(tr("&Current"));
    const int width = std::max(m_base->titleWidth(), m_current->titleWidth());
    for (SideChoice* side : {m_base, m_current}) side->setTitleWidth(width);
    m_swap->setText(u"⇅"_s);
    m_swap->setToolTip(tr("Swaps base and current"));
    m_swap->setAccessibleName(tr("Swap the sides"));
    m_groupName->setText(tr("&Show"));
    for (int i = 0; i < m_group->count(); ++i) {
        const int group = m_group->itemData(i).toInt();
        m_group->setItemText(i, groupTitle(group == kAllTimes ? DifferenceGroup() : static_cast<Dimension>(group)));
    }
    m_onlySignificant->setText(tr("&Only significant"));
    m_onlySignificant->setToolTip(tr("Only what is more than noise"));
    m_again->setText(tr("Compare &again"));
    m_write->setText(tr("&Write comparison…"));
    m_write->setToolTip(tr("As a page of HTML or as JSON. The table is exported by its menu"));
    m_table->table().setAccessibleName(tr("Differences"));
    m_tabs->setTabText(m_tabs->indexOf(m_table), tr("Differences"));
    m_tabs->setTabText(m_tabs->indexOf(m_order), tr("Order of kernels"));
    if (m_shown != nullptr) showTable();
    showState();
}

void ComparePage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::PaletteChange) showState();
    DataPage::changeEvent(event);
}

void ComparePage::showEvent(QShowEvent* event) {
    DataPage::showEvent(event);
    follow();
}

}  // namespace altiscope
