#pragma once

#include "views/common/pages/message_page.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <optional>

class QLabel;
class QStackedLayout;

namespace altiscope {

class ShownCapture;

/// Texts of a page about a capture while it has nothing to show; translated.
struct PageTexts {
    QString title;    ///< Title of the page.
    QString about;    ///< Content that it would show.
    QString reading;  ///< That the capture is being read.
    QString nothing;  ///< That this data is missing: a title.
    QString icon;
};

/// The frame of a page about one capture: settings on top, a line on what is missing, the content; or a message instead
/// of all three while there is nothing to show. Knows whether the page has missed something while it was out of sight.
/// GUI thread.
class PageFrame : public QWidget {
    Q_OBJECT
public:
    /// Fills the page, which must have no layout yet. Its focus proxy is what keys go to when the content appears.
    explicit PageFrame(QWidget* page);

    /// Once. Both become children of the frame.
    void setParts(QWidget* bar, QWidget* content);

    /// Nothing is shown of an empty list, or of empty sentences.
    void setGaps(QStringList gaps);
    QString gaps() const;

    /// @param missing  What the page lacks, one sentence each; nullopt: it is not known yet that it lacks anything.
    void setMessage(const PageTexts& texts, const ShownCapture& capture, const std::optional<QStringList>& missing);
    void setContentShown(bool isThere);

    /// Something that the page shows has changed. @return Whether the page is in sight, and is to follow now; else
    /// `overdue` comes as soon as it is.
    bool noteChange();
    bool isStale() const { return m_isStale; }

signals:
    void overdue();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* m_page;
    QStackedLayout* m_stack;
    QWidget* m_body;
    QLabel* m_gaps;
    MessagePage* m_nothing;
    bool m_isStale = true;
};

}  // namespace altiscope
