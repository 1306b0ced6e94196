#include "views/overview/start_page.h"

#include "views/common/pages/message_page.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/support/text_font.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kListWidthEm = 60;

/// "~/runs" for a folder of the user's own.
QString shortFolder(const QString& path) {
    const QString folder = QFileInfo(path).absolutePath(), home = QDir::homePath();
    return home.size() > 1 && (folder == home || folder.startsWith(home + u'/')) ? u'~' + folder.sliced(home.size())
                                                                                 : folder;
}

}  // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent), m_message(new MessagePage(this)), m_part(new QWidget(this)), m_title(new QLabel(m_part)),
      m_list(new QListWidget(m_part)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    column->addWidget(m_message, 1);
    column->addWidget(m_part, 1);
    auto* part = new QVBoxLayout;
    part->setSpacing(4);
    part->addWidget(m_title);
    part->addWidget(m_list, 1);
    auto* row = new QHBoxLayout(m_part);
    row->setContentsMargins(16, 0, 16, 16);
    row->addStretch(1);
    row->addLayout(part, 1000);
    row->addStretch(1);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setMaximumWidth(fontMetrics().horizontalAdvance(u'm') * kListWidthEm);
    m_list->installEventFilter(this);
    m_title->setBuddy(m_list);
    m_part->setBackgroundRole(QPalette::Base);
    m_part->setAutoFillBackground(true);
    followTextSize(*m_title, 1.1);
    setFocusProxy(m_message);
    connect(m_list, &QListWidget::itemClicked, this, [this](const QListWidgetItem* item) { open(m_list->row(item)); });
    fill();
}

void StartPage::setRecent(const QStringList& paths) {
    m_paths = paths;
    fill();
}

void StartPage::fill() {
    m_title->setText(tr("&Recent captures"));
    m_list->setAccessibleName(tr("Recent captures"));
    m_list->clear();
    for (const QString& path : std::as_const(m_paths)) {
        const bool isWorkspace = path.endsWith(".altiscope"_L1, Qt::CaseInsensitive);
        auto* item = new QListWidgetItem(
            themedIcon(isWorkspace ? u"save"_s : u"capture"_s),
            tr("%1   %2", "name, folder").arg(QFileInfo(path).fileName(), shortFolder(path)), m_list);
        item->setToolTip(path);
    }
    if (!m_paths.isEmpty()) m_list->setCurrentRow(0);
    m_part->setVisible(!m_paths.isEmpty());
}

void StartPage::open(int row) {
    if (row >= 0 && row < m_paths.size()) emit chosen(QString(m_paths[row]));
}

bool StartPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_list && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            open(m_list->currentRow());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void StartPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) fill();
    QWidget::changeEvent(event);
}

}  // namespace altiscope
