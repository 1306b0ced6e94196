#include "views/timeline/page/colour_rules_panel.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPixmap>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

ColourRulesPanel::ColourRulesPanel(TimelineScene& scene, QWidget* parent)
    : QWidget(parent), m_scene(scene), m_about(new QLabel(this)), m_problem(new QLabel(this)),
      m_area(new QScrollArea(this)), m_add(new QPushButton(this)) {
    m_about->setWordWrap(true);
    m_problem->setWordWrap(true);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_add->setIcon(themedIcon(u"add"_s));
    m_add->setAutoDefault(false);
    auto* row = new QHBoxLayout;
    row->addWidget(m_add);
    row->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(8);
    column->addWidget(m_about);
    column->addWidget(m_area, 1);
    column->addWidget(m_problem);
    column->addLayout(row);
    connect(m_add, &QPushButton::clicked, this, [this] {
        std::vector<ColourRule> rules = written();
        if (rules.size() >= kMaxColourRules) return;
        rules.emplace_back();
        showRules(rules);
        m_rows.back().pattern->setFocus();
    });
    connect(&scene, &TimelineScene::colourRulesChanged, this, [this] {
        if (!m_isTaking) fill();
    });
    fill();
    retranslate();
}

void ColourRulesPanel::fill() { showRules(m_scene.colourRules()); }

void ColourRulesPanel::showRules(const std::vector<ColourRule>& rules) {
    // A button may be the one that asks for it.
    if (m_list != nullptr) m_area->takeWidget()->deleteLater();
    m_rows.clear();
    m_list = new QWidget;
    m_grid = new QGridLayout(m_list);
    m_grid->setContentsMargins({});
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    for (const ColourRule& rule : rules) addRow(rule);
    m_grid->setRowStretch(static_cast<int>(rules.size()), 1);
    m_area->setWidget(m_list);
    m_add->setEnabled(rules.size() < kMaxColourRules);
    retranslate();
    QWidget* before = m_area;
    for (const Row& row : m_rows) {
        for (QWidget* widget : widgetsOf(row)) QWidget::setTabOrder(std::exchange(before, widget), widget);
    }
}

std::vector<QWidget*> ColourRulesPanel::widgetsOf(const Row& row) {
    return {row.of, row.pattern, row.colour, row.earlier, row.remove};
}

void ColourRulesPanel::addRow(const ColourRule& rule) {
    const auto index = m_rows.size();
    const Row row{new QComboBox(m_list), new QLineEdit(m_list), new QComboBox(m_list), new QToolButton(m_list),
                  new QToolButton(m_list)};
    m_rows.push_back(row);
    row.of->addItems({QString(), QString()});
    row.of->setCurrentIndex(static_cast<int>(rule.of));
    row.pattern->setMaxLength(kMaxRulePattern);
    row.pattern->setText(QString::fromStdString(rule.pattern));
    fillColours(*row.colour);
    row.colour->setCurrentIndex(static_cast<int>(rule.colour));
    row.earlier->setIcon(themedIcon(u"up"_s));
    row.earlier->setEnabled(index > 0);
    row.remove->setIcon(themedIcon(u"close"_s));
    int column = 0;
    for (QWidget* widget : widgetsOf(row)) m_grid->addWidget(widget, static_cast<int>(index), column++);
    connect(row.of, &QComboBox::currentIndexChanged, this, &ColourRulesPanel::take);
    connect(row.pattern, &QLineEdit::textChanged, this, &ColourRulesPanel::take);
    connect(row.colour, &QComboBox::currentIndexChanged, this, &ColourRulesPanel::take);
    connect(row.earlier, &QToolButton::clicked, this, [this, index] {
        std::vector<ColourRule> rules = written();
        std::swap(rules[index], rules[index - 1]);
        showRules(rules);
        take();
        m_rows[index - 1].pattern->setFocus();
    });
    connect(row.remove, &QToolButton::clicked, this, [this, index] {
        std::vector<ColourRule> rules = written();
        rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(index));
        showRules(rules);
        take();
        m_add->setFocus();
    });
}

void ColourRulesPanel::fillColours(QComboBox& box) const {
    const LanePalette palette = makeLanePalette(themeOf(this->palette()));
    const int side = fontMetrics().ascent();
    for (std::size_t i = 0; i < ruleColours().size(); ++i) {
        const RuleColour& colour = ruleColours()[i];
        QPixmap swatch(side, side);
        swatch.fill(QColor(palette.fill[colour.colour]));
        if (box.count() <= static_cast<int>(i)) box.addItem(QString());
        box.setItemIcon(static_cast<int>(i), swatch);
        box.setItemText(static_cast<int>(i), ruleColourTitle(colour));
    }
}

std::vector<ColourRule> ColourRulesPanel::written() const {
    std::vector<ColourRule> rules;
    for (const Row& row : m_rows) {
        rules.push_back({static_cast<ColourRule::Of>(row.of->currentIndex()), row.pattern->text().toStdString(),
                         static_cast<std::size_t>(row.colour->currentIndex())});
    }
    return rules;
}

void ColourRulesPanel::take() {
    const QScopedValueRollback<bool> taking(m_isTaking, true);
    QStringList problems;
    std::vector<ColourRule> sound;
    for (const ColourRule& rule : written()) {
        const std::string problem = problemOf(rule);
        if (!problem.empty())
            problems << tr("%1 is no regular expression: %2").arg(toQString(rule.pattern), toQString(problem));
        else if (!rule.pattern.empty()) sound.push_back(rule);
    }
    m_problem->setText(problems.join(u'\n'));
    m_problem->setVisible(!problems.isEmpty());
    QPalette red = m_problem->palette();
    red.setColor(QPalette::WindowText, themeOf(palette()).error);
    m_problem->setPalette(red);
    m_scene.setColourRules(std::move(sound));
}

void ColourRulesPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::PaletteChange)
        for (const Row& row : m_rows) fillColours(*row.colour);
    const bool isSeen = event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange;
    if (isSeen && !m_problem->text().isEmpty()) take();
    QWidget::changeEvent(event);
}

void ColourRulesPanel::retranslate() {
    m_about->setText(tr("Slices of the timeline that a rule is about get its colour, whatever they are coloured by. "
                        "The first rule counts. Workspaces keep the rules."));
    m_add->setText(tr("&Add a rule"));
    for (const Row& row : m_rows) {
        const QSignalBlocker blocker(row.of), colours(row.colour);
        row.of->setItemText(0, tr("Name contains"));
        row.of->setItemText(1, tr("Category is"));
        row.of->setAccessibleName(tr("What the rule looks at"));
        row.pattern->setPlaceholderText(tr("Regular expression, or name of a category"));
        row.pattern->setAccessibleName(tr("Pattern"));
        row.colour->setAccessibleName(tr("Colour"));
        fillColours(*row.colour);
        row.earlier->setToolTip(tr("Earlier in the order"));
        row.earlier->setAccessibleName(row.earlier->toolTip());
        row.remove->setToolTip(tr("Removes the rule"));
        row.remove->setAccessibleName(row.remove->toolTip());
    }
    m_problem->setVisible(!m_problem->text().isEmpty());
}

}  // namespace altiscope
