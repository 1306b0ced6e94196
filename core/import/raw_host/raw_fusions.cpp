#include "core/import/raw_host/raw_fusions.h"

#include "core/import/raw_host/raw_call_tree.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace altiscope::reader {

namespace {

/// A record that is not yet of any model.
struct FoundFusion {
    std::uint64_t time, number;
    std::uint32_t thread;
    RawFusion fusion;
};

}  // namespace

std::vector<RawFusion> readRawFusions(const RawFiles& files, const RawHost& host, RawContext& context) {
    std::unordered_map<std::uint64_t, std::uint64_t> names;  // of models
    std::vector<FoundFusion> found;
    for (const RawFileSeries& series : files.host) {
        if (series.stem == "additional.graph_id_map") {
            eachRawRecord(series, kRawGraphModel.size, kRawHostMark, context, [&](const char* bytes, std::uint64_t) {
                const RawRecord<kRawGraphModel> record(bytes);
                names[record.get<"model">()] = record.get<"model_name">();
            });
        } else if (series.stem == "additional.fusion_op_info") {
            eachRawRecord(series, kRawFusedOp.size, kRawHostMark, context,
                          [&](const char* bytes, std::uint64_t number) {
                              static constexpr std::uint32_t kMaxOps = 8;
                              const RawRecord<kRawFusedOp> record(bytes);
                              FoundFusion& one = found.emplace_back();
                              one.time = record.get<"time">();
                              one.number = number;
                              one.thread = record.get<"thread">();
                              one.fusion.name = record.get<"op_name">();
                              for (std::uint32_t i = 0; i < std::min(record.get<"count">(), kMaxOps); ++i)
                                  one.fusion.ops.push_back(record.at<"ops">(i));
                              for (std::size_t i = 0; i < one.fusion.bytes.size(); ++i)
                                  one.fusion.bytes[i] = record.at<"bytes">(i);
                          });
        }
    }
    std::vector<RawFusion> fusions;
    if (found.empty() || names.empty() || context.cancel.cancelled()) return fusions;
    std::sort(found.begin(), found.end(), [](const FoundFusion& a, const FoundFusion& b) {
        return std::tie(a.thread, a.time, a.number) < std::tie(b.thread, b.time, b.number);
    });
    RawCallTree tree;
    tree.build(host.calls, context.cancel);
    RawCallTree::Search search;
    std::uint64_t outside = 0;
    for (FoundFusion& one : found) {
        const std::int64_t node = tree.nodeAt(one.thread, one.time, kRawModel, false, search);
        if (node < 0) {
            ++outside;
            continue;
        }
        one.fusion.model = host.calls[tree[node].call].item;
        if (const auto name = names.find(one.fusion.model); name != names.end()) one.fusion.modelName = name->second;
        fusions.push_back(std::move(one.fusion));
    }
    if (outside > 0) context.diagnostics.add("raw.outside", Severity::Info, files.hostName + "/data", {}, {}, outside);
    return fusions;
}

}  // namespace altiscope::reader
