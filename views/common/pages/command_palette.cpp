#include "views/common/pages/command_palette.h"

#include "core/session/workspace/capture_link.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QVBoxLayout>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

void collect(const QList<QAction*>& actions, const QString& above, std::vector<Command>& commands) {
    for (QAction* action : actions) {
        if (action->isSeparator() || !action->isEnabled() || !action->isVisible()) continue;
        const QString name = withoutAccessKey(action->text());
        const QString path = above.isEmpty() ? name : above + u" › "_s + name;
        if (action->menu() != nullptr) {
            collect(action->menu()->actions(), path, commands);
        } else {
            commands.push_back({path, action});
        }
    }
}

}  // namespace

QString withoutAccessKey(const QString& text) {
    QString plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == u'(' && i + 3 < text.size() && text[i + 1] == u'&' && text[i + 3] == u')') {
            i += 3;
            continue;
        }
        if (text[i] == u'&' && ++i == text.size()) break;
        plain += text[i];
    }
    return plain;
}

std::vector<Command> commandsOf(const QMenuBar& menus) {
    std::vector<Command> commands;
    collect(menus.actions(), {}, commands);
    return commands;
}

bool commandMatches(const QString& path, const QString& query) {
    const QStringList words = query.split(u' ', Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(),
                       [&path](const QString& word) { return path.contains(word, Qt::CaseInsensitive); });
}

CommandPalette::CommandPalette(std::vector<Command> commands, QWidget* parent)
    : QDialog(parent), m_commands(std::move(commands)), m_query(new QLineEdit(this)), m_list(new QListWidget(this)) {
    setWindowTitle(tr("Commands"));
    m_query->setPlaceholderText(tr("Part of a command's name"));
    m_query->setAccessibleName(tr("Part of a command's name"));
    m_query->installEventFilter(this);
    m_list->setAccessibleName(tr("Commands"));
    m_list->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_query);
    column->addWidget(m_list);
    connect(m_query, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_query, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
    resize(fontMetrics().averageCharWidth() * 70, fontMetrics().height() * 20);
    filter();
}

void CommandPalette::filter() {
    m_list->clear();
    if (looksLikeLink(m_query->text())) new QListWidgetItem(tr("Follow the link"), m_list);
    for (std::size_t i = 0; i < m_commands.size(); ++i) {
        if (!commandMatches(m_commands[i].path, m_query->text())) continue;
        const QString keys = m_commands[i].action->shortcut().toString(QKeySequence::NativeText);
        auto* item =
            new QListWidgetItem(keys.isEmpty() ? m_commands[i].path : m_commands[i].path + u"    "_s + keys, m_list);
        item->setData(Qt::UserRole, QVariant::fromValue<qulonglong>(i));
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::run() {
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr) return;
    if (!item->data(Qt::UserRole).isValid()) {
        const QString link = m_query->text();
        accept();
        return emit linkEntered(link);
    }
    QAction* action = m_commands[item->data(Qt::UserRole).toULongLong()].action;
    accept();
    action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            // The line keeps the focus; the list moves.
            QCoreApplication::sendEvent(m_list, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace altiscope
