#include "views/report/picture_list.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"

#include <QBuffer>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPixmap>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize kThumbnail{72, 48};

}  // namespace

PictureList::PictureList(QWidget* parent) : QWidget(parent), m_hint(new QLabel(this)), m_rows(new QVBoxLayout) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(4);
    m_hint->setWordWrap(true);
    column->addWidget(m_hint);
    m_rows->setSpacing(8);
    column->addLayout(m_rows);
    retranslate();
}

bool PictureList::add(const QImage& picture, const QString& title) {
    QBuffer content;
    content.open(QIODevice::WriteOnly);
    if (m_pictures.size() >= kMost || picture.isNull() || !picture.save(&content, "PNG")) return false;
    m_pictures.push_back({title.toStdString(), {}, content.data().toStdString()});
    m_thumbnails.push_back(
        QPixmap::fromImage(picture.scaled(kThumbnail, Qt::KeepAspectRatio, Qt::SmoothTransformation)));
    rebuild();
    emit changed();
    return true;
}

void PictureList::move(std::size_t place, std::ptrdiff_t by) {
    const std::size_t other = place + static_cast<std::size_t>(by);
    if (other >= m_pictures.size()) return;
    std::swap(m_pictures[place], m_pictures[other]);
    std::swap(m_thumbnails[place], m_thumbnails[other]);
    rebuild();
    emit changed();
}

QWidget* PictureList::makeRow(std::size_t place) {
    auto* row = new QWidget(this);
    auto* grid = new QGridLayout(row);
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    auto* thumbnail = new QLabel(row);
    thumbnail->setPixmap(m_thumbnails[place]);
    thumbnail->setFixedWidth(kThumbnail.width());
    grid->addWidget(thumbnail, 0, 0, 2, 1);
    auto* title = new QLineEdit(toQString(m_pictures[place].title), row);
    auto* note = new QLineEdit(toQString(m_pictures[place].note), row);
    title->setAccessibleName(tr("Title of the picture"));
    title->setToolTip(tr("Title of the picture"));
    note->setPlaceholderText(tr("What it shows"));
    note->setAccessibleName(tr("Note on the picture"));
    grid->addWidget(title, 0, 1);
    grid->addWidget(note, 1, 1, 1, 3);
    connect(title, &QLineEdit::textChanged, this, [this, place](const QString& text) {
        m_pictures[place].title = text.toStdString();
        emit changed();
    });
    connect(note, &QLineEdit::textChanged, this, [this, place](const QString& text) {
        m_pictures[place].note = text.toStdString();
        emit changed();
    });
    const auto button = [row](const QString& icon, const QString& name) {
        auto* made = new QToolButton(row);
        made->setIcon(themedIcon(icon));
        made->setToolTip(name);
        made->setAccessibleName(name);
        made->setAutoRaise(true);
        return made;
    };
    auto* up = button(u"up"_s, tr("Move the picture up"));
    up->setEnabled(place > 0);
    // The row goes with the click that is still under way.
    connect(
        up, &QToolButton::clicked, this, [this, place] { move(place, -1); }, Qt::QueuedConnection);
    auto* remove = button(u"close"_s, tr("Remove the picture from the report"));
    connect(
        remove, &QToolButton::clicked, this,
        [this, place] {
            m_pictures.erase(m_pictures.begin() + static_cast<std::ptrdiff_t>(place));
            m_thumbnails.erase(m_thumbnails.begin() + static_cast<std::ptrdiff_t>(place));
            rebuild();
            emit changed();
        },
        Qt::QueuedConnection);
    grid->addWidget(up, 0, 2);
    grid->addWidget(remove, 0, 3);
    return row;
}

void PictureList::rebuild() {
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (std::size_t place = 0; place < m_pictures.size(); ++place) m_rows->addWidget(makeRow(place));
    m_hint->setVisible(m_pictures.empty());
}

void PictureList::retranslate() {
    m_hint->setText(tr("None yet. File > Add page to report adds what a page shows."));
    QPalette quiet = palette();
    for (const auto role : {QPalette::WindowText, QPalette::Text}) quiet.setColor(role, themeOf(palette()).muted);
    m_hint->setPalette(quiet);
    rebuild();
}

void PictureList::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
    QWidget::changeEvent(event);
}

}  // namespace altiscope
