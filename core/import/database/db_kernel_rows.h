#pragma once

#include "core/import/database/db_pass.h"
#include "core/store/rows/row_builder.h"

#include <vector>

namespace altiscope::reader {

/// How COMPUTE_TASK_INFO is read, in all its versions: into DbPart::kernelInfos and kernelIds.
DbScan kernelInfoScan(const DbSchema& schema);

/// Facts of the kernels in the tables of a database.
struct DbKernelFacts {
    std::vector<DbKernel> kernels;  ///< Kernels of all tables, in their order. DbKernel::info: index in `infos`.
    std::vector<DbKernelInfo> infos;
    std::vector<DbLaunch> launches;
    std::vector<Step> steps;
};

/// Fills the table `kernel`, and kernel_metric from TASK_PMU_INFO, which it reads in a pass of its own. Rows stand as
/// in the text exports, by device and begin. Steps and waiting times are computed (see db_kernels.h); the slices come
/// later.
/// @return Cancelled, or Error as DbPass::read.
Result<Done> addKernelRows(DbKernelFacts facts, const DbContext& context, DbPass& pass, ImportContext& importing,
                           RowTablesBuilder& rows);

/// The name of a metric in the text export: databases call the time of the cores otherwise.
std::string_view metricName(std::string_view name);

}  // namespace altiscope::reader
