#include "tests/support/trace_text.h"

#include <cstdlib>
#include <regex>
#include <sstream>

namespace altiscope::test {

namespace {

struct Place {
    std::string pid;
    std::string tid;
};

Place placeOf(const std::string& text) {
    const std::size_t slash = text.find('/');
    return {text.substr(1, slash - 1), text.substr(slash + 2)};
}

}  // namespace

std::shared_ptr<const TraceStore> traceFromText(std::string_view text, Diagnostics* diagnostics, std::uint32_t rank) {
    TraceBuilder builder(rank == 0 ? "test" : "test" + std::to_string(rank));
    TraceBuilder::Names names(builder);
    Segment segment;
    std::uint64_t offset = 0;
    const auto nextPos = [&offset, rank] { return SourcePos::make(rank, offset++); };

    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        static const std::regex flow(R"(flow (\S+):(\S+) (\S+)@(\d+) -> (\S+)@(\d+))");
        static const std::regex counter(R"(p(\S+)/c:(\S+) (.*))");
        static const std::regex thread(R"((p\S+/t\S+): (.*))");
        if (std::regex_match(line, match, flow)) {
            const Place from = placeOf(match[3]);
            const Place to = placeOf(match[5]);
            const auto category = names.text(match[1].str());
            const FlowKey key = makeFlowKey(match[2].str());
            segment.flows.push_back(
                {names.thread(from.pid, from.tid), FlowPoint::Start, category, std::stoll(match[4]), key, nextPos()});
            segment.flows.push_back(
                {names.thread(to.pid, to.tid), FlowPoint::Finish, category, std::stoll(match[6]), key, nextPos()});
        } else if (std::regex_match(line, match, counter)) {
            const auto track = names.counter(match[1].str(), match[2].str());
            static const std::regex sample(R"((\S+)\[(\d+)\]=(\S+))");
            const std::string rest = match[3];
            for (std::sregex_iterator it(rest.begin(), rest.end(), sample), end; it != end; ++it) {
                segment.samples.push_back(
                    {track, names.text((*it)[1].str()), std::stoll((*it)[2]), std::stod((*it)[3]), nextPos()});
            }
        } else if (std::regex_match(line, match, thread)) {
            const Place place = placeOf(match[1]);
            const auto track = names.thread(place.pid, place.tid);
            static const std::regex item(R"((!?)(\S+?)\[(\d+)(?:,(\d+)\))?\]?)");
            const std::string rest = match[2];
            for (std::sregex_iterator it(rest.begin(), rest.end(), item), end; it != end; ++it) {
                const auto name = names.text((*it)[2].str());
                const std::int64_t begin = std::stoll((*it)[3]);
                if ((*it)[1].length() > 0) {
                    segment.instants.push_back({track, begin, name, nextPos()});
                } else {
                    segment.slices.add(track, begin, std::stoll((*it)[4]) - begin, name, names.text(""), nextPos());
                }
            }
        } else {
            std::abort();  // a test's text that says nothing
        }
    }
    builder.commit(SourcePos::make(rank, 0), std::move(segment));
    Diagnostics own;
    return builder.seal("test", diagnostics != nullptr ? *diagnostics : own, {}).value();
}

std::string dumpSlices(const TraceStore& store) {
    std::ostringstream out;
    for (std::uint32_t i = 0; i < store.sliceCount(); ++i) {
        const SliceIndex slice{i};
        const DepthRun& run = store.runOf(slice);
        out << 't' << store.track({run.track}).tid << ' ' << run.depth << ' ' << store.name(slice) << " ["
            << store.begin(slice).value << ',' << store.end(slice).value << ") self " << store.selfDuration(slice).value
            << " parent " << (store.parent(slice) == kNoSlice ? "-" : std::string(store.name(store.parent(slice))))
            << '\n';
    }
    return out.str();
}

}  // namespace altiscope::test
