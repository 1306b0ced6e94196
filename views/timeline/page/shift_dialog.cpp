#include "views/timeline/page/shift_dialog.h"

#include "views/common/support/formatters.h"
#include "views/timeline/page/clocks_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

ShiftDialog::ShiftDialog(ShiftSubject subject, QWidget* parent)
    : QDialog(parent), m_subject(std::move(subject)), m_by(new QLineEdit(this)), m_anchor(new QComboBox(this)),
      m_result(new QLabel(this)) {
    setWindowTitle(tr("Shift in time: %1").arg(m_subject.title));
    auto* text = new QLabel(
        m_subject.isOfRank
            ? tr("By how much this rank is drawn later (positive) or earlier (negative) than it was recorded.")
            : tr("By how much these tracks are drawn later (positive) or earlier (negative) than their rank."),
        this);
    text->setText(text->text() + u' ' + tr("In ns, or with a unit: -1.5 ms, 20 us."));
    text->setWordWrap(true);
    auto* evidence = new QLabel(tr("Only the picture moves, and with it what is measured in the marked time. Data, "
                                   "tables, findings and exports keep the recorded times."),
                                this);
    evidence->setWordWrap(true);
    m_by->setText(formatPlainNs({m_subject.by}));
    m_by->setPlaceholderText(tr("ns, or with a unit: -1.5 ms"));
    m_anchor->addItem(tr("Choose\u2026"));
    for (const ShiftAnchor& anchor : m_subject.anchors)
        m_anchor->addItem(
            tr("%1, at %2", "slice or mark, time").arg(anchor.name, formatRelativeTime(anchor.at, m_subject.origin)));
    m_anchor->setEnabled(m_subject.first && !m_subject.anchors.empty());
    m_anchor->setToolTip(tr("Draws the first event at the begin of the selected slice, the marked time or a mark"));
    auto* form = new QFormLayout;
    form->addRow(tr("&Later by:"), m_by);
    form->addRow(tr("&Align start with:"), m_anchor);
    m_result->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    auto* reset = buttons->addButton(tr("&Reset"), QDialogButtonBox::ResetRole);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    auto* column = new QVBoxLayout(this);
    column->addWidget(text);
    column->addLayout(form);
    column->addWidget(m_result);
    column->addWidget(evidence);
    column->addStretch(1);
    column->addWidget(buttons);
    connect(m_by, &QLineEdit::textChanged, this, &ShiftDialog::showResult);
    connect(m_anchor, &QComboBox::activated, this, &ShiftDialog::alignWith);
    connect(reset, &QPushButton::clicked, this, [this] { m_by->setText(formatPlainNs({0})); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        if (const auto by = readShift(m_by->text())) emit applied(by->value);
        accept();
    });
    m_by->selectAll();
    m_by->setFocus();
    showResult();
    resize(fontMetrics().averageCharWidth() * 64, sizeHint().height());
}

void ShiftDialog::alignWith(int anchor) {
    if (anchor < 1 || !m_subject.first) return;
    const TimeNs at = m_subject.anchors[static_cast<std::size_t>(anchor) - 1].at;
    m_by->setText(formatPlainNs({at.value - m_subject.first->value}));
}

void ShiftDialog::showResult() {
    const auto by = readShift(m_by->text());
    m_ok->setEnabled(by.has_value());
    if (!by) return m_result->setText(tr("This is not a time."));
    m_result->setText(
        m_subject.first
            ? tr("First event at %1").arg(formatRelativeTime({m_subject.first->value + by->value}, m_subject.origin))
            : QString());
}

}  // namespace altiscope
