#include "views/common/pages/side_choice.h"

#include "core/base/values/parse.h"
#include "views/common/support/bare_layout.h"
#include "views/common/theme/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

bool isListOfNumbers(const QLineEdit& edit) { return numbersOf(edit.text().toStdString()).has_value(); }

std::optional<std::vector<std::int64_t>> chosenNumbers(const QLineEdit& edit) {
    auto numbers = numbersOf(edit.text().toStdString());
    return numbers && !numbers->empty() ? numbers : std::nullopt;
}

}  // namespace

SideChoice::SideChoice(QWidget* parent)
    : Translated(parent), m_title(new QLabel(this)), m_ranksName(new QLabel(this)), m_stepsName(new QLabel(this)),
      m_capture(new QComboBox(this)), m_ranks(new QLineEdit(this)), m_steps(new QLineEdit(this)) {
    auto* row = bareLayout<QHBoxLayout>(this, 8);
    m_capture->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_capture->setMinimumContentsLength(18);
    m_title->setBuddy(m_capture);
    row->addWidget(m_title);
    row->addWidget(m_capture, 3);
    for (const auto& [name, edit] : {std::pair(m_ranksName, m_ranks), std::pair(m_stepsName, m_steps)}) {
        name->setBuddy(edit);
        row->addWidget(name);
        row->addWidget(edit, 1);
        connect(edit, &QLineEdit::editingFinished, this, &SideChoice::changed);
        connect(edit, &QLineEdit::textChanged, this, &SideChoice::showProblems);
    }
    connect(m_capture, &QComboBox::currentIndexChanged, this, &SideChoice::changed);
    retranslate();
}

void SideChoice::setCaptures(const std::vector<std::pair<CaptureId, QString>>& captures) {
    const CaptureId chosen = capture();
    {
        const QSignalBlocker quiet(m_capture);
        m_capture->clear();
        for (const auto& [id, name] : captures) m_capture->addItem(name, id.value);
        const int kept = m_capture->findData(chosen.value);
        m_capture->setCurrentIndex(kept >= 0 ? kept : m_capture->count() - 1);
    }
    if (capture() != chosen) emit changed();
}

CaptureId SideChoice::capture() const { return {m_capture->currentData().toUInt()}; }

QString SideChoice::captureName() const { return m_capture->currentText(); }

void SideChoice::choose(CaptureId capture) {
    if (const int place = m_capture->findData(capture.value); place >= 0) m_capture->setCurrentIndex(place);
}

QString SideChoice::ranksText() const { return m_ranks->text(); }

QString SideChoice::stepsText() const { return m_steps->text(); }

void SideChoice::setParts(const QString& ranks, const QString& steps) {
    m_ranks->setText(ranks);
    m_steps->setText(steps);
    emit changed();
}

QJsonObject SideChoice::state(const WorkspaceIds& captures) const {
    const auto index = captures.indexOf(capture());
    QJsonObject state{{u"ranks"_s, ranksText()}, {u"steps"_s, stepsText()}};
    if (index) state.insert(u"capture"_s, static_cast<qint64>(*index));
    return state;
}

void SideChoice::restore(const QJsonObject& state, const WorkspaceIds& captures) {
    static constexpr qsizetype kMaxLetters = 10'000;
    const auto text = [&state](const QString& name) { return state.value(name).toString().left(kMaxLetters); };
    if (const CaptureId id = captures.at(state.value(u"capture"_s).toInteger(-1)); id != kNoCapture) choose(id);
    setParts(text(u"ranks"_s), text(u"steps"_s));
}

std::optional<std::vector<std::int64_t>> SideChoice::ranks() const { return chosenNumbers(*m_ranks); }

std::optional<std::vector<std::int64_t>> SideChoice::steps() const { return chosenNumbers(*m_steps); }

bool SideChoice::isPossible() const { return isListOfNumbers(*m_ranks) && isListOfNumbers(*m_steps); }

void SideChoice::setTitle(const QString& title) { m_title->setText(title); }

int SideChoice::titleWidth() const { return m_title->sizeHint().width(); }

void SideChoice::setTitleWidth(int width) { m_title->setMinimumWidth(width); }

void SideChoice::showProblems() {
    for (QLineEdit* edit : {m_ranks, m_steps}) {
        const bool isWrong = !isListOfNumbers(*edit);
        QPalette colours = palette();
        if (isWrong) colours.setColor(QPalette::Text, themeOf(palette()).error);
        edit->setPalette(colours);
        edit->setToolTip(isWrong ? tr("Numbers as in 0, 2, 4-7 are expected")
                                 : tr("Numbers as in 0, 2, 4-7; empty: all"));
    }
}

void SideChoice::retranslate() {
    m_ranksName->setText(tr("ranks"));
    m_stepsName->setText(tr("steps"));
    m_ranks->setPlaceholderText(tr("all"));
    m_steps->setPlaceholderText(tr("all"));
    showProblems();
}

}  // namespace altiscope
