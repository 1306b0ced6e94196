#include "views/timeline/panels/selection_panel.h"

#include "core/tables/rows/slice_rows.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/timeline/panels/duration_histogram.h"
#include "views/timeline/panels/selection_tables.h"
#include "views/timeline/scene/timeline_selection.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QShowEvent>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <optional>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// While an import runs, stores are replaced ten times a second.
constexpr int kGatherMs = 40, kGatherWhileReadingMs = 1000;
/// Height of a panel that has room for rows alone.
constexpr int kLowLines = 12;

/// Content of the panel, or a first part of it.
struct SelectionResult {
    std::shared_ptr<const SelectionStatistics> statistics;  ///< Null: cancelled.
    std::shared_ptr<const ColumnTable> names, tracks, ranks;
    std::shared_ptr<const SliceRows> slices;
    /// Selection that it describes: by the time it is looked at, something else may be wanted.
    CaptureId capture;
    std::shared_ptr<const CaptureStore> store;
};

SelectionResult resultOf(const SelectionStatistics& statistics, std::shared_ptr<const SliceRows> slices,
                         CaptureId capture, std::shared_ptr<const CaptureStore> store) {
    return {std::make_shared<const SelectionStatistics>(statistics),
            nameTable(statistics),
            trackTable(statistics),
            rankTable(statistics),
            std::move(slices),
            capture,
            std::move(store)};
}

QString filterFor(std::string_view column, const std::string& text) {
    QString quoted = toQString(text);
    quoted.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    return u"%1 = \"%2\""_s.arg(toQString(column), quoted);
}

}  // namespace

struct SelectionPanel::Parts {
    Parts(SelectionPanel& thePanel, Session& session, TimelineScene& theScene, TimelineSelection& theSelection,
          const ViewMemory& memory)
        : panel(thePanel), scene(theScene), selection(theSelection), slot(scene.jobs()), sums(new QLabel(&panel)),
          scope(new QLabel(&panel)), onlyDepths(new QCheckBox(&panel)), allTracks(new QPushButton(&panel)),
          hint(new QLabel(&panel)), content(new QSplitter(&panel)), pages(new QTabWidget(content)),
          histogram(new DurationHistogram(content)),
          names(new TablePanel(session, memory, u"selection_names"_s, pages)),
          tracks(new TablePanel(session, memory, u"selection_tracks"_s, pages)),
          ranks(new TablePanel(session, memory, u"selection_ranks"_s, pages)),
          slices(new TablePanel(session, memory, u"selection_slices"_s, pages)) {}

    void build();
    void connectParts();
    void retranslate();
    void refresh();
    void request();
    bool wantsLike() const;
    std::optional<TrackChoice> chosenTracks() const;
    std::optional<SliceSelection> query() const;
    void forgetClosed();
    void apply(SelectionResult given);
    void showNothing();
    void showTables();
    void showSums();
    void listName(const std::string& name);
    void goTo(std::uint32_t row);

    SelectionPanel& panel;
    TimelineScene& scene;
    TimelineSelection& selection;
    JobSlot slot;
    QTimer gather;
    QLabel* sums;
    QLabel* scope;
    QCheckBox* onlyDepths;
    QPushButton* allTracks;
    QLabel* hint;
    QSplitter* content;
    QTabWidget* pages;
    DurationHistogram* histogram;
    TablePanel* names;
    TablePanel* tracks;
    TablePanel* ranks;
    TablePanel* slices;

    std::optional<SliceSelection> requested;
    CaptureId capture;  // of what is shown
    SelectionResult result;
    struct Like {
        CaptureId capture;
        std::optional<TimeRange> range;  // as they were when it was requested
        std::optional<TrackChoice> tracks;
    };
    std::optional<Like> like;
};

void SelectionPanel::Parts::build() {
    gather.setSingleShot(true);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    sums->setTextInteractionFlags(Qt::TextBrowserInteraction);
    sums->setTextFormat(Qt::PlainText);
    sums->setWordWrap(true);  // Else a narrow window takes the room from the panels beside.
    row->addWidget(sums, 1);
    auto* right = new QVBoxLayout;
    right->setSpacing(2);
    scope->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    right->addWidget(scope);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(onlyDepths);
    buttons->addWidget(allTracks);
    right->addLayout(buttons);
    row->addLayout(right);
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    hint->setContentsMargins(24, 12, 24, 12);
    pages->setDocumentMode(true);
    for (TablePanel* table : {names, tracks, ranks, slices}) pages->addTab(table, QString());
    names->filterBar().setExample(u"avg > 100us and name ~ \"flash\""_s);
    tracks->filterBar().setExample(u"share > 5% and process ~ \"hardware\""_s);
    ranks->filterBar().setExample(u"share > 5% and rank_id < 8"_s);
    slices->filterBar().setExample(u"dur > 100us and name ~ \"flash\""_s);
    auto* column = new QVBoxLayout(&panel);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(hint, 1);
    content->addWidget(pages);
    content->addWidget(histogram);
    content->setStretchFactor(0, 1);
    content->setStretchFactor(1, 0);
    column->addWidget(content, 1);
    showNothing();
}

void SelectionPanel::Parts::connectParts() {
    const auto later = [this] {
        forgetClosed();
        if (!gather.isActive()) gather.start(scene.progress().empty() ? kGatherMs : kGatherWhileReadingMs);
    };
    QObject::connect(&gather, &QTimer::timeout, &panel, [this] { request(); });
    QObject::connect(&selection, &TimelineSelection::changed, &panel, later);
    QObject::connect(&scene, &TimelineScene::rowsChanged, &panel, later);
    QObject::connect(onlyDepths, &QCheckBox::toggled, &panel, [this](bool on) { selection.setOnlyDepths(on); });
    QObject::connect(allTracks, &QPushButton::clicked, &panel, [this] { selection.chooseAllTracks(); });
    QObject::connect(&names->table(), &DataTable::activated, &panel, [this](std::uint32_t at) {
        if (at < result.statistics->names.size()) listName(std::string(result.statistics->names[at].name));
    });
    names->table().setRowMenu([this](QMenu& menu, std::uint32_t at) {
        if (at >= result.statistics->names.size()) return;
        const std::string name(result.statistics->names[at].name);
        menu.addAction(SelectionPanel::tr("&List these slices"), &panel, [this, name] { listName(name); });
        menu.addAction(SelectionPanel::tr("&Find all like this"), &panel,
                       [this, name, of = result.capture] { panel.listLike(of, name); });
    });
    QObject::connect(&slices->table(), &DataTable::activated, &panel, [this](std::uint32_t at) { goTo(at); });
    QObject::connect(&slices->table(), &DataTable::currentChanged, &panel, [this] {
        // Not when rows get new places by themselves.
        const auto at = slices->table().currentRow();
        if (at && slices->table().hasFocus()) goTo(*at);
    });
}

void SelectionPanel::Parts::retranslate() {
    onlyDepths->setText(SelectionPanel::tr("Only the &depths in the box"));
    onlyDepths->setToolTip(SelectionPanel::tr("Otherwise the whole tracks that the box touches count, in its time."));
    allTracks->setText(SelectionPanel::tr("&All tracks"));
    hint->setText(SelectionPanel::tr("Drag a box over tracks and time, drag over the ruler for all tracks, or add "
                                     "tracks in the menu of their names: their statistics are shown here."));
    pages->setTabText(0, SelectionPanel::tr("By name"));
    pages->setTabText(1, SelectionPanel::tr("By track"));
    pages->setTabText(2, SelectionPanel::tr("By rank"));
    pages->setTabText(3, SelectionPanel::tr("Slices"));
    if (result.statistics) showTables();
}

std::optional<TrackChoice> SelectionPanel::Parts::chosenTracks() const {
    return selection.tracks() == nullptr ? std::nullopt : std::optional(*selection.tracks());
}

/// Something else has been selected since, or not.
bool SelectionPanel::Parts::wantsLike() const {
    return like && like->range == selection.markedRange() && like->tracks == chosenTracks();
}

/// Stores that are no longer shown are not kept.
void SelectionPanel::Parts::forgetClosed() {
    if (!requested || panel.isVisible()) return;
    requested.reset();
    slot.cancel();
    showNothing();
}

/// Selection to be looked at now; nullopt if nothing is chosen.
std::optional<SliceSelection> SelectionPanel::Parts::query() const {
    const TrackChoice* chosen = selection.tracks();
    const std::optional<TimeRange> range = selection.markedRange();
    const bool findsLike = wantsLike();
    if (!findsLike && chosen == nullptr && !range) return std::nullopt;
    const auto source = scene.model().sources().sourceOf(findsLike           ? like->capture
                                                         : chosen != nullptr ? chosen->capture
                                                                             : selection.capture());
    if (!source) return std::nullopt;
    return findsLike ? selectionOf(scene.model(), *source, nullptr, std::nullopt, false)
                     : selectionOf(scene.model(), *source, chosen, range, selection.onlyDepths());
}

void SelectionPanel::Parts::request() {
    allTracks->setVisible(selection.tracks() != nullptr);
    onlyDepths->setVisible(selection.tracks() != nullptr);
    if (!panel.isVisible()) return;
    std::optional<SliceSelection> wanted = query();
    if (wanted == requested) return;
    if (like && !wantsLike()) {
        like.reset();
        slices->filterBar().setText({});
    }
    requested = wanted;
    if (!wanted) {
        slot.cancel();
        showNothing();
        if (panel.idle()) emit panel.becameIdle();
        return;
    }
    std::optional<std::uint32_t> source;
    for (std::uint32_t s = 0; s < scene.model().sources().size(); ++s) {
        const TimelineSource& shown = scene.model().sources()[s];
        if (shown.store == wanted->capture && isOpenCapture(shown.capture)) source = s;
    }
    capture = scene.model().sources()[*source].capture;
    const TimeNs origin = scene.origin() - scene.model().sources()[*source].shift;
    scope->setText(scopeText(*wanted));
    slot.startInParts<SelectionResult>(
        [wanted = std::move(*wanted), origin, of = capture](const CancelToken& token,
                                                            const auto& publish) -> SelectionResult {
            const auto list = SliceRows::make(wanted, spansOf(wanted), origin, token);
            const auto whole = selectionStatistics(
                wanted, [&](const SelectionStatistics& first) { publish(resultOf(first, list, of, wanted.capture)); },
                token);
            return whole.ok() ? resultOf(whole.value(), list, of, wanted.capture) : SelectionResult{};
        },
        [this](SelectionResult given) {
            apply(std::move(given));
            if (panel.idle()) emit panel.becameIdle();
        });
}

void SelectionPanel::Parts::apply(SelectionResult given) {
    if (!given.statistics) return;
    const bool isNew = given.slices != result.slices;
    result = std::move(given);
    hint->hide();
    content->show();
    histogram->show(result.statistics->histogram);
    names->setSource(result.names, nameHeadings());
    tracks->setSource(result.tracks, trackHeadings());
    ranks->setSource(result.ranks, rankHeadings());
    if (isNew) slices->setSource(result.slices, sliceHeadings());
    sortByBegin(slices->table().loader());
    showSums();
}

/// A low panel leaves its height to the rows.
void SelectionPanel::Parts::showSums() {
    const bool isLow = panel.height() < kLowLines * panel.fontMetrics().height();
    histogram->setHidden(isLow);
    scope->setHidden(isLow);
    if (result.statistics == nullptr) return sums->clear();
    const QString text = sumsText(*result.statistics);
    sums->setText(withUnbrokenUnits(isLow ? text.section(u'\n', 0, 0) : text));
    sums->setToolTip(isLow ? text + u'\n' + scope->text() : QString());
}

void SelectionPanel::Parts::showTables() {
    names->table().setHeadings(nameHeadings());
    tracks->table().setHeadings(trackHeadings());
    ranks->table().setHeadings(rankHeadings());
    slices->table().setHeadings(sliceHeadings());
    if (requested) scope->setText(scopeText(*requested));
    showSums();
}

void SelectionPanel::Parts::showNothing() {
    result = {};
    for (TablePanel* table : {names, tracks, ranks, slices}) table->setSource(nullptr, {});
    scope->clear();
    showSums();
    content->hide();
    histogram->show({});
    hint->show();
}

void SelectionPanel::Parts::listName(const std::string& name) {
    slices->filterBar().setText(filterFor("name", name));
    pages->setCurrentWidget(slices);
}

void SelectionPanel::Parts::goTo(std::uint32_t row) {
    if (result.slices == nullptr || row >= result.slices->rowCount()) return;
    const SliceRef slice = result.slices->slice(row);
    selection.selectAndReveal(result.capture, keyOf(*result.store, slice));
}

SelectionPanel::SelectionPanel(Session& session, TimelineScene& scene, TimelineSelection& selection,
                               const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_parts(std::make_unique<Parts>(*this, session, scene, selection, memory)) {
    m_parts->build();
    m_parts->connectParts();
    m_parts->retranslate();
    m_parts->request();
}

SelectionPanel::~SelectionPanel() = default;

void SelectionPanel::listLike(CaptureId capture, const std::string& name) {
    m_parts->like = {capture, m_parts->selection.markedRange(), m_parts->chosenTracks()};
    m_parts->listName(name);
    m_parts->request();
}

bool SelectionPanel::idle() const {
    const Parts& parts = *m_parts;
    const auto busy = [](TablePanel* table) { return table->table().loader().busy(); };
    return !isVisible() || !(parts.gather.isActive() || parts.slot.busy() || busy(parts.names) || busy(parts.tracks) ||
                             busy(parts.ranks) || busy(parts.slices));
}

void SelectionPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_parts->request();
}

void SelectionPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_parts->showSums();
}

void SelectionPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) m_parts->retranslate();
}

}  // namespace altiscope
