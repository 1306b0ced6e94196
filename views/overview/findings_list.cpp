#include "views/overview/findings_list.h"

#include "views/common/formatters.h"
#include "views/common/icons.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QResizeEvent>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTextDocument>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr int kItemRole = Qt::UserRole + 1;
constexpr int kGap = 8;

struct Weights {
    Q_DECLARE_TR_FUNCTIONS(altiscope::FindingWeights)
};

QString weightIcon(FindingItem::Weight weight) {
    switch (weight) {
    case FindingItem::Weight::High: return u"error"_s;
    case FindingItem::Weight::Medium: return u"warning"_s;
    case FindingItem::Weight::Low: return u"info"_s;
    case FindingItem::Weight::Missing: return u"missing"_s;
    }
    return {};
}

IconTone weightTone(FindingItem::Weight weight) {
    switch (weight) {
    case FindingItem::Weight::High: return IconTone::Error;
    case FindingItem::Weight::Medium: return IconTone::Warning;
    case FindingItem::Weight::Low:
    case FindingItem::Weight::Missing: return IconTone::Muted;
    }
    return IconTone::Muted;
}

QString headOf(const FindingItem& item) {
    const QString gain = item.recoverable ? QCoreApplication::translate("altiscope::FindingsList", "%1 per step").arg(formatDuration(*item.recoverable)) : QString();
    return gain.isEmpty() ? weightWord(item.weight) : weightWord(item.weight) + u" · "_s + gain;
}

/// Icon, title, weight with gain, and the sentence below, wrapped.
class FindingDelegate : public QStyledItemDelegate {
public:
    FindingDelegate(const std::vector<FindingItem>& items, QListView* view) : QStyledItemDelegate(view), m_items(items), m_view(*view) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const FindingItem& item = itemOf(index);
        const int width = m_view.viewport()->width(), left = option.fontMetrics.height() + 2 * kGap;
        const int text = std::max(50, width - left - kGap);
        const int title = QFontMetrics(bold(option.font)).boundingRect(QRect(0, 0, text, 10000), Qt::TextWordWrap, item.title).height();
        const int detail = item.detail.isEmpty() ? 0 : option.fontMetrics.boundingRect(QRect(0, 0, text, 10000), Qt::TextWordWrap, item.detail).height() + 2;
        return {width, title + 2 + option.fontMetrics.height() + detail + 2 * kGap};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const FindingItem& item = itemOf(index);
        const Theme& theme = themeOf(option.palette);
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        painter->save();
        if (selected) painter->fillRect(option.rect, option.palette.highlight());
        const int side = option.fontMetrics.height(), left = side + 2 * kGap;
        themedIcon(weightIcon(item.weight), weightTone(item.weight))
            .paint(painter, QRect(option.rect.left() + kGap, option.rect.top() + kGap, side, side), Qt::AlignCenter, selected ? QIcon::Selected : QIcon::Normal);
        const QColor text = option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
        QRect rest = option.rect.adjusted(left, kGap, -kGap, -kGap);
        const auto write = [&](const QFont& font, const QColor& colour, const QString& words) {
            painter->setFont(font);
            painter->setPen(colour);
            QRect used;
            painter->drawText(rest, Qt::TextWordWrap, words, &used);
            rest.setTop(used.bottom() + 2);
        };
        write(bold(option.font), text, item.title);
        write(option.font, selected ? text : theme.muted, headOf(item));
        if (!item.detail.isEmpty()) write(option.font, text, item.detail);
        painter->setPen(theme.hairLine);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        painter->restore();
    }

private:
    static QFont bold(QFont font) {
        font.setBold(true);
        return font;
    }
    const FindingItem& itemOf(const QModelIndex& index) const { return m_items[index.data(kItemRole).toULongLong()]; }

    const std::vector<FindingItem>& m_items;
    QListView& m_view;
};

}  // namespace

QString weightWord(FindingItem::Weight weight) {
    switch (weight) {
    case FindingItem::Weight::High: return Weights::tr("High");
    case FindingItem::Weight::Medium: return Weights::tr("Medium");
    case FindingItem::Weight::Low: return Weights::tr("Low");
    case FindingItem::Weight::Missing: return Weights::tr("Not recorded");
    }
    return {};
}

FindingsList::FindingsList(const ViewMemory& memory, QWidget* parent) : QListView(parent), m_memory(memory), m_model(new QStandardItemModel(this)) {
    for (const QString& key : m_memory.value(u"findings/muted"_s).toStringList()) m_muted.insert(key);
    setModel(m_model);
    setItemDelegate(new FindingDelegate(m_items, this));
    setFrameShape(QFrame::NoFrame);
    setResizeMode(Adjust);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setTabKeyNavigation(false);
    connect(this, &QListView::clicked, this, [this](const QModelIndex& index) {
        const auto item = itemAt(index);
        if (item && m_items[*item].hasEvidence && QApplication::keyboardModifiers() == Qt::NoModifier) emit evidenceRequested(*item);
    });
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
        if (m_muted.contains(item.key) && !m_mutedShown) continue;
        auto* row = new QStandardItem(weightWord(item.weight) + u": "_s + item.title);
        row->setData(QVariant::fromValue<qulonglong>(i), kItemRole);
        row->setToolTip(item.formula);
        m_model->appendRow(row);
    }
}

std::size_t FindingsList::mutedCount() const {
    return static_cast<std::size_t>(std::count_if(m_items.begin(), m_items.end(), [this](const FindingItem& item) { return m_muted.contains(item.key); }));
}

void FindingsList::setMuted(const QString& key, bool muted) {
    if (muted) {
        m_muted.insert(key);
    } else {
        m_muted.remove(key);
    }
    m_memory.setValue(u"findings/muted"_s, QStringList(m_muted.values()));
    rebuild();
    emit mutedChanged();
}

void FindingsList::setMutedShown(bool shown) {
    m_mutedShown = shown;
    rebuild();
    emit mutedChanged();
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
    for (const QModelIndex& index : std::as_const(chosen)) {
        const FindingItem& item = m_items[*itemAt(index)];
        texts << u"%1 (%2)\n%3"_s.arg(item.title, headOf(item), item.detail);
    }
    return texts.join(u"\n\n"_s) + u'\n';
}

void FindingsList::copy() const { QApplication::clipboard()->setText(asText()); }

void FindingsList::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    if (const auto item = itemAt(currentIndex())) {
        const QString key = m_items[*item].key;
        const bool muted = m_muted.contains(key);
        menu.addAction(tr("Show the evidence"), this, [this, item] { emit evidenceRequested(*item); })->setEnabled(m_items[*item].hasEvidence);
        menu.addAction(muted ? tr("Show this again") : tr("Do not show this again"), this, [this, key, muted] { setMuted(key, !muted); });
    }
    menu.addAction(themedIcon(u"copy"_s), tr("Copy as text"), this, &FindingsList::copy)->setShortcut(QKeySequence::Copy);
    QAction* shown = menu.addAction(tr("Show what is hidden (%1)").arg(mutedCount()), this, [this] { setMutedShown(!m_mutedShown); });
    shown->setCheckable(true);
    shown->setChecked(m_mutedShown);
    menu.exec(event->globalPos());
}

void FindingsList::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) return copy();
    const auto item = itemAt(currentIndex());
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && item && m_items[*item].hasEvidence) return emit evidenceRequested(*item);
    if (event->key() == Qt::Key_Delete && item) return setMuted(m_items[*item].key, !m_muted.contains(m_items[*item].key));
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
