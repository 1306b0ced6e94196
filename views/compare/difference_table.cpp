#include "views/compare/difference_table.h"

#include "core/base/text/text.h"
#include "views/common/support/finding_texts.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <array>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Differences {
    Q_DECLARE_TR_FUNCTIONS(altiscope::Differences)
};

constexpr std::size_t at(DifferenceColumn column) { return static_cast<std::size_t>(column); }

std::vector<TableColumn> columnsOf(DifferenceGroup group) {
    const CellUnit unit = group == Dimension::Memory ? CellUnit::Bytes : CellUnit::Duration;
    return {{.name = "significant", .type = CellType::Text, .order = {"no", "perhaps", "follows", "yes"}},
            {.name = "name", .type = CellType::Text},
            {.name = "dimension", .type = CellType::Text},
            {.name = "rank_id"},
            {.name = "base", .unit = unit},
            {.name = "current", .unit = unit},
            {.name = "change", .unit = unit},
            {.name = "change_share", .type = CellType::Real, .unit = CellUnit::Share},
            {.name = "low", .unit = unit},
            {.name = "high", .unit = unit},
            {.name = "only_in", .type = CellType::Text},
            {.name = "follows_from", .type = CellType::Text},
            {.name = "base_count", .unit = CellUnit::Count},
            {.name = "current_count", .unit = CellUnit::Count},
            {.name = "change_count", .unit = CellUnit::Count},
            {.name = "type", .type = CellType::Text},
            {.name = "shapes", .type = CellType::Text}};
}

bool isInGroup(const Difference& difference, DifferenceGroup group) {
    return group ? difference.dimension == *group : difference.unit == DifferenceUnit::Nanoseconds;
}

/// Whether it stands in the columns of counts.
bool isCounted(const Difference& difference) { return difference.unit == DifferenceUnit::Count; }

void addNames(ColumnTableBuilder& builder, const Difference& difference) {
    const DifferenceName name = nameOf(difference);
    const std::string ranks = otherRanksText(difference);
    builder.setText(at(DifferenceColumn::Name), repairedUtf8(name.name) + (ranks.empty() ? "" : " (" + ranks + ")"));
    if (!name.type.empty()) builder.setText(at(DifferenceColumn::Type), repairedUtf8(name.type));
    if (!name.shapes.empty()) builder.setText(at(DifferenceColumn::Shapes), repairedUtf8(name.shapes));
    builder.setText(at(DifferenceColumn::Dimension), dimensionName(difference.dimension));
    builder.setInteger(at(DifferenceColumn::Rank), difference.rankId);
    if (difference.onlyIn != Difference::Side::Both)
        builder.setText(at(DifferenceColumn::OnlyIn), difference.onlyIn == Difference::Side::Base ? "base" : "current");
}

/// "computing (3)"
void addCause(ColumnTableBuilder& builder, const Comparison& comparison, const Difference& difference) {
    if (!difference.cause) return;
    const Difference& cause = comparison.differences[*difference.cause];
    std::string text = repairedUtf8(nameOf(cause).name);
    if (cause.rankId) text.append(" (").append(std::to_string(*cause.rankId)).append(")");
    builder.setText(at(DifferenceColumn::Cause), text);
}

/// "Computing, rank 3" of "computing (3)"
QString causeWord(const QString& text) {
    static const QRegularExpression kWithRank(u"^([a-z_]+) \\((\\d+)\\)$"_s);
    const auto match = kWithRank.match(text);
    // Operators may be called like that.
    if (!match.hasMatch() || differenceWord(match.captured(1)) == match.captured(1)) return differenceWord(text);
    return Differences::tr("%1, rank %2").arg(differenceWord(match.captured(1)), match.captured(2));
}

void addValues(ColumnTableBuilder& builder, const Difference& difference) {
    const Change& change = difference.change;
    const bool counts = isCounted(difference);
    const std::string_view word = significanceWord(change, difference.cause.has_value());
    if (!word.empty()) builder.setText(at(DifferenceColumn::Significant), word);
    builder.setInteger(at(counts ? DifferenceColumn::BaseCount : DifferenceColumn::Base), change.base);
    builder.setInteger(at(counts ? DifferenceColumn::CurrentCount : DifferenceColumn::Current), change.current);
    builder.setInteger(at(counts ? DifferenceColumn::ChangeCount : DifferenceColumn::Change), change.change);
    if (change.base > 0)
        builder.setReal(at(DifferenceColumn::Share),
                        static_cast<double>(change.change) / static_cast<double>(change.base));
    if (counts) return;
    builder.setInteger(at(DifferenceColumn::Low), change.low);
    builder.setInteger(at(DifferenceColumn::High), change.high);
}

/// The differences of a group, what follows from one of them right below it.
std::vector<std::uint32_t> foldedOrder(const Comparison& comparison, DifferenceGroup group) {
    const auto causeOf = [&](std::size_t i) {
        const auto& cause = comparison.differences[i].cause;
        return cause && isInGroup(comparison.differences[*cause], group) ? cause : std::nullopt;
    };
    std::vector<std::vector<std::uint32_t>> following(comparison.differences.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < comparison.differences.size(); ++i)
        if (const auto cause = causeOf(i); cause && isInGroup(comparison.differences[i], group))
            following[*cause].push_back(i);
    for (std::uint32_t i = 0; i < comparison.differences.size(); ++i) {
        if (!isInGroup(comparison.differences[i], group) || causeOf(i)) continue;
        order.push_back(i);
        order.insert(order.end(), following[i].begin(), following[i].end());
    }
    return order;
}

std::vector<DifferenceColumn> emptyColumns(const ColumnTable& table, DifferenceGroup group) {
    std::vector<DifferenceColumn> empty;
    for (std::size_t column = 0; column < kDifferenceColumns; ++column) {
        bool any = false;
        for (std::size_t row = 0; row < table.rowCount() && !any; ++row) any = table.cell(column, row) != kAbsentCell;
        const auto which = static_cast<DifferenceColumn>(column);
        if (!any || (group && which == DifferenceColumn::Dimension)) empty.push_back(which);
    }
    return empty;
}

std::size_t omittedOf(const Comparison& comparison, DifferenceGroup group) {
    if (group) return comparison.omitted[static_cast<std::size_t>(*group)];
    std::size_t sum = 0;
    for (std::size_t i = 0; i < kDimensions; ++i)
        if (static_cast<Dimension>(i) != Dimension::Memory) sum += comparison.omitted[i];
    return sum;
}

}  // namespace

DifferenceName nameOf(const Difference& difference) {
    static constexpr std::string_view kBetween = " | ";
    std::string_view key = difference.key;
    if (difference.dimension != Dimension::Kernel) return {key, {}, {}};
    // Names may hold what stands between them; types and shapes do not.
    const std::size_t last = key.rfind(kBetween);
    const std::size_t first = last == std::string_view::npos || last == 0 ? last : key.rfind(kBetween, last - 1);
    if (first == std::string_view::npos || last == first) return {key, {}, {}};
    return {key.substr(0, first), key.substr(first + kBetween.size(), last - first - kBetween.size()),
            key.substr(last + kBetween.size())};
}

std::shared_ptr<const DifferenceTable> differenceTable(std::shared_ptr<const Comparison> comparison,
                                                       DifferenceGroup group, bool onlySignificant) {
    auto made = std::make_shared<DifferenceTable>();
    ColumnTableBuilder builder(columnsOf(group));
    for (const std::uint32_t i : foldedOrder(*comparison, group)) {
        const Difference& difference = comparison->differences[i];
        if (onlySignificant && !difference.change.significant) continue;
        builder.addRow();
        addNames(builder, difference);
        addValues(builder, difference);
        addCause(builder, *comparison, difference);
        made->rows.push_back(i);
    }
    made->table = builder.finish();
    made->emptyOnes = emptyColumns(*made->table, group);
    made->omitted = omittedOf(*comparison, group);
    made->group = group;
    made->comparison = std::move(comparison);
    return made;
}

QString differenceIcon(const Change& change) {
    if (!change.significant) return {};
    return change.change > 0 ? u"warning"_s : u"ok"_s;
}

QString differenceWord(const QString& name) {
    static const std::array kWords{
        std::pair(u"computing"_s, QT_TRANSLATE_NOOP("altiscope::Differences", "Computing")),
        std::pair(u"exposed_communication"_s, QT_TRANSLATE_NOOP("altiscope::Differences", "Exposed communication")),
        std::pair(u"free"_s, QT_TRANSLATE_NOOP("altiscope::Differences", "Free")),
        std::pair(u"bubble"_s, QT_TRANSLATE_NOOP("altiscope::Differences", "Bubble")),
        std::pair(u"preparing"_s, QT_TRANSLATE_NOOP("altiscope::Differences", "Preparing")),
        std::pair(u"peak_allocated"_s, QT_TRANSLATE_NOOP("altiscope::Differences", "Peak allocated")),
        std::pair(u"peak_reserved"_s, QT_TRANSLATE_NOOP("altiscope::Differences", "Peak reserved")),
        std::pair(u"growth_allocated"_s, QT_TRANSLATE_NOOP("altiscope::Differences", "Growth of allocated")),
        std::pair(u"end_allocated"_s, QT_TRANSLATE_NOOP("altiscope::Differences", "Allocated at the end")),
        std::pair(u"end_reserved"_s, QT_TRANSLATE_NOOP("altiscope::Differences", "Reserved at the end")),
        std::pair(u"growth_reserved"_s, QT_TRANSLATE_NOOP("altiscope::Differences", "Growth of reserved"))};
    for (const auto& [own, word] : kWords)
        if (own == name) return Differences::tr(word);
    // "rule (2 -> 3)", see otherRanksText().
    const qsizetype ranks = name.contains(u" -> "_s) ? name.lastIndexOf(u" ("_s) : -1;
    return ranks < 0 ? ruleWord(name) : ruleWord(name.left(ranks)) + name.mid(ranks);
}

QString groupTitle(DifferenceGroup group) {
    if (!group) return Differences::tr("All times");
    switch (*group) {
    case Dimension::Category: return Differences::tr("Parts of a step");
    case Dimension::Operator: return Differences::tr("Operators");
    case Dimension::Kernel: return Differences::tr("Kernels");
    case Dimension::KernelType: return Differences::tr("Types of kernels");
    case Dimension::Api: return Differences::tr("CANN calls");
    case Dimension::Collective: return Differences::tr("Collectives");
    case Dimension::Link: return Differences::tr("Links");
    case Dimension::Memory: return Differences::tr("Memory");
    case Dimension::Finding: return Differences::tr("Findings");
    case Dimension::Role: return Differences::tr("Recordings");
    }
    return {};
}

std::vector<ColumnHeading> differenceHeadings() {
    const auto yesNo = [](const QString& text) {
        if (text == u"follows"_s) return Differences::tr("follows");
        if (text == u"perhaps"_s) return Differences::tr("perhaps");
        return text == u"yes"_s ? Differences::tr("yes") : Differences::tr("no");
    };
    const auto dimension = [](const QString& text) {
        for (std::size_t i = 0; i < kDimensions; ++i) {
            const auto one = static_cast<Dimension>(i);
            const std::string_view name = dimensionName(one);
            if (text == QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))) return groupTitle(one);
        }
        return text;
    };
    const auto side = [](const QString& text) {
        return text == u"base"_s ? Differences::tr("only in base") : Differences::tr("only in current");
    };
    const QString perStep =
        Differences::tr("Per step: the mean over the steps of the side, each the mean over its ranks.");
    const QString interval = Differences::tr("The change lies between low and high with 95 %, by how the steps of each "
                                             "side vary (t test; of pairs of equal steps where both sides vary "
                                             "together). Empty where a side has a single step.");
    return {
        {Differences::tr("Significant"),
         Differences::tr(
             "More than noise, with regard to how many differences were looked at (Benjamini-Hochberg, "
             "2 % in all). Follows: explained by another difference, below which it stands. Perhaps: beyond "
             "its own noise, as some of many differences are by chance. Empty where a side has a single "
             "step."),
         yesNo},
        {Differences::tr("Name"), Differences::tr("What changed."), differenceWord, Qt::ElideMiddle},
        {Differences::tr("Kind"), Differences::tr("What kind of quantity it is."), dimension},
        {Differences::tr("Rank"), Differences::tr("Empty: the mean of the ranks.")},
        {Differences::tr("Base"), perStep},
        {Differences::tr("Current"), perStep},
        {Differences::tr("Difference"), Differences::tr("current - base")},
        {Differences::tr("Change"), Differences::tr("(current - base) / base")},
        {Differences::tr("Low"), interval},
        {Differences::tr("High"), interval},
        {Differences::tr("Occurs"),
         Differences::tr("Where it occurs, if on one side only; on the other it is 0, though it is recorded there."),
         side},
        {Differences::tr("Follows from"),
         Differences::tr("What explains this change: other ranks wait for it, or it takes this time. It is not "
                         "significant by itself."),
         causeWord},
        {Differences::tr("Base count"), Differences::tr("How many findings.")},
        {Differences::tr("Current count"), Differences::tr("How many findings.")},
        {Differences::tr("Difference of counts"), Differences::tr("current - base")},
        {Differences::tr("Type"), {}},
        {Differences::tr("Shapes"), Differences::tr("Shapes of the inputs.")}};
}

}  // namespace altiscope
