#include "views/capture/form/target_list.h"

#include "core/capture/targets/target.h"
#include "views/capture/support/tone_label.h"
#include "views/common/support/text_font.h"
#include "views/common/theme/icons.h"

#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kNameRole = Qt::UserRole, kKindRole = Qt::UserRole + 1;
const QString kAddedKey = u"capture/hosts"_s, kChosenKey = u"capture/targets"_s;

bool isTarget(const QString& name) { return capture::parseTarget(name.toStdString()).has_value(); }

}  // namespace

TargetList::TargetList(const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_memory(memory), m_title(new QLabel(this)), m_list(new QListWidget(this)),
      m_host(new QLineEdit(this)), m_addButton(new QToolButton(this)), m_fileButton(new QToolButton(this)),
      m_removeButton(new QToolButton(this)), m_note(new ToneLabel(IconTone::Error, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(4);
    followTextSize(*m_title, 1.2);
    m_title->setBuddy(m_list);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setTabKeyNavigation(false);
    // Long names are in the tips.
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideMiddle);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(m_addButton);
    row->addWidget(m_fileButton);
    row->addWidget(m_removeButton);
    row->addStretch(1);
    m_fileButton->setIcon(themedIcon(u"open_file"_s));
    m_removeButton->setIcon(themedIcon(u"close"_s));
    column->addWidget(m_title);
    column->addWidget(m_list, 1);
    column->addWidget(m_host);
    column->addLayout(row);
    column->addWidget(m_note);
    m_note->hide();
    connect(m_list, &QListWidget::itemChanged, this, [this] {
        remember();
        emit changed();
    });
    connect(m_list, &QListWidget::currentItemChanged, this, &TargetList::showButtons);
    connect(m_host, &QLineEdit::returnPressed, this, [this] { add(m_host->text().trimmed()); });
    connect(m_host, &QLineEdit::textEdited, m_note, &QWidget::hide);
    connect(m_addButton, &QToolButton::clicked, this, [this] { add(m_host->text().trimmed()); });
    connect(m_fileButton, &QToolButton::clicked, this, &TargetList::chooseFile);
    connect(m_removeButton, &QToolButton::clicked, this, &TargetList::removeCurrent);
    for (const QString& name : m_memory.value(kAddedKey).toStringList()) {
        if (isTarget(name) && !m_added.contains(name)) m_added << name;
    }
    const QVariant remembered = m_memory.value(kChosenKey);
    rebuild(remembered.isValid() ? remembered.toStringList() : QStringList{u"local"_s});
    retranslate();
}

void TargetList::setAliases(const QStringList& aliases) {
    // A choice among them from before they were known is still remembered.
    const QVariant remembered = m_memory.value(kChosenKey);
    m_aliases = aliases;
    rebuild(remembered.isValid() ? remembered.toStringList() : chosenNames());
    emit changed();
}

void TargetList::rebuild(const QStringList& chosen) {
    const QSignalBlocker quiet(m_list);
    const int row = std::max(m_list->currentRow(), 0);
    m_list->clear();
    insert(u"local"_s, Kind::Local, chosen.contains("local"_L1));
    for (const QString& name : m_aliases) insert(name, Kind::Alias, chosen.contains(name));
    for (const QString& name : m_added) {
        if (!m_aliases.contains(name)) insert(name, Kind::Added, chosen.contains(name));
    }
    m_list->setCurrentRow(std::min(row, m_list->count() - 1));
    showButtons();
}

void TargetList::insert(const QString& name, Kind kind, bool isChosen) {
    auto* item = new QListWidgetItem(kind == Kind::Local ? tr("This machine") : name, m_list);
    item->setData(kNameRole, name);
    item->setData(kKindRole, static_cast<int>(kind));
    item->setIcon(themedIcon(u"host"_s));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(isChosen ? Qt::Checked : Qt::Unchecked);
    item->setToolTip(kind == Kind::Local   ? tr("Jobs of this machine, without ssh")
                     : kind == Kind::Alias ? tr("%1, an alias of your ssh configuration").arg(name)
                                           : tr("%1, added here").arg(name));
}

QStringList TargetList::chosenNames() const {
    QStringList names;
    for (int i = 0; i < m_list->count(); ++i) {
        const QListWidgetItem* item = m_list->item(i);
        if (item->checkState() == Qt::Checked) names << item->data(kNameRole).toString();
    }
    return names;
}

std::vector<std::string> TargetList::chosen() const {
    std::vector<std::string> names;
    for (const QString& name : chosenNames()) names.push_back(name.toStdString());
    return names;
}

void TargetList::choose(const QStringList& names) {
    for (const QString& name : names) {
        if (isTarget(name) && name != "local"_L1 && !m_aliases.contains(name) && !m_added.contains(name))
            m_added << name;
    }
    rebuild(names);
    remember();
    emit changed();
}

bool TargetList::add(const QString& name) {
    const bool good = isTarget(name);
    showProblem(good ? QString() : tr("Give an alias of your ssh configuration, or [user@]host[:port]."));
    if (!good) return false;
    m_host->clear();
    choose(chosenNames() << name);
    return true;
}

void TargetList::showProblem(const QString& sentence) {
    m_note->setText(sentence);
    m_note->setVisible(!sentence.isEmpty());
}

void TargetList::chooseFile() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Choose a host file"));
    if (!file.isEmpty()) emit hostsFileChosen(file);
}

void TargetList::removeCurrent() {
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr || item->data(kKindRole).toInt() != static_cast<int>(Kind::Added)) return;
    const QString name = item->data(kNameRole).toString();
    QStringList chosen = chosenNames();
    chosen.removeAll(name);
    m_added.removeAll(name);
    rebuild(chosen);
    remember();
    emit changed();
}

void TargetList::remember() {
    m_memory.setValue(kAddedKey, m_added);
    m_memory.setValue(kChosenKey, chosenNames());
}

void TargetList::showButtons() {
    const QListWidgetItem* item = m_list->currentItem();
    m_removeButton->setEnabled(item != nullptr && item->data(kKindRole).toInt() == static_cast<int>(Kind::Added));
}

void TargetList::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void TargetList::retranslate() {
    m_title->setText(tr("&Targets"));
    m_list->setAccessibleName(tr("Targets"));
    m_host->setPlaceholderText(tr("user@host"));
    m_host->setToolTip(tr("An alias of your ssh configuration, or [user@]host[:port]"));
    m_host->setAccessibleName(tr("Host to add"));
    m_addButton->setText(tr("Add"));
    m_addButton->setToolTip(tr("Adds a host and chooses it"));
    m_fileButton->setToolTip(
        tr("Chooses the hosts of a file, one per line, as DeepSpeed and Open MPI read it: HOST slots=8"));
    m_fileButton->setAccessibleName(tr("Hosts of a file"));
    m_removeButton->setToolTip(tr("Removes the host that was added here"));
    m_removeButton->setAccessibleName(tr("Remove the host"));
    showProblem({});
    rebuild(chosenNames());
}

}  // namespace altiscope
