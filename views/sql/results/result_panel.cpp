#include "views/sql/results/result_panel.h"

#include "core/session/session.h"
#include "core/session/sql/row_place.h"
#include "views/common/pages/message_page.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"
#include "views/sql/results/result_plot.h"
#include "views/sql/results/run_texts.h"

#include <QAction>
#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QTabWidget>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

std::vector<ColumnHeading> headingsOf(const SqlTable& table) {
    std::vector<ColumnHeading> headings;
    for (std::size_t i = 0; i < table.columns().size(); ++i)
        headings.push_back({toQString(table.columns()[i].name), toQString(table.facts(i).meaning)});
    return headings;
}

}  // namespace

ResultPanel::ResultPanel(Session& session, QWidget* parent)
    : QWidget(parent), m_status(new QLabel(this)), m_note(new QLabel(this)), m_stack(new QStackedLayout),
      m_message(new MessagePage(this)), m_tabs(new QTabWidget(this)),
      m_table(new TablePanel(session, {}, u"sql"_s, m_tabs)), m_plot(new ResultPlot(session, m_tabs)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    column->addWidget(m_status);
    column->addWidget(m_note);
    column->addLayout(m_stack, 1);
    m_status->setContentsMargins(8, 4, 8, 0);
    m_note->setContentsMargins(8, 4, 8, 0);
    for (QLabel* label : {m_status, m_note}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->hide();
    }
    m_note->setWordWrap(true);
    m_message->setAutoFillBackground(false);
    m_stack->addWidget(m_message);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_table, QString());
    m_tabs->addTab(m_plot, QString());
    m_stack->addWidget(m_tabs);
    setFocusProxy(m_table);
    for (std::size_t i = 0; i < kExamples; ++i) {
        m_examples[i] = new QAction(themedIcon(u"run"_s), {}, this);
        m_message->addActionButton(m_examples[i]);
        connect(m_examples[i], &QAction::triggered, this, [this, i] {
            if (i < m_exampleQueries.size()) emit exampleChosen(m_exampleQueries[i]);
        });
    }
    connect(&m_table->table(), &DataTable::activated, this, &ResultPanel::rowActivated);
    m_table->table().setRowMenu([this](QMenu& menu, std::uint32_t row) {
        if (m_shown == nullptr || !leadsToPlaces(*m_shown)) return;
        menu.addAction(themedIcon(u"view_timeline"_s), tr("Show in the timeline"), this,
                       [this, row] { emit rowActivated(row); });
        menu.addAction(themedIcon(u"copy"_s), tr("Copy &link"), this, [this, row] { emit linkRequested(row); });
    });
    retranslate();
    showNothing();
}

QString ResultPanel::note() const { return m_note->text(); }

bool ResultPanel::idle() const { return !m_table->table().loader().busy() && m_plot->idle(); }

void ResultPanel::setName(const QString& name) { m_table->table().setAccessibleName(name); }

void ResultPanel::setStatus(const QString& text) {
    m_statusText = text;
    m_status->setText(text);
    m_status->setVisible(!text.isEmpty());
}

void ResultPanel::showNothing() {
    m_isEmpty = true;
    m_shown.reset();
    m_table->setSource(nullptr, {});
    m_plot->setTable(nullptr);
    setStatus({});
    m_note->hide();
    m_note->clear();
    m_message->setMessage(
        {.kind = PageMessage::Kind::Empty,
         .title = tr("No statement has run yet"),
         .reason = tr("Write one above, or choose a query on the right. It is only read: no statement "
                      "changes anything."),
         .remedy = tr("Ctrl+Enter runs the statement at the cursor. Or begin with one of these:"),
         .icon = u"view_sql"_s});
    for (QAction* example : m_examples) example->setVisible(true);
    m_stack->setCurrentWidget(m_message);
}

void ResultPanel::showError(const QString& title, const QString& reason) {
    m_isEmpty = false;
    m_shown.reset();
    m_table->setSource(nullptr, {});
    m_plot->setTable(nullptr);
    m_note->hide();
    m_note->clear();
    for (QAction* example : m_examples) example->setVisible(false);
    m_message->setMessage(
        {.kind = PageMessage::Kind::Error, .title = title, .reason = reason, .remedy = {}, .icon = {}});
    m_stack->setCurrentWidget(m_message);
}

void ResultPanel::show(const SqlRun& run, const SqlRows::Limits& limits, bool isNew) {
    m_isEmpty = false;
    const QString note = limitText(run, limits);
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    applyColours();
    if (isNew) {
        // Columns keep their widths and the filter while their number stays.
        m_shown.reset();
        m_table->setSource(nullptr, {});
        m_table->filterBar().clear();
    }
    const bool hasRows = run.table != nullptr;
    if (hasRows && m_shown != run.table) {
        m_shown = run.table;
        m_table->setSource(m_shown, headingsOf(*m_shown));
        m_plot->setTable(m_shown);
        m_table->setScope(leadsToPlaces(*m_shown) ? tr("Enter leads to the timeline") : QString());
    }
    if (hasRows) return m_stack->setCurrentWidget(m_tabs);
    m_shown.reset();
    m_table->setSource(nullptr, {});
    m_plot->setTable(nullptr);
    for (QAction* example : m_examples) example->setVisible(false);
    PageMessage message{.kind = PageMessage::Kind::Empty,
                        .title = tr("The rows are no longer kept"),
                        .reason = tr("Results of other tabs needed the memory. Run the statement again to see them."),
                        .remedy = {},
                        .icon = u"info"_s};
    if (run.end == SqlEnd::Running) {
        message.title = tr("Running");
        message.reason = tr("Rows appear as soon as there are any.");
        message.icon = u"waiting"_s;
    } else if (run.end == SqlEnd::Cancelled) {
        message.title = tr("Cancelled");
        message.reason = tr("No rows had been found by then.");
        message.icon = u"stopped"_s;
    }
    m_message->setMessage(message);
    m_stack->setCurrentWidget(m_message);
}

void ResultPanel::applyColours() {
    QPalette loud = m_note->palette();
    loud.setColor(QPalette::WindowText, themeOf(palette()).warning);
    m_note->setPalette(loud);
}

void ResultPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) applyColours();
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void ResultPanel::retranslate() {
    m_exampleQueries = shippedQueries();
    for (std::size_t i = 0; i < kExamples; ++i) {
        m_examples[i]->setEnabled(i < m_exampleQueries.size());
        if (i >= m_exampleQueries.size()) continue;
        m_examples[i]->setText(QString(m_exampleQueries[i].title).replace(u'&', u"&&"_s));
        m_examples[i]->setToolTip(m_exampleQueries[i].about);
    }
    m_tabs->setTabText(m_tabs->indexOf(m_table), tr("Rows"));
    m_tabs->setTabText(m_tabs->indexOf(m_plot), tr("Plot"));
    if (m_isEmpty) showNothing();
}

}  // namespace altiscope
