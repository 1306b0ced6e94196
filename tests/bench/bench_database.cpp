// The yardstick of database imports: one thread reads all rows of the tables that an import reads into arrays, and does
// nothing with them. Prints one JSON object: seconds, rows, peak memory.
// Usage: bench_database FILE.db
#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <sys/resource.h>

namespace {

struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

/// One column as it comes: numbers by their bits, texts one behind the other.
struct PlainColumn {
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
    std::string bytes;
};

constexpr const char* kTables[] = {"STRING_IDS",
                                   "PYTORCH_API",
                                   "CONNECTION_IDS",
                                   "CANN_API",
                                   "TASK",
                                   "COMPUTE_TASK_INFO",
                                   "COMMUNICATION_OP",
                                   "COMMUNICATION_TASK_INFO",
                                   "COMMUNICATION_SCHEDULE_TASK_INFO",
                                   "MEMORY_RECORD",
                                   "OP_MEMORY",
                                   "NPU_MEM",
                                   "NPU_MODULE_MEM",
                                   "HBM",
                                   "DDR",
                                   "LLC",
                                   "AICORE_FREQ",
                                   "ACC_PMU",
                                   "SOC_BANDWIDTH_LEVEL",
                                   "QOS",
                                   "HCCS",
                                   "PCIE",
                                   "NIC",
                                   "ROCE",
                                   "UB",
                                   "SIO",
                                   "NETDEV_STATS"};

/// @return Rows.
std::size_t readTable(sqlite3* database, const char* table, std::vector<PlainColumn>& columns) {
    sqlite3_stmt* prepared = nullptr;
    sqlite3_prepare_v2(database, ("SELECT * FROM " + std::string(table)).c_str(), -1, &prepared, nullptr);
    const std::unique_ptr<sqlite3_stmt, Finalize> statement(prepared);
    if (!statement) return 0;
    columns.resize(static_cast<std::size_t>(sqlite3_column_count(prepared)));
    std::size_t rows = 0;
    for (; sqlite3_step(prepared) == SQLITE_ROW; ++rows) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const int column = static_cast<int>(c);
            PlainColumn& to = columns[c];
            switch (sqlite3_column_type(prepared, column)) {
            case SQLITE_INTEGER: to.integers.push_back(sqlite3_column_int64(prepared, column)); break;
            case SQLITE_FLOAT: to.reals.push_back(sqlite3_column_double(prepared, column)); break;
            case SQLITE_NULL: to.integers.push_back(INT64_MIN); break;
            default: {
                const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(prepared, column));
                to.bytes.append(text, static_cast<std::size_t>(sqlite3_column_bytes(prepared, column)));
                to.integers.push_back(static_cast<std::int64_t>(to.bytes.size()));
            }
            }
        }
    }
    return rows;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_database FILE.db\n");
        return 2;
    }
    const auto start = std::chrono::steady_clock::now();
    sqlite3* database = nullptr;
    const std::string uri = "file:" + std::string(argv[1]) + "?mode=ro&immutable=1";
    if (sqlite3_open_v2(uri.c_str(), &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr) != SQLITE_OK) {
        std::fprintf(stderr, "cannot open %s\n", argv[1]);
        return 1;
    }
    std::size_t rows = 0;
    std::vector<std::vector<PlainColumn>> tables;
    for (const char* table : kTables) rows += readTable(database, table, tables.emplace_back());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    sqlite3_close(database);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("{\"seconds\": %.4f, \"rows\": %zu, \"peak_mb\": %.1f}\n", seconds, rows,
                static_cast<double>(usage.ru_maxrss) / 1024.0);
    return 0;
}
