#include "core/generate/text/summary_csv.h"

#include <algorithm>
#include <string>
#include <vector>

namespace altiscope::generate {

namespace {

/// Times of an operator: the host's in ns, the device's in ticks of DeviceTime.
struct OperatorTimes {
    std::int64_t children = 0;
    std::int64_t deviceSelf = 0;
    std::int64_t deviceTotal = 0;
    std::int64_t coreSelf = 0;
    std::int64_t coreTotal = 0;
};

void addTicks(std::int64_t ticks, TextBuffer& out) {
    out.add(',');
    if (ticks == 0) out.add('0');
    else out.addTrimmed(ticks * 3125, 8);
}

/// A cell with "\n" where the recorded text has "\r\n".
void addCell(const std::string& text, TextBuffer& out) {
    const bool quoted = text.find_first_of(",\n") != std::string::npos;
    if (quoted) out.add('"');
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\r', begin), text.size());
        out.add(std::string_view(text).substr(begin, end - begin));
        begin = end + 1;
    }
    if (quoted) out.add('"');
}

/// Parents precede their children in the list, so one pass from the end sums up.
std::vector<OperatorTimes> timesOf(const Run& run, const UnitRecord& record) {
    const std::vector<OpSlice>& ops = record.host.ops;
    std::vector<OperatorTimes> times(ops.size());
    for (std::size_t i = 0; i < record.tasks.size(); ++i) {
        const DeviceWork& work = record.host.work[i];
        const TaskKind kind = work.task->kind;
        if (kind == TaskKind::EventRecord || kind == TaskKind::EventWait) continue;
        OperatorTimes& own = times[work.op];
        own.deviceSelf += record.tasks[i].duration.ticks;
        if (kind != TaskKind::Kernel) continue;
        const CoreKind core = run.program.kernels[work.task->index].core;
        if (core != CoreKind::Random && core != CoreKind::AiCpu) own.coreSelf += record.tasks[i].duration.ticks;
    }
    for (std::size_t i = ops.size(); i-- > 0;) {
        OperatorTimes& own = times[i];
        own.deviceTotal += own.deviceSelf;
        own.coreTotal += own.coreSelf;
        if (ops[i].parent == kNone) continue;
        OperatorTimes& parent = times[ops[i].parent];
        parent.children += ops[i].duration.value;
        parent.deviceTotal += own.deviceTotal;
        parent.coreTotal += own.coreTotal;
    }
    return times;
}

std::string_view levelOf(ApiKind kind) {
    switch (kind) {
    case ApiKind::NodeLaunch: return "node";
    case ApiKind::HcclLaunch: return "hccl";
    case ApiKind::AscendClNn:
    case ApiKind::AscendClOp:
    case ApiKind::AscendClRts:
    case ApiKind::AscendClCollective: break;
    }
    return "acl";
}

/// `dividend / divisor` in us from ns, three decimals, halves up.
std::int64_t roundedQuotient(std::int64_t dividend, std::uint64_t divisor) {
    const auto by = static_cast<std::int64_t>(divisor);
    return (dividend * 2 + by) / (by * 2);
}

}  // namespace

std::string_view operatorDetailsHeader(Framework framework) {
    if (framework == Framework::MindSpore) return "Name,Input Shapes\n";
    return "Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us),"
           "Device Total Duration(us),Device Self Duration With AICore(us),Device Total Duration With AICore(us)\n";
}

void addOperatorDetails(const Run& run, const UnitRecord& record, Framework framework, TextBuffer& out) {
    const std::vector<OperatorTimes> times = timesOf(run, record);
    for (std::size_t i = 0; i < record.host.ops.size(); ++i) {
        const OpSlice& op = record.host.ops[i];
        if (op.step > 0) continue;
        const OpSite& site = run.program.sites[op.site];
        addCell(run.program.texts[site.name], out);
        out.add(',');
        addCell(run.program.texts[site.dims], out);
        if (framework == Framework::MindSpore) {
            out.add('\n');
            continue;
        }
        out.add(',');
        addCell(run.program.texts[site.stack], out);
        out.add(',');
        out.addTrimmed(op.duration.value - times[i].children, 3);
        out.add(',');
        out.addTrimmed(op.duration.value, 3);
        addTicks(times[i].deviceSelf, out);
        addTicks(times[i].deviceTotal, out);
        addTicks(times[i].coreSelf, out);
        addTicks(times[i].coreTotal, out);
        out.add('\n');
    }
}

void sumApis(const Run& run, const UnitRecord& record, Statistics& sums) {
    for (const ApiSlice& slice : record.host.apis) {
        const std::string name = slice.kind == ApiKind::NodeLaunch ? "launch" : run.program.texts[slice.name];
        // Sorted by name first, as the real file is.
        sums[{name, std::string(levelOf(slice.kind))}].add(slice.duration.value);
    }
}

std::string opStatisticCsv(std::uint32_t device, const Statistics& kernels) {
    TextBuffer out;
    out.add("Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n");
    std::int64_t total = 0;
    std::multimap<std::int64_t, const Statistics::value_type*> byTime;
    for (const auto& entry : kernels) {
        total += entry.second.totalNs;
        byTime.emplace(-entry.second.totalNs, &entry);
    }
    for (const auto& [negative, entry] : byTime) {
        const DurationSum& sum = entry->second;
        out.addNumber(std::uint64_t{device});
        out.add(',');
        out.add(entry->first.first);
        out.add(',');
        out.add(entry->first.second);
        out.add(',');
        out.addNumber(sum.count);
        for (const std::int64_t ns : {sum.totalNs, sum.minNs, roundedQuotient(sum.totalNs, sum.count), sum.maxNs}) {
            out.add(',');
            out.addTrimmed(ns, 3);
        }
        out.add(',');
        // Percent with three decimals; in doubles, as the product of the numbers may exceed 64 bits.
        out.addTrimmed(
            static_cast<std::int64_t>(static_cast<double>(sum.totalNs) / static_cast<double>(total) * 100'000.0 + 0.5),
            3);
        out.add('\n');
    }
    return std::string(out.view());
}

std::string apiStatisticCsv(const Statistics& apis) {
    TextBuffer out;
    out.add("Device_id,Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\n");
    for (const auto& [key, sum] : apis) {
        out.add("host,");
        out.add(key.second);
        out.add(',');
        out.add(key.first);
        out.add(',');
        out.addTrimmed(sum.totalNs, 3);
        out.add(',');
        out.addNumber(sum.count);
        for (const std::int64_t ns : {roundedQuotient(sum.totalNs, sum.count), sum.minNs, sum.maxNs}) {
            out.add(',');
            out.addTrimmed(ns, 3);
        }
        const double count = static_cast<double>(sum.count);
        const double mean = static_cast<double>(sum.totalNs) / 1000.0 / count;
        const double variance = std::max(sum.squares / count - mean * mean, 0.0);
        out.add(',');
        out.addTrimmed(static_cast<std::int64_t>(variance * 1000.0 + 0.5), 3);
        out.add('\n');
    }
    return std::string(out.view());
}

}  // namespace altiscope::generate
