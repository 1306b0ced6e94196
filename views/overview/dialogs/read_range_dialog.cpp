#include "views/overview/dialogs/read_range_dialog.h"

#include "views/common/support/formatters.h"
#include "views/overview/facts/capture_texts.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
constexpr int kDecimals = 9;

/// Part of the known time that a range covers; 1 if nothing is known.
double shareOf(TimeRange range, const std::optional<TimeRange>& all) {
    if (!all || all->empty()) return 1;
    const std::int64_t from = std::max(range.begin.value, all->begin.value),
                       to = std::min(range.end.value, all->end.value);
    return static_cast<double>(std::max<std::int64_t>(to - from, 0)) / static_cast<double>(all->length().value);
}

}  // namespace

QString secondsText(TimeNs time, TimeNs origin) {
    const std::int64_t ns = (time - origin).value;
    const std::uint64_t size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    QString text = QString::number(size / kNsPerSecond);
    QString decimals = QString::number(size % kNsPerSecond).rightJustified(kDecimals, u'0');
    while (decimals.endsWith(u'0')) decimals.chop(1);
    if (!decimals.isEmpty()) text += u'.' + decimals;
    return ns < 0 ? u'-' + text : text;
}

std::optional<TimeNs> timeOfSeconds(const QString& text, TimeNs origin) {
    // The reader of decimals takes microseconds; more than it takes would not be a time of a trace.
    const QString plain = text.trimmed();
    if (plain.contains(u'e', Qt::CaseInsensitive)) return std::nullopt;
    const auto ns = parseMicrosecondsAsNs(plain.toStdString() + "e6");
    if (!ns) return std::nullopt;
    const std::int64_t time = origin.value + *ns;
    return time < -kMaxTimeNs || time > kMaxTimeNs ? std::nullopt : std::optional(TimeNs{time});
}

ReadRangeDialog::ReadRangeDialog(RangeSubject subject, QWidget* parent)
    : QDialog(parent), m_subject(std::move(subject)), m_origin(m_subject.origin.value_or(TimeNs{})),
      m_from(new QLineEdit(this)), m_to(new QLineEdit(this)), m_cost(new QLabel(this)),
      m_buttons(new QDialogButtonBox(this)) {
    setWindowTitle(tr("Read a range of time"));
    auto* title = new QLabel(m_subject.title, this);
    title->setTextFormat(Qt::PlainText);
    auto* known = new QLabel(this);
    known->setWordWrap(true);
    m_cost->setWordWrap(true);
    const KnownTimes& times = m_subject.times;
    if (times.range) {
        const QString span =
            tr("%1 s to %2 s", "time")
                .arg(secondsText(times.range->begin, m_origin), secondsText(times.range->end, m_origin));
        known->setText(withUnbrokenUnits(
            m_subject.timesAreOfOthers ? tr("The ranks that were read run from %1, as the timeline shows it.").arg(span)
                                       : tr("It runs from %1, as the timeline shows it.").arg(span)));
    } else {
        known->setText(tr("Nothing of it has been read yet, so times are on the trace's own clock."));
    }

    auto* form = new QFormLayout;
    if (!times.steps.empty()) {
        m_step = new QComboBox(this);
        m_step->addItem(tr("None", "step"));
        for (const Step& step : times.steps) m_step->addItem(QString::number(step.number));
        connect(m_step, &QComboBox::currentIndexChanged, this, &ReadRangeDialog::takeStep);
        form->addRow(tr("&Step:"), m_step);
    }
    form->addRow(tr("&From, s:"), m_from);
    form->addRow(tr("&To, s:"), m_to);
    QPushButton* read = m_buttons->addButton(tr("&Read the range"), QDialogButtonBox::AcceptRole);
    read->setDefault(true);
    m_buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(title);
    layout->addWidget(known);
    layout->addLayout(form);
    layout->addWidget(m_cost);
    layout->addStretch();
    layout->addWidget(m_buttons);

    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QLineEdit* field : {m_from, m_to}) connect(field, &QLineEdit::textChanged, this, &ReadRangeDialog::refresh);
    if (m_subject.window) show(*m_subject.window);
    else if (times.range) show(*times.range);
    refresh();
}

void ReadRangeDialog::show(TimeRange range) {
    m_from->setText(secondsText(range.begin, m_origin));
    m_to->setText(secondsText(range.end, m_origin));
}

void ReadRangeDialog::takeStep(int index) {
    if (index > 0) show(*m_subject.times.steps[static_cast<std::size_t>(index) - 1].range);
}

std::optional<TimeRange> ReadRangeDialog::range() const {
    const auto from = timeOfSeconds(m_from->text(), m_origin), to = timeOfSeconds(m_to->text(), m_origin);
    return from && to && *from < *to ? std::optional(TimeRange{*from, *to}) : std::nullopt;
}

void ReadRangeDialog::refresh() {
    const auto wanted = range();
    for (QAbstractButton* button : m_buttons->buttons()) {
        if (m_buttons->buttonRole(button) == QDialogButtonBox::AcceptRole) button->setEnabled(wanted.has_value());
    }
    if (!wanted) return m_cost->setText(tr("From and To are seconds, such as 12.5, and From is the smaller one."));
    const QString cost = readingCost(m_subject.bytes, shareOf(*wanted, m_subject.times.range));
    m_cost->setText(
        withUnbrokenUnits(tr("Reading the range: %1. All of it: %2.").arg(cost, readingCost(m_subject.bytes))));
}

}  // namespace altiscope
