#include "views/help/manual_window.h"

#include "views/common/theme/icons.h"
#include "views/help/manual.h"
#include "views/help/manual_text.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

const QString kGeometry = u"manual_geometry"_s;

}  // namespace

ManualWindow::ManualWindow(ViewMemory memory, QWidget* parent)
    : Translated(parent, Qt::Window), m_memory(std::move(memory)), m_search(new QLineEdit), m_contents(new QListWidget),
      m_back(new QToolButton), m_forward(new QToolButton), m_text(new ManualText), m_splitter(new QSplitter) {
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    auto* row = new QHBoxLayout;
    row->addWidget(m_back);
    row->addWidget(m_forward);
    row->addWidget(m_search, 1);
    column->addLayout(row);
    column->addWidget(m_contents, 1);
    m_splitter->addWidget(left);
    m_splitter->addWidget(m_text);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(false);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->addWidget(m_splitter);

    for (QToolButton* button : {m_back, m_forward}) button->setAutoRaise(true);
    m_back->setIcon(themedIcon(u"left"_s));
    m_forward->setIcon(themedIcon(u"right"_s));
    m_back->setShortcut(QKeySequence::Back);
    m_forward->setShortcut(QKeySequence::Forward);
    connect(m_back, &QToolButton::clicked, m_text, &QTextBrowser::backward);
    connect(m_forward, &QToolButton::clicked, m_text, &QTextBrowser::forward);
    connect(m_text, &QTextBrowser::sourceChanged, this, &ManualWindow::follow);
    connect(m_text, &QTextBrowser::historyChanged, this, &ManualWindow::follow);
    m_contents->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, this, &ManualWindow::list);
    connect(m_search, &QLineEdit::returnPressed, m_text, &ManualText::findNext);
    connect(m_contents, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item != nullptr) m_text->showPage(item->data(Qt::UserRole).toString());
    });
    const int letter = fontMetrics().averageCharWidth();
    resize(letter * 150, fontMetrics().height() * 44);
    m_splitter->setSizes({letter * 36, letter * 114});
    restoreGeometry(m_memory.value(kGeometry).toByteArray());
    retranslate();
    follow();
}

void ManualWindow::showPage(const QString& page) {
    m_search->clear();
    m_text->showPage(page);
    show();
    raise();
    activateWindow();
    m_text->setFocus();
}

void ManualWindow::list() {
    const QString words = m_search->text();
    {
        const QSignalBlocker quiet(m_contents);
        m_contents->clear();
        for (const QString& page : manualPages()) {
            if (!manualHas(page, words)) continue;
            auto* item = new QListWidgetItem(manualTitle(page), m_contents);
            item->setData(Qt::UserRole, page);
            item->setToolTip(item->text());
        }
    }
    m_text->mark(words);
    follow();
    // The page in sight stays where it has the words; else the first one that has them comes.
    if (!words.isEmpty() && m_contents->currentRow() < 0) m_contents->setCurrentRow(0);
}

void ManualWindow::follow() {
    const QSignalBlocker quiet(m_contents);
    m_contents->setCurrentRow(-1);
    for (int row = 0; row < m_contents->count(); ++row) {
        if (m_contents->item(row)->data(Qt::UserRole).toString() == m_text->page()) m_contents->setCurrentRow(row);
    }
    m_back->setEnabled(m_text->isBackwardAvailable());
    m_forward->setEnabled(m_text->isForwardAvailable());
    const QString title = manualTitle(m_text->page());
    setWindowTitle(title.isEmpty() ? tr("Manual") : tr("%1 – Manual", "page").arg(title));
}

void ManualWindow::retranslate() {
    m_search->setPlaceholderText(tr("Search the manual"));
    m_search->setAccessibleName(tr("Search the manual"));
    m_search->setToolTip(tr("Lists the pages that have all these words; Enter goes from place to place (Ctrl+F)"));
    m_contents->setAccessibleName(tr("Pages of the manual"));
    m_text->setAccessibleName(tr("Page of the manual"));
    m_back->setToolTip(tr("Back (%1)").arg(m_back->shortcut().toString(QKeySequence::NativeText)));
    m_forward->setToolTip(tr("Forward (%1)").arg(m_forward->shortcut().toString(QKeySequence::NativeText)));
    list();
}

void ManualWindow::closeEvent(QCloseEvent* event) {
    m_memory.setValue(kGeometry, saveGeometry());
    QWidget::closeEvent(event);
}

// Keys of Manual:
// - `Alt+Left`, `Alt+Right`: Back and forward
// - `Ctrl+F`: Go to the search
// - `Up`, `Down`: In the search: choose the page before or after
// - `Esc`: Clear the search, then close the manual
void ManualWindow::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Find)) {
        m_search->setFocus();
        m_search->selectAll();
    } else if (event->key() == Qt::Key_Escape) {
        m_search->text().isEmpty() ? static_cast<void>(close()) : m_search->clear();
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool ManualWindow::eventFilter(QObject* watched, QEvent* event) {
    // From the search the arrows choose a page.
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int row = m_contents->currentRow() + (key == Qt::Key_Down ? 1 : -1);
        if ((key == Qt::Key_Down || key == Qt::Key_Up) && row >= 0 && row < m_contents->count()) {
            m_contents->setCurrentRow(row);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace altiscope
