#pragma once

#include "views/common/support/translated.h"
#include "views/sql/saved/query_store.h"
#include "views/sql/saved/query_tabs.h"

#include <QJsonArray>
#include <QWidget>

#include <cstdint>
#include <map>

class QStackedWidget;
class QTabBar;
class QTimer;
class QToolButton;

namespace altiscope {

class SqlEditor;
class SqlVocabulary;

/// The open texts, each with an editor of its own; what is written is kept soon after. GUI thread.
class EditorTabs : public Translated<QWidget> {
    Q_OBJECT
public:
    /// The vocabulary must outlive it.
    EditorTabs(const SqlVocabulary& vocabulary, const ViewMemory& memory, QWidget* parent = nullptr);
    ~EditorTabs() override;

    SqlEditor& editor() const;
    QueryTab& tab() { return m_tabs.tab(); }
    const QueryTabs& tabs() const { return m_tabs; }

    void addTab();
    void closeTab(int tab);
    void closeCurrent() { closeTab(static_cast<int>(m_tabs.current())); }
    void rename(int tab, const QString& name);
    void promptName(int tab);
    void chooseNext(int direction);
    /// In the present tab if nothing is written there, else in a new one.
    void open(const StoredQuery& query);
    /// Goes to the tab that has just this text. @return False if none has.
    bool choose(const QString& text);
    /// The texts that are open, as a workspace holds them: [{"name","text","values":{NAME:VALUE}}].
    QJsonArray state() const;
    /// Opens those that are not open yet, as long as there is room; what is open stays. Then chooses one.
    void restore(const QJsonArray& tabs, const QString& current);
    /// After what is written in the present tab, with the cursor in it.
    void append(const QString& statement);
    /// In the place of the statement at the cursor.
    void replaceStatement(const QString& statement);

signals:
    void currentChanged();
    void textChanged();
    void tabClosed(std::uint64_t id);
    void hintChanged(const QString& hint);
    void runRequested();
    void historyRequested(int direction);
    /// One sentence: why something was not done.
    void refused(const QString& why);

private:
    SqlEditor* makeEditor(const QueryTab& tab);
    QToolButton* closeButton(std::uint64_t id);
    void show(std::size_t tab);
    void rebuild();
    void noteText(std::uint64_t id);
    void keep();
    void retranslate() override;

    const SqlVocabulary& m_vocabulary;
    QueryTabs m_tabs;
    QTabBar* m_bar;
    QToolButton* m_add;
    QStackedWidget* m_stack;
    QTimer* m_pause;
    std::map<std::uint64_t, SqlEditor*> m_editors;
    bool m_isRebuilding = false;
};

}  // namespace altiscope
