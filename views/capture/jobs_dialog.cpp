#include "views/capture/jobs_dialog.h"

#include "views/capture/support/host_texts.h"
#include "views/capture/support/method_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/row_copy.h"
#include "views/common/theme/icons.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Commands are long, and are elided; so are folders.
constexpr int kFolderEm = 28;
constexpr int kTipLetters = 2000;

QTreeWidget* makeJobTable(const QStringList& heads, QWidget* parent) {
    auto* table = new QTreeWidget(parent);
    table->setHeaderLabels(heads);
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    table->setAllColumnsShowFocus(true);
    copyRowsByKey(*table);
    table->setTabKeyNavigation(false);
    return table;
}

QString frameworkTitle(const std::string& framework) {
    if (framework == "torch") return u"PyTorch"_s;
    return framework == "mindspore" ? u"MindSpore"_s : QString();
}

QString rankTitle(const capture::RunningJob& job) {
    if (!job.rank) return {};
    const QString rank = QString::number(*job.rank);
    return job.ranks ? JobsDialog::tr("%1 of %2").arg(rank, QString::number(*job.ranks)) : rank;
}

/// Values for the form.
QString inputText(const capture::JobMethod& one) {
    QStringList parts;
    if (!one.file.empty()) parts << JobsDialog::tr("Configuration: %1").arg(hostText(one.file));
    for (const auto& [name, value] : one.assignments) parts << toQString(name) + u" = "_s + toQString(value);
    return parts.join(u", "_s);
}

JobsDialog::JobRow rowOf(const std::string& target, const capture::RunningJob& job) {
    const QString command = hostText(capture::shortCommandText(job));
    // The folder of the interpreter matters to nobody.
    const qsizetype program = command.left(command.indexOf(u' ')).lastIndexOf(u'/') + 1;
    QString place = targetTitle(target);
    if (!job.container.runtime.empty())
        place += u'/' + toQString(job.container.runtime) + u':' + toQString(job.container.name);
    JobsDialog::JobRow row{target,
                           job,
                           {place, rankTitle(job), QString::number(job.process), hostText(job.user),
                            frameworkTitle(job.framework), hostText(job.workdir), command.mid(program)},
                           plainTip(hostText(job.workdir)),
                           plainTip(hostText(capture::commandText(job)).left(kTipLetters)),
                           {}};
    auto methods = capture::methodsFor(target, job);
    for (capture::JobMethod& one : methods) {
        if (one.method->trigger == capture::Trigger::Launch) continue;
        const QStringList texts{methodTitle(*one.method) + u"  ("_s + toQString(one.method->name) + u')',
                                one.isPossible() ? inputText(one) : hostSentence(one.reason)};
        row.methods.push_back({std::move(one), texts, {plainTip(texts[0]), plainTip(texts[1])}});
    }
    return row;
}

}  // namespace

JobsDialog::JobsDialog(JobRunner& jobs, std::string preferred, QWidget* parent)
    : QDialog(parent), m_looking(jobs), m_preferred(std::move(preferred)), m_summary(new QLabel(this)),
      m_others(new QLabel(this)), m_use(new QPushButton(tr("&Use"), this)),
      m_again(new QPushButton(tr("Search &again"), this)) {
    setWindowTitle(tr("Running jobs"));
    setUpTables();
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_others->setWordWrap(true);
    m_others->setText(tr("The other methods act only when a job starts."));
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_summary);
    column->addWidget(m_table, 1);
    column->addWidget(m_methodTable, 1);
    column->addWidget(m_others);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_use, QDialogButtonBox::AcceptRole);
    buttons->addButton(m_again, QDialogButtonBox::ActionRole);
    m_use->setDefault(true);
    m_use->setToolTip(tr("Puts the method with this job into the form; nothing is started"));
    m_again->setIcon(themedIcon(u"reload"_s));
    buttons->button(QDialogButtonBox::Close)->setText(tr("C&lose"));
    buttons->button(QDialogButtonBox::Close)->setIcon(themedIcon(u"close"_s));
    column->addWidget(buttons);
    connect(m_again, &QPushButton::clicked, this, &JobsDialog::againRequested);
    connect(buttons, &QDialogButtonBox::accepted, this, &JobsDialog::take);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(fontMetrics().averageCharWidth() * 150, fontMetrics().height() * 30);
    showUse();
}

void JobsDialog::setUpTables() {
    m_table = makeJobTable(
        {tr("Target"), tr("Rank"), tr("Process"), tr("User"), tr("Framework"), tr("Working directory"), tr("Command")},
        this);
    m_table->setAccessibleName(tr("Running jobs"));
    m_methodTable = makeJobTable({tr("Method"), tr("Input, or why it cannot")}, this);
    m_methodTable->setAccessibleName(tr("Methods for this job"));
    m_methodTable->setUniformRowHeights(false);
    m_methodTable->setWordWrap(true);
    connect(m_table, &QTreeWidget::currentItemChanged, this, &JobsDialog::showMethods);
    connect(m_methodTable, &QTreeWidget::currentItemChanged, this, &JobsDialog::showUse);
    // Enter and a double click do what the button does.
    connect(m_methodTable, &QTreeWidget::itemActivated, this, &JobsDialog::take);
}

void JobsDialog::look(const std::vector<std::string>& targets, const capture::Askpass& askpass) {
    m_summary->setText(tr("Looking for running jobs; nothing is changed there…"));
    for (QWidget* part : {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_methodTable)})
        part->setEnabled(false);
    m_again->setEnabled(false);
    m_use->setEnabled(false);
    m_looking.start(
        [targets, askpass](const CancelToken& cancel) {
            std::vector<capture::Target> parsed;
            for (const std::string& name : targets) {
                if (auto target = capture::parseTarget(name)) parsed.push_back(std::move(*target));
            }
            return rowsOf(targets, capture::jobsOn(
                                       parsed, [cancel] { return cancel.cancelled(); }, askpass));
        },
        [this](Rows rows) { showRows(std::move(rows)); });
}

JobsDialog::Rows JobsDialog::rowsOf(const std::vector<std::string>& targets,
                                    const std::vector<Result<capture::RunningJobs>>& found) {
    Rows rows;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].failed()) rows.notes << hostSentence(found[i].error());
        if (!found[i].ok()) continue;
        const capture::RunningJobs& jobs = found[i].value();
        if (jobs.unseen > 0)
            rows.notes << hostSentence(
                {"capture.job.unseen", {}, {}, {{"host", targets[i]}, {"count", std::to_string(jobs.unseen)}}});
        if (jobs.closed > 0)
            rows.notes << hostSentence(
                {"capture.job.closed", {}, {}, {{"host", targets[i]}, {"count", std::to_string(jobs.closed)}}});
        if (jobs.jobs.empty()) rows.notes << hostSentence({"capture.job.none", {}, {}, {{"host", targets[i]}}});
        for (const capture::RunningJob& job : jobs.jobs) rows.jobs.push_back(rowOf(targets[i], job));
    }
    if (!rows.jobs.empty())
        rows.notes.prepend(tr("%n running job(s) found.", nullptr, static_cast<int>(rows.jobs.size())));
    return rows;
}

void JobsDialog::showRows(Rows rows) {
    m_table->clear();
    m_found = std::move(rows.jobs);
    QList<QTreeWidgetItem*> items;
    for (const JobRow& row : m_found) {
        items << new QTreeWidgetItem(row.texts);
        items.back()->setToolTip(5, row.folderTip);
        items.back()->setToolTip(6, row.commandTip);
    }
    m_table->addTopLevelItems(items);
    for (int i = 0; i < 5; ++i) m_table->resizeColumnToContents(i);
    m_table->header()->resizeSection(5, fontMetrics().averageCharWidth() * kFolderEm);
    m_summary->setText(rows.notes.join(u'\n'));
    for (QWidget* part : {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_methodTable)}) part->setEnabled(true);
    m_again->setEnabled(true);
    if (!m_found.empty()) m_table->setCurrentItem(m_table->topLevelItem(0));
    showMethods();
    (m_found.empty() ? static_cast<QWidget*>(m_again) : m_table)->setFocus();
}

const JobsDialog::JobRow* JobsDialog::currentJob() const {
    const int row = m_table->indexOfTopLevelItem(m_table->currentItem());
    return row < 0 || static_cast<std::size_t>(row) >= m_found.size() ? nullptr
                                                                      : &m_found[static_cast<std::size_t>(row)];
}

void JobsDialog::showMethods() {
    m_methodTable->clear();
    const JobRow* job = currentJob();
    if (job == nullptr) return showUse();
    for (const JobRow::MethodRow& one : job->methods) {
        auto* line = new QTreeWidgetItem(m_methodTable, one.texts);
        line->setIcon(0, one.method.isPossible() ? themedIcon(u"ok"_s, IconTone::Ok)
                                                 : themedIcon(u"stopped"_s, IconTone::Muted));
        for (int i = 0; i < 2; ++i) line->setToolTip(i, one.tips[i]);
    }
    m_methodTable->resizeColumnToContents(0);
    const auto choose = [this, job](auto fits) {
        const auto found = std::find_if(job->methods.begin(), job->methods.end(), fits);
        if (found == job->methods.end()) return false;
        m_methodTable->setCurrentItem(m_methodTable->topLevelItem(static_cast<int>(found - job->methods.begin())));
        return true;
    };
    const auto isPossible = [](const JobRow::MethodRow& one) { return one.method.isPossible(); };
    if (!choose([&](const auto& one) { return isPossible(one) && one.method.method->name == m_preferred; }))
        choose(isPossible);
    showUse();
}

void JobsDialog::showUse() {
    const JobRow* job = currentJob();
    const int row = m_methodTable->indexOfTopLevelItem(m_methodTable->currentItem());
    m_use->setEnabled(!busy() && job != nullptr && row >= 0 &&
                      job->methods[static_cast<std::size_t>(row)].method.isPossible());
}

void JobsDialog::take() {
    const int row = m_methodTable->indexOfTopLevelItem(m_methodTable->currentItem());
    const JobRow* job = currentJob();
    if (!m_use->isEnabled() || row < 0 || job == nullptr) return;
    const capture::JobMethod& method = job->methods[static_cast<std::size_t>(row)].method;
    JobsDialog::Choice choice{capture::startTarget(job->target, job->job), job->job.workdir, method, {}};
    for (const JobRow& other : m_found) {
        const auto same = [&method](const JobRow::MethodRow& one) {
            return one.method.method == method.method && one.method.isPossible() && one.method.file == method.file;
        };
        const std::string where = capture::startTarget(other.target, other.job);
        if (choice.targets.empty() || choice.targets.back() != where) {
            if (std::any_of(other.methods.begin(), other.methods.end(), same)) choice.targets.push_back(where);
        }
    }
    emit chosen(choice);
    accept();
}

}  // namespace altiscope
