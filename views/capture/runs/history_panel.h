#pragma once

#include "core/base/files/file.h"
#include "core/capture/session/store.h"
#include "core/session/job_runner.h"
#include "views/capture/runs/history_model.h"

#include <QTimer>
#include <QWidget>

#include <filesystem>
#include <map>
#include <memory>
#include <string>

class QLabel;
class QLineEdit;
class QToolButton;
class QTreeView;

namespace altiscope {

/// All captures of the user, newest first, started in the window or in a shell. Reads the session files on a worker,
/// again when they change while it is in sight. GUI thread.
class HistoryPanel : public QWidget {
    Q_OBJECT
public:
    /// @param folder  Of all captures; empty: there are none.
    HistoryPanel(JobRunner& jobs, std::filesystem::path folder, QWidget* parent = nullptr);

    /// Reads the files if they have changed.
    void refresh();
    /// The chosen capture; null if there is none.
    std::shared_ptr<const capture::CaptureRecord> current() const;
    /// That before the chosen one with the same method; null if there is none.
    std::shared_ptr<const capture::CaptureRecord> former() const;
    void choose(const std::string& id);
    bool idle() const { return !m_reading.busy(); }

signals:
    /// Another one was chosen, or the chosen one has changed.
    void currentChanged();
    void repeatRequested();
    /// All that was in the files when refresh() was called last is shown.
    void wasRead();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Session files that were read, by their id.
    struct Known {
        FileStamp stamp, noteStamp;
        std::shared_ptr<const capture::CaptureRecord> record;  ///< Null: damaged.
    };
    using KnownRecords = std::map<std::string, Known>;

    static KnownRecords readRecords(const std::filesystem::path& folder, const KnownRecords& before);
    void take(KnownRecords records);
    void showCurrent();
    /// Only captures that match stay in sight. The chosen one gives way to the first that does.
    void applyFilter();
    void showTitle();
    void retranslate();

    std::filesystem::path m_folder;
    JobSlot m_reading;
    QTimer m_timer;
    KnownRecords m_known;
    std::string m_current;
    int m_shown = 0;  ///< Captures that match the filter.
    bool m_wantsRefresh = false, m_wasRead = false;
    QLabel* m_title;
    QLineEdit* m_filter;
    HistoryModel* m_model;
    QTreeView* m_table;
    QToolButton* m_repeat;
};

}  // namespace altiscope
