#include "views/report/panels/report_form.h"

#include "core/base/text/catalogue.h"
#include "core/report/document/report_queries.h"
#include "views/common/support/formatters.h"
#include "views/common/support/text_font.h"
#include "views/report/panels/picture_list.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

const QString kUnwantedKey = u"report/unwanted"_s;
constexpr int kNoteLines = 5;

}  // namespace

ReportForm::ReportForm(const ViewMemory& memory, QWidget* parent)
    : Translated(parent), m_memory(memory), m_title(new QLineEdit(this)), m_notes(new QPlainTextEdit(this)),
      m_base(new QComboBox(this)), m_scope(new QLabel(this)), m_pictures(new PictureList(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(4);
    m_titleName = addLabel(*column, m_title);
    m_notesName = addLabel(*column, m_notes);
    m_notes->setTabChangesFocus(true);
    m_notes->setFixedHeight(fontMetrics().lineSpacing() * kNoteLines + 2 * fontMetrics().descent() + 8);
    m_scopeName = addLabel(*column, m_scope);
    m_scope->setWordWrap(true);
    m_sectionsName = addLabel(*column, nullptr);
    const QStringList unwanted = m_memory.value(kUnwantedKey).toStringList();
    auto* sections = new QGridLayout;
    sections->setSpacing(4);
    for (const ReportSectionInfo& info : reportSections()) {
        auto* box = new QCheckBox(this);
        box->setChecked(!unwanted.contains(toQString(info.id)));
        connect(box, &QCheckBox::toggled, this, [this] {
            QStringList without;
            for (const auto& [id, section] : m_sections)
                if (!section->isChecked()) without << toQString(id);
            m_memory.setValue(kUnwantedKey, without);
            emit changed();
        });
        sections->addWidget(box, static_cast<int>(m_sections.size()), 0);
        m_sections.emplace_back(info.id, box);
    }
    column->addLayout(sections);
    m_baseName = addLabel(*column, m_base);
    m_base->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_picturesName = addLabel(*column, nullptr);
    column->addWidget(m_pictures);
    column->addStretch(1);
    connect(m_title, &QLineEdit::textChanged, this, &ReportForm::changed);
    connect(m_notes, &QPlainTextEdit::textChanged, this, &ReportForm::changed);
    connect(m_pictures, &PictureList::changed, this, &ReportForm::changed);
    connect(m_base, &QComboBox::currentIndexChanged, this, [this] {
        refreshSections();
        emit baseChanged();
    });
    retranslate();
}

QLabel* ReportForm::addLabel(QVBoxLayout& column, QWidget* buddy) {
    auto* label = new QLabel(this);
    if (column.count() > 0) column.addSpacing(8);
    column.addWidget(label);
    if (buddy != nullptr) {
        label->setBuddy(buddy);
        column.addWidget(buddy);
    }
    return label;
}

ReportChoices ReportForm::choices() const {
    ReportChoices choices{m_title->text().trimmed().toStdString(),
                          m_notes->toPlainText().trimmed().toStdString(),
                          {},
                          m_pictures->pictures()};
    for (const auto& [id, box] : m_sections)
        if (!box->isChecked()) choices.unwanted.insert(id);
    return choices;
}

QJsonObject ReportForm::state() const {
    QJsonArray without;
    for (const auto& [id, box] : m_sections) {
        if (!box->isChecked()) without.append(QString::fromStdString(id));
    }
    QJsonObject state{{u"title"_s, m_title->text()}, {u"notes"_s, m_notes->toPlainText()}, {u"without"_s, without}};
    if (!m_pictures->state().isEmpty()) state.insert("pictures"_L1, m_pictures->state());
    return state;
}

void ReportForm::restore(const QJsonObject& state) {
    static constexpr qsizetype kMaxTitle = 1000, kMaxNotes = 100'000;
    m_title->setText(state.value("title"_L1).toString().left(kMaxTitle));
    m_notes->setPlainText(state.value("notes"_L1).toString().left(kMaxNotes));
    const QJsonArray without = state.value("without"_L1).toArray();
    for (const auto& [id, box] : m_sections) box->setChecked(!without.contains(QString::fromStdString(id)));
    m_pictures->restore(state.value("pictures"_L1).toArray());
}

void ReportForm::setOwnTitle(const QString& title) { m_title->setPlaceholderText(title); }

void ReportForm::setScope(const QString& scope) { m_scope->setText(withUnbrokenUnits(scope)); }

void ReportForm::setBases(const std::vector<std::pair<CaptureId, QString>>& bases) {
    const CaptureId chosen = base();
    {
        const QSignalBlocker quiet(m_base);
        m_base->clear();
        m_base->addItem(tr("Nothing"), 0U);
        for (const auto& [id, name] : bases) m_base->addItem(name, id.value);
        m_base->setCurrentIndex(std::max(0, m_base->findData(chosen.value)));
    }
    m_base->setEnabled(!bases.empty());
    m_base->setToolTip(bases.empty() ? tr("Open another capture to compare with it")
                                     : tr("Adds what changed since this capture, and what of it is more than noise"));
    refreshSections();
    if (base() != chosen) emit baseChanged();
}

CaptureId ReportForm::base() const { return {m_base->currentData().toUInt()}; }

void ReportForm::setBase(CaptureId base) { m_base->setCurrentIndex(std::max(0, m_base->findData(base.value))); }

/// There is no comparison without a base.
void ReportForm::refreshSections() {
    for (const auto& [id, box] : m_sections) box->setVisible(id != "compare" || base() != kNoCapture);
}

void ReportForm::retranslate() {
    m_titleName->setText(tr("&Title"));
    m_notesName->setText(tr("&Notes"));
    m_notes->setPlaceholderText(tr("What the reader should know first"));
    m_scopeName->setText(tr("Ranks and steps"));
    m_sectionsName->setText(tr("Sections"));
    m_baseName->setText(tr("Compared &with"));
    m_picturesName->setText(tr("Pictures"));
    for (const ReportSectionInfo& info : reportSections())
        for (const auto& [id, box] : m_sections)
            if (id == info.id) box->setText(toQString(catalogueText(info.title, catalogueLanguage())));
    if (m_base->count() > 0) m_base->setItemText(0, tr("Nothing"));
    for (QLabel* name : {m_titleName, m_notesName, m_scopeName, m_sectionsName, m_baseName, m_picturesName})
        followTextSize(*name, boldFont);
}

}  // namespace altiscope
