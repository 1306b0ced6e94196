#include "views/findings/thresholds_panel.h"

#include "views/common/support/bare_layout.h"
#include "views/common/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace altiscope {

ThresholdsPanel::ThresholdsPanel(FindingSettings& settings, QWidget* parent)
    : QWidget(parent), m_settings(settings), m_model(new ThresholdModel(settings, this)), m_table(new QTableView(this)),
      m_hint(new QLabel(this)), m_reset(new QPushButton(this)), m_resetAll(new QPushButton(this)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(m_hint, 1);
    row->addWidget(m_reset);
    row->addWidget(m_resetAll);
    column->addLayout(row);
    column->addWidget(m_table, 1);
    m_hint->setWordWrap(true);
    // In a dialog Return would press the first of them.
    for (QPushButton* button : {m_reset, m_resetAll}) button->setAutoDefault(false);
    m_table->setModel(m_model);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                             QAbstractItemView::AnyKeyPressed);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(ThresholdModel::MeaningColumn, QHeaderView::Stretch);
    setFocusProxy(m_table);
    connect(&settings, &FindingSettings::thresholdsChanged, this, &ThresholdsPanel::refresh);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ThresholdsPanel::refresh);
    // Wherever a row is clicked, its value is what can be changed.
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.column() != ThresholdModel::ValueColumn)
            m_table->edit(index.siblingAtColumn(ThresholdModel::ValueColumn));
    });
    connect(
        m_table->selectionModel(), &QItemSelectionModel::currentColumnChanged, m_table,
        [this](const QModelIndex& current) {
            const QModelIndex value = current.siblingAtColumn(ThresholdModel::ValueColumn);
            if (current != value) m_table->selectionModel()->setCurrentIndex(value, QItemSelectionModel::NoUpdate);
        },
        Qt::QueuedConnection);
    connect(m_model, &ThresholdModel::refused, this, [this](const QString& text) {
        m_hint->setText(tr("\"%1\" is not accepted: enter a number above 0, a share of at most 100 %; units are ns µs "
                           "ms s, B KiB MiB, GB/s, %.")
                            .arg(text));
        QPalette red = m_hint->palette();
        red.setColor(QPalette::WindowText, themeOf(palette()).error);
        m_hint->setPalette(red);
    });
    connect(m_reset, &QPushButton::clicked, this, [this] {
        for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) m_model->reset(index.row());
    });
    connect(m_resetAll, &QPushButton::clicked, this, [this] { m_settings.resetThresholds(); });
    retranslate();
}

void ThresholdsPanel::showThreshold(const QString& name) {
    const int row = m_model->rowOf(name);
    if (row < 0) return;
    const QModelIndex index = m_model->index(row, ThresholdModel::ValueColumn);
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index);
    m_table->setFocus();
}

void ThresholdsPanel::refresh() {
    const int changed = m_settings.changedThresholds();
    m_hint->setText(changed == 0 ? tr("The rules use these thresholds. A double click or F2 changes one; it takes "
                                      "effect at once, here and on the overview.")
                                 : tr("%n threshold(s) differ from the default. altiscope-cli goes by the defaults.",
                                      nullptr, changed));
    QPalette quiet = m_hint->palette();
    quiet.setColor(QPalette::WindowText, themeOf(palette()).muted);
    m_hint->setPalette(quiet);
    bool any = false;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        any = any || m_model->isChanged(index.row());
    m_reset->setEnabled(any);
    m_resetAll->setEnabled(changed > 0);
}

void ThresholdsPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::PaletteChange) refresh();
    QWidget::changeEvent(event);
}

void ThresholdsPanel::retranslate() {
    m_reset->setText(tr("&Reset"));
    m_reset->setToolTip(tr("Resets the chosen thresholds to their defaults"));
    m_resetAll->setText(tr("Reset &all"));
    m_table->setAccessibleName(tr("Thresholds"));
    m_model->retranslate();
    refresh();
}

}  // namespace altiscope
