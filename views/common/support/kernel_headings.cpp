#include "views/common/support/kernel_headings.h"

#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <map>
#include <string>

namespace altiscope {

namespace {

struct KernelTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::KernelPanel)
};

}  // namespace

std::vector<std::size_t> kernelIdColumns() {
    constexpr std::size_t kRankColumns = 1;  // before those of the table
    return {kRankColumns + fixedColumn(RowKind::Kernel, "slice_id"),
            kRankColumns + fixedColumn(RowKind::Kernel, "operator_slice_id")};
}

std::vector<ColumnHeading> kernelHeadings(const KernelRows& rows) {
    const std::map<std::string, ColumnHeading, std::less<>> known{
        {"rank_id", {KernelTexts::tr("Rank"), {}}},
        {"slice_id", {KernelTexts::tr("Slice id"), KernelTexts::tr("The slice of the kernel in the timeline.")}},
        {"step", {KernelTexts::tr("Step"), {}}},
        {"kind", {KernelTexts::tr("Kind"), KernelTexts::tr("compute or communication")}},
        {"name", {KernelTexts::tr("Name"), {}, {}, Qt::ElideMiddle}},
        {"type", {KernelTexts::tr("Type"), {}}},
        {"accelerator_core", {KernelTexts::tr("Core"), KernelTexts::tr("Which kind of core it ran on.")}},
        {"stream", {KernelTexts::tr("Stream"), {}}},
        {"ts",
         {KernelTexts::tr("Start"), KernelTexts::tr("On the trace's own clock, since the start of the run; of a "
                                                    "capture without a timeline, since its first kernel.")}},
        {"dur", {KernelTexts::tr("Duration"), {}}},
        {"wait",
         {KernelTexts::tr("Wait"),
          KernelTexts::tr("From the end of the previous task to the start of this one, as recorded.")}},
        {"block_num", {KernelTexts::tr("Blocks"), KernelTexts::tr("Number of blocks (block dim), as recorded.")}},
        {"input_shapes", {KernelTexts::tr("Input shapes"), {}}},
        {"input_types", {KernelTexts::tr("Input types"), {}}},
        {"input_formats", {KernelTexts::tr("Input formats"), {}}},
        {"output_shapes", {KernelTexts::tr("Output shapes"), {}}},
        {"output_types", {KernelTexts::tr("Output types"), {}}},
        {"output_formats", {KernelTexts::tr("Output formats"), {}}},
        {"operator_slice_id",
         {KernelTexts::tr("Operator's slice id"),
          KernelTexts::tr("The slice of the framework's operator that launched it.")}},
        {"device_id", {KernelTexts::tr("NPU"), KernelTexts::tr("Number of the NPU on its host.")}}};
    std::vector<ColumnHeading> headings;
    for (const TableColumn& column : rows.columns()) {
        const auto found = known.find(column.name);
        headings.push_back(
            found != known.end()
                ? found->second
                : ColumnHeading{toQString(column.name), KernelTexts::tr("As recorded, see kernel_metric in SQL.")});
        if (headings.back().formula.isEmpty())
            headings.back().formula = KernelTexts::tr("From kernel_details.csv, op_summary or COMPUTE_TASK_INFO.");
    }
    return headings;
}

}  // namespace altiscope
