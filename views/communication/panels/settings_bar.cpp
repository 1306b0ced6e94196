#include "views/communication/panels/settings_bar.h"

#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/communication/data/communication_gaps.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QStandardItemModel>
#include <QToolButton>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

// Keys of choices: a word, and what it is about.
const QString kByType = u"type:"_s, kBySelection = u"selection:"_s, kByName = u"name:"_s;
constexpr int kWidestChars = 40;

}  // namespace

QString selectionWord(const std::string& selection) {
    if (selection == "top1") return SettingsBar::tr("fastest call of each link");
    if (selection == "middle") return SettingsBar::tr("median call of each link");
    if (selection == "bottom1") return SettingsBar::tr("slowest call of each link");
    if (selection == "bottom2") return SettingsBar::tr("second slowest call of each link");
    if (selection == "bottom3") return SettingsBar::tr("third slowest call of each link");
    return toQString(selection);
}

SettingsBar::SettingsBar(const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_memory(memory), m_matrix(new QToolButton(this)), m_time(new QToolButton(this)),
      m_stepLabel(new QLabel(this)), m_groupLabel(new QLabel(this)), m_operatorLabel(new QLabel(this)),
      m_step(new QComboBox(this)), m_group(new QComboBox(this)), m_operator(new QComboBox(this)) {
    auto* bar = barLayout<QHBoxLayout>(this);
    for (QWidget* part : std::initializer_list<QWidget*>{m_matrix, m_time, m_stepLabel, m_step, m_groupLabel, m_group,
                                                         m_operatorLabel, m_operator})
        bar->addWidget(part);
    bar->addStretch(1);
    m_stepLabel->setBuddy(m_step);
    m_groupLabel->setBuddy(m_group);
    m_operatorLabel->setBuddy(m_operator);
    for (QToolButton* button : {m_matrix, m_time}) {
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setProperty("segment", true);
        connect(button, &QToolButton::toggled, this, [this, button](bool on) {
            if (on) setMode(button == m_time ? Mode::Time : Mode::Matrix);
        });
    }
    const std::pair<QComboBox*, QString> boxes[] = {{m_step, u"communication/step"_s},
                                                    {m_group, u"communication/group"_s},
                                                    {m_operator, u"communication/operator"_s}};
    for (const auto& [box, name] : boxes) {
        box->setObjectName(name.section(u'/', 1));
        box->setMaxVisibleItems(30);
        connect(box, &QComboBox::activated, this,
                [this, shown = box, key = name] { choose(*shown, shown->currentData().toString(), key); });
    }
    for (QComboBox* box : {m_group, m_operator}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMaximumWidth(fontMetrics().averageCharWidth() * kWidestChars);
    }
    m_mode = m_memory.value(u"communication/mode"_s).toInt() == 1 ? Mode::Time : Mode::Matrix;
    (m_mode == Mode::Time ? m_time : m_matrix)->setChecked(true);
    retranslate();
}

void SettingsBar::setMode(Mode mode) {
    (mode == Mode::Time ? m_time : m_matrix)->setChecked(true);
    if (std::exchange(m_mode, mode) == mode) return;
    m_memory.setValue(u"communication/mode"_s, mode == Mode::Time ? 1 : 0);
    emit modeChanged();
}

void SettingsBar::choose(QComboBox& box, const QString& key, const QString& name) {
    box.setCurrentIndex(std::max(0, box.findData(key)));
    m_memory.setValue(name, box.currentData());
    emit changed();
}

void SettingsBar::showAll() {
    if (m_step->currentIndex() <= 0 && m_group->currentIndex() <= 0 && m_operator->currentIndex() <= 0) return;
    for (QComboBox* box : {m_step, m_group, m_operator}) box->setCurrentIndex(0);
    for (const QString& name : {u"communication/step"_s, u"communication/group"_s, u"communication/operator"_s})
        m_memory.setValue(name, QString());
    emit changed();
}

std::optional<std::int64_t> SettingsBar::step() const {
    bool ok = false;
    const qlonglong number = m_step->currentData().toString().toLongLong(&ok);
    return ok ? std::optional<std::int64_t>(number) : std::nullopt;
}

std::vector<std::string> SettingsBar::groups() const {
    const QString key = m_group->currentData().toString();
    std::vector<std::string> names;
    if (key.startsWith(kByName)) names.push_back(key.mid(kByName.size()).toStdString());
    for (const CommunicationGroup& group : m_choices.groups) {
        if (key.startsWith(kByType) && group.parallelType == key.mid(kByType.size()).toStdString())
            names.push_back(group.name);
    }
    return names;
}

LinkCalls SettingsBar::calls() const {
    const QString key = m_operator->currentData().toString();
    if (key.startsWith(kByType)) return {LinkCalls::Kind::Type, key.mid(kByType.size()).toStdString(), {}, {}};
    if (key.startsWith(kByName)) return {LinkCalls::Kind::Operator, {}, {}, key.mid(kByName.size()).toStdString()};
    if (!key.startsWith(kBySelection)) return {};
    const QStringList parts = key.mid(kBySelection.size()).split(u' ');
    return {LinkCalls::Kind::Selection, parts.value(1).toStdString(), parts.value(0).toStdString(), {}};
}

void SettingsBar::setChoices(const CommunicationChoices& choices) {
    m_choices = choices;
    fill();
}

void SettingsBar::fill() {
    const auto restore = [this](QComboBox& box, const QString& name) {
        box.setCurrentIndex(std::max(0, box.findData(m_memory.value(name).toString())));
    };
    m_step->clear();
    m_step->addItem(tr("All steps"), QString());
    for (const std::int64_t step : m_choices.steps) m_step->addItem(QString::number(step), QString::number(step));
    restore(*m_step, u"communication/step"_s);
    fillGroups();
    restore(*m_group, u"communication/group"_s);
    fillOperators();
    restore(*m_operator, u"communication/operator"_s);
}

void SettingsBar::fillGroups() {
    m_group->clear();
    m_group->addItem(tr("All groups"), QString());
    std::map<std::string, int> types;
    for (const CommunicationGroup& group : m_choices.groups) ++types[group.parallelType];
    for (const auto& [type, count] : types) {
        if (!type.empty() && count > 1)
            m_group->addItem(tr("all %1 (%2 groups)").arg(toQString(type)).arg(count), kByType + toQString(type));
    }
    for (const CommunicationGroup& group : m_choices.groups) {
        m_group->addItem(groupTitle(group), kByName + toQString(group.name));
        m_group->setItemData(m_group->count() - 1, groupTip(group), Qt::ToolTipRole);
    }
}

void SettingsBar::fillOperators() {
    m_operator->clear();
    m_operator->addItem(tr("All operators, in total"), QString());
    for (const std::string& type : m_choices.types)
        m_operator->addItem(tr("%1, in total", "a type of operators").arg(toQString(type)), kByType + toQString(type));
    for (const std::string& type : m_choices.types) {
        for (const std::string& selection : m_choices.selections)
            m_operator->addItem(tr("%1, %2", "a type of operators, and which of its calls")
                                    .arg(toQString(type), selectionWord(selection)),
                                kBySelection + toQString(selection) + u' ' + toQString(type));
    }
    for (const std::string& name : m_choices.operators) m_operator->addItem(toQString(name), kByName + toQString(name));
    if (m_choices.operatorCount <= m_choices.operators.size()) return;
    m_operator->addItem(
        tr("%1 more: see the tables below").arg(formatCount(m_choices.operatorCount - m_choices.operators.size())));
    if (auto* items = qobject_cast<QStandardItemModel*>(m_operator->model()))
        items->item(m_operator->count() - 1)->setEnabled(false);
}

void SettingsBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        const QString kept[] = {m_step->currentData().toString(), m_group->currentData().toString(),
                                m_operator->currentData().toString()};
        fill();
        m_step->setCurrentIndex(std::max(0, m_step->findData(kept[0])));
        m_group->setCurrentIndex(std::max(0, m_group->findData(kept[1])));
        m_operator->setCurrentIndex(std::max(0, m_operator->findData(kept[2])));
    }
    QWidget::changeEvent(event);
}

void SettingsBar::retranslate() {
    m_matrix->setText(tr("&Matrix"));
    m_matrix->setToolTip(tr("How much and how fast each rank sends to each other."));
    m_time->setText(tr("&Time"));
    m_time->setToolTip(tr("When collectives ran on each rank, and how long they moved data and waited."));
    m_stepLabel->setText(tr("&Step"));
    m_groupLabel->setText(tr("Grou&p"));
    m_operatorLabel->setText(tr("&Operators"));
}

}  // namespace altiscope
