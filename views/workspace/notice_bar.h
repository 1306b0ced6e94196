#pragma once

#include <QWidget>

#include <deque>
#include <functional>

class QLabel;
class QToolButton;

namespace altiscope {

/// Something that the user should know or decide, and that does not hold them up.
struct Notice {
    QString text;
    QString accept;  ///< Text of the button; empty: there is none.
    std::function<void()> accepted{};
    std::function<void()> closed{};  ///< The user does not want it.
};

/// A line above the pages: notices one after the other. Hidden while there is none. GUI thread.
class NoticeBar : public QWidget {
    Q_OBJECT
public:
    explicit NoticeBar(QWidget* parent = nullptr);

    /// After those that are there; one with the same text is not shown twice.
    void show(Notice notice);
    void clear();
    QString text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void next();
    void refresh();

    std::deque<Notice> m_notices;
    QLabel* m_text;
    QToolButton* m_accept;
    QToolButton* m_close;
};

}  // namespace altiscope
