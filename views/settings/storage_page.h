#pragma once

#include "core/session/cache_choice.h"
#include "core/session/job_runner.h"

#include <QWidget>

#include <cstdint>

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace altiscope {

/// The import cache (place, limit, what it holds, clear), and how much memory captures may take that open unasked. What
/// is chosen is cacheChoice() at once; who listens keeps it. GUI thread; folders are read on a worker.
class StoragePage : public QWidget {
    Q_OBJECT
public:
    /// @param memory  The limit of memory in bytes; 0: automatic.
    StoragePage(JobRunner& jobs, std::uint64_t memory, QWidget* parent = nullptr);
    ~StoragePage() override;

signals:
    void cacheChosen();
    void memoryChosen(quint64 bytes);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void browse();
    void readFolder();
    void readLimit();
    void count();
    void clear();
    void showUse();
    void retranslate();

    JobSlot m_counting, m_clearing;
    CacheUse m_use;
    bool m_isCounted = false;
    QLabel* m_cacheTitle;
    QLabel* m_folderTitle;
    QLineEdit* m_folder;
    QPushButton* m_browse;
    QLabel* m_problem;
    QLabel* m_limitTitle;
    QSpinBox* m_limit;
    QLabel* m_useTitle;
    QLabel* m_useText;
    QPushButton* m_clear;
    QLabel* m_memoryHeading;
    QLabel* m_memoryTitle;
    QSpinBox* m_memory;
    QLabel* m_memoryAbout;
};

}  // namespace altiscope
