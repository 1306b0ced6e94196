#pragma once

#include <QDialog>

class QAction;
class QLineEdit;
class QListWidget;
class QMenuBar;

namespace altiscope {

/// One thing that the menus can do: its path through them ("View › Theme › Dark") and the action.
struct Command {
    QString path;
    QAction* action = nullptr;
};

/// A menu's text without its access key; "&&" is a plain "&". Chinese texts carry the key in brackets: "文件(&F)".
QString withoutAccessKey(const QString& text);

/// All enabled and visible actions of a menu bar, in its order. Separators and menus themselves are not shown.
std::vector<Command> commandsOf(const QMenuBar& menus);

/// True if all words of `query` occur in `path`, in any order and case.
bool commandMatches(const QString& path, const QString& query);

/// Finds a command by typing a part of its name and runs it: everything that the menus offer, by keyboard alone.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(std::vector<Command> commands, QWidget* parent);

signals:
    /// Return on a text that is a link: nothing is run.
    void linkEntered(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter();
    void run();

    std::vector<Command> m_commands;
    QLineEdit* m_query;
    QListWidget* m_list;
};

}  // namespace altiscope
