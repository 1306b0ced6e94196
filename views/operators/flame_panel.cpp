#include "views/operators/flame_panel.h"

#include "views/common/plots/frame_canvas.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/operators/flame_source.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Boxes of the bar are as wide as their texts where there is room, and at least so many pixels.
constexpr int kMinBoxWidth = 90;

std::shared_ptr<const FlameCalls> callsOfScope(const Scope& scope, const FlameChoice& choice,
                                               const CancelToken& cancel) {
    FlameQuery query{.capture = scope.store, .ranks = rankWindows(scope), .threads = {}, .split = choice.split};
    query.threads = flameThreads(*scope.store, query.ranks, choice.source);
    return flameCalls(query, cancel);
}

/// @param base  Null where `hasBase` says that there is one: cancelled.
std::shared_ptr<const FlameFrames> framesOf(std::shared_ptr<const FlameCalls> calls,
                                            std::shared_ptr<const FlameCalls> base, bool hasBase,
                                            const FlameChoice& choice, const CancelToken& cancel) {
    if (calls == nullptr || (hasBase && base == nullptr)) return nullptr;
    auto tree = flameTree(std::move(calls), std::move(base), choice.weight, choice.order(), cancel);
    return tree == nullptr ? nullptr : std::make_shared<const FlameFrames>(std::move(tree));
}

int rememberedChoice(const ViewMemory& memory, const QString& name, int otherwise) {
    const QVariant known = memory.value(name);
    return known.isValid() ? known.toInt() : otherwise;
}

/// Whether any of the calls is a line of Python.
bool hasLines(const FlameCalls& calls) {
    return std::any_of(calls.names.begin(), calls.names.end(),
                       [](const std::string& name) { return name.find(".py(") != std::string::npos; });
}

}  // namespace

FlamePanel::FlamePanel(Session& session, const ViewMemory& memory, QWidget* parent)
    : Translated(parent), m_memory(memory), m_slot(session.jobs()), m_shape(new QComboBox(this)),
      m_weight(new QComboBox(this)), m_source(new QComboBox(this)), m_split(new QComboBox(this)),
      m_beside(new QCheckBox(this)), m_search(new QLineEdit(this)), m_sentence(new QLabel(this)),
      m_canvas(new FrameCanvas), m_scroll(new QScrollArea(this)) {
    setUp();
    FlameChoice choice;
    choice.shape = static_cast<FlameChoice::Shape>(rememberedChoice(memory, u"flame/shape"_s, 0));
    choice.weight = static_cast<FlameWeight>(rememberedChoice(memory, u"flame/weight"_s, 0));
    choice.source = static_cast<FlameSource>(rememberedChoice(memory, u"flame/source"_s, 0));
    choice.split = static_cast<FlameSplit>(rememberedChoice(memory, u"flame/split"_s, 0));
    choose(choice);
    retranslate();
}

void FlamePanel::setUp() {
    auto* column = bareLayout<QVBoxLayout>(this);
    column->addLayout(setUpBar());
    column->addLayout(setUpSentence());
    setUpCanvas();
    column->addWidget(m_scroll, 1);
    setFocusProxy(m_canvas);
}

QLayout* FlamePanel::setUpBar() {
    auto* bar = barLayout<QHBoxLayout>(nullptr);
    for (const auto shape : {FlameChoice::Shape::Icicle, FlameChoice::Shape::Flame, FlameChoice::Shape::BottomUp})
        m_shape->addItem(QString(), static_cast<int>(shape));
    for (const FlameWeight weight : {FlameWeight::Host, FlameWeight::Self, FlameWeight::Device})
        m_weight->addItem(QString(), static_cast<int>(weight));
    for (const FlameSource source : {FlameSource::Calls, FlameSource::Python, FlameSource::Cann})
        m_source->addItem(QString(), static_cast<int>(source));
    for (const FlameSplit split : {FlameSplit::None, FlameSplit::Rank, FlameSplit::Thread})
        m_split->addItem(QString(), static_cast<int>(split));
    for (QComboBox* box : {m_shape, m_weight, m_source, m_split}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMinimumWidth(kMinBoxWidth);  // else the row makes the window wide
        bar->addWidget(box);
        connect(box, &QComboBox::activated, this, [this] {
            remember();
            request();
        });
    }
    connect(m_shape, &QComboBox::activated, this, &FlamePanel::fitWeight);
    connect(m_weight, &QComboBox::activated, this, [this] { m_replacedHost = false; });
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(kMinBoxWidth);
    bar->addWidget(m_search, 1);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_canvas->setSearch(text);
        showSums();
    });
    connect(m_search, &QLineEdit::returnPressed, this, [this] { m_canvas->showNextHit(); });
    return bar;
}

/// With times that include what was called, all functions on the way to a costly one are as wide as it is: bottom-up
/// has the functions' own times.
void FlamePanel::fitWeight() {
    const bool isBottomUp = choice().shape == FlameChoice::Shape::BottomUp;
    const bool replaces = isBottomUp && choice().weight == FlameWeight::Host;
    const bool restores = !isBottomUp && std::exchange(m_replacedHost, false);
    if (!replaces && !restores) return;
    if (replaces) m_replacedHost = true;
    m_weight->setCurrentIndex(m_weight->findData(static_cast<int>(replaces ? FlameWeight::Self : FlameWeight::Host)));
    remember();
    request();
}

QLayout* FlamePanel::setUpSentence() {
    m_beside->setChecked(true);
    m_beside->hide();
    connect(m_beside, &QCheckBox::toggled, this, &FlamePanel::request);
    m_sentence->setContentsMargins(8, 0, 8, 4);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 8, 0);
    row->addWidget(m_sentence, 1);
    row->addWidget(m_beside, 0, Qt::AlignTop);
    return row;
}

void FlamePanel::setUpCanvas() {
    QScrollArea* scroll = m_scroll;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_canvas);
    connect(m_canvas, &FrameCanvas::findRequested, m_search, [this] { m_search->setFocus(); });
    connect(m_canvas, &FrameCanvas::currentMoved, scroll,
            [scroll](const QRect& box) { scroll->ensureVisible(0, box.center().y(), 0, box.height()); });
    connect(scroll->verticalScrollBar(), &QScrollBar::rangeChanged, this, &FlamePanel::showRoot);
    m_canvas->setNodeMenu([this](QMenu& menu, std::uint32_t node) {
        if (m_tree == nullptr) return;
        const SliceRef longest = m_tree->frame(node).longest;
        menu.addAction(tr("Show the &longest call in the timeline"), this,
                       [this, capture = m_tree->calls->capture, longest] {
                           emit callRequested(capture->ranks[longest.rank.value].trace->id(longest.slice));
                       })
            ->setEnabled(longest.slice != kNoSlice);
    });
}

FlameChoice FlamePanel::choice() const {
    return {.source = static_cast<FlameSource>(m_source->currentData().toInt()),
            .split = static_cast<FlameSplit>(m_split->currentData().toInt()),
            .weight = static_cast<FlameWeight>(m_weight->currentData().toInt()),
            .shape = static_cast<FlameChoice::Shape>(m_shape->currentData().toInt()),
            .beside = m_beside->isChecked()};
}

void FlamePanel::choose(const FlameChoice& choice) {
    m_replacedHost = false;
    const std::pair<QComboBox*, int> choices[] = {{m_source, static_cast<int>(choice.source)},
                                                  {m_split, static_cast<int>(choice.split)},
                                                  {m_weight, static_cast<int>(choice.weight)},
                                                  {m_shape, static_cast<int>(choice.shape)}};
    for (const auto& [box, value] : choices) box->setCurrentIndex(std::max(0, box->findData(value)));
    m_beside->setChecked(choice.beside);
    request();
}

void FlamePanel::remember() {
    m_memory.setValue(u"flame/shape"_s, m_shape->currentData());
    m_memory.setValue(u"flame/weight"_s, m_weight->currentData());
    m_memory.setValue(u"flame/source"_s, m_source->currentData());
    m_memory.setValue(u"flame/split"_s, m_split->currentData());
}

void FlamePanel::setScope(std::optional<Scope> scope, std::optional<Scope> base) {
    if (scope == m_scope && base == m_base) return;
    m_scope = std::move(scope);
    m_base = std::move(base);
    m_beside->setVisible(m_base.has_value());
    // Out of sight nothing newer is requested yet, and what is on its way is of another scope.
    m_slot.cancel();
    // Its slices are none of the new store's; nor is a capture that was closed to be kept.
    if (!m_scope || (m_known.scope && m_known.scope->store != m_scope->store)) {
        m_known = {};
        take(nullptr);
    }
    request();
}

void FlamePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) request();
}

/// A flame stands on its root.
void FlamePanel::showRoot() {
    QScrollBar& bar = *m_scroll->verticalScrollBar();
    if (m_canvas->rootPlace() == FrameCanvas::Root::Bottom) bar.setValue(bar.maximum());
}

void FlamePanel::request() {
    const auto place = choice().shape == FlameChoice::Shape::Flame ? FrameCanvas::Root::Bottom : FrameCanvas::Root::Top;
    if (m_canvas->rootPlace() != place) {
        m_canvas->setRootPlace(place);
        m_scroll->verticalScrollBar()->setValue(0);
        showRoot();
    }
    m_isStale = m_scope.has_value() && !isVisible();
    if (!m_scope || !isVisible()) return;
    Known wanted{m_scope, choice().beside ? m_base : std::nullopt, choice()};
    const bool hasCalls = m_tree != nullptr && m_known.hasCallsOf(wanted);
    auto calls = hasCalls && m_known.scope == wanted.scope ? m_tree->calls : nullptr,
         base = hasCalls && m_known.base == wanted.base ? m_tree->base : nullptr;
    if (m_tree == nullptr) m_canvas->setNothing(tr("Collecting calls…"));
    m_slot.start(
        [wanted, calls = std::move(calls), base = std::move(base)](const CancelToken& cancel) mutable {
            if (calls == nullptr) calls = callsOfScope(*wanted.scope, wanted.choice, cancel);
            if (wanted.base && base == nullptr && calls != nullptr)
                base = callsOfScope(*wanted.base, wanted.choice, cancel);
            return framesOf(std::move(calls), std::move(base), wanted.base.has_value(), wanted.choice, cancel);
        },
        [this, wanted](std::shared_ptr<const FlameFrames> frames) {
            m_known = wanted;
            take(std::move(frames));
        });
}

void FlamePanel::take(std::shared_ptr<const FlameFrames> frames) {
    m_tree = frames == nullptr ? nullptr : frames->flame();
    m_canvas->setSource(std::move(frames));
    m_canvas->setNothing(reason());
    showSums();
}

// --- in words -----------------------------------------------------------------------------------------------------

QString FlamePanel::reason() const {
    if (m_tree == nullptr) return {};
    if (m_tree->calls->slices == 0) {
        if (choice().source == FlameSource::Cann)
            return tr("No CANN calls within the filter. They are recorded with activities CPU, from profiler_level "
                      "Level0 on.");
        return tr("No host calls within the filter. Operators are recorded with activities CPU, lines of Python with "
                  "with_stack.");
    }
    if (m_tree->weight == FlameWeight::Device)
        return tr("No flow leads from these calls to a task of the device. Flows are recorded with activities CPU and "
                  "NPU.");
    return tr("These calls took no time.");
}

QString FlamePanel::foundText() const {
    const auto found = m_canvas->found();
    if (!found || m_tree == nullptr) return {};
    // A function within another one counts once, whichever way round they are drawn.
    const std::string wanted = searchedText(m_search->text().trimmed().toStdString());
    std::vector<bool> hits;
    for (const std::string& name : m_tree->calls->names)
        hits.push_back(searchedText(name).find(wanted) != std::string::npos);
    const std::int64_t weight = matchedWeight(*m_tree->calls, m_tree->weight, hits);
    return withCount(tr("Found: %n frame(s), %1, %2 of all.", nullptr, pluralCount(found->frames)), found->frames)
        .arg(formatDuration({weight}),
             formatPercent(m_tree->all > 0 ? static_cast<double>(weight) / static_cast<double>(m_tree->all) : 0));
}

QString FlamePanel::sentence() const {
    if (m_tree == nullptr || m_tree->calls->slices == 0) return {};
    const FlameCalls& calls = *m_tree->calls;
    QStringList parts;
    if (const QString found = foundText(); !found.isEmpty()) parts << found;
    parts << tr("%1 in %2 calls of %n thread(s); they launched %3 tasks of %4 on the device.", nullptr,
                pluralCount(calls.threads))
                 .arg(formatDuration({calls.nodes[0].total}), formatCount(calls.slices),
                      formatCount(calls.nodes[0].allTasks), formatDuration({calls.nodes[0].allDevice}));
    if (m_tree->base != nullptr)
        parts << tr("Difference of the shares: red has grown compared with the base, blue has shrunk.");
    else if (m_tree->weight == FlameWeight::Self) parts << tr("The redder a frame, the more of the time is its own.");
    if (choice().source != FlameSource::Cann && !hasLines(calls))
        parts << tr("Lines of Python were not recorded (with_stack).");
    if (calls.folded > 0)
        parts << tr("%1 calls are counted with what called them, as they are too deep or too many.")
                     .arg(formatCount(calls.folded));
    if (m_tree->isCut) parts << tr("Callers of light functions are omitted.");
    return parts.join(u' ');
}

void FlamePanel::showSums() {
    const QString text = sentence();
    m_sentence->setText(withUnbrokenUnits(text));
    m_sentence->setVisible(!text.isEmpty());
}

void FlamePanel::retranslate() {
    m_shape->setItemText(0, tr("Top-down, icicle"));
    m_shape->setItemText(1, tr("Top-down, flame"));
    m_shape->setItemText(2, tr("Bottom-up, callers below"));
    m_shape->setAccessibleName(tr("Shape"));
    m_shape->setToolTip(tr("Top-down: what each function called. Bottom-up: who called each function."));
    m_weight->setItemText(0, tr("Host time"));
    m_weight->setItemText(1, tr("Self time"));
    m_weight->setItemText(2, tr("Device time launched"));
    m_weight->setAccessibleName(tr("Width"));
    m_weight->setToolTip(tr("Host time: of the calls with what they called. Self time: without it. Device time: of the "
                            "tasks that they and what they called launched."));
    m_source->setItemText(0, tr("Python, operators, CANN"));
    m_source->setItemText(1, tr("Python and operators"));
    m_source->setItemText(2, tr("CANN alone"));
    m_source->setAccessibleName(tr("Which calls"));
    m_split->setItemText(0, tr("All threads together"));
    m_split->setItemText(1, tr("Ranks apart"));
    m_split->setItemText(2, tr("Threads apart"));
    m_split->setAccessibleName(tr("Ranks and threads"));
    m_beside->setText(tr("&Difference to the base"));
    m_search->setPlaceholderText(tr("Find functions"));
    m_search->setAccessibleName(tr("Find functions"));
    m_canvas->setAccessibleName(tr("Flame graph"));
    m_canvas->setNothing(reason());
    // Titles and tips are of the language.
    m_canvas->update();
    showSums();
}

}  // namespace altiscope
