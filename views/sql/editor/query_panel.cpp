#include "views/sql/editor/query_panel.h"

#include "views/common/support/formatters.h"
#include "views/common/support/text_font.h"
#include "views/sql/language/sql_vocabulary.h"
#include "views/sql/saved/statement_history.h"

#include <QHeaderView>
#include <QInputDialog>
#include <QKeyEvent>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QTreeWidget>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kOwnGroup = 0, kShippedGroup = 1;
constexpr int kWordRole = Qt::UserRole;
/// Tooltips of long statements would cover the screen.
constexpr qsizetype kMaxTipLetters = 1'000;

QString tipOf(const QString& text) { return text.size() > kMaxTipLetters ? text.first(kMaxTipLetters) + u'…' : text; }

QTreeWidget* makeTree(QWidget* parent) {
    auto* tree = new QTreeWidget(parent);
    tree->setFrameShape(QFrame::NoFrame);
    tree->setHeaderHidden(true);
    tree->setUniformRowHeights(true);
    tree->setIndentation(tree->fontMetrics().averageCharWidth() * 2);
    tree->setExpandsOnDoubleClick(false);
    return tree;
}

}  // namespace

QueryPanel::QueryPanel(OwnQueries& own, StatementHistory& history, const SqlVocabulary& vocabulary, QWidget* parent)
    : Translated(parent), m_own(own), m_past(history), m_vocabulary(vocabulary), m_queries(makeTree(this)),
      m_history(new QListWidget(this)), m_tables(makeTree(this)) {
    setDocumentMode(true);
    m_history->setFrameShape(QFrame::NoFrame);
    m_history->setUniformItemSizes(true);
    m_history->setTextElideMode(Qt::ElideRight);
    m_history->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    followTextSize(*m_history, monospaceFont);
    addTab(m_queries, QString());
    addTab(m_history, QString());
    addTab(m_tables, QString());
    setUpQueries();
    connect(m_history, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem* item) { emit statementRequested(item->data(kWordRole).toString()); });
    connect(m_tables, &QTreeWidget::itemActivated, this,
            [this](const QTreeWidgetItem* item) { emit wordRequested(item->data(0, kWordRole).toString()); });
    retranslate();
}

void QueryPanel::setUpQueries() {
    new QTreeWidgetItem(m_queries);
    new QTreeWidgetItem(m_queries);
    m_queries->setContextMenuPolicy(Qt::CustomContextMenu);
    m_queries->installEventFilter(this);
    connect(m_queries, &QTreeWidget::customContextMenuRequested, this, &QueryPanel::showQueryMenu);
    connect(m_queries, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (const StoredQuery* query = queryOf(item)) emit queryRequested(*query);
        else item->setExpanded(!item->isExpanded());
    });
}

// --- queries ------------------------------------------------------------------------------------------------------

void QueryPanel::refreshQueries() {
    m_shipped = shippedQueries();
    const auto fill = [](QTreeWidgetItem* group, const std::vector<StoredQuery>& queries) {
        qDeleteAll(group->takeChildren());
        for (const StoredQuery& query : queries) {
            auto* item = new QTreeWidgetItem(group, {query.title});
            item->setToolTip(0, tipOf(query.about.isEmpty() ? query.sql : query.about + u"\n\n"_s + query.sql));
        }
    };
    fill(m_queries->topLevelItem(kOwnGroup), m_own.queries());
    fill(m_queries->topLevelItem(kShippedGroup), m_shipped);
    if (m_own.queries().empty()) {
        auto* none =
            new QTreeWidgetItem(m_queries->topLevelItem(kOwnGroup), {tr("None yet: Ctrl+S keeps a statement")});
        none->setDisabled(true);
    }
    m_queries->expandAll();
}

bool QueryPanel::isOwn(const QTreeWidgetItem* item) const {
    return item != nullptr && item->parent() == m_queries->topLevelItem(kOwnGroup) && !m_own.queries().empty();
}

const StoredQuery* QueryPanel::queryOf(const QTreeWidgetItem* item) const {
    if (item == nullptr || item->parent() == nullptr) return nullptr;
    const auto& list = isOwn(item) ? m_own.queries() : m_shipped;
    const auto at = static_cast<std::size_t>(item->parent()->indexOfChild(const_cast<QTreeWidgetItem*>(item)));
    const bool isShipped = item->parent() == m_queries->topLevelItem(kShippedGroup);
    return (isOwn(item) || isShipped) && at < list.size() ? &list[at] : nullptr;
}

void QueryPanel::rename(QTreeWidgetItem* item) {
    const QString title = queryOf(item)->title;
    bool isGiven = false;
    const QString name =
        QInputDialog::getText(this, tr("Rename the query"), tr("Name:"), QLineEdit::Normal, title, &isGiven);
    if (!isGiven) return;
    if (!m_own.rename(title, name))
        QMessageBox::warning(this, tr("Rename the query"),
                             tr("Another query has this name, or it is empty or too long."));
    refreshQueries();
}

void QueryPanel::remove(QTreeWidgetItem* item) {
    const QString title = queryOf(item)->title;
    const auto result =
        QMessageBox::question(this, tr("Delete the query"), tr("Delete “%1”? This cannot be undone.").arg(title));
    if (result != QMessageBox::Yes) return;
    m_own.remove(title);
    refreshQueries();
}

void QueryPanel::showQueryMenu(const QPoint& at) {
    QTreeWidgetItem* item = m_queries->itemAt(at);
    const StoredQuery* query = queryOf(item);
    if (query == nullptr) return;
    QMenu menu(this);
    menu.addAction(tr("&Open"), this, [this, chosen = *query] { emit queryRequested(chosen); });
    QAction* renaming = menu.addAction(tr("&Rename…"), this, [this, item] { rename(item); });
    renaming->setShortcut(Qt::Key_F2);
    renaming->setEnabled(isOwn(item));
    QAction* deleting = menu.addAction(tr("&Delete…"), this, [this, item] { remove(item); });
    deleting->setShortcut(Qt::Key_Delete);
    deleting->setEnabled(isOwn(item));
    menu.exec(m_queries->viewport()->mapToGlobal(at));
}

// Keys of SQL, queries:
// - `F2`: Rename the own query
// - `Del`: Delete the own query
bool QueryPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_queries && event->type() == QEvent::KeyPress && isOwn(m_queries->currentItem())) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_F2) rename(m_queries->currentItem());
        if (key == Qt::Key_Delete) remove(m_queries->currentItem());
        if (key == Qt::Key_F2 || key == Qt::Key_Delete) return true;
    }
    return QTabWidget::eventFilter(watched, event);
}

// --- history and tables ---------------------------------------------------------------------------------------------

void QueryPanel::refreshHistory() {
    m_history->clear();
    for (const QString& statement : m_past.statements()) {
        auto* item = new QListWidgetItem(tipOf(statement).simplified(), m_history);
        item->setToolTip(tipOf(statement));
        item->setData(kWordRole, statement);
    }
    if (m_past.statements().isEmpty()) {
        auto* none = new QListWidgetItem(tr("Executed statements are listed here"), m_history);
        none->setFlags(Qt::NoItemFlags);
    }
}

void QueryPanel::fillTables(const SqlVocabulary& vocabulary) {
    m_tables->clear();
    m_tables->setColumnCount(2);
    QTreeWidgetItem* table = nullptr;
    for (const SqlWord& word : vocabulary.words()) {
        const QString name = toQString(word.word);
        QTreeWidgetItem* item = nullptr;
        if (word.kind == SqlWord::Kind::Table) item = table = new QTreeWidgetItem(m_tables, {name});
        if (word.kind == SqlWord::Kind::Column)
            item = new QTreeWidgetItem(table, {name, toQString(word.unit.empty() ? word.type : word.unit)});
        if (item == nullptr) continue;
        item->setData(0, kWordRole, name);
        item->setToolTip(0, wordHint(word));
        item->setToolTip(1, wordHint(word));
    }
    m_tables->header()->setStretchLastSection(true);
    m_tables->resizeColumnToContents(0);
}

void QueryPanel::showHistory() {
    setCurrentWidget(m_history);
    m_history->setFocus();
}

void QueryPanel::showQueries() {
    setCurrentWidget(m_queries);
    m_queries->setFocus();
}

void QueryPanel::retranslate() {
    setTabText(0, tr("Queries"));
    setTabText(1, tr("History"));
    setTabText(2, tr("Tables"));
    m_queries->topLevelItem(kOwnGroup)->setText(0, tr("Own"));
    m_queries->topLevelItem(kShippedGroup)->setText(0, tr("Shipped"));
    m_queries->setAccessibleName(tr("Queries"));
    m_history->setAccessibleName(tr("Executed statements"));
    m_tables->setAccessibleName(tr("Tables and columns"));
    refreshQueries();
    refreshHistory();
    fillTables(m_vocabulary);
}

}  // namespace altiscope
