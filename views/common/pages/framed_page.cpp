#include "views/common/pages/framed_page.h"

#include <QEvent>

namespace altiscope {

FramedPage::FramedPage(Session& session, Selection& selection, QWidget* parent)
    : DataPage(parent), m_capture(session, selection, this), m_frame(new PageFrame(this)) {
    connect(&m_capture, &ShownCapture::changed, this, &FramedPage::follow);
    connect(&m_capture, &ShownCapture::contextChanged, this, &FramedPage::follow);
    connect(m_frame, &PageFrame::overdue, this, &FramedPage::follow);
}

void FramedPage::showReason() {
    m_frame->setMessage(texts(), m_capture, missing());
    m_frame->setContentShown(isContentShown());
}

void FramedPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        showGaps();
        showReason();
    }
    DataPage::changeEvent(event);
}

}  // namespace altiscope
