#pragma once

#include "views/common/support/translated.h"
#include "views/sql/saved/query_store.h"

#include <QTabWidget>

class QListWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace altiscope {

class SqlVocabulary;
class StatementHistory;

/// Panel beside the editor: queries of the program and of the user, what has run, and the tables. Return or a
/// double click takes a line. GUI thread.
class QueryPanel : public Translated<QTabWidget> {
    Q_OBJECT
public:
    /// All must outlive it.
    QueryPanel(OwnQueries& own, StatementHistory& history, const SqlVocabulary& vocabulary, QWidget* parent = nullptr);

    /// The queries, or what has run, are others.
    void refreshQueries();
    void refreshHistory();
    void showHistory();
    void showQueries();
    QTreeWidget& queries() { return *m_queries; }
    QListWidget& history() { return *m_history; }
    QTreeWidget& tables() { return *m_tables; }

signals:
    void queryRequested(const altiscope::StoredQuery& query);
    void statementRequested(const QString& statement);
    void wordRequested(const QString& word);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void setUpQueries();
    void fillTables(const SqlVocabulary& vocabulary);
    const StoredQuery* queryOf(const QTreeWidgetItem* item) const;
    bool isOwn(const QTreeWidgetItem* item) const;
    void rename(QTreeWidgetItem* item);
    void remove(QTreeWidgetItem* item);
    void showQueryMenu(const QPoint& at);
    void retranslate() override;

    OwnQueries& m_own;
    StatementHistory& m_past;
    const SqlVocabulary& m_vocabulary;
    std::vector<StoredQuery> m_shipped;
    QTreeWidget* m_queries;
    QListWidget* m_history;
    QTreeWidget* m_tables;
};

}  // namespace altiscope
