#include "views/capture/form/preset_box.h"

#include "core/base/files/file.h"
#include "core/base/files/pending_file.h"
#include "core/capture/methods/presets.h"
#include "core/session/files/write_guard.h"
#include "views/capture/support/method_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/support/save_dialog.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::uint64_t kMaxPresetBytes = std::uint64_t{1} << 20;
/// Data of an entry: name of the program's preset, or this and the place of an own one.
constexpr int kOwnRole = Qt::UserRole + 1;

}  // namespace

PresetBox::PresetBox(const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_memory(memory), m_box(new QComboBox(this)), m_more(new QToolButton(this)),
      m_save(new QAction(this)), m_remove(new QAction(this)), m_import(new QAction(this)), m_export(new QAction(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(4);
    m_box->setMinimumContentsLength(12);
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row->addWidget(m_box, 1);
    row->addWidget(m_more);
    auto* menu = new QMenu(m_more);
    menu->addActions({m_save, m_remove});
    menu->addSeparator();
    menu->addActions({m_import, m_export});
    m_more->setMenu(menu);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_box);
    connect(m_box, &QComboBox::activated, this, [this] {
        m_remove->setEnabled(current() != nullptr);
        emit chosen();
    });
    connect(m_save, &QAction::triggered, this, &PresetBox::promptName);
    connect(m_remove, &QAction::triggered, this, &PresetBox::removeCurrent);
    connect(m_import, &QAction::triggered, this, &PresetBox::importFile);
    connect(m_export, &QAction::triggered, this, &PresetBox::exportFile);
    retranslate();
}

void PresetBox::setMethod(const capture::Method& method) {
    const std::string before = base();
    m_method = &method;
    fill({});
    showBase(before);
}

/// @param own  Name of the one that is chosen then.
void PresetBox::fill(const QString& own) {
    const QSignalBlocker quiet(m_box);
    m_own = ownPresets(m_memory, *m_method);
    m_box->clear();
    m_box->addItem(presetTitle({}), QString());
    for (const std::string_view name : capture::presetNames()) m_box->addItem(presetTitle(name), toQString(name));
    for (std::size_t i = 0; i < m_own.size(); ++i) {
        m_box->addItem(m_own[i].name, toQString(m_own[i].base));
        m_box->setItemData(m_box->count() - 1, static_cast<int>(i), kOwnRole);
        if (m_own[i].name == own) m_box->setCurrentIndex(m_box->count() - 1);
    }
    m_remove->setEnabled(current() != nullptr);
}

void PresetBox::showBase(const std::string& base) {
    const QSignalBlocker quiet(m_box);
    m_box->setCurrentIndex(std::max(m_box->findData(toQString(base)), 0));
    m_remove->setEnabled(current() != nullptr);
}

std::string PresetBox::base() const { return m_box->currentData().toString().toStdString(); }

const OwnPreset* PresetBox::current() const {
    const QVariant place = m_box->currentData(kOwnRole);
    return place.isValid() ? &m_own[place.toUInt()] : nullptr;
}

std::optional<std::vector<capture::Assignment>> PresetBox::ownEdits() const {
    const OwnPreset* own = current();
    return own == nullptr ? std::nullopt : std::optional(own->edits);
}

void PresetBox::save(const QString& name) {
    if (name.trimmed().isEmpty()) return;
    keepPreset(m_memory, *m_method, {name.trimmed(), base(), m_edits});
    fill(name.trimmed());
}

void PresetBox::promptName() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save as a preset"));
    dialog->setLabelText(tr("Name of the preset"));
    if (const OwnPreset* own = current()) dialog->setTextValue(own->name);
    connect(dialog, &QInputDialog::textValueSelected, this, &PresetBox::save);
    dialog->open();
}

void PresetBox::removeCurrent() {
    const OwnPreset* own = current();
    if (own == nullptr) return;
    const std::string below = own->base;
    forgetPreset(m_memory, *m_method, own->name);
    fill({});
    showBase(below);
    emit chosen();
}

void PresetBox::importFile() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Import a preset"), {}, tr("Presets (*.json);;All files (*)"));
    if (file.isEmpty()) return;
    const auto text = readSmallFile(QFile::encodeName(file).toStdString(), kMaxPresetBytes);
    const auto preset = text.ok() ? presetOfText(*m_method, QByteArray::fromStdString(text.value())) : std::nullopt;
    if (!preset)
        return emit statusMessage(tr("%1 is not a preset of the method %2.").arg(file, toQString(m_method->name)));
    keepPreset(m_memory, *m_method, *preset);
    fill(preset->name);
    emit chosen();
}

void PresetBox::exportFile() {
    const OwnPreset* own = current();
    const QString name = own != nullptr ? own->name : toQString(m_method->name);
    const QString file = chooseSaveFile(this, tr("Export the settings"), name, tr("Presets (*.json)"));
    if (file.isEmpty()) return;
    const std::string path = QFile::encodeName(file).toStdString();
    const QByteArray text = presetText(*m_method, {name, base(), m_edits}) + '\n';
    PendingFile written(path, PendingFile::Access::Shared);
    const bool good = !liesInProfilerFolder(path) && written.opened() &&
                      written.write({text.constData(), static_cast<std::size_t>(text.size())}) && written.keep();
    emit statusMessage(good ? tr("%1 has been written.").arg(file) : tr("%1 cannot be written.").arg(file));
}

void PresetBox::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void PresetBox::retranslate() {
    m_box->setAccessibleName(tr("Preset"));
    m_more->setText(u"…"_s);
    m_more->setToolTip(tr("Save, remove, import or export presets"));
    m_more->setAccessibleName(m_more->toolTip());
    m_save->setText(tr("&Save as a preset…"));
    m_remove->setText(tr("&Remove this preset"));
    m_import->setText(tr("&Import a preset…"));
    m_export->setText(tr("&Export these settings…"));
    for (int i = 0; i < m_box->count(); ++i) {
        if (!m_box->itemData(i, kOwnRole).isValid())
            m_box->setItemText(i, presetTitle(m_box->itemData(i).toString().toStdString()));
    }
}

}  // namespace altiscope
