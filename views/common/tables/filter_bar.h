#pragma once

#include "core/session/job_runner.h"
#include "core/tables/filters/filter_completion.h"
#include "core/tables/filters/filter_expression.h"

#include <QStringList>
#include <QWidget>

#include <memory>
#include <optional>

class QCompleter;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QStringListModel;
class QTimer;

namespace altiscope {

/// Where a filter is written: a line with completion that underlines what is wrong, and chips for conditions that were
/// chosen by a click; all must hold. GUI thread.
class FilterBar : public QWidget {
    Q_OBJECT
public:
    explicit FilterBar(JobRunner& jobs, QWidget* parent = nullptr);

    /// For completion.
    void setSource(std::shared_ptr<const TableSource> source) { m_source = std::move(source); }
    /// Chips and line as one filter.
    QString filter() const;
    void setText(const QString& text);
    /// Hint of the empty line: a filter that makes sense here.
    void setExample(const QString& filter);
    void addChip(const QString& condition);
    /// Takes back everything.
    void clear();
    const QStringList& chips() const { return m_chips; }
    void showProblem(const std::optional<FilterProblem>& problem);
    QLineEdit* line() { return m_line; }

signals:
    void filterChanged(const QString& filter);
    void left();  ///< By Enter or Escape: keys are to go to the rows.

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate();
    void rebuildChips();
    void removeChip(const QString& condition);
    void complete();
    void showCompletions();
    void insertCompletion(const QString& word);
    void announce();

    JobSlot m_completing;
    std::shared_ptr<const TableSource> m_source;
    QStringList m_chips;
    QString m_example;
    QHBoxLayout* m_chipRow;
    QLineEdit* m_line;
    QLabel* m_problem;
    QCompleter* m_completer;
    QStringListModel* m_words;
    QTimer* m_pause;
    FilterCompletion m_completion;
};

}  // namespace altiscope
