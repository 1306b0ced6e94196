#pragma once

#include "core/session/job_runner.h"
#include "views/report/layout/report_pages.h"

#include <QAbstractScrollArea>
#include <QImage>

#include <map>
#include <memory>

namespace altiscope {

/// The pages of a report below each other, as wide as there is room: what the PDF holds. Pages in sight are drawn on
/// workers. GUI thread.
class PagePreview : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit PagePreview(JobRunner& jobs, QWidget* parent = nullptr);

    /// Null: none. The place stays.
    void setPages(std::shared_ptr<const ReportPages> pages);
    const std::shared_ptr<const ReportPages>& pages() const { return m_pages; }
    bool idle() const { return !m_slot.busy(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QSize sheetSize() const;  ///< In points of the screen.
    int topOf(std::size_t page) const;
    /// [first, last) of the pages in sight.
    std::pair<std::size_t, std::size_t> inSight() const;
    void layoutSheets();
    void draw();

    std::shared_ptr<const ReportPages> m_pages;
    std::map<std::size_t, QImage> m_drawn;
    JobSlot m_slot;
};

}  // namespace altiscope
