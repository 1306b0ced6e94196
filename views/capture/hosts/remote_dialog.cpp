#include "views/capture/hosts/remote_dialog.h"

#include "core/base/values/parse.h"
#include "core/capture/targets/ssh_hosts.h"
#include "core/remote/host_program.h"
#include "core/remote/remote_place.h"
#include "core/session/job_runner.h"
#include "views/capture/hosts/remote_opening.h"
#include "views/capture/runs/askpass_server.h"
#include "views/capture/support/host_texts.h"
#include "views/capture/support/tone_label.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

const QString kHostKey = u"remote/host"_s, kPathKey = u"remote/path"_s, kAddedHostsKey = u"capture/hosts"_s;
constexpr int kProgressSteps = 1000;
constexpr int kProgressMs = 100;

bool isHost(const QString& name) {
    const auto target = capture::parseTarget(name.toStdString());
    return target && !target->isLocal && target->runtime.empty();
}

}  // namespace

bool namesCaptureOnHost(const QString& text) {
    const auto place = remote::remotePlaceOf(text.toStdString());
    // An address that is wrong is one, too: the dialog says what is wrong with it.
    return place.failed() || (place.ok() && place.value().has_value());
}

RemoteDialog::RemoteDialog(const ViewMemory& memory, JobRunner& jobs, std::filesystem::path importCache,
                           QWidget* parent)
    : QDialog(parent), m_memory(memory), m_importCache(std::move(importCache)),
      m_hostReading(std::make_unique<JobSlot>(jobs)), m_askpass(new AskpassServer(this)), m_host(new QComboBox(this)),
      m_path(new QLineEdit(this)), m_ranks(new QLineEdit(this)),
      m_onlyFiles(new QCheckBox(tr("Fetch the &files only: nothing is put or run on the host"), this)),
      m_problem(new ToneLabel(IconTone::Error, this)), m_message(new QLabel(this)), m_progress(new QProgressBar(this)),
      m_open(nullptr), m_cancel(nullptr), m_timer(new QTimer(this)) {
    setWindowTitle(tr("Open a capture on a host"));
    auto* column = new QVBoxLayout(this);
    auto* rows = new QFormLayout;
    rows->addRow(tr("&Host"), m_host);
    rows->addRow(tr("&Path"), m_path);
    rows->addRow(tr("&Ranks"), m_ranks);
    column->addLayout(rows);
    column->addWidget(m_onlyFiles);
    column->addWidget(m_problem);
    column->addWidget(m_message);
    column->addWidget(m_progress);
    column->addStretch(1);
    m_host->setEditable(true);
    m_host->setInsertPolicy(QComboBox::NoInsert);
    m_host->lineEdit()->setPlaceholderText(tr("a name that ssh knows, or user@host:port"));
    m_path->setPlaceholderText(tr("folder or file there; a relative one counts from the home"));
    m_ranks->setPlaceholderText(tr("all, or as in 0,2,4-7"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_progress->setRange(0, kProgressSteps);
    m_progress->setAccessibleName(tr("Progress"));
    auto* buttons = new QDialogButtonBox(this);
    m_open = buttons->addButton(tr("&Open"), QDialogButtonBox::AcceptRole);
    m_cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    m_open->setIcon(themedIcon(u"open_folder"_s));
    m_open->setDefault(true);
    column->addWidget(buttons);
    QStringList hosts;
    for (const QString& name : m_memory.value(kAddedHostsKey).toStringList())
        if (isHost(name)) hosts << name;
    m_host->addItems(hosts);
    m_host->setCurrentText(m_memory.value(kHostKey).toString());
    m_path->setText(m_memory.value(kPathKey).toString());
    m_hostReading->start([](const CancelToken&) { return capture::userSshHosts(); },
                         [this](const std::vector<std::string>& names) {
                             const QString typed = m_host->currentText();
                             for (const std::string& name : names)
                                 if (m_host->findText(toQString(name)) < 0) m_host->addItem(toQString(name));
                             m_host->setCurrentText(typed);
                         });
    m_timer->setInterval(kProgressMs);
    connect(m_timer, &QTimer::timeout, this, &RemoteDialog::showProgress);
    connect(m_host, &QComboBox::editTextChanged, this, &RemoteDialog::showState);
    connect(m_path, &QLineEdit::textChanged, this, &RemoteDialog::showState);
    connect(m_open, &QPushButton::clicked, this, &RemoteDialog::begin);
    connect(buttons, &QDialogButtonBox::rejected, this, &RemoteDialog::reject);
    m_problem->hide();
    resize(fontMetrics().averageCharWidth() * 80, sizeHint().height());
    showState();
}

RemoteDialog::~RemoteDialog() = default;

QString RemoteDialog::place() const {
    const QString host = m_host->currentText().trimmed(), path = m_path->text().trimmed();
    const auto target = capture::parseTarget(host.toStdString());
    if (!target || target->port.empty()) return host + u':' + path;
    // Only this form has a port; a path from the home begins with "~".
    QString encoded = QString::fromLatin1(path.toUtf8().toPercentEncoding("/~"));
    if (!encoded.startsWith(u'/')) encoded.prepend(encoded.startsWith(u"~/"_s) ? u"/"_s : u"/~/"_s);
    return u"ssh://"_s + host + encoded;
}

void RemoteDialog::start(const QString& place) {
    if (m_opening) return;
    const auto parsed = remote::parseRemotePlace(place.toStdString());
    if (!parsed.ok() || !parsed.value())
        return showProblem(parsed.failed() ? hostSentence(parsed.error())
                                           : tr("\"%1\" names no capture on a host.").arg(place));
    const remote::RemotePlace& found = *parsed.value();
    const QString destination = toQString(found.target.destination);
    m_host->setCurrentText(toQString(found.target.name).isEmpty() ? destination : toQString(found.target.name));
    m_path->setText(toQString(found.path));
    begin();
}

void RemoteDialog::begin() {
    if (m_opening) return;
    m_problem->hide();
    m_opened = place();
    const auto parsed = remote::parseRemotePlace(m_opened.toStdString());
    if (!parsed.ok() || !parsed.value())
        return showProblem(parsed.failed() ? hostSentence(parsed.error())
                                           : tr("\"%1\" names no capture on a host.").arg(m_opened));
    const QString ranks = m_ranks->text().trimmed();
    auto numbers = numbersOf(ranks.toStdString());
    if (!numbers) return showProblem(tr("Ranks are numbers as in 0,2,4-7."));
    m_memory.setValue(kHostKey, m_host->currentText().trimmed());
    m_memory.setValue(kPathKey, m_path->text().trimmed());
    remote::RemoteRequest request{.place = *parsed.value(),
                                  .onlyFiles = m_onlyFiles->isChecked(),
                                  .importCache = m_importCache,
                                  .programFolders = remote::standardProgramFolders(),
                                  .askpass = m_askpass->askpass(),
                                  .agrees = {}};
    if (!numbers->empty()) request.ranks = std::move(*numbers);
    m_opening = std::make_unique<RemoteOpening>(std::move(request));
    connect(m_opening.get(), &RemoteOpening::message, m_message, &QLabel::setText);
    connect(m_opening.get(), &RemoteOpening::consentNeeded, this, &RemoteDialog::requestConsent);
    connect(m_opening.get(), &RemoteOpening::failed, this, [this](const Error& error) {
        end();
        showProblem(hostSentence(error));
    });
    connect(m_opening.get(), &RemoteOpening::cancelled, this, &RemoteDialog::end);
    connect(m_opening.get(), &RemoteOpening::opened, this, [this](const QString& path) {
        end();
        emit openRequested(path, m_opened);
        accept();
    });
    m_message->setText(tr("Looking at the host…"));
    m_timer->start();
    showState();
}

void RemoteDialog::end() {
    m_timer->stop();
    // It is the sender of the signal that leads here.
    if (m_opening) m_opening.release()->deleteLater();
    m_message->clear();
    showState();
}

void RemoteDialog::reject() {
    if (!m_opening) return QDialog::reject();
    m_message->setText(tr("Cancelling…"));
    m_cancel->setEnabled(false);
    m_opening->cancel();
}

void RemoteDialog::showState() {
    const bool isBusy = m_opening != nullptr;
    for (QWidget* input : {static_cast<QWidget*>(m_host), static_cast<QWidget*>(m_path), static_cast<QWidget*>(m_ranks),
                           static_cast<QWidget*>(m_onlyFiles)})
        input->setEnabled(!isBusy);
    m_open->setEnabled(!isBusy && isHost(m_host->currentText().trimmed()) && !m_path->text().trimmed().isEmpty());
    m_cancel->setEnabled(true);
    m_progress->setVisible(isBusy);
    m_message->setVisible(isBusy);
}

void RemoteDialog::showProgress() {
    if (!m_opening) return;
    const ProgressValue value = m_opening->progress();
    // Nothing is known yet: the bar says that something goes on.
    m_progress->setRange(0, value.total == 0 ? 0 : kProgressSteps);
    if (value.total == 0) return;
    m_progress->setValue(
        static_cast<int>(kProgressSteps * static_cast<double>(value.done) / static_cast<double>(value.total)));
}

void RemoteDialog::showProblem(const QString& text) {
    m_problem->setText(text);
    m_problem->show();
}

void RemoteDialog::requestConsent(const remote::ConsentRequest& request) {
    using Kind = remote::ConsentRequest::Kind;
    const QString host = hostText(request.host), source = hostText(request.source);
    const QString amount = withCount(tr("%n file(s), %1", nullptr, pluralCount(request.files)), request.files)
                               .arg(formatBytes(request.bytes));
    const QString pack = withCount(tr("A pack of %1 (%2) is made in %3 there, on %n core(s) at the lowest priority.",
                                      nullptr, pluralCount(request.cores)),
                                   request.cores)
                             .arg(source, amount, hostText(request.packs));
    QString title, text;
    switch (request.kind) {
    case Kind::RunProgram:
        title = tr("Run altiscope-cli on %1?").arg(host);
        text = tr("%1 is run there. %2").arg(hostText(request.program), pack);
        break;
    case Kind::PutProgram:
        title = tr("Put altiscope-cli on %1 and run it?").arg(host);
        text = tr("altiscope-cli (%1) is put into %2. %3")
                   .arg(formatBytes(request.programBytes), hostText(request.program), pack);
        break;
    case Kind::FetchFiles:
        title = tr("Fetch the files from %1?").arg(host);
        text = tr("The files of %1 are fetched: %2. Nothing is put or run on the host.").arg(source, amount);
        break;
    }
    if (request.kind != Kind::FetchFiles)
        text += u'\n' + tr("This holds for the host until \"altiscope-cli remote remove %1\".").arg(host);
    auto* box = new QMessageBox(QMessageBox::Question, windowTitle(), title, QMessageBox::NoButton, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(text);
    auto* yes = box->addButton(tr("&Yes"), QMessageBox::YesRole);
    auto* no = box->addButton(tr("&No"), QMessageBox::NoRole);
    box->setDefaultButton(no);
    box->setEscapeButton(no);
    connect(box, &QDialog::finished, this, [this, box, yes] {
        if (m_opening) m_opening->decide(box->clickedButton() == yes);
    });
    connect(m_opening.get(), &QObject::destroyed, box, &QWidget::close);
    box->open();
}

}  // namespace altiscope
