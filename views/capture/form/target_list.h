#pragma once

#include "views/common/support/view_memory.h"

#include <QStringList>
#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QToolButton;

namespace altiscope {

class ToneLabel;

/// The machines on which a capture may take place: this one, aliases of the user's ssh configuration, and hosts that
/// were added here. Which are chosen and which were added is remembered. GUI thread.
class TargetList : public QWidget {
    Q_OBJECT
public:
    explicit TargetList(const ViewMemory& memory, QWidget* parent = nullptr);

    /// Hosts of the ssh configuration; the owner reads it, since that takes the disk.
    void setAliases(const QStringList& aliases);
    /// Chosen ones, as parseTarget() takes them, in the order of the list.
    std::vector<std::string> chosen() const;
    /// Names that are not in the list are added.
    void choose(const QStringList& names);
    /// Adds a host as typed, and chooses it. @return False, and says why, if it is no target.
    bool add(const QString& name);
    /// Below the list, until a host is typed.
    void showProblem(const QString& sentence);

signals:
    void changed();
    /// The hosts of this file are to be chosen; the owner reads it.
    void hostsFileChosen(const QString& file);

protected:
    void changeEvent(QEvent* event) override;

private:
    enum class Kind { Local, Alias, Added };

    void rebuild(const QStringList& chosen);
    void insert(const QString& name, Kind kind, bool isChosen);
    void removeCurrent();
    void chooseFile();
    void remember();
    void showButtons();
    QStringList chosenNames() const;
    void retranslate();

    ViewMemory m_memory;
    QStringList m_aliases, m_added;
    QLabel* m_title;
    QListWidget* m_list;
    QLineEdit* m_host;
    QToolButton* m_addButton;
    QToolButton* m_fileButton;
    QToolButton* m_removeButton;
    ToneLabel* m_note;
};

}  // namespace altiscope
