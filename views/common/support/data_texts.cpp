#include "views/common/support/data_texts.h"

#include "core/base/text/catalogue.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct DataTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::DataTexts)
};

/// Last part of a path; the capture itself ("." ) has none.
QString folderName(const std::string& path) {
    const QString text = toQString(path);
    return text == u"." ? QString() : text.section(u'/', -1);
}

}  // namespace

QString dataTitle(std::string_view what) {
    if (what == "timeline") return DataTexts::tr("Timeline");
    if (what == "steps") return DataTexts::tr("Steps");
    if (what == "kernels") return DataTexts::tr("Kernels");
    if (what == "operators") return DataTexts::tr("Operators");
    if (what == "op_stats") return DataTexts::tr("Operator statistics");
    if (what == "api_stats") return DataTexts::tr("Host API statistics");
    if (what == "memory") return DataTexts::tr("Memory");
    if (what == "module_memory") return DataTexts::tr("Module memory");
    if (what == "communication") return DataTexts::tr("Communication");
    if (what == "stacks") return DataTexts::tr("Call stacks");
    if (what == "shapes") return DataTexts::tr("Tensor shapes");
    if (what == "modules") return DataTexts::tr("Module hierarchy");
    if (what == "ai_core_metrics") return DataTexts::tr("AI Core metrics");
    if (what == "l2_cache") return DataTexts::tr("L2 cache");
    if (what == "io") return DataTexts::tr("Network cards");
    if (what == "interconnection") return DataTexts::tr("PCIe and HCCS");
    if (what == "mstx") return DataTexts::tr("Program marks (mstx)");
    if (what == "gc") return DataTexts::tr("Python GC");
    if (what == "host_system") return DataTexts::tr("Host load");
    if (what == "snapshot") return DataTexts::tr("Memory snapshot");
    if (what == "cluster") return DataTexts::tr("Cluster analysis");
    if (what == "raw") return DataTexts::tr("Raw data");
    if (what == "host_info") return DataTexts::tr("Host log");
    if (what == "data_pipeline") return DataTexts::tr("Data pipeline");
    if (what == "static_memory") return DataTexts::tr("Static memory");
    if (what == "memory_bandwidth") return DataTexts::tr("Memory bandwidth");
    if (what == "llc") return DataTexts::tr("LLC");
    if (what == "ai_cpu") return DataTexts::tr("AI CPU");
    if (what == "soc_pmu") return DataTexts::tr("SoC PMU");
    if (what == "communication_stats") return DataTexts::tr("Communication statistics");
    if (what == "core_utilization") return DataTexts::tr("Core utilization");
    if (what == "step_trace") return DataTexts::tr("Step trace");
    if (what == "tasks") return DataTexts::tr("Tasks");
    if (what == "system_load") return DataTexts::tr("System load");
    if (what == "process_memory") return DataTexts::tr("Process memory");
    if (what == "page_faults") return DataTexts::tr("Page faults");
    if (what == "fusion") return DataTexts::tr("Operator fusion");
    if (what == "dvpp") return DataTexts::tr("DVPP");
    if (what == "ub") return DataTexts::tr("Unified Bus");
    if (what == "ccu") return DataTexts::tr("CCU");
    if (what == "marks") return DataTexts::tr("Marks");
    if (what == "flops") return DataTexts::tr("Floating-point operations");
    if (what == "operator_facts") return DataTexts::tr("Types and shapes of operators");
    if (what == "clock") return DataTexts::tr("Clock of the device");
    if (what == "metadata") return DataTexts::tr("Recording settings");
    return toQString(what);
}

QString missingText(const MissingData& missing) {
    return toQString(catalogueText("missing." + missing.what, catalogueLanguage(), {{"switch", missing.switchName}}));
}

bool isUnreadSource(const Diagnostic& diagnostic) { return diagnostic.code == "raw_only"; }

QString rankStateTitle(RankState state) {
    switch (state) {
    case RankState::Ok: return DataTexts::tr("complete");
    case RankState::Partial: return DataTexts::tr("partial");
    case RankState::Raw: return DataTexts::tr("raw data");
    case RankState::Listed: return DataTexts::tr("not read");
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
    case Framework::Chrome: return DataTexts::tr("Chrome trace");
    }
    return {};
}

QString sourceTitle(SourceKind source) {
    switch (source) {
    case SourceKind::Text: return DataTexts::tr("text");
    case SourceKind::Db: return DataTexts::tr("database");
    case SourceKind::Raw: return DataTexts::tr("raw data");
    case SourceKind::Cluster: return DataTexts::tr("cluster analysis");
    }
    return {};
}

QString rankTitle(const RankInfo& rank) { return rank.alias.empty() ? recordedRankTitle(rank) : toQString(rank.alias); }

QString recordedRankTitle(const RankInfo& rank) {
    const QString place = toQString(rank.place);
    if (rank.rankId) {
        const QString title = DataTexts::tr("Rank %1").arg(*rank.rankId);
        return place.isEmpty() ? title : DataTexts::tr("%1 · %2", "rank · its folder").arg(title, place);
    }
    const QString folder = place.isEmpty() ? folderName(rank.path) : place;
    return folder.isEmpty() ? DataTexts::tr("Rank unknown") : folder;
}

QString rankAxisText(const RankInfo& rank) {
    if (!rank.rankId || !rank.alias.empty()) return rankTitle(rank);
    const QString number = QString::number(*rank.rankId);
    return rank.place.empty() ? number
                              : DataTexts::tr("%1 · %2", "rank · its folder").arg(number, toQString(rank.place));
}

QString deviceTitle(const RankInfo& rank) {
    return rank.deviceId ? DataTexts::tr("NPU %1").arg(*rank.deviceId) : QString();
}

}  // namespace altiscope
