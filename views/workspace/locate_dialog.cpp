#include "views/workspace/locate_dialog.h"

#include "core/session/workspace/capture_identity.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// After so long without a key the data is looked at.
constexpr int kLookAfterMs = 300;

}  // namespace

LocateDialog::LocateDialog(JobRunner& jobs, const QString& missing, const std::string& identity, int others,
                           QWidget* parent)
    : QDialog(parent), m_identity(identity), m_check(jobs), m_path(new QLineEdit(this)), m_state(new QLabel(this)) {
    setWindowTitle(tr("Where is the data?"));
    auto* column = new QVBoxLayout(this);
    const auto text = [this, column](const QString& words) {
        auto* label = new QLabel(words, this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
        return label;
    };
    text(tr("The workspace uses this capture, which was not found:"));
    QFont bold = font();
    bold.setBold(true);
    text(missing)->setFont(bold);
    if (others > 0) text(tr("%n more were not found either; those near it are found with it.", nullptr, others));
    auto* label = new QLabel(tr("New locat&ion (folder, file or archive):"), this);
    label->setBuddy(m_path);
    column->addSpacing(8);
    column->addWidget(label);
    auto* row = new QHBoxLayout;
    auto* browse = new QToolButton(this);
    browse->setIcon(themedIcon(u"open_folder"_s));
    browse->setText(tr("&Browse…"));
    browse->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    row->addWidget(m_path, 1);
    row->addWidget(browse);
    column->addLayout(row);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    column->addWidget(m_state);
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(this);
    m_open = buttons->addButton(tr("&Open"), QDialogButtonBox::AcceptRole);
    auto* without = buttons->addButton(tr("Open &without it"), QDialogButtonBox::RejectRole);
    without->setAutoDefault(false);
    column->addWidget(buttons);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kLookAfterMs);
    connect(&m_pause, &QTimer::timeout, this, &LocateDialog::look);
    connect(m_path, &QLineEdit::textChanged, this, [this] {
        m_check.cancel();
        show(Found::Nothing);
        m_pause.start();
    });
    connect(browse, &QToolButton::clicked, this, [this, missing] {
        const QString from = path().isEmpty() ? QFileInfo(missing).absolutePath() : path();
        const QString folder = QFileDialog::getExistingDirectory(this, windowTitle(), from);
        if (!folder.isEmpty()) setPath(folder);
    });
    connect(m_open, &QPushButton::clicked, this, &QDialog::accept);
    connect(without, &QPushButton::clicked, this, &QDialog::reject);
    show(Found::Nothing);
    m_path->setFocus();
    resize(fontMetrics().averageCharWidth() * 80, sizeHint().height());
}

QString LocateDialog::path() const {
    const QString written = m_path->text().trimmed();
    return written.isEmpty() ? QString() : QDir::cleanPath(QFileInfo(written).absoluteFilePath());
}

void LocateDialog::setPath(const QString& path) { m_path->setText(path); }

void LocateDialog::look() {
    const QString place = path();
    if (place.isEmpty()) return show(Found::Nothing);
    show(Found::Unchecked);
    m_check.start(
        [place, identity = m_identity](const CancelToken& cancel) {
            if (!QFileInfo::exists(place)) return Found::NotThere;
            if (identity.empty()) return Found::Unchecked;
            const auto found = identifyCapture(std::filesystem::path(place.toStdU16String()), cancel);
            return found.ok() && found.value() == identity ? Found::Same : Found::Other;
        },
        [this](Found found) { show(found); });
}

void LocateDialog::show(Found found) {
    m_found = found;
    const bool isBeingChecked = found == Found::Unchecked && m_check.busy();
    QPalette look = palette();
    if (found == Found::NotThere) look.setColor(QPalette::WindowText, themeOf(palette()).error);
    m_state->setPalette(look);
    m_state->setText(found == Found::NotThere ? tr("No such file or folder.")
                     : found == Found::Same   ? tr("The same data: its checksum matches the workspace.")
                     : found == Found::Other
                         ? tr("Different data: its checksum does not match the workspace. Times and slices may differ.")
                     : isBeingChecked ? tr("Checking…")
                                      : QString());
    m_open->setEnabled(!path().isEmpty() && found != Found::NotThere);
}

}  // namespace altiscope
