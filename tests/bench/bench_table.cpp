// How fast a table of N rows is sorted and filtered: when the first rows are known, and when all are.
// Usage: bench_table [ROWS]   prints one JSON object: question -> {"first_ms": ..., "complete_ms": ...}, medians of
// five runs.
#include "core/tables/filters/row_filter.h"
#include "core/tables/order/table_order.h"
#include "core/tables/sources/column_table.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

using namespace altiscope;

namespace {

std::shared_ptr<const ColumnTable> makeTable(std::size_t rows) {
    std::vector<std::string> names;
    for (int i = 0; i < 20'000; ++i) names.push_back("aclnnFlashAttention_MatMulV2_" + std::to_string(i * 7919));
    std::mt19937 random(7);
    ColumnTableBuilder builder({{"name", CellType::Text},
                                {"ts", CellType::Integer, CellUnit::Time},
                                {"dur", CellType::Integer, CellUnit::Duration},
                                {"share", CellType::Real, CellUnit::Share}});
    for (std::size_t i = 0; i < rows; ++i) {
        builder.addRow();
        builder.setText(0, names[random() % names.size()]);
        builder.setInteger(1, 1'715'689'196'000'000'000 + static_cast<std::int64_t>(i) * 1009);
        builder.setInteger(2, static_cast<std::int64_t>(random() % 2'000'000));
        builder.setReal(3, static_cast<double>(random()) / 4294967296.0);
    }
    return builder.finish();
}

struct Timing {
    double first = 0, complete = 0;
};

Timing timed(const std::shared_ptr<const ColumnTable>& table, const std::string& filter,
             const std::vector<SortKey>& sort) {
    using Clock = std::chrono::steady_clock;
    std::array<double, 5> first{}, complete{};
    for (std::size_t i = 0; i < first.size(); ++i) {
        const auto start = Clock::now();
        const auto ms = [start] { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); };
        TableQuery query{.filter = {}, .sort = sort, .follow = {}};
        if (!filter.empty())
            query.filter = std::make_shared<RowFilter>(table, *parseFilter(filter, table->columns()).root);
        const auto result = orderRows(*table, query, [&](const TableRows&) { first[i] = ms(); }, {});
        complete[i] = ms();
        if (first[i] == 0) first[i] = complete[i];
        if (!result) std::abort();
    }
    std::sort(first.begin(), first.end());
    std::sort(complete.begin(), complete.end());
    return {first[2], complete[2]};
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t rows = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    const auto table = makeTable(rows);
    struct Query {
        const char* title;
        const char* filter;
        std::vector<SortKey> sort;
    };
    const Query queries[] = {
        {"by a duration", "", {{2, true}}},
        {"by a name", "", {{0, false}}},
        {"by a time, latest first", "", {{1, true}}},
        {"by a real number", "", {{3, true}}},
        {"by a name, then a duration", "", {{0, false}, {2, true}}},
        {"`dur > 1.9ms`", "dur > 1.9ms", {}},
        {"`dur > 100us and name ~ 'flash.*99'`", "dur > 100us and name ~ \"flash.*99\"", {}},
        {"`name ~ '_7919$'`", "name ~ \"_7919$\"", {}},
        {"both: `dur > 100us and name ~ 'flash'` by a duration", "dur > 100us and name ~ \"flash\"", {{2, true}}}};
    std::printf("{\"rows\": %zu", rows);
    for (const Query& query : queries) {
        const Timing timing = timed(table, query.filter, query.sort);
        std::printf(", \"%s\": {\"first_ms\": %.0f, \"complete_ms\": %.0f}", query.title, timing.first,
                    timing.complete);
        std::fflush(stdout);
    }
    std::printf("}\n");
    return 0;
}
