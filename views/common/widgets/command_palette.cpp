#include "views/common/widgets/command_palette.h"

#include "core/session/workspace/capture_link.h"
#include "views/common/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

void collect(const QList<QAction*>& actions, const QString& above, const QString& wordsAbove,
             std::vector<Command>& commands) {
    for (QAction* action : actions) {
        if (action->isSeparator() || !action->isEnabled() || !action->isVisible()) continue;
        const QString name = withoutAccessKey(action->text());
        const QString path = above.isEmpty() ? name : above + u" › "_s + name;
        const QString words = wordsAbove + u' ' + withoutAccessKey(action->property("english").toString());
        if (action->menu() != nullptr) {
            collect(action->menu()->actions(), path, words, commands);
        } else {
            commands.push_back({path, action, words + u' ' + action->property("synonyms").toString()});
        }
    }
}

constexpr int kPlaceRole = Qt::UserRole, kDetailRole = Qt::UserRole + 1;

/// The name on the left, elided in the middle part; the key or numbers on the right.
class HitDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem own = option;
        initStyleOption(&own, index);
        const QString text = own.text, detail = index.data(kDetailRole).toString();
        own.text.clear();
        const QWidget* widget = option.widget;
        QStyle* style = widget != nullptr ? widget->style() : QApplication::style();
        style->drawControl(QStyle::CE_ItemViewItem, &own, painter, widget);
        const int gap = option.fontMetrics.averageCharWidth();
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        const auto group = !(option.state & QStyle::State_Enabled) ? QPalette::Disabled
                           : (option.state & QStyle::State_Active) ? QPalette::Active
                                                                   : QPalette::Inactive;
        const QColor colour = option.palette.color(group, isSelected ? QPalette::HighlightedText : QPalette::Text);
        QRect room = option.rect.adjusted(gap / 2 + 1, 0, -gap, 0);
        painter->save();
        painter->setPen(isSelected ? colour : themeOf(option.palette).muted);
        painter->drawText(room, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter) | Qt::TextSingleLine, detail);
        if (!detail.isEmpty()) room.setRight(room.right() - option.fontMetrics.horizontalAdvance(detail) - 2 * gap);
        painter->setPen((option.state & QStyle::State_Enabled) ? colour : themeOf(option.palette).muted);
        painter->drawText(room, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine,
                          option.fontMetrics.elidedText(text, Qt::ElideMiddle, room.width()));
        painter->restore();
    }
};

/// How far a command is from what was typed: its own name, the begin of it, another part of it or of what is above it.
int distanceOf(const Command& command, const QString& query) {
    const qsizetype above = command.path.lastIndexOf(u'›');
    const QStringView name = QStringView(command.path).sliced(above + 1).trimmed();
    if (query.isEmpty() || !name.startsWith(query, Qt::CaseInsensitive)) return 2;
    return name.size() == query.size() ? 0 : 1;
}

}  // namespace

QString withoutAccessKey(const QString& text) {
    QString plain;
    for (qsizetype i = 0; i < text.size() && text[i] != u'\t'; ++i) {  // what follows is a key that menus show
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
    collect(menus.actions(), {}, {}, commands);
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
    m_query->setPlaceholderText(tr("Command, finding, rank, track or slice"));
    m_query->setAccessibleName(tr("Command, finding, rank, track or slice"));
    m_query->installEventFilter(this);
    m_list->setAccessibleName(tr("Commands"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setItemDelegate(new HitDelegate(m_list));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Keys go to both: the row that Enter runs looks like it.
    m_list->setFocusProxy(m_query);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_query);
    column->addWidget(m_list);
    connect(m_query, &QLineEdit::textChanged, this, [this] {
        m_list->setCurrentRow(-1);
        filter();
    });
    connect(m_query, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
    resize(fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 20);
    fill();
}

/// Something is typed: what was found for less of it is no longer wanted.
void CommandPalette::filter() {
    const QString query = m_query->text().trimmed();
    // A single letter is in nearly everything; a sign of Chinese says more.
    const bool isWorthIt = query.size() > 1 || (query.size() == 1 && query[0].unicode() > 0xff);
    m_hits.clear();
    m_isSearching = m_search && isWorthIt;
    fill();
    if (m_search) m_search(isWorthIt ? query : QString());
}

void CommandPalette::fill() {
    const int row = m_list->currentRow();
    m_list->clear();
    const auto add = [this](const QString& text, const QString& detail, std::size_t place) {
        auto* item = new QListWidgetItem(text, m_list);
        item->setData(kPlaceRole, QVariant::fromValue<qulonglong>(place));
        item->setData(kDetailRole, detail);
        item->setData(Qt::AccessibleTextRole, detail.isEmpty() ? text : text + u", "_s + detail);
    };
    if (looksLikeLink(m_query->text())) new QListWidgetItem(tr("Follow the link"), m_list);
    const QString query = m_query->text().trimmed();
    std::vector<std::pair<int, std::size_t>> matching;
    for (std::size_t i = 0; i < m_commands.size(); ++i) {
        if (commandMatches(m_commands[i].path + u' ' + m_commands[i].synonyms, query))
            matching.emplace_back(distanceOf(m_commands[i], query), i);
    }
    std::sort(matching.begin(), matching.end());
    for (const auto& [distance, i] : matching)
        add(m_commands[i].path, m_commands[i].action->shortcut().toString(QKeySequence::NativeText), i);
    for (std::size_t i = 0; i < m_hits.size(); ++i) add(m_hits[i].title, m_hits[i].detail, m_commands.size() + i);
    if (m_list->count() == 0) {
        auto* nothing =
            new QListWidgetItem(m_isSearching ? tr("Searching…") : tr("Nothing found for “%1”").arg(query), m_list);
        nothing->setFlags(Qt::NoItemFlags);
        return;
    }
    // Later results stand below: the line that was chosen stays.
    m_list->setCurrentRow(std::clamp(row, 0, m_list->count() - 1));
}

void CommandPalette::showHits(const QString& query, std::vector<PaletteHit> hits, bool isComplete) {
    if (query != m_query->text().trimmed()) return;
    m_hits = std::move(hits);
    m_isSearching = !isComplete;
    fill();
}

void CommandPalette::run() {
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr || !(item->flags() & Qt::ItemIsEnabled)) return;
    if (!item->data(kPlaceRole).isValid()) {
        const QString link = m_query->text();
        accept();
        return emit linkEntered(link);
    }
    const std::size_t index = item->data(kPlaceRole).toULongLong();
    if (index < m_commands.size()) {
        QAction* action = m_commands[index].action;
        accept();
        action->trigger();
    } else if (index - m_commands.size() < m_hits.size()) {
        const auto run = m_hits[index - m_commands.size()].run;
        accept();
        run();
    }
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
