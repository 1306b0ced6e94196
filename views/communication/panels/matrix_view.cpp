#include "views/communication/panels/matrix_view.h"

#include "core/analysis/collectives/collective_slice.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/communication/data/communication_gaps.h"
#include "views/communication/data/link_texts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleValidator>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

MatrixView::MatrixView(Session& session, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_memory(memory), m_pictureSlot(session.jobs()), m_callSlot(session.jobs()),
      m_sliceSlot(session.jobs()), m_metricLabel(new QLabel(this)), m_rangeLabel(new QLabel(this)),
      m_unit(new QLabel(this)), m_metric(new QComboBox(this)), m_inner(new QCheckBox(this)), m_log(new QCheckBox(this)),
      m_difference(new QCheckBox(this)), m_low(new QLineEdit(this)), m_high(new QLineEdit(this)),
      m_canvas(new MatrixCanvas(session, this)), m_tabs(new QTabWidget(this)),
      m_links(new TablePanel(session, memory, u"links"_s, m_tabs)),
      m_calls(new TablePanel(session, memory, u"link_calls"_s, m_tabs)),
      m_transports(new TablePanel(session, memory, u"link_transports"_s, m_tabs)) {
    setUp(memory);
    setUpCalls();
    retranslate();
    showColours();
}

void MatrixView::setUp(const ViewMemory& memory) {
    auto* column = bareLayout<QVBoxLayout>(this);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 0, 8, 4);
    bar->setSpacing(8);
    for (QWidget* part : std::initializer_list<QWidget*>{m_metricLabel, m_metric, m_difference, m_inner, m_log,
                                                         m_rangeLabel, m_low, m_high, m_unit})
        bar->addWidget(part);
    bar->addStretch(1);
    column->addLayout(bar);
    auto* whole = new QSplitter(Qt::Vertical, this);
    whole->addWidget(m_canvas);
    whole->addWidget(m_tabs);
    whole->setSizes({560, 440});
    whole->setChildrenCollapsible(false);
    column->addWidget(whole, 1);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_links, QString());
    m_tabs->addTab(m_calls, QString());
    m_tabs->addTab(m_transports, QString());
    m_metricLabel->setBuddy(m_metric);
    m_rangeLabel->setBuddy(m_low);
    for (const LinkMetric metric :
         {LinkMetric::Bandwidth, LinkMetric::Size, LinkMetric::Time, LinkMetric::Count, LinkMetric::Transport})
        m_metric->addItem(QString(), static_cast<int>(metric));
    m_metric->setCurrentIndex(std::clamp(memory.value(u"communication/metric"_s).toInt(), 0, m_metric->count() - 1));
    m_inner->setChecked(memory.value(u"communication/inner"_s).toBool());
    m_log->setChecked(memory.value(u"communication/log"_s).toBool());
    const QVariant difference = memory.value(u"communication/difference"_s);
    m_difference->setChecked(!difference.isValid() || difference.toBool());
    m_difference->hide();
    connect(m_difference, &QCheckBox::toggled, this, &MatrixView::setDifferenceShown);
    for (QLineEdit* end : {m_low, m_high}) {
        auto* numbers = new QDoubleValidator(end);
        numbers->setLocale(QLocale::c());
        end->setValidator(numbers);
        end->setFixedWidth(fontMetrics().averageCharWidth() * 14);
        connect(end, &QLineEdit::textChanged, this, &MatrixView::showColours);
    }
    connect(m_metric, &QComboBox::activated, this, [this] { setMetric(chosenMetric()); });
    connect(m_inner, &QCheckBox::toggled, this, &MatrixView::setInnerShown);
    connect(m_log, &QCheckBox::toggled, this, [this](bool on) {
        m_memory.setValue(u"communication/log"_s, on);
        showColours();
    });
    connect(m_canvas, &MatrixCanvas::linkChosen, this, [this](MatrixCanvas::Link link) { chooseLink(link, false); });
    connect(m_canvas, &MatrixCanvas::linkOpened, this, [this](MatrixCanvas::Link link) {
        chooseLink(link, false);
        openLink();
    });
    connect(m_canvas, &MatrixCanvas::menuOpens, this, [this](QMenu* menu) { fillMenu(*menu); });
    setFocusProxy(m_canvas);
}

void MatrixView::setUpCalls() {
    m_links->filterBar().setExample(u"bandwidth < 15GB/s and transport = \"HCCS\""_s);
    m_calls->filterBar().setExample(u"transit > 1ms"_s);
    m_transports->filterBar().setExample(u"share_of_reference < 0.8"_s);
    m_calls->table().setWideColumn(static_cast<std::size_t>(CallColumn::Operator));
    const auto choose = [this](std::uint32_t row) {
        if (m_table == nullptr || row >= m_table->rowCount()) return;
        const LinkSum link = m_table->link(row);
        chooseLink({link.source, link.target}, true);
    };
    connect(&m_links->table(), &DataTable::currentChanged, this, [this, choose] {
        if (const auto row = m_links->table().currentRow()) choose(*row);
    });
    connect(&m_links->table(), &DataTable::activated, this, [this, choose](std::uint32_t row) {
        choose(row);
        m_tabs->setCurrentWidget(m_calls);
        m_calls->table().setFocus();
    });
    m_links->table().setRowMenu([this](QMenu& menu, std::uint32_t) { fillMenu(menu); });
    connect(&m_calls->table(), &DataTable::activated, this, &MatrixView::openCall);
    m_calls->table().setRowMenu([this](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("Show in the &timeline"), this, [this, row] { openCall(row); });
    });
}

bool MatrixView::idle() const {
    return !m_pictureSlot.busy() && !m_callSlot.busy() && !m_sliceSlot.busy() && !m_links->table().loader().busy() &&
           !m_calls->table().loader().busy() && !m_transports->table().loader().busy();
}

LinkMetric MatrixView::chosenMetric() const { return static_cast<LinkMetric>(m_metric->currentData().toInt()); }

void MatrixView::setMetric(LinkMetric metric) {
    m_metric->setCurrentIndex(m_metric->findData(static_cast<int>(metric)));
    m_memory.setValue(u"communication/metric"_s, m_metric->currentIndex());
    // A range in one unit says nothing in another.
    m_low->clear();
    m_high->clear();
    retranslate();
    readPicture();
}

void MatrixView::setInnerShown(bool shown) {
    m_inner->setChecked(shown);
    m_memory.setValue(u"communication/inner"_s, shown);
    readPicture();
}

bool MatrixView::showsDifference() const { return m_base && m_difference->isChecked(); }

void MatrixView::setDifferenceShown(bool shown) {
    m_difference->setChecked(shown);
    m_memory.setValue(u"communication/difference"_s, shown);
    m_low->clear();
    m_high->clear();
    readPicture();
}

void MatrixView::show(std::shared_ptr<const CommunicationSource> source, const LinkQuery& query, TimeNs origin,
                      std::optional<LinkBase> base) {
    m_source = std::move(source);
    m_base = std::move(base);
    m_comparison.reset();
    m_difference->setVisible(m_base.has_value());
    m_query = query;
    m_origin = origin;
    m_matrix.reset();
    m_sliceSlot.cancel();
    m_callSlot.cancel();
    m_callList.reset();
    m_calls->setSource(nullptr, {});
    m_opensSlowest = false;
    if (m_source == nullptr) {
        m_pictureSlot.cancel();
        return takePicture({});
    }
    readPicture();
}

void MatrixView::readPicture() {
    if (m_source == nullptr) return;
    const auto inner = m_inner->isChecked() ? LinkPicture::Inner::Shown : LinkPicture::Inner::Hidden;
    m_pictureSlot.start(
        [source = m_source, query = m_query, base = m_base, compared = m_comparison, known = m_matrix, table = m_table,
         transports = m_transportTable, metric = chosenMetric(), inner,
         isDifference = showsDifference()](const CancelToken& cancel) -> Shown {
            Shown shown{.picture = {}, .table = {}, .transports = {}, .comparison = compared};
            auto matrix = known != nullptr ? known : linkMatrix(*source->capture, query, cancel);
            if (matrix == nullptr) return {};
            if (base && shown.comparison == nullptr) {
                const auto before = linkMatrix(*base->source->capture, base->query, cancel);
                if (before == nullptr) return {};
                shown.comparison = compareLinks(*matrix, stepsOfLinks(*source->capture, query, cancel), *before,
                                                stepsOfLinks(*base->source->capture, base->query, cancel), cancel);
            }
            if (shown.comparison != nullptr) matrix = shown.comparison->current;
            shown.picture = shown.comparison != nullptr && isDifference
                                ? LinkPicture::makeDifference(shown.comparison, metric, inner, cancel)
                                : LinkPicture::make(matrix, metric, inner, cancel);
            const bool isSame = table != nullptr && table->matrix() == matrix && table->inner() == inner &&
                                table->comparison() == shown.comparison;
            shown.table = isSame ? table : std::make_shared<const LinkTable>(matrix, inner, shown.comparison);
            shown.transports = isSame ? transports
                                      : std::make_shared<const TransportTable>(
                                            transportBandwidths(*matrix, inner == LinkPicture::Inner::Shown));
            return shown;
        },
        [this](Shown shown) {
            if (shown.picture) takePicture(std::move(shown));
        });
}

void MatrixView::takePicture(Shown shown) {
    const auto& picture = shown.picture;
    auto& table = shown.table;
    m_comparison = std::move(shown.comparison);
    const bool isNew = picture == nullptr || picture->shared() != m_matrix;
    m_matrix = picture == nullptr ? nullptr : picture->shared();
    m_canvas->setPicture(picture);
    // Another metric has the same rows.
    if (table == nullptr || table != m_table)
        m_links->setSource(table, table == nullptr ? std::vector<ColumnHeading>() : table->headings());
    m_table = std::move(table);
    if (shown.transports == nullptr || shown.transports != m_transportTable)
        m_transports->setSource(shown.transports,
                                shown.transports == nullptr ? std::vector<ColumnHeading>() : transportHeadings());
    m_transportTable = std::move(shown.transports);
    showScope();
    // The slowest first, until the user wants another order.
    if (m_table != nullptr && m_links->table().loader().sort().empty())
        m_links->table().loader().setSort({{LinkTable::Bandwidth, false}});
    showColours();
    if (!isNew && !m_wantedLink) return;
    m_callList.reset();
    m_calls->setSource(nullptr, {});
    if (const auto wanted = std::exchange(m_wantedLink, std::nullopt); wanted && m_matrix != nullptr)
        return chooseLink(wanted->first, wanted->second);
    if (m_canvas->chosen() && m_matrix != nullptr &&
        m_matrix->find(m_canvas->chosen()->source, m_canvas->chosen()->target))
        readCalls();
    else m_canvas->choose(std::nullopt);
}

void MatrixView::showScope() {
    QString scope = m_source == nullptr ? QString() : markedScope(*m_source, m_source->wholeLinks);
    if (m_base && m_matrix != nullptr) {
        const QString beside =
            m_comparison == nullptr ? tr("too many links to compare") : tr("beside the base, %1").arg(m_base->title);
        scope = scope.isEmpty() ? beside : scope + u", "_s + beside;
    }
    m_links->setScope(scope);
    m_transports->setScope(m_source == nullptr ? QString() : markedScope(*m_source, m_source->wholeLinks));
}

void MatrixView::showColours() {
    const bool isNumber = chosenMetric() != LinkMetric::Transport;
    const bool isDifference = m_canvas->picture() != nullptr && m_canvas->picture()->isDifference();
    for (QWidget* part : std::initializer_list<QWidget*>{m_log, m_rangeLabel, m_low, m_high, m_unit})
        part->setVisible(isNumber);
    m_log->setEnabled(!isDifference);
    const auto value = [this](const QLineEdit* end) {
        bool ok = false;
        const double number = end->text().toDouble(&ok);
        return ok ? std::optional(number * metricUnit(chosenMetric()).value) : std::nullopt;
    };
    const bool isLog = isNumber && m_log->isChecked();
    m_canvas->setColours(isNumber ? value(m_low) : std::nullopt, isNumber ? value(m_high) : std::nullopt,
                         isLog ? ColourRamp::Scale::Logarithmic : ColourRamp::Scale::Linear);
    const ColourRamp ramp = m_canvas->ramp();
    m_low->setPlaceholderText(formatNumber(ramp.low() / metricUnit(chosenMetric()).value));
    m_high->setPlaceholderText(formatNumber(ramp.high() / metricUnit(chosenMetric()).value));
}

// --- the chosen link ----------------------------------------------------------------------------------------------

void MatrixView::chooseLink(std::int64_t source, std::int64_t target) {
    m_wantedLink.reset();
    if (m_matrix == nullptr || m_pictureSlot.busy()) {
        m_wantedLink = {source, target};
        return;
    }
    const auto& nodes = m_matrix->nodes();
    const auto placeOf = [&](std::int64_t rank) {
        return static_cast<std::uint32_t>(
            std::find_if(nodes.begin(), nodes.end(), [&](const LinkNode& node) { return node.rank == rank; }) -
            nodes.begin());
    };
    const std::uint32_t a = placeOf(source), b = placeOf(target);
    for (const MatrixCanvas::Link link : {MatrixCanvas::Link{a, b}, MatrixCanvas::Link{b, a}}) {
        if (!m_matrix->find(link.source, link.target)) continue;
        m_canvas->choose(link);
        return chooseLink(link, false);
    }
}

void MatrixView::chooseLink(MatrixCanvas::Link link, bool fromTable) {
    m_opensSlowest = false;
    if (m_table == nullptr) return;
    if (fromTable) {
        if (m_canvas->chosen() == link && m_callList != nullptr) return;
        m_canvas->choose(link);
    } else {
        markInTable(link);
    }
    readCalls();
}

void MatrixView::markInTable(MatrixCanvas::Link link) {
    const auto row = m_table->rowOf(link.source, link.target);
    const auto& rows = m_links->table().loader().rows();
    for (std::size_t place = 0; row && place < rows->count; ++place)
        if (rows->row(place) == *row) return m_links->table().setCurrent(place, LinkTable::Bandwidth);
}

void MatrixView::readCalls() {
    const auto link = m_canvas->chosen();
    if (!link || m_matrix == nullptr || m_source == nullptr) return;
    m_callSlot.start(
        [source = m_source, query = m_query, matrix = m_matrix, link = *link,
         origin = m_origin](const CancelToken& cancel) {
            return linkCallList(*source, query, matrix->nodes()[link.source], matrix->nodes()[link.target], origin,
                                cancel);
        },
        [this](std::shared_ptr<const LinkCallList> list) {
            if (list == nullptr || m_matrix == nullptr || !m_canvas->chosen()) return;
            m_callList = std::move(list);
            m_calls->setSource(m_callList->table, linkCallHeadings());
            // The slowest first, until the user wants another order.
            if (m_calls->table().loader().sort().empty())
                m_calls->table().loader().setSort({{static_cast<std::size_t>(CallColumn::Bandwidth), false}});
            const auto& nodes = m_matrix->nodes();
            m_calls->setScope(
                tr("%1 to %2", "two ranks")
                    .arg(nodeTitle(nodes[m_canvas->chosen()->source]), nodeTitle(nodes[m_canvas->chosen()->target])));
            if (std::exchange(m_opensSlowest, false) && !m_callList->calls.empty()) openCall(m_callList->slowest);
        });
}

void MatrixView::openLink() {
    m_opensSlowest = m_matrix != nullptr;
    readCalls();
}

/// To its slice in the timeline if there is one, else to the time at which the files say that it was.
void MatrixView::openCall(std::uint32_t row) {
    if (m_callList == nullptr || row >= m_callList->calls.size() || m_source == nullptr) return;
    const LinkCall call = m_callList->calls[row];
    m_sliceSlot.start(
        [trace = m_source->capture->ranks[call.rank.value].trace, call](const CancelToken&) -> std::optional<SliceId> {
            const auto slice = trace == nullptr ? std::nullopt : collectiveSlice(*trace, call.name, call.begin);
            return slice ? std::optional(trace->id(*slice)) : std::nullopt;
        },
        [this, call](std::optional<SliceId> slice) {
            if (slice) emit sliceRequested(*slice);
            else if (call.begin)
                emit placeRequested(call.rank,
                                    {*call.begin, *call.begin + DurationNs{std::max<std::int64_t>(1, call.elapsed)}});
        });
}

void MatrixView::fillMenu(QMenu& menu) {
    menu.addAction(tr("List its &calls"), this, [this] {
        m_tabs->setCurrentWidget(m_calls);
        m_calls->table().setFocus();
    });
    menu.addAction(tr("Show its slowest call in the &timeline"), this, &MatrixView::openLink);
    menu.addAction(tr("Show it in the table of &links"), this, [this] {
        const auto link = m_canvas->chosen();
        const auto row = link && m_table != nullptr ? m_table->rowOf(link->source, link->target) : std::nullopt;
        if (!row) return;
        m_tabs->setCurrentWidget(m_links);
        m_links->filterBar().addChip(u"source = \"%1\""_s.arg(
            toQString(m_table->text(LinkTable::Source, m_table->cell(LinkTable::Source, *row)))));
        m_links->filterBar().addChip(u"target = \"%1\""_s.arg(
            toQString(m_table->text(LinkTable::Target, m_table->cell(LinkTable::Target, *row)))));
    });
}

void MatrixView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        if (m_table != nullptr) m_links->table().setHeadings(m_table->headings());
        if (m_callList != nullptr) m_calls->table().setHeadings(linkCallHeadings());
        if (m_transportTable != nullptr) m_transports->table().setHeadings(transportHeadings());
        showScope();
    }
    QWidget::changeEvent(event);
}

void MatrixView::retranslate() {
    m_metricLabel->setText(tr("&Colour"));
    for (int i = 0; i < m_metric->count(); ++i)
        m_metric->setItemText(i, metricTitle(static_cast<LinkMetric>(m_metric->itemData(i).toInt())));
    m_metric->setToolTip(metricFormula(chosenMetric()));
    m_inner->setText(tr("&Within ranks"));
    m_inner->setToolTip(tr("Shows what ranks send to themselves, too."));
    m_difference->setText(tr("&Difference from the base"));
    m_difference->setToolTip(tr("Colours show how much a link changed: blue is less than in the base, red is more. "
                                "Sizes, times and calls are per step."));
    m_log->setText(tr("&Logarithmic"));
    m_rangeLabel->setText(tr("Colour r&ange"));
    m_low->setAccessibleName(tr("Lower end of the colour range"));
    m_high->setAccessibleName(tr("Upper end of the colour range"));
    m_low->setToolTip(tr("Empty: the ends of the values."));
    m_high->setToolTip(m_low->toolTip());
    m_unit->setText(metricUnit(chosenMetric()).name);
    m_tabs->setTabText(m_tabs->indexOf(m_links), tr("Links"));
    m_tabs->setTabText(m_tabs->indexOf(m_calls), tr("Calls of the link"));
    m_tabs->setTabText(m_tabs->indexOf(m_transports), tr("Transports"));
    m_transports->table().setAccessibleName(tr("Transports"));
    m_canvas->setAccessibleName(tr("Matrix of links"));
    m_links->table().setAccessibleName(tr("Links"));
    m_calls->table().setAccessibleName(tr("Calls of the link"));
}

}  // namespace altiscope
