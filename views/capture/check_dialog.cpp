#include "views/capture/check_dialog.h"

#include "views/capture/support/host_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/row_copy.h"
#include "views/common/theme/icons.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

using capture::Check;

enum CheckColumn { kTargetColumn, kNameColumn, kFoundColumn, kCheckColumns };

QString checkIcon(Check::State state) {
    switch (state) {
    case Check::State::Good: return u"ok"_s;
    case Check::State::Warning: return u"warning"_s;
    case Check::State::Failed: return u"error"_s;
    }
    return {};
}

IconTone checkTone(Check::State state) {
    switch (state) {
    case Check::State::Good: return IconTone::Ok;
    case Check::State::Warning: return IconTone::Warning;
    case Check::State::Failed: return IconTone::Error;
    }
    return IconTone::Text;
}

QString foundText(const Check& check) {
    if (!check.problem.code.empty()) return hostSentence(check.problem);
    return check.detail.empty() ? CheckDialog::tr("good") : hostText(check.detail);
}

}  // namespace

QString checkTitle(const std::string& name) {
    if (name == "reach") return CheckDialog::tr("Connection");
    if (name == "tools") return CheckDialog::tr("Tools of the system");
    if (name == "workdir") return CheckDialog::tr("Working directory");
    if (name == "results") return CheckDialog::tr("Folder for results");
    if (name == "space") return CheckDialog::tr("Free space");
    if (name == "size") return CheckDialog::tr("Expected size");
    if (name == "state") return CheckDialog::tr("Folder for the job's output");
    if (name == "program") return CheckDialog::tr("Program");
    if (name == "config") return CheckDialog::tr("Configuration");
    if (name == "clock") return CheckDialog::tr("Clock, difference");
    if (name == "rsync") return CheckDialog::tr("rsync");
    if (name == "cann") return CheckDialog::tr("CANN");
    if (name == "watcher") return CheckDialog::tr("Running job");
    if (name == "daemon") return CheckDialog::tr("msMonitor");
    if (name == "settings") return CheckDialog::tr("Settings");
    if (name == "environment") return CheckDialog::tr("Environment");
    if (name == "pid") return CheckDialog::tr("Process");
    if (name == "options") return CheckDialog::tr("Options");
    if (name == "steps") return CheckDialog::tr("Steps");
    if (name == "start") return CheckDialog::tr("Start");
    return toQString(name);
}

CheckDialog::CheckDialog(JobRunner& jobs, QWidget* parent)
    : QDialog(parent), m_looking(jobs), m_summary(new QLabel(this)), m_table(new QTreeWidget(this)),
      m_again(new QPushButton(tr("Check &again"), this)) {
    setWindowTitle(tr("Checks of the targets"));
    auto* column = new QVBoxLayout(this);
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    column->addWidget(m_summary);
    m_table->setColumnCount(kCheckColumns);
    m_table->setHeaderLabels({tr("Target"), tr("Check"), tr("Result or remedy")});
    m_table->setRootIsDecorated(false);
    m_table->setWordWrap(true);
    m_table->setAllColumnsShowFocus(true);
    copyRowsByKey(*m_table);
    m_table->setTabKeyNavigation(false);
    m_table->setAccessibleName(tr("Checks"));
    m_table->header()->setSectionResizeMode(kTargetColumn, QHeaderView::ResizeToContents);
    m_table->header()->setSectionResizeMode(kNameColumn, QHeaderView::ResizeToContents);
    m_table->header()->setSectionResizeMode(kFoundColumn, QHeaderView::Stretch);
    column->addWidget(m_table, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_again, QDialogButtonBox::ActionRole);
    auto* copyButton = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    m_again->setIcon(themedIcon(u"reload"_s));
    copyButton->setIcon(themedIcon(u"copy"_s));
    buttons->button(QDialogButtonBox::Close)->setText(tr("C&lose"));
    buttons->button(QDialogButtonBox::Close)->setIcon(themedIcon(u"close"_s));
    column->addWidget(buttons);
    connect(m_again, &QPushButton::clicked, this, &CheckDialog::againRequested);
    connect(copyButton, &QPushButton::clicked, this, &CheckDialog::copy);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(fontMetrics().averageCharWidth() * 110, fontMetrics().height() * 24);
}

void CheckDialog::look(const capture::RecordStore& store, const capture::StartRequest& request,
                       const capture::Askpass& askpass) {
    m_summary->setText(tr("Checking each target; nothing is changed there…"));
    m_table->setEnabled(false);
    m_again->setEnabled(false);
    m_looking.start(
        [store, request, askpass](const CancelToken& cancel) {
            capture::CaptureRun run(
                store, {}, [cancel] { return cancel.cancelled(); }, askpass);
            capture::SettingProblems problems;
            return run.check(request, problems);
        },
        [this](const Result<std::vector<capture::TargetChecks>>& checked) {
            if (checked.ok()) showChecks(checked.value());
            else if (checked.failed()) showFailure(checked.error());
        });
}

void CheckDialog::showChecks(const std::vector<capture::TargetChecks>& targets) {
    m_table->clear();
    int failed = 0, warned = 0;
    for (const capture::TargetChecks& target : targets) {
        const QString host = targetTitle(target.name);
        for (const Check& check : target.checks) {
            auto* row = new QTreeWidgetItem(m_table, {host, checkTitle(check.name), foundText(check)});
            row->setIcon(kNameColumn, themedIcon(checkIcon(check.state), checkTone(check.state)));
            row->setToolTip(kFoundColumn, plainTip(row->text(kFoundColumn)));
            failed += check.state == Check::State::Failed ? 1 : 0;
            warned += check.state == Check::State::Warning ? 1 : 0;
        }
    }
    if (failed > 0) m_summary->setText(tr("%n check(s) failed; correct that first.", nullptr, failed));
    else if (warned > 0) m_summary->setText(tr("The capture can be started; %n note(s).", nullptr, warned));
    else m_summary->setText(tr("The capture can be started."));
    m_table->setEnabled(true);
    m_again->setEnabled(true);
    if (m_table->topLevelItemCount() > 0) m_table->setCurrentItem(m_table->topLevelItem(0));
}

void CheckDialog::showFailure(const Error& error) {
    m_table->clear();
    m_summary->setText(hostSentence(error));
    m_table->setEnabled(true);
    m_again->setEnabled(true);
}

void CheckDialog::copy() const {
    QString text = m_summary->text() + u'\n';
    for (int i = 0; i < m_table->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* row = m_table->topLevelItem(i);
        text += row->text(kTargetColumn) + u'\t' + row->text(kNameColumn) + u'\t' + row->text(kFoundColumn) + u'\n';
    }
    QApplication::clipboard()->setText(text);
}

}  // namespace altiscope
