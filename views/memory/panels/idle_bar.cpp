#include "views/memory/panels/idle_bar.h"

#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/wrap_layout.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

#include <iterator>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kUsualShare = 30;

struct LimitName {
    const char* key;
    IdleLimit IdleLimits::*limit;
};
constexpr LimitName kLimits[] = {
    {"early", &IdleLimits::early}, {"late", &IdleLimits::late}, {"idle", &IdleLimits::idle}};

QString limitKey(const LimitName& limit, const char* part) {
    return u"memory/limits/"_s + QLatin1String(limit.key) + u'/' + QLatin1String(part);
}

}  // namespace

IdleBar::IdleBar(const ViewMemory& memory, QWidget* parent)
    : Translated(parent), m_memory(memory), m_isOn(new QCheckBox(this)) {
    auto* row = new WrapLayout(this);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(m_isOn);
    m_isOn->setObjectName(u"limits"_s);
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        Field& field = m_fields[i];
        field = {new QLabel(this), new QLineEdit(this), new QLabel(this), new QSpinBox(this)};
        auto* group = bareLayout<QHBoxLayout>(nullptr, 4);
        group->addWidget(field.label);
        group->addWidget(field.time);
        group->addWidget(field.joiner);
        group->addWidget(field.share);
        row->addItem(group);
        field.label->setBuddy(field.time);
        field.time->setMaximumWidth(fontMetrics().averageCharWidth() * 12);
        field.share->setRange(0, 100);
        const QVariant time = m_memory.value(limitKey(kLimits[i], "time")),
                       share = m_memory.value(limitKey(kLimits[i], "share"));
        field.time->setText(time.toString());
        field.share->setValue(share.isValid() ? share.toInt() : kUsualShare);
        connect(field.time, &QLineEdit::editingFinished, this, &IdleBar::remember);
        connect(field.share, &QSpinBox::valueChanged, this, &IdleBar::remember);
    }
    connect(m_isOn, &QCheckBox::toggled, this, [this] {
        showFields();
        emit changed();
    });
    showFields();
    retranslate();
}

IdleLimit IdleBar::limitOf(const Field& field) {
    return {parseDuration(field.time->text()).value_or(DurationNs{}), field.share->value() / 100.0};
}

std::optional<IdleLimits> IdleBar::limits() const {
    if (!m_isOn->isChecked()) return std::nullopt;
    IdleLimits limits;
    for (std::size_t i = 0; i < m_fields.size(); ++i) limits.*kLimits[i].limit = limitOf(m_fields[i]);
    return limits;
}

void IdleBar::setLimits(const std::optional<IdleLimits>& limits) {
    for (std::size_t i = 0; limits && i < m_fields.size(); ++i) {
        const IdleLimit& limit = *limits.*kLimits[i].limit;
        m_fields[i].time->setText(limit.above.value > 0 ? u"%1 ns"_s.arg(limit.above.value) : QString());
        m_fields[i].share->setValue(static_cast<int>(limit.aboveShare * 100 + 0.5));
    }
    m_isOn->setChecked(limits.has_value());
    remember();
}

void IdleBar::remember() {
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        // A text that is no time stays to be corrected, and limits nothing.
        QLineEdit& time = *m_fields[i].time;
        const bool isOdd = !time.text().trimmed().isEmpty() && !parseDuration(time.text());
        QPalette colours = palette();
        if (isOdd) colours.setColor(QPalette::Text, themeOf(colours).error);
        time.setPalette(colours);
        m_memory.setValue(limitKey(kLimits[i], "time"), time.text());
        m_memory.setValue(limitKey(kLimits[i], "share"), m_fields[i].share->value());
    }
    if (m_isOn->isChecked()) emit changed();
}

void IdleBar::showFields() {
    for (const Field& field : m_fields) {
        for (QWidget* widget : std::initializer_list<QWidget*>{field.label, field.time, field.joiner, field.share})
            widget->setVisible(m_isOn->isChecked());
    }
    updateGeometry();
}

void IdleBar::retranslate() {
    m_isOn->setText(tr("Only &badly used"));
    m_isOn->setToolTip(tr("Allocations that exceed one of the limits: each as a time, or as a share of "
                          "release_ts - alloc_ts. An empty time and 0 % switch a limit off."));
    const QString labels[] = {tr("Early:"), tr("Late:"), tr("Idle:")};
    const QString names[] = {tr("Unused before the first use"), tr("Unused after the last use"),
                             tr("Unused between two uses")};
    const QString formulas[] = {u"first_use"_s, u"unused_end"_s, u"longest_idle"_s};
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        const Field& field = m_fields[i];
        field.label->setText(labels[i]);
        field.joiner->setText(tr("or", "a time or a share"));
        field.time->setPlaceholderText(tr("time, 5 ms"));
        field.time->setAccessibleName(names[i]);
        field.share->setSuffix(tr(" % of life"));
        field.share->setAccessibleName(tr("%1, share of its life").arg(names[i]));
        field.time->setToolTip(tr("%1: %2 > this time").arg(names[i], formulas[i]));
        field.share->setToolTip(tr("%1: %2 > this share of (release_ts - alloc_ts)").arg(names[i], formulas[i]));
    }
}

}  // namespace altiscope
