#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QListWidget;

namespace altiscope {

class MessagePage;

/// The first screen: what can be opened, and what was opened lately, which a click or Enter opens again. GUI thread.
class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    MessagePage& message() { return *m_message; }
    /// Paths, newest first; the list is hidden while there is none.
    void setRecent(const QStringList& paths);

signals:
    void chosen(const QString& path);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void open(int row);

    QStringList m_paths;
    MessagePage* m_message;
    QWidget* m_part;
    QLabel* m_title;
    QListWidget* m_list;
};

}  // namespace altiscope
