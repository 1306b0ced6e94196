#include "core/import/mindspore/host_info.h"
#include "core/import/mindspore/special_tables.h"

#include "core/base/text/text.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr auto HM = RowKind::MemorySample;
constexpr auto HD = RowKind::DatasetOp;

/// Mean duration of the pairs of one operation.
struct OperationMean {
    std::string event, stage, custom;
    std::int64_t count = 0;
    double meanUs = 0;
};

/// Rule B: only pairs of the module "Dataset", whatever their times, in the order in which each kind was first
/// completed.
class DatasetMeans {
public:
    void take(const HostInfoRow& row) {
        if (row.module != "Dataset" || m_pairs.take(row) != HostInfoPairs::Outcome::Closed) return;
        const auto [at, isNew] = m_places.try_emplace({row.event, row.stage, row.custom}, m_means.size());
        if (isNew) m_means.push_back({row.event, row.stage, row.custom});
        OperationMean& mean = m_means[at->second];
        ++mean.count;
        const auto duration = static_cast<double>(row.stampUs - m_pairs.start().stampUs);
        mean.meanUs += (duration - mean.meanUs) / static_cast<double>(mean.count);
    }
    void addTo(RowTablesBuilder& builder) const {
        static constexpr double kNsPerUs = 1000;
        RowBatch batch = builder.batch(HD);
        for (const OperationMean& mean : m_means) {
            batch.addRow();
            batch.setText(fixedColumn(HD, "operation"), repairedUtf8(mean.event));
            batch.setText(fixedColumn(HD, "stage"), repairedUtf8(mean.stage));
            batch.setInteger(fixedColumn(HD, "occurrences"), mean.count);
            batch.setReal(fixedColumn(HD, "avg_time"), mean.meanUs * kNsPerUs);
            if (!mean.custom.empty()) batch.setText(fixedColumn(HD, "custom_info"), repairedUtf8(mean.custom));
        }
        builder.commit(batch);
    }

private:
    HostInfoPairs m_pairs;
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> m_places;
    std::vector<OperationMean> m_means;
};

void addMemory(const HostInfoRow& row, RowBatch& batch) {
    static constexpr std::int64_t kBytesPerKb = 1024, kNsPerUs = 1000;
    if (row.memoryKb <= 0) return;
    batch.addRow();
    batch.setText(fixedColumn(HM, "component"), "host");
    if (row.stampUs > 0) batch.setInteger(fixedColumn(HM, "ts"), row.stampUs * kNsPerUs);
    batch.setInteger(fixedColumn(HM, "allocated"), row.memoryKb * kBytesPerKb);
}

Result<Done> readHostFile(const SourceFile& file, TableContext& context, DatasetMeans* means) {
    RowBatch memory = context.builder.batch(HM);
    const auto read =
        eachHostInfoRow(file, &context.diagnostics, context.progress, context.cancel, [&](const HostInfoRow& row) {
            addMemory(row, memory);
            if (means != nullptr) means->take(row);
        });
    context.builder.commit(memory);
    if (means != nullptr) means->addTo(context.builder);
    return read;
}

}  // namespace

Result<Done> readHostInfoTables(const SourceFile& file, TableContext& context) {
    DatasetMeans means;
    return readHostFile(file, context, &means);
}

Result<Done> readHostMemory(const SourceFile& file, TableContext& context) {
    return readHostFile(file, context, nullptr);
}

}  // namespace altiscope::reader
