#include "views/capture/form/job_form.h"

#include "views/capture/form/form_state.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"

#include <QEvent>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

namespace altiscope {

using namespace Qt::StringLiterals;

JobForm::JobForm(const ViewMemory& memory, QWidget* parent) : QWidget(parent), m_memory(memory) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(8, 4, 8, 4);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    for (int i = 0; i < kParts; ++i) {
        Row& row = m_rows[i];
        row.name = new QLabel(this);
        row.line = new QLineEdit(this);
        row.line->setMinimumWidth(fontMetrics().averageCharWidth() * 12);
        row.name->setBuddy(row.line);
        grid->addWidget(row.name, i, 0);
        grid->addWidget(row.line, i, 1);
        connect(row.line, &QLineEdit::textEdited, this, &JobForm::take);
        if (i == Launch) continue;
        row.browse = new QToolButton(this);
        row.browse->setIcon(themedIcon(i == File ? u"open_file"_s : u"open_folder"_s));
        row.browse->setAutoRaise(true);
        row.browse->setFocusPolicy(Qt::StrongFocus);
        grid->addWidget(row.browse, i, 2);
        connect(row.browse, &QToolButton::clicked, this, [this, part = static_cast<Part>(i)] { browse(part); });
    }
    // Made last: the order of Tab is that of the rows.
    m_find = new QPushButton(this);
    m_find->setIcon(themedIcon(u"search"_s));
    grid->addWidget(m_find, kParts, 1, Qt::AlignLeft);
    connect(m_find, &QPushButton::clicked, this, &JobForm::jobsRequested);
    retranslate();
}

QString JobForm::key() const { return u"capture/job/"_s + toQString(m_method->name); }

void JobForm::setMethod(const capture::Method& method) {
    m_method = &method;
    const QStringList remembered = m_memory.value(key()).toStringList();
    for (int i = 0; i < kParts; ++i) m_rows[i].line->setText(remembered.value(i));
    showRows();
    retranslate();
}

void JobForm::setLocal(bool local) {
    m_isLocal = local;
    showRows();
}

void JobForm::showRows() {
    if (m_method == nullptr) return;
    const bool shown[] = {takesFile(*m_method), true, takesLaunch(*m_method), true};
    m_find->setVisible(actsOnRunningJobs(*m_method));
    for (int i = 0; i < kParts; ++i) {
        m_rows[i].name->setVisible(shown[i]);
        m_rows[i].line->setVisible(shown[i]);
        if (m_rows[i].browse != nullptr) m_rows[i].browse->setVisible(shown[i] && m_isLocal);
    }
}

std::string JobForm::file() const {
    return m_method != nullptr && takesFile(*m_method) ? m_rows[File].line->text().trimmed().toStdString()
                                                       : std::string();
}
std::string JobForm::workdir() const { return m_rows[Workdir].line->text().trimmed().toStdString(); }
std::string JobForm::launch() const {
    return m_method != nullptr && takesLaunch(*m_method) ? m_rows[Launch].line->text().toStdString() : std::string();
}
std::string JobForm::results() const { return m_rows[Results].line->text().trimmed().toStdString(); }

void JobForm::fill(const std::string& file, const std::string& workdir, const std::string& launch,
                   const std::string& results) {
    const std::string* texts[] = {&file, &workdir, &launch, &results};
    for (int i = 0; i < kParts; ++i) m_rows[i].line->setText(toQString(*texts[i]));
    take();
}

void JobForm::browse(Part part) {
    const QString at = m_rows[part].line->text();
    const QString chosen = part == File ? QFileDialog::getOpenFileName(this, tr("Choose the configuration"), at)
                                        : QFileDialog::getExistingDirectory(this, tr("Choose a folder"), at);
    if (chosen.isEmpty()) return;
    m_rows[part].line->setText(chosen);
    take();
}

void JobForm::take() {
    QStringList texts;
    for (const Row& row : m_rows) texts << row.line->text();
    m_memory.setValue(key(), texts);
    emit changed();
}

void JobForm::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void JobForm::retranslate() {
    m_rows[File].name->setText(tr("Configurat&ion file"));
    m_rows[Workdir].name->setText(tr("Wor&king directory"));
    m_rows[Launch].name->setText(tr("&Launch command"));
    m_rows[Results].name->setText(tr("Folder for res&ults"));
    m_find->setText(tr("Find running &jobs…"));
    m_find->setToolTip(tr("Shows the jobs running on the targets, and fills in what a method needs to record one"));
    m_rows[File].line->setPlaceholderText(tr("path on the target"));
    m_rows[Workdir].line->setPlaceholderText(tr("start directory of commands on the target"));
    const bool isNeeded = m_method != nullptr && needsLaunch(*m_method);
    m_rows[Launch].line->setPlaceholderText(isNeeded ? tr("for example: python3 train.py")
                                                     : tr("empty: the job runs already, or you start it"));
    m_rows[Results].line->setPlaceholderText(tr("from the settings"));
    m_rows[Launch].line->setToolTip(
        tr("Run by sh in the working directory. Options replace \"$@\", or else are appended."));
    for (const Row& row : m_rows) {
        if (row.browse == nullptr) continue;
        row.browse->setToolTip(tr("Choose…"));
        row.browse->setAccessibleName(tr("Choose: %1").arg(row.name->text().remove(u'&')));
    }
}

}  // namespace altiscope
