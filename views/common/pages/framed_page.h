#pragma once

#include "views/common/pages/data_page.h"
#include "views/common/pages/page_frame.h"
#include "views/common/pages/shown_capture.h"

#include <QStringList>

#include <optional>

namespace altiscope {

/// A page about one capture in the common frame. A page of this kind gives the frame its parts (PageFrame::setParts),
/// calls retranslate() and follow() once it is complete, and says what follows below. GUI thread.
class FramedPage : public DataPage {
    Q_OBJECT
public:
    /// Both must outlive the page.
    FramedPage(Session& session, Selection& selection, QWidget* parent);

    /// Sentences on what is missing beside what is shown; empty: nothing is.
    QString gaps() const { return m_frame->gaps(); }

protected:
    /// The capture, its state or what all pages are to show is another.
    /// @param isInSight  Else it comes again as soon as it is: until then only what is gone has to go.
    virtual void refresh(bool isInSight) = 0;
    virtual PageTexts texts() const = 0;
    /// Missing data beside what is shown, one sentence each.
    virtual QStringList shownGaps() const = 0;
    /// The same while there is nothing to show; nullopt: it is not known yet that there is nothing.
    virtual std::optional<QStringList> missing() const = 0;
    /// Whether the content is to be seen, not the message: also while what replaces it is being read.
    virtual bool isContentShown() const = 0;
    /// Texts of its own, in the present language.
    virtual void retranslate() = 0;

    void follow() { refresh(m_frame->noteChange()); }
    void showGaps() { m_frame->setGaps(shownGaps()); }
    /// Why there is nothing, if there is nothing.
    void showReason();
    void changeEvent(QEvent* event) override;

    ShownCapture m_capture;
    PageFrame* m_frame;
};

}  // namespace altiscope
