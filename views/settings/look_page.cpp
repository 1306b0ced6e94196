#include "views/settings/look_page.h"

#include "core/base/text/percent_text.h"
#include "views/common/support/formatters.h"

#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <array>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array kChoices{ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark};
constexpr int kSizeStep = 10;

}  // namespace

LookPage::LookPage(const ThemeController& theme, const LanguageController& language, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_language(language), m_size(new QSpinBox(this)), m_themes(new QComboBox(this)),
      m_languages(new QComboBox(this)), m_sizeTitle(new QLabel(this)), m_themeTitle(new QLabel(this)),
      m_languageTitle(new QLabel(this)) {
    m_size->setRange(ThemeController::kMinTextSize, ThemeController::kMaxTextSize);
    m_size->setSingleStep(kSizeStep);
    // Not with each digit that is written: the window would be laid out anew for each.
    m_size->setKeyboardTracking(false);
    for ([[maybe_unused]] const ThemeChoice choice : kChoices) m_themes->addItem(QString());
    // Each language is named in itself, so that it is found from any other one.
    m_languages->addItem(u"English"_s, u"en"_s);
    m_languages->addItem(u"简体中文"_s, u"zh_CN"_s);
    auto* form = new QFormLayout(this);
    form->setContentsMargins({});
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    form->addRow(m_sizeTitle, m_size);
    form->addRow(m_themeTitle, m_themes);
    form->addRow(m_languageTitle, m_languages);
    m_sizeTitle->setBuddy(m_size);
    m_themeTitle->setBuddy(m_themes);
    m_languageTitle->setBuddy(m_languages);
    connect(m_size, &QSpinBox::valueChanged, this, &LookPage::textSizeChosen);
    connect(m_themes, &QComboBox::activated, this,
            [this](int index) { emit themeChosen(kChoices[static_cast<std::size_t>(index)]); });
    connect(m_languages, &QComboBox::activated, this,
            [this](int index) { emit languageChosen(m_languages->itemData(index).toString()); });
    retranslate();
}

LookPage::~LookPage() {
    // As it goes, a field that has the focus still says that it was written in.
    m_size->disconnect(this);
}

void LookPage::refresh() {
    const QSignalBlocker blocker(m_size);
    m_size->setValue(m_theme.textSize());
    for (std::size_t i = 0; i < kChoices.size(); ++i)
        if (kChoices[i] == m_theme.choice()) m_themes->setCurrentIndex(static_cast<int>(i));
    m_languages->setCurrentIndex(m_languages->findData(m_language.language()));
}

void LookPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void LookPage::showEvent(QShowEvent* event) {
    refresh();
    QWidget::showEvent(event);
}

void LookPage::retranslate() {
    m_sizeTitle->setText(tr("&Text size"));
    m_themeTitle->setText(tr("T&heme"));
    m_languageTitle->setText(tr("&Language"));
    m_size->setSuffix(toQString(percentSign(catalogueLanguage())));
    m_size->setToolTip(tr("100 % is the size of the desktop"));
    m_themes->setItemText(0, tr("As the desktop"));
    m_themes->setItemText(1, tr("Light"));
    m_themes->setItemText(2, tr("Dark"));
    refresh();
}

}  // namespace altiscope
