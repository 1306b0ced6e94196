#include "views/settings/settings_dialog.h"

#include <QDialogButtonBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

SettingsDialog::SettingsDialog(QWidget* parent)
    : QDialog(parent), m_subjects(new QListWidget(this)), m_pages(new QStackedWidget(this)) {
    m_subjects->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    m_subjects->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    // Return belongs to the fields of the pages.
    for (QAbstractButton* button : buttons->buttons()) static_cast<QPushButton*>(button)->setAutoDefault(false);
    auto* row = new QHBoxLayout;
    row->setSpacing(16);
    row->addWidget(m_subjects);
    row->addWidget(m_pages, 1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(row, 1);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_subjects, &QListWidget::currentRowChanged, m_pages, &QStackedWidget::setCurrentIndex);
    retranslate();
    const QFontMetrics metrics(font());
    resize(metrics.averageCharWidth() * 120, metrics.height() * 34);
}

void SettingsDialog::addPage(std::function<QString()> title, QWidget* page) {
    m_titles.push_back(std::move(title));
    m_subjects->addItem(QString());
    m_pages->addWidget(page);
    retranslate();
    if (m_titles.size() == 1) showPage(0);
}

void SettingsDialog::showPage(int index) { m_subjects->setCurrentRow(index); }

void SettingsDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) retranslate();
    QDialog::changeEvent(event);
}

void SettingsDialog::retranslate() {
    constexpr int kBeside = 32;
    setWindowTitle(tr("Settings"));
    m_subjects->setAccessibleName(tr("Subjects"));
    for (std::size_t i = 0; i < m_titles.size(); ++i) {
        m_subjects->item(static_cast<int>(i))->setText(m_titles[i]());
        m_pages->widget(static_cast<int>(i))->setAccessibleName(m_titles[i]());
    }
    m_subjects->setFixedWidth(m_subjects->sizeHintForColumn(0) + kBeside);
}

}  // namespace altiscope
