#include "core/generate/database/analysis_rows.h"

#include "core/generate/model/operation_names.h"
#include "core/generate/text/communication_numbers.h"

#include <string>

namespace altiscope::generate {

namespace {

/// The nearest doubles to what the text files print.
double ms(std::int64_t ticks) { return static_cast<double>(ticks * 3125) / 1e11; }
double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }
double us(DurationNs duration) { return static_cast<double>(duration.value) / 1e3; }
double ofTenThousand(std::int64_t value) { return static_cast<double>(value) / 1e4; }

void addCollective(const CollectiveSummary& summary, const std::string& step, SqliteFile& file) {
    const std::size_t at = summary.name.find('@');
    const std::string op = summary.name.substr(0, at);
    const std::string_view type = namesOf(summary.operation).kind;
    const std::string group = summary.name.substr(at + 1);
    file.insert(AnalysisTable::Time, {op, group, static_cast<double>(summary.start.value) / 1e3, ms(summary.elapsed),
                                      ms(summary.transit), ms(summary.wait), ms(summary.synchronization),
                                      ms(summary.elapsed - summary.transit - summary.wait), step, type});
    for (const NamedTransport& transport : namedTransports(summary)) {
        const TransportTally& sum = transport.sum;
        if (sum.bytes == 0) continue;
        const auto add = [&](double size, std::uint64_t count, double duration) {
            file.insert(AnalysisTable::Bandwidth,
                        {op, group, transport.name, megabytes(sum.bytes), ms(sum.ticks),
                         ofTenThousand(bandwidthOf(sum.bytes, sum.ticks)), ofTenThousand(transport.largePackets), size,
                         count, duration, step, type});
        };
        for (const auto& [bytes, packet] : sum.packets) add(megabytes(bytes), packet.count, ms(packet.ticks));
        if (sum.packets.empty()) add(0, 0, 0);
    }
}

}  // namespace

void addStepTraceRow(const StepTruth& step, SqliteFile& file) {
    const StepTimes times = stepTimesOf(step);
    const auto column = [&times](std::size_t i) { return us({times[i]}); };
    // A bubble that there is not is an integer zero, as in the text.
    const DbValue bubble = times[kBubbleTime] == 0 ? DbValue(0) : DbValue(column(kBubbleTime));
    file.insert(AnalysisTable::StepTraceTime, {std::to_string(step.step), column(0), column(1), column(2), column(3),
                                               column(4), column(5), bubble, column(7), column(8)});
}

void addCommunicationRows(const Run& run, std::uint64_t step, const StepCommunication& communication,
                          SqliteFile& file) {
    const std::string name = "step" + std::to_string(step);
    for (const CollectiveSummary& summary : communication.collectives) addCollective(summary, name, file);
    for (const LinkSelection& selection : linkSelections(communication)) {
        const OperationNames words = namesOf(selection.operation);
        const std::string op = std::string(words.link) + "-" + std::string(selection.word);
        const std::string group = std::to_string(run.plan.groups[selection.group].hash);
        for (const auto& [key, call] : selection.links) {
            const std::string source = std::to_string(key.source);
            const std::string target = std::to_string(key.target);
            file.insert(AnalysisTable::Matrix,
                        {op, group, source, target, linkTransport(key.transport), megabytes(call.bytes), ms(call.ticks),
                         ofTenThousand(bandwidthOf(call.bytes, call.ticks)), name, words.kind, call.opName});
        }
    }
}

}  // namespace altiscope::generate
