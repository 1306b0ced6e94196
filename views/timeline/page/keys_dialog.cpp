#include "views/timeline/page/keys_dialog.h"

#include "views/common/widgets/key_editor.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace altiscope {

KeysDialog::KeysDialog(TimelineScene& scene, QWidget* parent) : QDialog(parent), m_bindings(scene) {
    setWindowTitle(tr("Timeline shortcuts"));
    auto* editor = new KeyEditor(
        m_bindings, [this] { return windowTitle(); }, this);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    for (QAbstractButton* button : buttons->buttons()) static_cast<QPushButton*>(button)->setAutoDefault(false);
    auto* column = new QVBoxLayout(this);
    column->addWidget(editor, 1);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    editor->setFocus();
    const QFontMetrics metrics(font());
    resize(metrics.averageCharWidth() * 90, metrics.height() * 40);
}

}  // namespace altiscope
