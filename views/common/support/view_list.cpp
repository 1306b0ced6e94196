#include "views/common/support/view_list.h"

#include <QCoreApplication>

#include <array>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Views {
    Q_DECLARE_TR_FUNCTIONS(altiscope::Views)
};

constexpr std::array kViews{ViewId::Overview,  ViewId::Timeline,      ViewId::Memory,  ViewId::Snapshot,
                            ViewId::Operators, ViewId::Communication, ViewId::Cluster, ViewId::Findings,
                            ViewId::Compare,   ViewId::Sql,           ViewId::Report,  ViewId::Capture};

}  // namespace

std::span<const ViewId> allViews() { return kViews; }

QString viewName(ViewId view) {
    switch (view) {
    case ViewId::Overview: return u"overview"_s;
    case ViewId::Timeline: return u"timeline"_s;
    case ViewId::Memory: return u"memory"_s;
    case ViewId::Snapshot: return u"snapshot"_s;
    case ViewId::Operators: return u"operators"_s;
    case ViewId::Communication: return u"communication"_s;
    case ViewId::Cluster: return u"cluster"_s;
    case ViewId::Findings: return u"findings"_s;
    case ViewId::Compare: return u"compare"_s;
    case ViewId::Sql: return u"sql"_s;
    case ViewId::Report: return u"report"_s;
    case ViewId::Capture: return u"capture"_s;
    }
    return {};
}

QStringList viewNames() {
    QStringList names;
    for (const ViewId view : kViews) names << viewName(view);
    return names;
}

std::optional<ViewId> viewFromName(const QString& name) {
    for (const ViewId view : kViews) {
        if (viewName(view) == name) return view;
    }
    return std::nullopt;
}

QString viewTitle(ViewId view) {
    switch (view) {
    case ViewId::Overview: return Views::tr("Overview");
    case ViewId::Timeline: return Views::tr("Timeline");
    case ViewId::Memory: return Views::tr("Memory");
    case ViewId::Snapshot: return Views::tr("Snapshot");
    case ViewId::Operators: return Views::tr("Operators");
    case ViewId::Communication: return Views::tr("Communication");
    case ViewId::Cluster: return Views::tr("Cluster");
    case ViewId::Findings: return Views::tr("Findings");
    case ViewId::Compare: return Views::tr("Compare");
    case ViewId::Sql: return Views::tr("SQL");
    case ViewId::Report: return Views::tr("Report");
    case ViewId::Capture: return Views::tr("Capture");
    }
    return {};
}

QString viewSynonyms(ViewId view) {
    switch (view) {
    case ViewId::Overview: return u"summary dashboard start home steps 概览 总览 首页 摘要"_s;
    case ViewId::Timeline: return u"trace gantt chart tracks slices events perfetto swimlane 时间线 泳道 轨迹 甘特图"_s;
    case ViewId::Memory: return u"hbm allocator allocation leak peak oom fragmentation 内存 显存 泄漏 峰值"_s;
    case ViewId::Snapshot: return u"memory_viz allocator segments blocks fragmentation pickle 快照 显存 碎片"_s;
    case ViewId::Operators: return u"kernels ops hotspots aicore top statistics flame 算子 核函数 热点 统计"_s;
    case ViewId::Communication:
        return u"hccl collectives allreduce network bandwidth links matrix rdma sdma 通信 集合通信 带宽 矩阵"_s;
    case ViewId::Cluster:
        return u"ranks slow rank straggler blame what-if account parallel tp pp dp job 集群 慢卡 卡 并行 归因 推演"_s;
    case ViewId::Findings: return u"problems advice expert bottleneck issues analysis rules 发现 问题 建议 瓶颈 专家"_s;
    case ViewId::Compare: return u"diff difference baseline regression versus 对比 比较 差异 基线"_s;
    case ViewId::Sql: return u"query statement tables database select 查询 语句 数据库"_s;
    case ViewId::Report: return u"export pdf html share print 报告 导出 打印"_s;
    case ViewId::Capture: return u"record profile start job ssh dynolog msprof 采集 录制 性能数据"_s;
    }
    return {};
}

QString viewPurpose(ViewId view) {
    switch (view) {
    case ViewId::Overview: return Views::tr("What each capture contains, and what happened while it was read.");
    case ViewId::Timeline: return Views::tr("Everything that ran, by rank, process and thread or stream, over time.");
    case ViewId::Memory:
        return Views::tr(
            "Allocated, reserved and active memory over time, and every allocation with the operator that made it.");
    case ViewId::Snapshot:
        return Views::tr("The allocator's own history: segments and blocks of the device memory, their call stacks, "
                         "and what fragments it.");
    case ViewId::Operators:
        return Views::tr("Operators and kernels by name, type, shape and step: how often, how long, and what the AI "
                         "Core did meanwhile.");
    case ViewId::Communication:
        return Views::tr(
            "Collectives by step and group, the matrix of links between ranks, and the bandwidth of each transport.");
    case ViewId::Cluster:
        return Views::tr("The job as a whole: what a step could win back and by what, and how its ranks differ, by "
                         "tensor, pipeline and data parallelism.");
    case ViewId::Findings:
        return Views::tr("What slows a step down, by recoverable time: what was found, the evidence, and what to try.");
    case ViewId::Compare:
        return Views::tr("Two runs, ranks or steps side by side, with their differences ranked by time.");
    case ViewId::Sql:
        return Views::tr("One read-only SQL statement over all tables of the capture, with the schema beside it.");
    case ViewId::Report: return Views::tr("The results of a capture as one HTML, PDF or JSON file to hand on.");
    case ViewId::Capture:
        return Views::tr("Starting a recording, here or over SSH, watching it, and fetching its result.");
    }
    return {};
}

QString viewIcon(ViewId view) { return u"view_"_s + viewName(view); }

std::vector<std::string_view> viewNeeds(ViewId view) {
    switch (view) {
    case ViewId::Timeline: return {"timeline"};
    case ViewId::Memory: return {"memory"};
    case ViewId::Snapshot: return {"snapshot"};
    case ViewId::Operators: return {"kernels", "operators"};
    case ViewId::Communication: return {"communication"};
    case ViewId::Overview:
    case ViewId::Cluster:
    case ViewId::Findings:
    case ViewId::Compare:
    case ViewId::Sql:
    case ViewId::Report:
    case ViewId::Capture: return {};
    }
    return {};
}

}  // namespace altiscope
