#include "views/overview/dialogs/deliverables_dialog.h"

#include "core/session/session.h"
#include "views/common/support/formatters.h"
#include "views/overview/facts/capture_texts.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

DeliverablesDialog::DeliverablesDialog(const QString& name, const QString& path, QWidget* parent)
    : QDialog(parent), m_path(path), m_text(new QCheckBox(tr("&Text (CSV and JSON)"), this)),
      m_databases(new QCheckBox(tr("&Databases (SQLite)"), this)), m_folder(new QLineEdit(this)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Cancel, this)) {
    setWindowTitle(tr("Write deliverables"));
    auto* title = new QLabel(name, this);
    title->setTextFormat(Qt::PlainText);
    auto* what =
        new QLabel(tr("The same files as the profiler's own analysis of raw data writes, for each capture."), this);
    what->setWordWrap(true);
    m_text->setChecked(true);
    // A name that begins as those of profilers do would make a folder of one, which is never written to.
    const QFileInfo file(path);
    m_folder->setText(QDir::toNativeSeparators(file.dir().filePath(u"analysed_"_s + file.fileName())));
    m_folder->setMinimumWidth(fontMetrics().averageCharWidth() * 50);
    auto* browse = new QPushButton(tr("&Choose…"), this);
    auto* row = new QHBoxLayout;
    row->addWidget(m_folder);
    row->addWidget(browse);
    auto* form = new QFormLayout;
    form->addRow(tr("&Folder, new or empty:"), row);
    auto* write = m_buttons->addButton(tr("&Write"), QDialogButtonBox::AcceptRole);
    write->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    for (QWidget* one : std::initializer_list<QWidget*>{title, what, m_text, m_databases}) layout->addWidget(one);
    layout->addLayout(form);
    layout->addWidget(m_buttons);

    connect(browse, &QPushButton::clicked, this, &DeliverablesDialog::chooseFolder);
    for (QCheckBox* box : {m_text, m_databases}) connect(box, &QCheckBox::toggled, this, &DeliverablesDialog::refresh);
    connect(m_folder, &QLineEdit::textChanged, this, &DeliverablesDialog::refresh);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    refresh();
}

RawAnalysisOptions DeliverablesDialog::options() const {
    RawAnalysisOptions options;
    options.raw = QFile::encodeName(m_path).toStdString();
    options.out = QFile::encodeName(QDir::fromNativeSeparators(m_folder->text().trimmed())).toStdString();
    options.writesText = m_text->isChecked();
    options.writesDatabases = m_databases->isChecked();
    return options;
}

void DeliverablesDialog::chooseFolder() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder for deliverables"), QFileInfo(m_path).path());
    if (!folder.isEmpty()) m_folder->setText(QDir::toNativeSeparators(folder));
}

void DeliverablesDialog::refresh() {
    // A relative name would be looked for where the program was started.
    const bool hasFolder = QDir::isAbsolutePath(QDir::fromNativeSeparators(m_folder->text().trimmed()));
    const bool hasType = m_text->isChecked() || m_databases->isChecked();
    for (QAbstractButton* button : m_buttons->buttons()) {
        if (m_buttons->buttonRole(button) == QDialogButtonBox::AcceptRole) button->setEnabled(hasFolder && hasType);
    }
}

QString deliverablesSentence(const RawAnalysisOutcome& outcome, const QString& folder) {
    if (outcome.cancelled) return {};
    const auto sentence = [](const Error& error) {
        return DeliverablesDialog::tr("Not written: %1").arg(errorSentence(error));
    };
    if (outcome.problem) return sentence(*outcome.problem);
    const std::vector<AnalysedCapture>& captures = outcome.analysis.captures;
    const auto count = [&captures](AnalysedCapture::State state) {
        return formatCount(static_cast<std::uint64_t>(
            std::count_if(captures.begin(), captures.end(), [state](const auto& one) { return one.state == state; })));
    };
    const auto written = std::find_if(captures.begin(), captures.end(), [](const AnalysedCapture& one) {
        return one.state == AnalysedCapture::State::Done || one.state == AnalysedCapture::State::Partial;
    });
    if (written == captures.end() && !captures.empty() && captures.front().error)
        return sentence(*captures.front().error);
    if (outcome.analysis.isCancelled()) {
        return DeliverablesDialog::tr("Cancelled. Deliverables in %1: %2 complete, %3 with lost data, %4 failed; not "
                                      "written: %5")
            .arg(folder, count(AnalysedCapture::State::Done), count(AnalysedCapture::State::Partial),
                 count(AnalysedCapture::State::Failed), count(AnalysedCapture::State::Cancelled));
    }
    return DeliverablesDialog::tr("Deliverables in %1: %2 complete, %3 with lost data, %4 failed")
        .arg(folder, count(AnalysedCapture::State::Done), count(AnalysedCapture::State::Partial),
             count(AnalysedCapture::State::Failed));
}

void writeDeliverablesAs(Session& session, CaptureId capture, QWidget* parent,
                         std::function<void(const QString&)> say) {
    const OpenCapture* open = session.capture(capture);
    if (open == nullptr || open->store == nullptr || !holdsRawData(*open->store)) return;
    auto* dialog = new DeliverablesDialog(captureName(*open), open->path, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::accepted, parent, [&session, dialog, parent, say = std::move(say)] {
        const RawAnalysisOptions options = dialog->options();
        const QString folder = QFile::decodeName(options.out.c_str());
        startRawAnalysis(session, options,
                         [alive = QPointer<QWidget>(parent), folder, say](const RawAnalysisOutcome& outcome) {
                             const QString sentence = deliverablesSentence(outcome, folder);
                             if (alive && !sentence.isEmpty()) say(sentence);
                         });
    });
    dialog->open();
}

}  // namespace altiscope
