#include "views/sql/results/result_plot.h"

#include "core/session/session.h"
#include "views/common/plots/picture_file.h"
#include "views/common/plots/plot_view.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Data of the entry that stands for the rows themselves.
constexpr int kRowNumbers = -1;

bool hasSameColumns(const SqlTable& a, const SqlTable& b) {
    return std::equal(a.columns().begin(), a.columns().end(), b.columns().begin(), b.columns().end(),
                      [](const TableColumn& x, const TableColumn& y) { return x.name == y.name && x.type == y.type; });
}

}  // namespace

ResultPlot::ResultPlot(Session& session, QWidget* parent)
    : QWidget(parent), m_slot(session.jobs()), m_kindLabel(new QLabel(this)), m_acrossLabel(new QLabel(this)),
      m_kind(new QComboBox(this)), m_across(new QComboBox(this)), m_values(new QToolButton(this)),
      m_copy(new QToolButton(this)), m_save(new QToolButton(this)), m_valueMenu(new QMenu(this)),
      m_plot(new PlotView(session, this)) {
    auto* bar = barLayout<QHBoxLayout>(nullptr);
    for (QWidget* part : std::initializer_list<QWidget*>{m_kindLabel, m_kind, m_values, m_acrossLabel, m_across})
        bar->addWidget(part);
    bar->addStretch(1);
    bar->addWidget(m_copy);
    bar->addWidget(m_save);
    auto* column = bareLayout<QVBoxLayout>(this);
    column->addLayout(bar);
    column->addWidget(m_plot, 1);
    m_kindLabel->setBuddy(m_kind);
    m_acrossLabel->setBuddy(m_across);
    for (QToolButton* button : {m_copy, m_save}) button->setAutoRaise(true);
    m_values->setPopupMode(QToolButton::InstantPopup);
    m_values->setMenu(m_valueMenu);
    for (const PlotChoice::Kind kind : {PlotChoice::Kind::Bars, PlotChoice::Kind::Lines, PlotChoice::Kind::Histogram})
        m_kind->addItem(QString(), static_cast<int>(kind));
    setFocusProxy(m_plot);
    connect(m_kind, &QComboBox::activated, this, [this] {
        PlotChoice choice = *m_choice;
        choice.kind = static_cast<PlotChoice::Kind>(m_kind->currentData().toInt());
        // Lines need numbers below them.
        if (choice.kind == PlotChoice::Kind::Lines && choice.across &&
            m_table->columns()[*choice.across].type == CellType::Text)
            choice.across.reset();
        choose(std::move(choice));
    });
    connect(m_across, &QComboBox::activated, this, [this] {
        PlotChoice choice = *m_choice;
        const int column = m_across->currentData().toInt();
        choice.across = column == kRowNumbers ? std::nullopt : std::optional(static_cast<std::size_t>(column));
        choose(std::move(choice));
    });
    connect(m_valueMenu, &QMenu::aboutToShow, this, &ResultPlot::fillValues);
    connect(m_copy, &QToolButton::clicked, m_plot, &PlotView::copyPicture);
    connect(m_save, &QToolButton::clicked, this,
            [this] { savePictureAs(this, [this](const QString& file) { return m_plot->savePicture(file); }); });
    retranslate();
    setTable(nullptr);
}

void ResultPlot::setTable(std::shared_ptr<const SqlTable> table) {
    const bool isSame = m_table != nullptr && table != nullptr && hasSameColumns(*m_table, *table);
    m_table = std::move(table);
    if (m_table == nullptr || !isSame || !m_choice)
        m_choice = m_table == nullptr ? std::nullopt : usualChoice(*m_table);
    fillBoxes();
    draw();
}

void ResultPlot::choose(PlotChoice choice) {
    if (m_choice == choice) return;
    m_choice = std::move(choice);
    fillBoxes();
    draw();
}

void ResultPlot::fillBoxes() {
    const bool any = m_table != nullptr && m_choice;
    for (QWidget* part :
         std::initializer_list<QWidget*>{m_kindLabel, m_kind, m_values, m_acrossLabel, m_across, m_copy, m_save})
        part->setEnabled(any);
    const QSignalBlocker quietKind(m_kind), quietAcross(m_across);
    m_across->clear();
    if (!any) return m_values->setText(tr("Values"));
    m_kind->setCurrentIndex(m_kind->findData(static_cast<int>(m_choice->kind)));
    m_across->addItem(tr("Row"), kRowNumbers);
    for (std::size_t i = 0; i < m_table->columns().size(); ++i)
        if (m_choice->kind == PlotChoice::Kind::Bars || m_table->columns()[i].type != CellType::Text)
            m_across->addItem(toQString(m_table->columns()[i].name), static_cast<int>(i));
    m_across->setCurrentIndex(
        std::max(0, m_across->findData(m_choice->across ? static_cast<int>(*m_choice->across) : kRowNumbers)));
    const bool isHistogram = m_choice->kind == PlotChoice::Kind::Histogram;
    m_across->setVisible(!isHistogram);
    m_acrossLabel->setVisible(!isHistogram);
    QStringList names;
    for (const std::size_t column : m_choice->values) names << toQString(m_table->columns()[column].name);
    if (m_choice->kind != PlotChoice::Kind::Lines) names = names.mid(0, 1);
    m_values->setText(fontMetrics().elidedText(tr("Values: %1").arg(names.join(u", "_s)), Qt::ElideRight,
                                               fontMetrics().averageCharWidth() * 40));
}

/// Several columns stand beside each other as lines alone.
void ResultPlot::fillValues() {
    m_valueMenu->clear();
    if (m_table == nullptr || !m_choice) return;
    const bool isLines = m_choice->kind == PlotChoice::Kind::Lines;
    for (const std::size_t column : numberColumns(*m_table)) {
        QAction* action = m_valueMenu->addAction(toQString(m_table->columns()[column].name).replace(u'&', u"&&"_s));
        action->setCheckable(true);
        const auto& values = m_choice->values;
        action->setChecked(isLines ? std::find(values.begin(), values.end(), column) != values.end()
                                   : values.front() == column);
        connect(action, &QAction::triggered, this, [this, column, isLines](bool on) {
            PlotChoice choice = *m_choice;
            if (!isLines) choice.values = {column};
            else if (on) choice.values.push_back(column);
            else if (choice.values.size() > 1) std::erase(choice.values, column);
            choose(std::move(choice));
        });
    }
}

void ResultPlot::draw() {
    m_isStale = !isVisible();
    if (m_isStale) return m_slot.cancel();
    if (m_table == nullptr || !m_choice) {
        m_slot.cancel();
        m_shown = std::monostate();
        return m_plot->showNothing(m_table == nullptr ? tr("No rows") : tr("No column of the result has numbers."));
    }
    m_slot.start([table = m_table,
                  choice = *m_choice](const CancelToken& cancel) { return resultPicture(table, choice, cancel); },
                 [this](ResultPicture picture) {
                     m_shown = std::move(picture);
                     if (const auto* bars = std::get_if<StackedBars>(&m_shown)) m_plot->show(*bars);
                     else if (const auto* lines = std::get_if<NumberLines>(&m_shown)) m_plot->show(*lines);
                     else if (const auto* histogram = std::get_if<Histogram>(&m_shown)) m_plot->show(*histogram);
                     else m_plot->showNothing(tr("The chosen columns have no values."));
                 });
}

void ResultPlot::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) draw();
}

void ResultPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        draw();
    }
    QWidget::changeEvent(event);
}

void ResultPlot::retranslate() {
    m_kindLabel->setText(tr("&Plot"));
    m_kind->setItemText(0, tr("Bars"));
    m_kind->setItemText(1, tr("Lines"));
    m_kind->setItemText(2, tr("Histogram"));
    m_acrossLabel->setText(tr("&over"));
    m_across->setToolTip(tr("Values of the horizontal axis"));
    m_values->setToolTip(tr("Which columns of numbers are drawn; lines take several"));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy the picture"));
    m_save->setText(tr("Save…"));
    m_save->setToolTip(tr("Save the picture as PNG or SVG"));
    m_plot->setAccessibleName(tr("Plot of the result"));
    fillBoxes();
}

}  // namespace altiscope
