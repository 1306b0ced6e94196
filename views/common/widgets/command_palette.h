#pragma once

#include <QDialog>
#include <QString>

#include <functional>
#include <vector>

class QAction;
class QLineEdit;
class QListWidget;
class QMenuBar;

namespace altiscope {

/// One thing that the menus can do: its path through them ("View › Theme › Dark") and the action.
struct Command {
    QString path;
    QAction* action = nullptr;
    QString synonyms{};  ///< Further words by which it is found, not shown.
};

/// Something else that was found: a rank, a slice.
struct PaletteHit {
    QString title;   ///< "Slices › aten::mm"
    QString detail;  ///< "12,345 times, 3.2 s"
    std::function<void()> run;
};

/// A menu's text without its access key; "&&" is a plain "&". Chinese texts carry the key in brackets: "文件(&F)".
QString withoutAccessKey(const QString& text);

/// All enabled and visible actions of a menu bar, in its order. Separators and menus themselves are not shown. An
/// action's property `synonyms` (a text) becomes those of its command, with the property `english` (its English name)
/// of it and of the menus that lead to it.
std::vector<Command> commandsOf(const QMenuBar& menus);

/// True if all words of `query` occur in `path`, in any order and case.
bool commandMatches(const QString& path, const QString& query);

/// Finds a command by typing a part of its name and runs it: everything that the menus offer, by keyboard alone; and
/// whatever else somebody looks for meanwhile. GUI thread.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(std::vector<Command> commands, QWidget* parent);

    /// Is called with what is typed, once that is worth a search, and answers by showHits(); empty text: nothing is
    /// looked for any more.
    void setSearch(std::function<void(const QString& query)> search) { m_search = std::move(search); }
    /// Results of a query, below the commands; forgotten if something else was typed meanwhile.
    /// @param isComplete  No more will follow.
    void showHits(const QString& query, std::vector<PaletteHit> hits, bool isComplete);

signals:
    /// Return on a text that is a link: nothing is run.
    void linkEntered(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter();
    void fill();
    void run();

    std::vector<Command> m_commands;
    std::vector<PaletteHit> m_hits;
    std::function<void(const QString& query)> m_search;
    bool m_isSearching = false;
    QLineEdit* m_query;
    QListWidget* m_list;
};

}  // namespace altiscope
