#include "views/snapshot/panels/stack_panel.h"

#include "core/session/session.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/snapshot/data/stack_source.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

StackPanel::StackPanel(Session& session, SnapshotSelection& selection, QWidget* parent)
    : Translated(parent), m_selection(selection), m_slot(session.jobs()), m_when(new QComboBox(this)),
      m_search(new QLineEdit(this)), m_sum(new QLabel(this)), m_canvas(new FrameCanvas) {
    auto* column = bareLayout<QVBoxLayout>(this);
    auto* bar = barLayout<QHBoxLayout>(nullptr);
    bar->addWidget(m_when);
    bar->addWidget(m_search, 1);
    bar->addWidget(m_sum);
    column->addLayout(bar);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_canvas);
    column->addWidget(scroll, 1);
    for (const When when : {When::Selected, When::Peak, When::Kept, When::Churn})
        m_when->addItem(QString(), static_cast<int>(when));
    m_search->setClearButtonEnabled(true);
    connect(m_when, &QComboBox::activated, this, &StackPanel::request);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_canvas->setSearch(text);
        showSums();
    });
    connect(&selection, &SnapshotSelection::eventChanged, this, [this] {
        if (when() == When::Selected) request();
    });
    connect(&selection, &SnapshotSelection::markedChanged, this, [this] {
        if (when() == When::Churn) request();
    });
    m_canvas->setNodeMenu([this](QMenu& menu, std::uint32_t node) {
        const QString frame = toQString(m_canvas->source()->text(node));
        menu.addAction(tr("&List the blocks of this frame"), this, [this, frame] { emit frameRequested(frame); });
    });
    connect(m_canvas, &FrameCanvas::findRequested, m_search, [this] { m_search->setFocus(); });
    connect(m_canvas, &FrameCanvas::currentMoved, scroll,
            [scroll](const QRect& box) { scroll->ensureVisible(0, box.center().y(), 0, box.height()); });
    retranslate();
}

StackPanel::When StackPanel::when() const { return static_cast<When>(m_when->currentData().toInt()); }

void StackPanel::setWhen(When when) {
    m_when->setCurrentIndex(m_when->findData(static_cast<int>(when)));
    request();
}

void StackPanel::setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot) {
    m_snapshot = std::move(snapshot);
    if (m_snapshot == nullptr) {
        m_slot.cancel();
        m_canvas->setSource(nullptr);
        return showSums();
    }
    request();
}

void StackPanel::request() {
    if (m_snapshot == nullptr) return;
    StackQuery query;
    const auto at = [](EventNumber event) { return EventRange{event, event + 1}; };
    switch (when()) {
    case When::Selected: query = {StackQuery::What::Alive, at(m_selection.eventNumber())}; break;
    case When::Peak: query = {StackQuery::What::Alive, at(m_snapshot->peak)}; break;
    case When::Kept: query = {StackQuery::What::Kept, {}}; break;
    case When::Churn:
        query = {StackQuery::What::Allocated, m_selection.marked().value_or(m_snapshot->curve->all())};
        break;
    }
    m_slot.start([snapshot = m_snapshot, query](const CancelToken&) { return stackTree(*snapshot->frames, query); },
                 [this](std::shared_ptr<const StackTree> tree) {
                     m_canvas->setSource(std::make_shared<StackSource>(m_snapshot, std::move(tree)));
                     showSums();
                 });
}

void StackPanel::showSums() {
    if (m_canvas->source() == nullptr) return m_sum->clear();
    const FrameNode& all = m_canvas->source()->tree().nodes.front();
    QString text =
        withCount(tr("%1 in %n block(s)", nullptr, pluralCount(all.count)), all.count).arg(bytesText(all.weight));
    if (const auto found = m_canvas->found())
        text = tr("Found: %1")
                   .arg(withCount(tr("%n frame(s), %1", nullptr, pluralCount(found->frames)), found->frames)
                            .arg(bytesText(found->weight))) +
               u" · "_s + text;
    m_sum->setText(text);
}

void StackPanel::retranslate() {
    m_when->setItemText(0, tr("In use at the selected event"));
    m_when->setItemText(1, tr("In use at the peak"));
    m_when->setItemText(2, tr("Allocated in the history and never released"));
    m_when->setItemText(3, tr("All allocations (of the marked events)"));
    m_when->setAccessibleName(tr("Which blocks"));
    m_search->setPlaceholderText(tr("Find frames: file or function"));
    m_search->setAccessibleName(tr("Find frames"));
    m_canvas->setAccessibleName(tr("Call stacks"));
    m_canvas->setNothing(tr("No block is there."));
    showSums();
}

}  // namespace altiscope
