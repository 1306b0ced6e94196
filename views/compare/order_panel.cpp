#include "views/compare/order_panel.h"

#include "core/base/text/text.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QVBoxLayout>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr std::size_t indexOf(OrderColumn column) { return static_cast<std::size_t>(column); }

QString kindWord(const QString& kind) {
    if (kind == u"added"_s) return OrderPanel::tr("added");
    if (kind == u"removed"_s) return OrderPanel::tr("removed");
    if (kind == u"moved"_s) return OrderPanel::tr("moved");
    if (kind == u"reshaped"_s) return OrderPanel::tr("reshaped");
    if (kind == u"replaced"_s) return OrderPanel::tr("replaced");
    if (kind == u"fused"_s) return OrderPanel::tr("fused");
    return OrderPanel::tr("split");
}

QString stepWords(const OrderSide& side) {
    QStringList parts;
    if (side.rankId) parts << OrderPanel::tr("rank %1").arg(*side.rankId);
    if (side.step) parts << OrderPanel::tr("step %1").arg(*side.step);
    return parts.isEmpty() ? OrderPanel::tr("all of it") : parts.join(u", "_s);
}

}  // namespace

std::shared_ptr<const ColumnTable> orderTable(const OrderComparison& order) {
    constexpr CellUnit kTime = CellUnit::Duration;
    ColumnTableBuilder builder({{.name = "kind", .type = CellType::Text},
                                {.name = "base_keys", .type = CellType::Text},
                                {.name = "current_keys", .type = CellType::Text},
                                {.name = "count", .unit = CellUnit::Count},
                                {.name = "base", .unit = kTime},
                                {.name = "current", .unit = kTime},
                                {.name = "change", .unit = kTime},
                                {.name = "change_share", .type = CellType::Real, .unit = CellUnit::Share},
                                {.name = "base_place", .unit = CellUnit::Count},
                                {.name = "current_place", .unit = CellUnit::Count}});
    const auto setPlace = [&builder](OrderColumn column, const std::optional<std::size_t>& place) {
        if (place) builder.setInteger(indexOf(column), static_cast<std::int64_t>(*place));
    };
    for (const OrderRow& row : order.rows) {
        builder.addRow();
        builder.setText(indexOf(OrderColumn::Kind), orderKindName(row.kind));
        if (!row.base.empty()) builder.setText(indexOf(OrderColumn::Base), repairedUtf8(joinedKernelKeys(row.base)));
        if (!row.current.empty())
            builder.setText(indexOf(OrderColumn::Current), repairedUtf8(joinedKernelKeys(row.current)));
        builder.setInteger(indexOf(OrderColumn::Count), static_cast<std::int64_t>(row.count));
        builder.setInteger(indexOf(OrderColumn::BaseTime), row.change.base);
        builder.setInteger(indexOf(OrderColumn::CurrentTime), row.change.current);
        builder.setInteger(indexOf(OrderColumn::Change), row.change.change);
        if (const auto share = shareOf(row.change)) builder.setReal(indexOf(OrderColumn::Share), *share);
        setPlace(OrderColumn::BasePlace, row.basePlace);
        setPlace(OrderColumn::CurrentPlace, row.currentPlace);
    }
    return builder.finish();
}

std::vector<ColumnHeading> orderHeadings() {
    const QString time = OrderPanel::tr("Time of all of them in the step that was aligned.");
    const QString place = OrderPanel::tr("How many kernels of the step precede the first of them on its stream.");
    return {
        {OrderPanel::tr("What"), OrderPanel::tr("What changed, by the order of the kernels on each stream."), kindWord},
        {OrderPanel::tr("In the base"), OrderPanel::tr("Name, type and shapes; of several all."), {}, Qt::ElideMiddle},
        {OrderPanel::tr("In the current side"),
         OrderPanel::tr("Name, type and shapes; of several all."),
         {},
         Qt::ElideMiddle},
        {OrderPanel::tr("Count"), OrderPanel::tr("How often in the step.")},
        {OrderPanel::tr("Base"), time},
        {OrderPanel::tr("Current"), time},
        {OrderPanel::tr("Difference"), u"current - base"_s},
        {OrderPanel::tr("Change"), u"(current - base) / base"_s},
        {OrderPanel::tr("Position in the base"), place},
        {OrderPanel::tr("Position in the current side"), place}};
}

OrderPanel::OrderPanel(Session& session, const ViewMemory& memory, QWidget* parent)
    : Translated(parent), m_sentence(new QLabel(this)), m_table(new TablePanel(session, memory, u"order"_s, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_sentence);
    column->addWidget(m_table, 1);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_sentence->setContentsMargins(8, 0, 8, 4);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setFocusProxy(m_table);
    m_table->filterBar().setExample(u"kind = \"fused\" and change < 0"_s);
    m_table->hideAtFirst({indexOf(OrderColumn::BasePlace), indexOf(OrderColumn::CurrentPlace)});
    DataTable& table = m_table->table();
    connect(&table, &DataTable::activated, this, [this](std::uint32_t row) { openRow(row, std::nullopt); });
    table.setRowMenu([this](QMenu& menu, std::uint32_t row) {
        if (m_comparison == nullptr || !m_comparison->order || row >= m_comparison->order->rows.size()) return;
        const OrderRow& of = m_comparison->order->rows[row];
        menu.addAction(tr("Show the &current side in the timeline"), this, [this, row] { openRow(row, false); })
            ->setEnabled(of.currentSlice.has_value());
        menu.addAction(tr("Show the &base in the timeline"), this, [this, row] { openRow(row, true); })
            ->setEnabled(of.baseSlice.has_value());
    });
    retranslate();
}

void OrderPanel::setComparison(std::shared_ptr<const Comparison> comparison) {
    if (m_comparison == comparison) return;
    m_comparison = std::move(comparison);
    const bool any = m_comparison != nullptr && m_comparison->order;
    m_table->setSource(any ? orderTable(*m_comparison->order) : nullptr,
                       any ? orderHeadings() : std::vector<ColumnHeading>());
    showSentence();
}

QString OrderPanel::sentence() const { return m_sentence->text(); }

bool OrderPanel::idle() const { return !m_table->table().loader().busy(); }

void OrderPanel::showSentence() {
    if (m_comparison == nullptr) return m_sentence->clear();
    if (!m_comparison->order)
        return m_sentence->setText(tr("One side has no kernels in its steps: nothing can be aligned."));
    const OrderComparison& order = *m_comparison->order;
    QString text = tr("%1 of the base beside %2 of the current side: %3 kernels are the same in the same order, of %4 "
                      "and %5. Collectives do not count.")
                       .arg(stepWords(order.base), stepWords(order.current), formatCount(order.same),
                            formatCount(order.base.kernels), formatCount(order.current.kernels));
    if (order.rows.empty()) text += u' ' + tr("Nothing was added, removed, moved or changed.");
    if (order.base.isCut || order.current.isCut)
        text +=
            u' ' +
            tr("Only the first %1 kernels of a step are aligned.").arg(formatCount(OrderComparison::kMaxStepKernels));
    if (!order.isLongest) text += u' ' + tr("They differ so much that other alignments may keep more of them.");
    m_sentence->setText(withUnbrokenUnits(text));
    m_table->setScope(order.omitted > 0 ? tr("%1 smaller ones are only counted").arg(formatCount(order.omitted))
                                        : QString());
}

void OrderPanel::openRow(std::uint32_t row, std::optional<bool> ofBase) {
    if (m_comparison == nullptr || !m_comparison->order || row >= m_comparison->order->rows.size()) return;
    const OrderComparison& order = *m_comparison->order;
    const OrderRow& of = order.rows[row];
    const bool isOfBase = ofBase.value_or(!of.currentSlice.has_value());
    const auto& slice = isOfBase ? of.baseSlice : of.currentSlice;
    if (slice) emit kernelRequested(isOfBase, SliceKey{isOfBase ? order.base.rank : order.current.rank, *slice});
}

void OrderPanel::retranslate() {
    m_table->table().setAccessibleName(tr("Kernels whose order differs"));
    if (m_comparison != nullptr && m_comparison->order) m_table->table().setHeadings(orderHeadings());
    showSentence();
}

}  // namespace altiscope
