#pragma once

#include <QString>
#include <QWidget>

class QAction;
class QHBoxLayout;
class QLabel;

namespace altiscope {

/// Message of a page while it has nothing to show.
struct PageMessage {
    enum class Kind : unsigned char { Empty, Error };

    Kind kind = Kind::Empty;
    QString title;   ///< Content that the page would show, or what failed.
    QString reason;  ///< Why it is empty; for an error what was found and what was expected. May be empty.
    QString remedy;  ///< The switch, command or key that would fill it. May be empty.
    QString icon;    ///< Name of an icon; empty: one that fits the kind.
};

/// Centred text with actions below it: the empty and the error state of every view. All texts can be selected with the
/// mouse, so that a command can be copied. Texts come translated; set the message again on QEvent::LanguageChange.
class MessagePage : public QWidget {
    Q_OBJECT
public:
    explicit MessagePage(QWidget* parent = nullptr);

    void setMessage(const PageMessage& message);
    const PageMessage& message() const { return m_message; }

    /// Adds a button for an action; its text, icon, tooltip, enabled and visible state follow the action. Does not own
    /// it.
    void addActionButton(QAction* action);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyLook();

    PageMessage m_message;
    QWidget* m_column;
    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_reason;
    QLabel* m_remedy;
    QHBoxLayout* m_buttons;
};

}  // namespace altiscope
