#include "views/common/support/view_list.h"

#include "views/common/support/landing_view.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// All that the window, the manual and the command line know of a page.
struct Row {
    ViewId view;
    QLatin1StringView name;
    const char* title;
    const char* purpose;
    QStringView synonyms;
    std::array<std::string_view, 2> needs = {};  ///< Those that are not empty.
    PageTraits traits = {};
};

constexpr Row kRows[] = {
    {.view = ViewId::Overview,
     .name = "overview"_L1,
     .title = QT_TRANSLATE_NOOP("altiscope::Views", "Overview"),
     .purpose =
         QT_TRANSLATE_NOOP("altiscope::Views", "What each capture contains, and what happened while it was read."),
     .synonyms = u"summary dashboard start home steps 概览 总览 首页 摘要",
     .traits = {.followsContext = true, .goesIntoReport = true}},
    {.view = ViewId::Timeline,
     .name = "timeline"_L1,
     .title = QT_TRANSLATE_NOOP("altiscope::Views", "Timeline"),
     .purpose = QT_TRANSLATE_NOOP("altiscope::Views",
                                  "Everything that ran, by rank, process and thread or stream, over time."),
     .synonyms = u"trace gantt chart tracks slices events perfetto swimlane 时间线 泳道 轨迹 甘特图",
     .needs = {"timeline"},
     .traits = {.followsContext = true, .goesIntoReport = true}},
    {.view = ViewId::Memory,
     .name = "memory"_L1,
     .title = QT_TRANSLATE_NOOP("altiscope::Views", "Memory"),
     .purpose = QT_TRANSLATE_NOOP(
         "altiscope::Views",
         "Allocated, reserved and active memory over time, and every allocation with the operator that made it."),
     .synonyms = u"hbm allocator allocation leak peak oom fragmentation 内存 显存 泄漏 峰值",
     .needs = {"memory"},
     .traits = {.followsContext = true, .choosesRanks = true, .goesIntoReport = true}},
    {.view = ViewId::Snapshot,
     .name = "snapshot"_L1,
     .title = QT_TRANSLATE_NOOP("altiscope::Views", "Snapshot"),
     .purpose =
         QT_TRANSLATE_NOOP("altiscope::Views",
                           "The allocator's own history: segments and blocks of the device memory, their call stacks, "
                           "and what fragments it."),
     .synonyms = u"memory_viz allocator segments blocks fragmentation pickle 快照 显存 碎片",
     .needs = {"snapshot"},
     .traits = {.followsContext = true, .goesIntoReport = true}},
    {.view = ViewId::Operators,
     .name = "operators"_L1,
     .title = QT_TRANSLATE_NOOP("altiscope::Views", "Operators"),
     .purpose =
         QT_TRANSLATE_NOOP("altiscope::Views",
                           "Operators and kernels by name, type, shape and step: how often, how long, and what the AI "
                           "Core did meanwhile."),
     .synonyms = u"kernels ops hotspots aicore top statistics flame 算子 核函数 热点 统计",
     .needs = {"kernels", "operators"},
     .traits = {.followsContext = true, .choosesRanks = true, .goesIntoReport = true}},
    {.view = ViewId::Communication,
     .name = "communication"_L1,
     .title = QT_TRANSLATE_NOOP("altiscope::Views", "Communication"),
     .purpose = QT_TRANSLATE_NOOP(
         "altiscope::Views",
         "Collectives by step and group, the matrix of links between ranks, and the bandwidth of each transport."),
     .synonyms = u"hccl collectives allreduce network bandwidth links matrix rdma sdma 通信 集合通信 带宽 矩阵",
     .needs = {"communication"},
     .traits = {.followsContext = true, .choosesSteps = true, .goesIntoReport = true}},
    {.view = ViewId::Cluster,
     .name = "cluster"_L1,
     .title = QT_TRANSLATE_NOOP("altiscope::Views", "Cluster"),
     .purpose = QT_TRANSLATE_NOOP("altiscope::Views",
                                  "The job as a whole: what a step could win back and by what, and how its ranks "
                                  "differ, by tensor, pipeline and data parallelism."),
     .synonyms = u"ranks slow rank straggler blame what-if account parallel tp pp dp job 集群 慢卡 卡 并行 归因 推演",
     .traits = {.followsContext = true, .goesIntoReport = true}},
    {.view = ViewId::Findings,
     .name = "findings"_L1,
     .title = QT_TRANSLATE_NOOP("altiscope::Views", "Findings"),
     .purpose = QT_TRANSLATE_NOOP(
         "altiscope::Views",
         "What slows a step down, by recoverable time: what was found, the evidence, and what to try."),
     .synonyms = u"problems advice expert bottleneck issues analysis rules 发现 问题 建议 瓶颈 专家",
     .traits = {.followsContext = true, .goesIntoReport = true}},
    {.view = ViewId::Compare,
     .name = "compare"_L1,
     .title = QT_TRANSLATE_NOOP("altiscope::Views", "Compare"),
     .purpose = QT_TRANSLATE_NOOP("altiscope::Views",
                                  "Two runs, ranks or steps side by side, with their differences ranked by time."),
     .synonyms = u"diff difference baseline regression versus 对比 比较 差异 基线",
     // It chooses both sides itself.
     .traits = {.goesIntoReport = true}},
    {.view = ViewId::Sql,
     .name = "sql"_L1,
     .title = QT_TRANSLATE_NOOP("altiscope::Views", "SQL"),
     .purpose = QT_TRANSLATE_NOOP(
         "altiscope::Views", "One read-only SQL statement over all tables of the capture, with the schema beside it."),
     .synonyms = u"query statement tables database select 查询 语句 数据库",
     // A statement says by itself what it is about.
     .traits = {.goesIntoReport = true}},
    {.view = ViewId::Report,
     .name = "report"_L1,
     .title = QT_TRANSLATE_NOOP("altiscope::Views", "Report"),
     .purpose =
         QT_TRANSLATE_NOOP("altiscope::Views", "The results of a capture as one HTML, PDF or JSON file to hand on."),
     .synonyms = u"export pdf html share print 报告 导出 打印",
     .traits = {.followsContext = true}},
    {.view = ViewId::Capture,
     .name = "capture"_L1,
     .title = QT_TRANSLATE_NOOP("altiscope::Views", "Capture"),
     .purpose = QT_TRANSLATE_NOOP("altiscope::Views",
                                  "Starting a recording, here or over SSH, watching it, and fetching its result."),
     .synonyms = u"record profile start job ssh dynolog msprof 采集 录制 性能数据",
     .traits = {.needsNoCapture = true}},
};

/// Each row where its page stands in the enumeration, which ends with the last page.
constexpr bool areInOrder() {
    for (std::size_t i = 0; i < std::size(kRows); ++i)
        if (kRows[i].view != ViewId(i)) return false;
    return std::size(kRows) == static_cast<std::size_t>(ViewId::Capture) + 1;
}
static_assert(areInOrder(), "a page has no row, or stands elsewhere in the enumeration");

constexpr const Row& rowOf(ViewId view) { return kRows[static_cast<std::size_t>(view)]; }

constexpr auto kViews = [] {
    std::array<ViewId, std::size(kRows)> views{};
    std::transform(std::begin(kRows), std::end(kRows), views.begin(), [](const Row& row) { return row.view; });
    return views;
}();

QString translated(const char* text) { return QCoreApplication::translate("altiscope::Views", text); }

}  // namespace

std::span<const ViewId> allViews() { return kViews; }

QString viewName(ViewId view) { return rowOf(view).name; }

QStringList viewNames() {
    QStringList names;
    for (const Row& row : kRows) names << row.name;
    return names;
}

std::optional<ViewId> viewFromName(const QString& name) {
    for (const Row& row : kRows) {
        if (row.name == name) return row.view;
    }
    return std::nullopt;
}

QString viewTitle(ViewId view) { return translated(rowOf(view).title); }

QString viewSynonyms(ViewId view) { return rowOf(view).synonyms.toString(); }

QString viewPurpose(ViewId view) { return translated(rowOf(view).purpose); }

QString viewIcon(ViewId view) { return u"view_"_s + viewName(view); }

std::optional<ViewId> landingView(const std::vector<std::string_view>& present) {
    const auto has = [&present](std::string_view what) {
        return std::find(present.begin(), present.end(), what) != present.end();
    };
    // The overview draws these by steps and ranks.
    for (const std::string_view what : {"timeline", "steps", "step_trace", "cluster"})
        if (has(what)) return std::nullopt;
    for (const ViewId view : {ViewId::Snapshot, ViewId::Memory, ViewId::Operators, ViewId::Communication}) {
        const auto needs = viewNeeds(view);
        if (std::any_of(needs.begin(), needs.end(), has)) return view;
    }
    return std::nullopt;
}

std::vector<std::string_view> viewNeeds(ViewId view) {
    const auto& needs = rowOf(view).needs;
    return {needs.begin(), std::find(needs.begin(), needs.end(), std::string_view())};
}

PageTraits traitsOf(ViewId view) { return rowOf(view).traits; }

}  // namespace altiscope
