#include "views/capture/repeat_dialog.h"

#include "views/common/theme/icons.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

const QString kRepeatKey = u"capture/repeat"_s;

QSpinBox* makeNumber(int min, int max, int value, const QString& suffix, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setRange(min, max);
    box->setValue(value);
    box->setSuffix(suffix);
    box->setGroupSeparatorShown(true);
    return box;
}

}  // namespace

RepeatDialog::RepeatDialog(ViewMemory memory, QWidget* parent)
    : QDialog(parent), m_memory(std::move(memory)),
      m_times(makeNumber(1, static_cast<int>(capture::kMaxRepeats), 3, {}, this)),
      m_pause(makeNumber(static_cast<int>(capture::kMinPause.count()), static_cast<int>(capture::kMaxPause.count()), 60,
                         tr(" s"), this)),
      m_isSlow(new QCheckBox(tr("Start each only once a step takes &longer than"), this)),
      m_slower(makeNumber(1, static_cast<int>(capture::kMaxSlowerMs), 1000, tr(" ms"), this)),
      m_log(new QLineEdit(this)), m_start(nullptr) {
    setWindowTitle(tr("Series of captures"));
    auto* column = new QVBoxLayout(this);
    auto* text = new QLabel(tr("The running job is recorded again and again, with the settings of the form. The window "
                               "waits between the captures: when it closes, no more are started."),
                            this);
    text->setWordWrap(true);
    column->addWidget(text);
    auto* rows = new QFormLayout;
    rows->addRow(tr("&Captures"), m_times);
    rows->addRow(tr("&Pause after each"), m_pause);
    rows->addRow(m_isSlow, m_slower);
    rows->addRow(tr("&Output of the job"), m_log);
    column->addLayout(rows);
    m_slower->setAccessibleName(tr("Time of a slow step"));
    m_log->setPlaceholderText(tr("path on the target"));
    m_log->setToolTip(tr("A file with the times of the steps as Megatron, MindSpore or MindFormers print them; a "
                         "relative path counts from the working directory. Only new lines count."));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_start = buttons->addButton(tr("&Start"), QDialogButtonBox::AcceptRole);
    m_start->setDefault(true);
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    column->addStretch(1);
    column->addWidget(buttons);
    const QStringList last = m_memory.value(kRepeatKey).toStringList();
    if (last.size() == 5) {
        m_times->setValue(last[0].toInt());
        m_pause->setValue(last[1].toInt());
        m_isSlow->setChecked(last[2] == "slow"_L1);
        m_slower->setValue(last[3].toInt());
        m_log->setText(last[4]);
    }
    connect(m_isSlow, &QCheckBox::toggled, this, &RepeatDialog::showParts);
    connect(m_log, &QLineEdit::textChanged, this, &RepeatDialog::showParts);
    connect(buttons, &QDialogButtonBox::accepted, this, &RepeatDialog::take);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(fontMetrics().averageCharWidth() * 80, sizeHint().height());
    showParts();
}

void RepeatDialog::showParts() {
    m_slower->setEnabled(m_isSlow->isChecked());
    m_log->setEnabled(m_isSlow->isChecked());
    m_start->setEnabled(!m_isSlow->isChecked() || !m_log->text().trimmed().isEmpty());
}

void RepeatDialog::take() {
    m_memory.setValue(kRepeatKey, QStringList{QString::number(m_times->value()), QString::number(m_pause->value()),
                                              m_isSlow->isChecked() ? u"slow"_s : QString(),
                                              QString::number(m_slower->value()), m_log->text()});
    capture::RepeatPlan plan;
    plan.times = m_times->value();
    plan.pause = std::chrono::seconds(m_pause->value());
    if (m_isSlow->isChecked()) {
        plan.slowerThan = std::int64_t{m_slower->value()} * 1000;
        plan.stepLog = m_log->text().trimmed().toStdString();
    }
    emit chosen(plan);
    accept();
}

}  // namespace altiscope
