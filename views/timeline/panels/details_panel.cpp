#include "views/timeline/panels/details_panel.h"

#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/common/pages/message_page.h"
#include "views/common/plots/time_axis.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/cell_text.h"
#include "views/common/support/formatters.h"
#include "views/common/support/link_request.h"
#include "views/common/support/text_font.h"
#include "views/common/tables/row_copy.h"
#include "views/common/theme/theme.h"
#include "views/timeline/overlay/wrapped_text.h"
#include "views/timeline/panels/chain_list.h"
#include "views/timeline/panels/slice_text.h"
#include "views/timeline/times/capture_extent.h"

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

/// A list of rows that can be copied, with columns as wide as their content.
QTreeWidget* makeList(QWidget* parent) {
    auto* list = new QTreeWidget(parent);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list->setAllColumnsShowFocus(true);
    copyRowsByKey(*list);
    return list;
}

/// A heading above a widget.
struct Section {
    QWidget* holder;
    QLabel* heading;
};

Section makeSection(QWidget* content, QWidget* parent) {
    auto* holder = new QWidget(parent);
    auto* heading = new QLabel(holder);
    followTextSize(*heading, boldFont);
    heading->setBuddy(content);
    heading->setWordWrap(true);  // or the longest one would keep the window wide
    auto* layout = bareLayout<QVBoxLayout>(holder, 4);
    layout->addWidget(heading);
    layout->addWidget(content);
    return {holder, heading};
}

}  // namespace

struct DetailsPanel::Parts {
    Parts(DetailsPanel& thePanel, Session& theSession, Selection& theSelection)
        : panel(thePanel), session(theSession), selection(theSelection), slot(theSession.jobs()) {}

    void build();
    void connectParts();
    void refresh();
    void showMessage();
    void showFacts();
    void showFactLines();
    void goTo(SliceKey key);
    TimeNs origin() const;
    void requestShown();

    DetailsPanel& panel;
    Session& session;
    Selection& selection;
    JobSlot slot;
    ShownAtQuery shownAt;
    std::optional<SliceFacts> facts;
    std::shared_ptr<const CaptureStore> factsStore;  // that they were read from
    QStackedLayout* stack = nullptr;
    MessagePage* message = nullptr;
    QSplitter* body = nullptr;
    WrappedText* name = nullptr;
    QLabel* range = nullptr;
    QLabel* problem = nullptr;
    QPushButton *copy = nullptr, *copyJson = nullptr, *copyLink = nullptr;
    QWidget* lines = nullptr;
    QTreeWidget* arguments = nullptr;
    QTreeWidget* callStack = nullptr;
    ChainList* chain = nullptr;
    Section argumentSection{}, stackSection{}, chainSection{};
};

void DetailsPanel::Parts::build() {
    message = new MessagePage(&panel);
    body = new QSplitter(Qt::Horizontal, &panel);
    body->setChildrenCollapsible(false);

    auto* left = new QWidget(body);
    const auto selectable = [left] {
        auto* label = new QLabel(left);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        return label;
    };
    name = new WrappedText(left);
    followTextSize(*name, boldFont);
    range = selectable();
    problem = selectable();
    copy = new QPushButton(left);
    copyJson = new QPushButton(left);
    copyLink = new QPushButton(left);
    lines = new QWidget(left);
    auto* layout = new QVBoxLayout(left);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(4);
    layout->addWidget(name);
    layout->addWidget(range);
    layout->addWidget(problem);
    layout->addWidget(lines);
    auto* copies = new QHBoxLayout;
    copies->addWidget(copy);
    copies->addWidget(copyJson);
    copies->addWidget(copyLink);
    copies->addStretch(1);
    layout->addLayout(copies);
    layout->addStretch(1);
    auto* scroll = new QScrollArea(body);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(left);
    // Wide enough for a date to the nanosecond beside its name.
    scroll->setMinimumWidth(
        scroll->fontMetrics().horizontalAdvance(QStringLiteral("Absolute, ns    2024-05-14 12:34:56.123456789 UTC")) +
        48);
    body->addWidget(scroll);

    arguments = makeList(body);
    callStack = makeList(body);
    callStack->setHeaderHidden(true);
    // Functions stand at the end of their paths.
    callStack->setTextElideMode(Qt::ElideLeft);
    chain = new ChainList(body);
    argumentSection = makeSection(arguments, body);
    stackSection = makeSection(callStack, body);
    chainSection = makeSection(chain, body);
    for (const Section& section : {argumentSection, stackSection, chainSection}) {
        section.holder->layout()->setContentsMargins(8, 8, 8, 8);
        body->addWidget(section.holder);
    }
    stack = new QStackedLayout(&panel);
    stack->addWidget(message);
    stack->addWidget(body);
}

void DetailsPanel::Parts::connectParts() {
    QObject::connect(&selection, &Selection::changed, &panel, [this] { refresh(); });
    QObject::connect(&session, &Session::captureChanged, &panel, [this](CaptureId id) {
        // Where times count from depends on all captures.
        if (id == selection.current().capture || (facts && facts->origin != origin())) refresh();
    });
    QObject::connect(&session, &Session::captureClosed, &panel, [this] { refresh(); });
    QObject::connect(
        chain, &ChainList::followed, &panel, [this](SliceKey key) { goTo(key); }, Qt::QueuedConnection);
    QObject::connect(copyJson, &QPushButton::clicked, &panel, [this] {
        if (facts) QApplication::clipboard()->setText(jsonText(*facts));
    });
    QObject::connect(copyLink, &QPushButton::clicked, &panel, [this] {
        if (facts) requestLink(panel, {facts->capture, facts->key.rank, facts->key.id, {}});
    });
    QObject::connect(copy, &QPushButton::clicked, &panel, [this] {
        if (facts) QApplication::clipboard()->setText(plainText(*facts));
    });
}

void DetailsPanel::Parts::goTo(SliceKey key) {
    // Both may rebuild what the caller of this holds.
    const CaptureId capture = facts->capture;
    selection.selectSlice(capture, key);
    selection.reveal(capture, key);
}

/// As TimelineScene::origin(), on the clock of the selected capture.
TimeNs DetailsPanel::Parts::origin() const {
    std::vector<std::optional<TimeRange>> runs;
    std::size_t own = 0, shown = session.captures().size();
    for (const OpenCapture& capture : session.captures()) {
        if (capture.id == selection.current().capture) own = runs.size();
        if (capture.id == selection.shownCapture()) shown = runs.size();
        runs.push_back(capture.store == nullptr ? std::nullopt : extentOf(*capture.store, capture.times.origin()).axis);
    }
    if (runs.empty()) return {};
    return originOf(own, shown < runs.size() ? shown : runs.size() - 1, runs);
}

void DetailsPanel::Parts::refresh() {
    const SelectionState& state = selection.current();
    const OpenCapture* capture = session.capture(state.capture);
    if (!state.slice || capture == nullptr || capture->store == nullptr) {
        slot.cancel();
        facts.reset();
        factsStore.reset();
        showMessage();
        return;
    }
    if (facts && facts->capture == state.capture && facts->key == *state.slice && factsStore == capture->store) {
        slot.cancel();
        const TimeNs now = origin();
        const bool moved = now != facts->origin;
        facts->origin = now;
        requestShown();
        // Links state times too.
        moved ? showFacts() : showFactLines();
        return;
    }
    slot.start([store = capture->store, id = state.capture, key = *state.slice,
                begin = origin()](const CancelToken& cancel) { return readSliceFacts(*store, id, key, begin, cancel); },
               [this, store = capture->store](std::optional<SliceFacts> read) {
                   facts = std::move(read);
                   factsStore = store;
                   if (facts) {
                       requestShown();
                       showFacts();
                   } else {
                       showMessage();
                   }
               });
}

void DetailsPanel::Parts::requestShown() {
    facts->shown = shownAt ? shownAt(facts->capture, facts->key.rank, facts->track.id) : std::nullopt;
}

void DetailsPanel::Parts::showMessage() {
    PageMessage text{
        .kind = PageMessage::Kind::Empty, .title = DetailsPanel::tr("Details"), .reason = {}, .remedy = {}, .icon = {}};
    const SelectionState& state = selection.current();
    if (state.range) {
        text.title = DetailsPanel::tr("Marked time: %1").arg(formatDuration(state.range->length()));
        text.reason = DetailsPanel::tr("%1, from %2 to %3")
                          .arg(formatExactNs(state.range->length()), formatAbsoluteTime(state.range->begin),
                               formatAbsoluteTime(state.range->end));
    } else if (state.slice) {
        text.reason = DetailsPanel::tr("The selected slice is not read yet.");
    } else {
        text.reason = DetailsPanel::tr(
            "Everything about a slice: times, arguments, call stack and what it is linked to. Nothing is selected.");
        text.remedy = DetailsPanel::tr("Click a slice in the timeline.");
    }
    message->setMessage(text);
    stack->setCurrentWidget(message);
}

void DetailsPanel::Parts::showFacts() {
    name->setText(sliceTitle(*facts));
    showFactLines();

    arguments->clear();
    const auto addLine = [this](const QString& title, const QString& text) {
        auto* item = new QTreeWidgetItem(arguments, {title, onOneLine(text)});
        item->setToolTip(1, text);
    };
    const auto addHeading = [this](const QString& title) {
        auto* item = new QTreeWidgetItem(arguments, {title});
        item->setFirstColumnSpanned(true);
        item->setFlags(Qt::ItemIsEnabled);
        QFont bold = arguments->font();
        bold.setBold(true);
        item->setFont(0, bold);
    };
    if (facts->kernel) {
        addHeading(DetailsPanel::tr("Kernel, as recorded"));
        for (const auto& [title, text] : kernelLines(*facts->kernel)) addLine(title, text);
        if (!facts->details.arguments.empty()) addHeading(DetailsPanel::tr("Arguments"));
    }
    for (const Argument& argument : facts->details.arguments)
        addLine(toQString(argument.key), toQString(argument.text));
    arguments->resizeColumnToContents(0);
    argumentSection.heading->setText(facts->kernel ? DetailsPanel::tr("Kernel and arguments")
                                                   : DetailsPanel::tr("Arguments"));
    argumentSection.holder->setVisible(arguments->topLevelItemCount() > 0);

    callStack->clear();
    for (const std::string& frame : facts->details.callStack) {
        auto* line = new QTreeWidgetItem(callStack, {toQString(frame)});
        line->setToolTip(0, line->text(0));
    }
    callStack->setFont(monospaceFont(panel.font()));
    stackSection.holder->setVisible(callStack->topLevelItemCount() > 0);

    chainSection.holder->setVisible(chain->show(*facts));
    stack->setCurrentWidget(body);
}

void DetailsPanel::Parts::showFactLines() {
    const Theme& theme = themeOf(panel.palette());
    const auto& marked = selection.current().range;
    range->setText(marked
                       ? withUnbrokenUnits(DetailsPanel::tr("Marked time: %1 (%2)")
                                               .arg(formatDuration(marked->length()), formatExactNs(marked->length())))
                       : QString());
    range->setVisible(marked.has_value());
    const QString trouble = withUnbrokenUnits(problemText(*facts));
    problem->setText(trouble);
    problem->setVisible(!trouble.isEmpty());
    QPalette warning = panel.palette();
    warning.setColor(QPalette::WindowText, theme.warning);
    problem->setPalette(warning);

    delete lines->layout();
    qDeleteAll(lines->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    auto* grid = new QGridLayout(lines);
    grid->setContentsMargins(0, 4, 0, 4);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const FactLine& line : factLines(*facts)) {
        auto* title = new QLabel(line.title, lines);
        QPalette muted = panel.palette();
        muted.setColor(QPalette::WindowText, theme.muted);
        title->setPalette(muted);
        grid->addWidget(title, row, 0, Qt::AlignTop);
        auto* value = new WrappedText(lines);
        value->setAccessibleName(line.title);
        if (line.link) {
            value->setLink(line.value);
            QObject::connect(
                value, &WrappedText::anchorClicked, &panel, [this, key = *line.link] { goTo(key); },
                Qt::QueuedConnection);
        } else {
            value->setText(line.value);
        }
        grid->addWidget(value, row++, 1);
    }
}

DetailsPanel::DetailsPanel(Session& session, Selection& selection, QWidget* parent)
    : QWidget(parent), m_parts(std::make_unique<Parts>(*this, session, selection)) {
    m_parts->build();
    m_parts->connectParts();
    retranslate();
    m_parts->refresh();
}

DetailsPanel::~DetailsPanel() = default;

void DetailsPanel::setShownAt(ShownAtQuery request) {
    m_parts->shownAt = std::move(request);
    showTimes();
}

void DetailsPanel::showTimes() {
    if (!m_parts->facts) return;
    m_parts->requestShown();
    m_parts->showFactLines();
}

bool DetailsPanel::idle() const { return !m_parts->slot.busy(); }

void DetailsPanel::retranslate() {
    Parts& p = *m_parts;
    p.argumentSection.heading->setText(tr("Arguments"));
    p.stackSection.heading->setText(tr("Call stack, innermost first"));
    p.chainSection.heading->setText(tr("Launch chain and flows"));
    p.arguments->setHeaderLabels({tr("Argument"), tr("Value")});
    p.arguments->setAccessibleName(tr("Arguments"));
    p.callStack->setAccessibleName(tr("Call stack"));
    p.copy->setText(tr("&Copy as text"));
    p.copyJson->setText(tr("Copy as &JSON"));
    p.copyLink->setText(tr("Copy &link"));
    p.copyLink->setToolTip(tr("Opens this slice for anyone who has the capture"));
    if (p.facts) {
        p.showFacts();
    } else {
        p.showMessage();
    }
}

void DetailsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    switch (event->type()) {
    case QEvent::LanguageChange: retranslate(); break;
    case QEvent::PaletteChange:
    case QEvent::FontChange:
        // Later: Qt walks over a list of all widgets right now, and rebuilding would delete some that it still wants.
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (m_parts->facts) m_parts->showFacts();
            },
            Qt::QueuedConnection);
        break;
    default: break;
    }
}

}  // namespace altiscope
