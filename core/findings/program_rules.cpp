#include "core/findings/claims.h"
#include "core/findings/rules.h"

#include "core/base/values/parse.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace altiscope {

namespace {

/// Whether a variable has a value that slows a run down. What is not set has its default, which is right.
/// Source: core/analysis/FORMULAS.md section C; where the vendor's advisor calls a missing value wrong, only wrong
/// values are taken.
bool isSetWrongly(std::string_view name, std::string_view value) {
    const auto number = wholeNumber(value);
    if (name == "ASCEND_LAUNCH_BLOCKING") return number == 1;
    if (name == "ASCEND_GLOBAL_LOG_LEVEL") return number && *number >= 0 && *number < 3;
    if (name == "ACLNN_CACHE_LIMIT") return number && *number < 10'000;
    if (name == "HOST_CACHE_CAPACITY") return number == 0;
    if (name == "PYTORCH_NPU_ALLOC_CONF") return value.find("expandable_segments:False") != std::string_view::npos;
    return name == "HCCL_RDMA_TC" || name == "HCCL_RDMA_SL" || name == "HCCL_ALGO";
}

}  // namespace

void findSyncBatchNorms(RuleContext& context) {
    const auto worst =
        worstRank(context.facts, [](const RankFacts& rank) { return static_cast<std::int64_t>(rank.syncBatchNorms); });
    if (!worst) return;
    const std::uint64_t count = context.facts.ranks[worst->value].syncBatchNorms;
    if (static_cast<double>(count) < context.thresholds.syncBatchNorms) return;
    Finding finding = rankFinding(context, "sync_batch_norm", *worst, std::nullopt, {"sync_batch_norms"});
    addParameter(finding, "count", std::to_string(count));
    addRows(finding, "slice", "lower(name) GLOB 'syncbatchnorm*'");
    context.findings.push_back(std::move(finding));
}

void findEnvironment(RuleContext& context) {
    for (RankIndex r; r.value < context.facts.ranks.size(); ++r.value) {
        std::string list;
        bool blocks = false;
        for (const auto& [name, value] : context.facts.ranks[r.value].environment) {
            if (!isSetWrongly(name, value)) continue;
            list += (list.empty() ? "" : ", ") + name + "=" + value;
            blocks = blocks || name == "ASCEND_LAUNCH_BLOCKING";
        }
        if (list.empty()) continue;
        Finding finding = rankFinding(context, "environment", r, std::nullopt, {});
        // Each launch waits for the device: meant for finding faults, and all of it is lost time.
        if (blocks) finding.severity = FindingSeverity::Medium;
        addParameter(finding, "variables", std::move(list));
        addRows(finding, "metadata", "key GLOB 'ENV_VARIABLES.*'");
        context.findings.push_back(std::move(finding));
        return;  // all ranks run the same program
    }
}

}  // namespace altiscope
