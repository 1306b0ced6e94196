#include "views/report/panels/picture_list.h"

#include "core/report/document/html_text.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"

#include <QBuffer>
#include <QEvent>
#include <QGridLayout>
#include <QImageReader>
#include <QJsonObject>
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
/// Max pixels of a picture in a workspace; a window on the largest screens has fewer.
constexpr qint64 kMaxPixels = 50'000'000;

/// Null if it is no PNG, or one that takes much more memory than its bytes.
QImage imageIn(QByteArray png) {
    QBuffer content(&png);
    QImageReader reader(&content, "PNG");
    const QSize size = reader.size();
    if (size.isEmpty() || qint64{size.width()} * size.height() > kMaxPixels) return {};
    return reader.read();
}

}  // namespace

PictureList::PictureList(QWidget* parent) : QWidget(parent), m_hint(new QLabel(this)), m_rows(new QVBoxLayout) {
    auto* column = bareLayout<QVBoxLayout>(this, 4);
    m_hint->setWordWrap(true);
    column->addWidget(m_hint);
    m_rows->setSpacing(8);
    column->addLayout(m_rows);
    retranslate();
}

bool PictureList::add(const QImage& picture, const QString& title) {
    QBuffer content;
    content.open(QIODevice::WriteOnly);
    if (m_pictures.size() >= kMaxPictures || picture.isNull() || !picture.save(&content, "PNG")) return false;
    append({title.toStdString(), {}, content.data().toStdString()}, picture);
    rebuild();
    announce();
    return true;
}

void PictureList::append(ReportPicture picture, const QImage& image) {
    m_pictures.push_back(std::move(picture));
    m_thumbnails.push_back(QPixmap::fromImage(image.scaled(kThumbnail, Qt::KeepAspectRatio, Qt::SmoothTransformation)));
}

void PictureList::restore(const QJsonArray& state) {
    static constexpr qsizetype kMaxLetters = 10'000;
    if (state == m_state && areAllKept()) return;
    m_pictures.clear();
    m_thumbnails.clear();
    for (const auto& said : state) {
        if (m_pictures.size() >= kMaxPictures) break;
        const QJsonObject one = said.toObject();
        const QByteArray png = QByteArray::fromBase64(one.value("png"_L1).toString().toLatin1());
        const QImage image = imageIn(png);
        if (image.isNull()) continue;
        append({one.value("title"_L1).toString().left(kMaxLetters).toStdString(),
                one.value("note"_L1).toString().left(kMaxLetters).toStdString(), png.toStdString()},
               image);
    }
    rebuild();
    announce();
}

/// JSON of one picture, without its bytes, for each key.
void PictureList::keepWords(std::size_t place) {
    if (place < m_keptOnes) {
        QJsonObject one = m_state.at(static_cast<qsizetype>(place)).toObject();
        one.insert("title"_L1, toQString(m_pictures[place].title));
        one.insert("note"_L1, toQString(m_pictures[place].note));
        m_state.replace(static_cast<qsizetype>(place), one);
    }
    emit changed();
}

/// The state is made where something changes, as it is looked at every second.
void PictureList::announce() {
    m_state = {};
    m_keptOnes = 0;
    qsizetype bytes = 0;
    for (const ReportPicture& picture : m_pictures) {
        bytes += static_cast<qsizetype>((picture.png.size() + 2) / 3 * 4);
        if (bytes > kMaxKeptBytes) break;
        const QString png = toQString(base64Text(picture.png));
        m_state.append(
            QJsonObject{{u"title"_s, toQString(picture.title)}, {u"note"_s, toQString(picture.note)}, {u"png"_s, png}});
        ++m_keptOnes;
    }
    emit changed();
}

void PictureList::move(std::size_t place, std::ptrdiff_t by) {
    const std::size_t other = place + static_cast<std::size_t>(by);
    if (other >= m_pictures.size()) return;
    std::swap(m_pictures[place], m_pictures[other]);
    std::swap(m_thumbnails[place], m_thumbnails[other]);
    rebuild();
    announce();
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
        keepWords(place);
    });
    connect(note, &QLineEdit::textChanged, this, [this, place](const QString& text) {
        m_pictures[place].note = text.toStdString();
        keepWords(place);
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
    connect(up, &QToolButton::clicked, this, [this, place] { move(place, -1); });
    auto* remove = button(u"close"_s, tr("Remove the picture from the report"));
    connect(remove, &QToolButton::clicked, this, [this, place] {
        m_pictures.erase(m_pictures.begin() + static_cast<std::ptrdiff_t>(place));
        m_thumbnails.erase(m_thumbnails.begin() + static_cast<std::ptrdiff_t>(place));
        rebuild();
        announce();
    });
    grid->addWidget(up, 0, 2);
    grid->addWidget(remove, 0, 3);
    return row;
}

void PictureList::rebuild() {
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        // Later: a click on one of its buttons, or a walk of Qt over all widgets, may be under way.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (std::size_t place = 0; place < m_pictures.size(); ++place) m_rows->addWidget(makeRow(place));
    m_hint->setVisible(m_pictures.empty());
}

void PictureList::retranslate() {
    m_hint->setText(tr("None yet. File > Add page to report adds what a page shows."));
    applyColours();
    rebuild();
}

void PictureList::applyColours() {
    QPalette quiet = palette();
    for (const auto role : {QPalette::WindowText, QPalette::Text}) quiet.setColor(role, themeOf(palette()).muted);
    m_hint->setPalette(quiet);
}

void PictureList::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::PaletteChange) applyColours();
    QWidget::changeEvent(event);
}

}  // namespace altiscope
