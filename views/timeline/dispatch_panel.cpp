#include "views/timeline/dispatch_panel.h"

#include "views/common/formatters.h"
#include "views/common/table_panel.h"
#include "views/common/time_axis.h"
#include "views/timeline/dispatch_rows.h"
#include "views/timeline/timeline_selection.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// While an import runs, stores are replaced ten times a second.
constexpr int kGatherDispatchMs = 60;

/// What lies in both.
std::vector<TimeRange> withinRange(const std::optional<std::vector<TimeRange>>& times, TimeRange range) {
    if (!times) return {range};
    std::vector<TimeRange> within;
    for (const TimeRange& time : *times) {
        const TimeRange part{std::max(time.begin, range.begin), std::min(time.end, range.end)};
        if (part.begin < part.end) within.push_back(part);
    }
    return within;
}

}  // namespace

struct DispatchPanel::Parts {
    Parts(DispatchPanel& thePanel, Session& session, TimelineScene& theScene, TimelineSelection& theSelection, const ViewMemory& memory)
        : panel(thePanel), scene(theScene), selection(theSelection), slot(theScene.jobs()), sums(new QLabel(&thePanel)), hint(new QLabel(&thePanel)),
          table(new TablePanel(session, memory, u"dispatch"_s, &thePanel)) {}

    void build();
    void connectParts();
    void retranslate();
    DispatchQuestion question() const;
    void ask();
    void forget();
    void apply(DispatchRows given);
    void fillMenu(QMenu& menu, std::uint32_t row);
    void goTo(std::uint32_t row, SliceIndex slice);

    DispatchPanel& panel;
    TimelineScene& scene;
    TimelineSelection& selection;
    JobSlot slot;
    QTimer gather;
    QLabel* sums;
    QLabel* hint;
    TablePanel* table;
    std::optional<DispatchQuestion> asked;
    DispatchQuestion answered;
    DispatchRows answer;
};

void DispatchPanel::Parts::build() {
    gather.setSingleShot(true);
    gather.setInterval(kGatherDispatchMs);
    sums->setTextFormat(Qt::PlainText);
    sums->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    sums->setContentsMargins(8, 4, 8, 4);
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    hint->setContentsMargins(24, 12, 24, 12);
    table->filterBar().setExample(u"end_to_end > 1ms and path = \"ACLOP\""_s);
    auto* column = new QVBoxLayout(&panel);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(sums);
    column->addWidget(hint, 1);
    column->addWidget(table, 1);
}

void DispatchPanel::Parts::connectParts() {
    const auto later = [this] {
        if (!gather.isActive()) gather.start();
    };
    QObject::connect(&gather, &QTimer::timeout, &panel, [this] { ask(); });
    QObject::connect(&selection, &TimelineSelection::changed, &panel, later);
    QObject::connect(&scene, &TimelineScene::rowsChanged, &panel, later);
    QObject::connect(&scene, &TimelineScene::timesChanged, &panel, later);
    const auto goToEnqueue = [this](std::uint32_t row) {
        if (row < answer.rows.size()) goTo(row, answer.rows[row].dispatch.enqueue);
    };
    QObject::connect(&table->table(), &DataTable::activated, &panel, goToEnqueue);
    QObject::connect(&table->table(), &DataTable::currentChanged, &panel, [this, goToEnqueue] {
        // Not when rows get new places by themselves.
        const auto row = table->table().currentRow();
        if (row && table->table().hasFocus()) goToEnqueue(*row);
    });
    table->table().setRowMenu([this](QMenu& menu, std::uint32_t row) { fillMenu(menu, row); });
}

void DispatchPanel::Parts::retranslate() {
    table->table().setHeadings(answer.table != nullptr ? dispatchHeadings() : std::vector<ColumnHeading>());
    const std::size_t all = answer.rows.size();
    sums->setText(DispatchPanel::tr("%1 tasks: %2 complete, %3 without launch, %4 incomplete")
                      .arg(formatCount(all), formatCount(answer.complete), formatCount(answer.fallback), formatCount(all - answer.complete - answer.fallback)));
    hint->setText(answer.hasQueue ? DispatchPanel::tr("No task of the queue lies within what is shown.")
                                  : DispatchPanel::tr("How each operator came from Python over the framework's queue to the device. This capture shows no queue: it needs host events, "
                                                      "recorded with a task queue (TASK_QUEUE_ENABLE 1 or 2)."));
    const bool hasRows = all > 0;
    sums->setVisible(hasRows);
    table->setVisible(hasRows);
    hint->setVisible(!hasRows);
}

DispatchQuestion DispatchPanel::Parts::question() const {
    DispatchQuestion question;
    const TimelineModel& model = scene.model();
    if (model.sources().empty()) return question;
    const std::uint32_t source = model.sourceOf(selection.capture()).value_or(0);
    const TimelineSource& of = model.sources()[source];
    question.capture = of.capture;
    question.store = of.store;
    question.origin = scene.origin() - of.shift;
    const ContextFilter context = model.context().forCapture(of.capture);
    const auto marked = model.sourceOf(selection.capture()) ? selection.markedRange() : std::nullopt;
    for (std::uint32_t r = 0; r < of.store->ranks.size(); ++r) {
        const RankEntry& rank = of.store->ranks[r];
        if (rank.trace == nullptr || rank.trace->provisional() || !context.holds(rank.info)) continue;
        auto times = timesOf(context, rank);
        if (marked) times = withinRange(times, shifted(*marked, {-model.shiftOf(source, r).value}));
        question.ranks.push_back(r);
        question.times.push_back(std::move(times));
    }
    return question;
}

void DispatchPanel::Parts::ask() {
    const DispatchQuestion wanted = question();
    if (!panel.isVisible()) {
        if (asked && asked->store != wanted.store) forget();
        return;
    }
    if (asked && *asked == wanted) return;
    asked = wanted;
    slot.start([wanted](const CancelToken& token) { return dispatchRows(wanted, token); },
               [this, wanted](DispatchRows given) {
                   answered = wanted;
                   apply(std::move(given));
                   if (panel.idle()) emit panel.becameIdle();
               });
}

/// A capture that is closed or read anew leaves the memory, though nobody looks.
void DispatchPanel::Parts::forget() {
    slot.cancel();
    asked.reset();
    answered = {};
    answer = {};
    table->setSource(nullptr, {});
    retranslate();
}

void DispatchPanel::Parts::apply(DispatchRows given) {
    answer = std::move(given);
    table->setSource(answer.table, dispatchHeadings());
    TableFeed& feed = table->table().feed();
    if (feed.sort().empty()) feed.setSort({{.column = kDispatchBegin, .descending = false}});
    retranslate();
}

void DispatchPanel::Parts::goTo(std::uint32_t row, SliceIndex slice) {
    if (row >= answer.rows.size() || slice == kNoSlice) return;
    selection.selectAndReveal(answered.capture, keyOf(*answered.store, {answer.rows[row].rank, slice}));
}

void DispatchPanel::Parts::fillMenu(QMenu& menu, std::uint32_t row) {
    if (row >= answer.rows.size()) return;
    const Dispatch& of = answer.rows[row].dispatch;
    const auto add = [&](const QString& text, SliceIndex slice) {
        menu.addAction(text, &panel, [this, row, slice] { goTo(row, slice); })->setEnabled(slice != kNoSlice);
    };
    add(DispatchPanel::tr("Go to &Python's call"), of.python);
    add(DispatchPanel::tr("Go to the &operator"), of.op);
    add(DispatchPanel::tr("Go to the &enqueuing"), of.enqueue);
    add(DispatchPanel::tr("Go to the &dequeuing"), of.dequeue);
    add(DispatchPanel::tr("Go to the &launch"), of.launch);
    add(DispatchPanel::tr("Go to the first &kernel"), of.kernel);
}

DispatchPanel::DispatchPanel(Session& session, TimelineScene& scene, TimelineSelection& selection, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_parts(std::make_unique<Parts>(*this, session, scene, selection, memory)) {
    m_parts->build();
    m_parts->connectParts();
    m_parts->retranslate();
    setFocusProxy(m_parts->table);
}

DispatchPanel::~DispatchPanel() = default;

bool DispatchPanel::idle() const { return !isVisible() || !(m_parts->gather.isActive() || m_parts->slot.busy() || m_parts->table->table().feed().busy()); }

void DispatchPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_parts->ask();
}

void DispatchPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) m_parts->retranslate();
}

}  // namespace altiscope
