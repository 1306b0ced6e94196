#include "views/common/support/data_words.h"

#include "core/base/text/catalogue.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(altiscope::DataWords)
};

/// Last part of a path; the capture itself ("." ) has none.
QString folderName(const std::string& path) {
    const QString text = toQString(path);
    return text == u"." ? QString() : text.section(u'/', -1);
}

}  // namespace

QString dataTitle(std::string_view what) {
    if (what == "timeline") return Words::tr("Timeline");
    if (what == "steps") return Words::tr("Steps");
    if (what == "kernels") return Words::tr("Kernels");
    if (what == "operators") return Words::tr("Operators");
    if (what == "op_stats") return Words::tr("Operator statistics");
    if (what == "api_stats") return Words::tr("Host API statistics");
    if (what == "memory") return Words::tr("Memory");
    if (what == "module_memory") return Words::tr("Module memory");
    if (what == "communication") return Words::tr("Communication");
    if (what == "stacks") return Words::tr("Call stacks");
    if (what == "shapes") return Words::tr("Tensor shapes");
    if (what == "modules") return Words::tr("Module hierarchy");
    if (what == "ai_core_metrics") return Words::tr("AI Core metrics");
    if (what == "l2_cache") return Words::tr("L2 cache");
    if (what == "io") return Words::tr("Network cards");
    if (what == "interconnection") return Words::tr("PCIe and HCCS");
    if (what == "mstx") return Words::tr("Program marks (mstx)");
    if (what == "gc") return Words::tr("Python GC");
    if (what == "host_system") return Words::tr("Host load");
    if (what == "snapshot") return Words::tr("Memory snapshot");
    if (what == "cluster") return Words::tr("Cluster analysis");
    if (what == "raw") return Words::tr("Raw data");
    if (what == "host_info") return Words::tr("Host log");
    if (what == "data_pipeline") return Words::tr("Data pipeline");
    if (what == "static_memory") return Words::tr("Static memory");
    if (what == "memory_bandwidth") return Words::tr("Memory bandwidth");
    if (what == "llc") return Words::tr("LLC");
    if (what == "ai_cpu") return Words::tr("AI CPU");
    if (what == "soc_pmu") return Words::tr("SoC PMU");
    if (what == "communication_stats") return Words::tr("Communication statistics");
    if (what == "core_utilization") return Words::tr("Core utilization");
    if (what == "step_trace") return Words::tr("Step trace");
    if (what == "tasks") return Words::tr("Tasks");
    if (what == "system_load") return Words::tr("System load");
    if (what == "process_memory") return Words::tr("Process memory");
    if (what == "page_faults") return Words::tr("Page faults");
    if (what == "fusion") return Words::tr("Operator fusion");
    if (what == "dvpp") return Words::tr("DVPP");
    if (what == "ub") return Words::tr("Unified Bus");
    if (what == "ccu") return Words::tr("CCU");
    if (what == "marks") return Words::tr("Marks");
    if (what == "metadata") return Words::tr("Recording settings");
    return toQString(what);
}

QString missingText(const MissingData& missing) {
    return toQString(catalogueText("missing." + missing.what, catalogueLanguage(), {{"switch", missing.switchName}}));
}

bool isUnreadSource(const Diagnostic& diagnostic) { return diagnostic.code == "raw_only"; }

QString rankStateTitle(RankState state) {
    switch (state) {
    case RankState::Ok: return Words::tr("complete");
    case RankState::Partial: return Words::tr("partial");
    case RankState::Raw: return Words::tr("raw data");
    case RankState::Listed: return Words::tr("not read");
    }
    return {};
}

QString rankStateIcon(RankState state) {
    switch (state) {
    case RankState::Ok: return u"ok"_s;
    case RankState::Partial: return u"warning"_s;
    case RankState::Raw: return u"raw"_s;
    case RankState::Listed: return u"waiting"_s;
    }
    return {};
}

QString frameworkTitle(Framework framework) {
    switch (framework) {
    case Framework::Torch: return u"PyTorch"_s;
    case Framework::MindSpore: return u"MindSpore"_s;
    case Framework::Cann: return u"CANN"_s;
    case Framework::Chrome: return Words::tr("Chrome trace");
    }
    return {};
}

QString sourceTitle(SourceKind source) {
    switch (source) {
    case SourceKind::Text: return Words::tr("text");
    case SourceKind::Db: return Words::tr("database");
    case SourceKind::Raw: return Words::tr("raw data");
    case SourceKind::Cluster: return Words::tr("cluster analysis");
    }
    return {};
}

QString rankTitle(const RankInfo& rank) {
    if (rank.rankId) return Words::tr("Rank %1").arg(*rank.rankId);
    const QString folder = folderName(rank.path);
    return folder.isEmpty() ? Words::tr("Rank unknown") : folder;
}

QString deviceTitle(const RankInfo& rank) {
    return rank.deviceId ? Words::tr("NPU %1").arg(*rank.deviceId) : QString();
}

}  // namespace altiscope
