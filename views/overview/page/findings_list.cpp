#include "views/overview/page/findings_list.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QResizeEvent>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr int kItemRole = Qt::UserRole + 1;
constexpr int kGap = 8;

/// Words that are wider than a line, such as names of folders, may break anywhere.
QString withBreaks(const QString& text, const QFontMetrics& metrics, int width) {
    static const QRegularExpression kWord(u"[!-~]{2,}"_s);
    QString result;
    qsizetype from = 0;
    for (auto words = kWord.globalMatch(text); words.hasNext();) {
        const QRegularExpressionMatch word = words.next();
        if (metrics.horizontalAdvance(word.captured()) <= width) continue;
        result += text.sliced(from, word.capturedStart() - from);
        for (const QChar letter : word.captured()) (result += letter) += QChar(0x200b);
        from = word.capturedEnd();
    }
    return result + text.sliced(from);
}

/// Icon, title, weight with gain, and the sentence below, wrapped.
class FindingDelegate : public QStyledItemDelegate {
public:
    FindingDelegate(const std::vector<FindingItem>& items, const std::set<QString>& unfolded, QListView* view)
        : QStyledItemDelegate(view), m_items(items), m_unfolded(unfolded), m_view(*view) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const FindingItem& item = itemOf(index);
        const int width = m_view.viewport()->width(), left = option.fontMetrics.height() + 2 * kGap;
        const int text = std::max(50, width - left - kGap);
        const auto heightOf = [text](const QFontMetrics& metrics, const QString& words) {
            return metrics.boundingRect(QRect(0, 0, text, 10000), Qt::TextWordWrap, withBreaks(words, metrics, text))
                .height();
        };
        const int title = heightOf(QFontMetrics(bold(option.font)), titleOf(item));
        const bool isAlone = item.detail.isEmpty() || isFolded(item);
        const int detail = isAlone ? 0 : heightOf(option.fontMetrics, detailOf(item)) + 2;
        return {width, title + 2 + option.fontMetrics.height() + detail + 2 * kGap};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const FindingItem& item = itemOf(index);
        const Theme& theme = themeOf(option.palette);
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        const bool hasKeys = (option.state & QStyle::State_Active) != 0;
        const auto group = hasKeys ? QPalette::Active : QPalette::Inactive;
        painter->save();
        if (selected) painter->fillRect(option.rect, option.palette.color(group, QPalette::Highlight));
        const int side = option.fontMetrics.height(), left = side + 2 * kGap;
        themedIcon(weightIcon(item.weight), weightTone(item.weight))
            .paint(painter, QRect(option.rect.left() + kGap, option.rect.top() + kGap, side, side), Qt::AlignCenter,
                   selected && hasKeys ? QIcon::Selected : QIcon::Normal);
        const QColor text = option.palette.color(group, selected ? QPalette::HighlightedText : QPalette::Text);
        QRect rest = option.rect.adjusted(left, kGap, -kGap, -kGap);
        const auto write = [&](const QFont& font, const QColor& colour, const QString& words) {
            painter->setFont(font);
            painter->setPen(colour);
            QRect used;
            painter->drawText(rest, Qt::TextWordWrap, words, &used);
            rest.setTop(used.bottom() + 2);
        };
        write(bold(option.font), text, withBreaks(titleOf(item), QFontMetrics(bold(option.font)), rest.width()));
        write(option.font, selected ? text : theme.muted, withUnbrokenUnits(findingHead(item)));
        if (!item.detail.isEmpty() && !isFolded(item))
            write(option.font, text, withBreaks(detailOf(item), option.fontMetrics, rest.width()));
        painter->setPen(theme.hairLine);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        painter->setPen(selected ? text : theme.accent);
        if (option.state & QStyle::State_HasFocus) painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        painter->restore();
    }

private:
    static QFont bold(QFont font) {
        font.setBold(true);
        return font;
    }
    bool isFolded(const FindingItem& item) const {
        return item.weight == FindingItem::Weight::Missing && !m_unfolded.contains(item.key);
    }
    static QString detailOf(const FindingItem& item) { return withUnbrokenUnits(item.detail); }

    QString titleOf(const FindingItem& item) const {
        if (item.weight != FindingItem::Weight::Missing) return withUnbrokenUnits(item.title);
        return (isFolded(item) ? u"▸ "_s : u"▾ "_s) + item.title;
    }
    const FindingItem& itemOf(const QModelIndex& index) const { return m_items[index.data(kItemRole).toULongLong()]; }

    const std::vector<FindingItem>& m_items;
    const std::set<QString>& m_unfolded;
    QListView& m_view;
};

}  // namespace

FindingsList::FindingsList(FindingSettings& settings, QWidget* parent)
    : QListView(parent), m_settings(settings), m_model(new QStandardItemModel(this)) {
    setModel(m_model);
    setItemDelegate(new FindingDelegate(m_items, m_unfolded, this));
    setFrameShape(QFrame::NoFrame);
    setResizeMode(Adjust);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setTabKeyNavigation(false);
    connect(this, &QListView::clicked, this, [this](const QModelIndex& index) {
        const auto item = itemAt(index);
        if (item && QApplication::keyboardModifiers() == Qt::NoModifier) open(*item);
    });
    connect(&settings, &FindingSettings::mutedChanged, this, &FindingsList::rebuild);
}

void FindingsList::setItems(std::vector<FindingItem> items) {
    m_model->clear();  // The delegate looks into the items.
    m_items = std::move(items);
    rebuild();
}

void FindingsList::rebuild() {
    m_model->clear();
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const FindingItem& item = m_items[i];
        if (m_settings.isMuted(item.key) && !m_mutedShown) continue;
        auto* row = new QStandardItem(weightWord(item.weight) + u": "_s + item.title);
        row->setData(QVariant::fromValue<qulonglong>(i), kItemRole);
        row->setToolTip(item.severityReason.isEmpty() ? item.formula : item.severityReason + u"\n\n"_s + item.formula);
        m_model->appendRow(row);
    }
    // The keys begin at the first.
    selectionModel()->setCurrentIndex(m_model->index(0, 0), QItemSelectionModel::NoUpdate);
}

void FindingsList::open(std::size_t item) {
    if (m_items[item].hasEvidence) return emit evidenceRequested(item);
    if (m_items[item].weight != FindingItem::Weight::Missing) return;
    if (m_unfolded.erase(m_items[item].key) == 0) m_unfolded.insert(m_items[item].key);
    scheduleDelayedItemsLayout();
    viewport()->update();
}

std::size_t FindingsList::mutedCount() const {
    return static_cast<std::size_t>(std::count_if(
        m_items.begin(), m_items.end(), [this](const FindingItem& item) { return m_settings.isMuted(item.key); }));
}

void FindingsList::setMutedShown(bool shown) {
    m_mutedShown = shown;
    rebuild();
    emit mutedShownChanged();
}

std::optional<std::size_t> FindingsList::itemAt(const QModelIndex& index) const {
    return index.isValid() ? std::optional<std::size_t>(index.data(kItemRole).toULongLong()) : std::nullopt;
}

QString FindingsList::asText() const {
    QModelIndexList chosen = selectionModel()->selectedRows();
    if (chosen.isEmpty()) {
        for (int row = 0; row < m_model->rowCount(); ++row) chosen << m_model->index(row, 0);
    }
    std::sort(chosen.begin(), chosen.end());
    QStringList texts;
    for (const QModelIndex& index : std::as_const(chosen)) texts << findingAsText(m_items[*itemAt(index)]);
    return texts.join(u"\n\n"_s) + u'\n';
}

void FindingsList::copy() const { QApplication::clipboard()->setText(asText()); }

void FindingsList::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    if (const auto item = itemAt(currentIndex())) {
        const QString key = m_items[*item].key;
        const bool muted = m_settings.isMuted(key);
        menu.addAction(tr("Show the evidence"), this, [this, item] { emit evidenceRequested(*item); })
            ->setEnabled(m_items[*item].hasEvidence);
        menu.addAction(muted ? tr("Show this again") : tr("Do not show this again"), this,
                       [this, key, muted] { m_settings.setMuted(key, !muted); });
    }
    menu.addAction(themedIcon(u"copy"_s), tr("Copy as text"), this, &FindingsList::copy)
        ->setShortcut(QKeySequence::Copy);
    QAction* shown = menu.addAction(tr("Show what is hidden (%1)").arg(mutedCount()), this,
                                    [this] { setMutedShown(!m_mutedShown); });
    shown->setCheckable(true);
    shown->setChecked(m_mutedShown);
    menu.exec(event->globalPos());
}

// Keys of Overview, findings:
// - `Enter`: Show the evidence
// - `Del`: Do not show the finding again, or show it again
// - `Ctrl+C`: Copy the finding as text
void FindingsList::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) return copy();
    const auto item = itemAt(currentIndex());
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && item) return open(*item);
    if (event->key() == Qt::Key_Delete && item)
        return m_settings.setMuted(m_items[*item].key, !m_settings.isMuted(m_items[*item].key));
    QListView::keyPressEvent(event);
}

void FindingsList::resizeEvent(QResizeEvent* event) {
    QListView::resizeEvent(event);
    // Sentences wrap at the width.
    if (event->size().width() != event->oldSize().width()) scheduleDelayedItemsLayout();
}

void FindingsList::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) rebuild();
    QListView::changeEvent(event);
}

}  // namespace altiscope
