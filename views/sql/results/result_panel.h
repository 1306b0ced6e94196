#pragma once

#include "core/session/sql_runner.h"
#include "views/sql/saved/query_store.h"

#include <QWidget>

#include <array>
#include <memory>
#include <optional>

class QAction;
class QLabel;
class QStackedLayout;
class QTabWidget;

namespace altiscope {

class MessagePage;
class ResultPlot;
class Session;
class TablePanel;

/// Rows of a statement with what became of it above; or why there are none. GUI thread.
class ResultPanel : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t kExamples = 3;

    explicit ResultPanel(Session& session, QWidget* parent = nullptr);

    /// Nothing has run yet: the examples.
    void showNothing();
    /// @param isNew  Another statement than the one that is shown: its columns have nothing to do with those.
    void show(const SqlRun& run, const SqlRows::Limits& limits, bool isNew);
    /// Why a statement was not run.
    void showError(const QString& title, const QString& reason);
    void setStatus(const QString& text);
    const QString& status() const { return m_statusText; }
    QString note() const;
    TablePanel& table() { return *m_table; }
    ResultPlot& plot() { return *m_plot; }
    /// Rows and plot.
    QTabWidget& tabs() { return *m_tabs; }
    const std::shared_ptr<const SqlTable>& shown() const { return m_shown; }
    bool idle() const;
    /// Under which name rows are saved.
    void setName(const QString& name);

signals:
    void exampleChosen(const altiscope::StoredQuery& query);
    /// A link to what the row leads to is wanted.
    void linkRequested(std::uint32_t row);
    void rowActivated(std::uint32_t row);

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyColours();
    void retranslate();

    QLabel* m_status;
    QLabel* m_note;
    QStackedLayout* m_stack;
    MessagePage* m_message;
    QTabWidget* m_tabs;
    TablePanel* m_table;
    ResultPlot* m_plot;
    std::array<QAction*, kExamples> m_examples{};
    std::vector<StoredQuery> m_exampleQueries;
    std::shared_ptr<const SqlTable> m_shown;
    QString m_statusText;
    bool m_isEmpty = true;
};

}  // namespace altiscope
