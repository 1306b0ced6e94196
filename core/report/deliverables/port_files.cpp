#include "core/report/deliverables/port_files.h"

#include "core/report/deliverables/number_text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

namespace {

using PortLines = std::vector<std::vector<std::string>>;
using PortSamples = std::vector<const PortSample*>;  // of one port

/// Numbers of one direction of a port, as the vendor's tables have them.
struct PortWay {
    double efficiency = 0, packets = 0, errors = 0, dropped = 0;
};

/// Which of the two files is written.
struct PortTable {
    std::string_view stem;
    std::vector<PortSample> DeviceSamples::*samples;
    bool needsBandwidth;  ///< A port that can carry nothing has no sum.
};

double sumOfPort(const PortSamples& samples, PortSample::Way PortSample::*way, auto member) {
    double sum = 0;
    for (const PortSample* one : samples) sum += static_cast<double>(one->*way.*member);
    return sum;
}

/// Shares of the packets.
PortWay wayOfOne(const PortSample::Way& way) {
    const auto share = [&way](std::uint64_t part) {
        return way.packets == 0 ? 0 : pythonRounded(static_cast<double>(part) / static_cast<double>(way.packets));
    };
    return {0, way.packetRate, share(way.errors), share(way.dropped)};
}

/// @param passed    ns from the first sample to the last.
/// @param errors    The sum that is shared out, already the mean or not.
PortWay wayOfMany(const PortSamples& samples, PortSample::Way PortSample::*way, std::int64_t passed, double errors,
                  double dropped) {
    static constexpr double kBits = 8, kBytesOfMega = 1024 * 1024, kPercent = 100;
    const auto [min, max] =
        std::minmax_element(samples.begin(), samples.end(), [way](const PortSample* a, const PortSample* b) {
            return (a->*way).bytes < (b->*way).bytes;
        });
    const auto ns = static_cast<double>(passed);
    const auto megabits = static_cast<double>(samples.front()->megabitsPerSecond);
    const auto bits = static_cast<double>(((*max)->*way).bytes - ((*min)->*way).bytes) * kBits;
    const double packets = sumOfPort(samples, way, &PortSample::Way::packetRate);
    const auto percent = [packets](double part) { return packets == 0 ? 0 : pythonRounded(part / packets) * kPercent; };
    return {megabits == 0 ? 0 : pythonRounded(bits / (ns * megabits * kBytesOfMega)), pythonRounded(packets / ns),
            percent(errors), percent(dropped)};
}

/// Rates by the nanosecond and, in the column of times, how long the samples took, as the vendor's program writes them:
/// see FORMAT.md.
void addPort(const DeviceSamples& device, const PortSamples& samples, double errorsOfDevice, bool needsBandwidth,
             PortLines& lines) {
    const PortSample& first = *samples.front();
    const std::int64_t passed = samples.back()->time - first.time;
    PortWay received, sent;
    if (samples.size() == 1) {
        received = wayOfOne(first.received);
        sent = wayOfOne(first.sent);
    } else if (passed > 0 && (first.megabitsPerSecond > 0 || !needsBandwidth)) {
        const auto count = static_cast<double>(samples.size());
        const auto sum = [&samples](PortSample::Way PortSample::*way, auto member) {
            return sumOfPort(samples, way, member);
        };
        received = wayOfMany(samples, &PortSample::received, passed, errorsOfDevice,
                             sum(&PortSample::received, &PortSample::Way::dropped) / count);
        sent = wayOfMany(samples, &PortSample::sent, passed, sum(&PortSample::sent, &PortSample::Way::errors) / count,
                         sum(&PortSample::sent, &PortSample::Way::dropped));
    }
    std::vector<std::string> line{std::to_string(device.device),
                                  timeCell(printedOffset(device.begin, device.monotonicBegin) + passed)};
    const auto add = [&line](double value) { line.push_back(exactText(pythonRounded(value))); };
    add(static_cast<double>(first.megabitsPerSecond));
    for (const PortWay& way : {received, sent}) {
        for (const double value : {way.efficiency, way.packets, way.errors, way.dropped}) add(value);
    }
    line.push_back(std::to_string(first.port));
    lines.push_back(std::move(line));
}

DeliverableResult writePorts(const DeliverableInput& input, const PortTable& table) {
    PortLines lines{{"Device_id", "Timestamp(us)", "Bandwidth(MB/s)", "Rx Bandwidth efficiency(%)", "rxPacket/s",
                     "rxError rate(%)", "rxDropped rate(%)", "Tx Bandwidth efficiency(%)", "txPacket/s",
                     "txError rate(%)", "txDropped rate(%)", "funcId"}};
    for (const DeviceSamples& device : input.tasks.samples) {
        if (input.cancel.cancelled()) return {DeliverableResult::State::Cancelled};
        std::vector<PortSamples> ports;  // in the order of their first samples
        double errors = 0, count = 0;    // received on all of them
        for (const PortSample& one : device.*table.samples) {
            auto port = std::find_if(ports.begin(), ports.end(),
                                     [&one](const PortSamples& samples) { return samples.front()->port == one.port; });
            if (port == ports.end()) port = ports.insert(port, PortSamples());
            port->push_back(&one);
            errors += static_cast<double>(one.received.errors);
            ++count;
        }
        for (const PortSamples& samples : ports) addPort(device, samples, errors / count, table.needsBandwidth, lines);
    }
    return writeLines(input, table.stem, lines);
}

}  // namespace

DeliverableResult writeNic(const DeliverableInput& input) {
    return writePorts(input, {"nic", &DeviceSamples::nic, false});
}

DeliverableResult writeRoce(const DeliverableInput& input) {
    return writePorts(input, {"roce", &DeviceSamples::roce, true});
}

}  // namespace altiscope
