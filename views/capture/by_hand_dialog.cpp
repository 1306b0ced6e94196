#include "views/capture/by_hand_dialog.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace altiscope {

using namespace Qt::StringLiterals;

ByHandDialog::ByHandDialog(const QString& title, const QString& preview, const QString& output, QWidget* parent)
    : QDialog(parent) {
    setWindowTitle(tr("Run manually"));
    auto* column = new QVBoxLayout(this);
    const auto line = [this, column](const QString& text) {
        auto* label = new QLabel(text, this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
    };
    line(tr("1. On the machine of the job, apply this. %1").arg(title));
    auto* text = new QPlainTextEdit(preview, this);
    text->setReadOnly(true);
    text->setTabChangesFocus(true);
    // A command is one line, however long.
    text->setLineWrapMode(preview.trimmed().contains(u'\n') ? QPlainTextEdit::NoWrap : QPlainTextEdit::WidgetWidth);
    text->setFont(monospaceFont(font()));
    text->setAccessibleName(title);
    column->addWidget(text, 1);
    line(tr("2. Run the job until it has recorded. If a file was changed, restore it."));
    line(output.isEmpty() ? tr("3. Copy the folders of all ranks (*_ascend_pt, *_ascend_ms, PROF_*) into one folder "
                               "here, and open it.")
                          : tr("3. Copy the folders of all ranks (*_ascend_pt, *_ascend_ms, PROF_*) from %1 into one "
                               "folder here, and open it.")
                                .arg(output));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    copy->setIcon(themedIcon(u"copy"_s));
    auto* open = buttons->addButton(tr("&Open the results…"), QDialogButtonBox::AcceptRole);
    open->setIcon(themedIcon(u"open_folder"_s));
    buttons->button(QDialogButtonBox::Close)->setText(tr("C&lose"));
    buttons->button(QDialogButtonBox::Close)->setIcon(themedIcon(u"close"_s));
    column->addWidget(buttons);
    connect(copy, &QPushButton::clicked, this, [preview] { QApplication::clipboard()->setText(preview); });
    connect(open, &QPushButton::clicked, this, [this] {
        const QString folder = QFileDialog::getExistingDirectory(this, tr("Open the results"));
        if (folder.isEmpty()) return;
        emit openRequested(folder);
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 28);
}

}  // namespace altiscope
