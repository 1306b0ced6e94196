#pragma once

#include "core/session/job_runner.h"
#include "views/common/support/translated.h"
#include "views/common/support/view_memory.h"
#include "views/common/tables/dispatch_rows.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <optional>

class QHBoxLayout;
class QLabel;
class QMenu;
class QToolButton;

namespace altiscope {

class Selection;
class Session;
class TablePanel;

/// The way of each task of the framework's queue from Python to the device, with its times. A row selects its slices
/// and has views bring them into sight. Asks nothing while it is hidden, and keeps nothing of a store that was
/// replaced meanwhile. GUI thread.
class DispatchList : public Translated<QWidget> {
    Q_OBJECT
public:
    /// All must outlive the list. @param name  By which its columns are remembered.
    DispatchList(Session& session, Selection& selection, const ViewMemory& memory, const QString& name,
                 QWidget* parent = nullptr);

    /// Sets what is to be shown, now or as soon as it is in sight; the newest wins.
    /// @param subject  Whose tasks they are, in words; empty: those of the capture.
    void request(const DispatchQuery& query, const QString& subject = {});
    /// To the right of the sentence.
    void addBeside(QWidget* widget);
    bool idle() const;
    TablePanel& table() { return *m_table; }
    const DispatchRows& rows() const { return m_result; }
    /// A sentence on what is shown; empty while nothing is shown, or it is still being read.
    QString sentence() const;

signals:
    /// A row was opened: what it stands for is selected and wants to be seen.
    void sliceOpened();
    /// The tasks of all kernels are wanted.
    void allRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void requestNow();
    void take(DispatchRows given);
    void goTo(SliceRef at);
    void goToEnqueuing(std::uint32_t row);
    void fillMenu(QMenu& menu, std::uint32_t row);
    void retranslate() override;

    Selection& m_selection;
    JobSlot m_slot;
    DispatchQuery m_wanted;
    std::optional<DispatchQuery> m_requested;
    DispatchQuery m_resultQuery;
    DispatchRows m_result;
    QString m_subject, m_resultSubject;  ///< Whose tasks m_wanted and m_resultQuery are.
    QLabel *m_sentence, *m_hint;
    QToolButton* m_everything;
    QHBoxLayout* m_bar;
    TablePanel* m_table;
};

}  // namespace altiscope
