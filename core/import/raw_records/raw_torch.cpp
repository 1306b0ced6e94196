#include "core/import/raw_records/raw_torch.h"

#include "core/base/columns/keyed_sort.h"
#include "core/base/text/text.h"
#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"
#include "core/base/values/parse.h"
#include "core/import/files/profiler_info.h"
#include "core/import/raw_files/raw_files.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::size_t kTlvHeaderBytes = 6;
constexpr std::uint8_t kNpuDevice = 20;
/// Kinds of a mark of the queue, and their bits.
constexpr std::uint64_t kLastMarkKind = 3, kMarkIsEnd = 1, kMarkIsDequeue = 2;
constexpr std::uint64_t kNsPerMicrosecond = 1000, kHertzPerMhz = 1'000'000;

enum TlvType : std::uint16_t { kTlvOpRange = 1, kTlvOpMark = 2, kTlvMemory = 3, kTlvPythonText = 4 };

/// Reads the files of one FRAMEWORK folder.
class TorchFiles {
public:
    TorchFiles(const std::filesystem::path& folder, const std::string& name, const RawClock& clock, RawContext& context)
        : m_folder(folder), m_name(name), m_clock(clock), m_context(context) {}

    enum class Part : std::uint8_t { Operators, Queue, Memory, Python };
    RawTorch read(Part part) {
        switch (part) {
        case Part::Operators: readOps(); break;
        case Part::Queue: readQueue(); break;
        case Part::Memory: readMemory(); break;
        case Part::Python:
            readFrames();
            readCollections();
            break;
        }
        return std::move(m_torch);
    }

private:
    struct Mark {
        std::int64_t time;
        std::uint64_t correlation, thread, process, byte;
        std::uint32_t name;
        std::uint8_t kind;
    };
    struct Call {
        std::int64_t time;
        std::uint64_t process, key, number;
        std::uint8_t tag;
    };

    /// Name of a call of Python; indices of texts.
    struct FrameName {
        std::uint32_t text = kRawNoText;
        std::uint32_t type = kRawNoText, uid = kRawNoText;  ///< Those of a module.
    };

    std::optional<RawFrameworkFile> file(const std::string& name) {
        std::error_code error;
        const std::filesystem::path path = m_folder / name;
        const std::filesystem::file_type type = std::filesystem::symlink_status(path, error).type();
        if (type != std::filesystem::file_type::regular) {
            reportSpecialRaw(type, m_name + '/' + name, m_context.diagnostics);
            return std::nullopt;
        }
        const std::uintmax_t size = std::filesystem::file_size(path, error);
        if (!error && size == 0) m_context.diagnostics.add("raw.slice_empty", Severity::Info, m_name + '/' + name, {});
        return RawFrameworkFile{path, m_name + '/' + name};
    }
    /// Calls take(record, texts after it, its byte) for the values of one type. If it returns something, this is
    /// whether the record can be one.
    template <const RawLayout& layout, class Take>
    void eachTlv(const RawFrameworkFile& source, std::uint16_t type, const Take& take) {
        RawTlvFile tlvs(source, m_context);
        RawProblemCounter bad("raw.bad_record");
        RawTlv tlv;
        while (tlvs.next(tlv)) {
            if (tlv.type != type || tlv.value.size() < layout.size) {
                bad.add(tlv.byte);
                continue;
            }
            RawInnerTlvs inner(tlv.value.substr(layout.size));
            const RawRecord<layout> record(tlv.value.data());
            bool isGood = true;
            if constexpr (std::is_same_v<decltype(take(record, inner, tlv.byte)), bool>)
                isGood = take(record, inner, tlv.byte);
            else take(record, inner, tlv.byte);
            if (!isGood || inner.isCut()) bad.add(tlv.byte);
        }
        bad.flush(source.name, m_context.diagnostics);
    }
    /// Room for the records of a file, as many as it may hold; of larger files the rest comes as it is read.
    template <class Item>
    static void makeRoom(std::vector<Item>& items, const RawFrameworkFile& source, std::size_t recordSize) {
        static constexpr std::size_t kMax = std::size_t{1} << 22;
        std::error_code error;
        const std::uintmax_t size = std::filesystem::file_size(source.path, error);
        if (!error) items.reserve(static_cast<std::size_t>(std::min<std::uintmax_t>(size / recordSize, kMax)));
    }
    std::optional<std::int64_t> wall(std::uint64_t count) {
        const auto time = m_clock.wall(count);
        if (!time) ++m_badTimes;
        return time;
    }
    void reportTimes(const RawFrameworkFile& source) {
        if (m_badTimes > 0) m_context.diagnostics.add("raw.bad_time", Severity::Lost, source.name, {}, {}, m_badTimes);
        m_badTimes = 0;
    }
    /// Texts that are none, or that are missing where each record has one.
    void reportTexts(const RawFrameworkFile& source) {
        const std::uint64_t count = m_torch.texts.odd() + m_missingTexts;
        if (count > 0) m_context.diagnostics.add("raw.odd_text", Severity::Repaired, source.name, {}, {}, count);
    }
    void reportAlone(const RawFrameworkFile& source, std::uint64_t count) {
        if (count > 0)
            m_context.diagnostics.add("raw.unpaired", Severity::Lost, source.name, {},
                                      {{"what", source.path.filename().string()}}, count);
    }

    void readOps();
    void readQueue();
    std::vector<Mark> readMarks(const RawFrameworkFile& source);
    /// @return Marks that are left alone; nullopt if cancelled.
    std::optional<std::uint64_t> pairMarks(const std::vector<Mark>& marks);
    void readFrames();
    const FrameName& frameName(std::uint64_t key);
    void replayThread(std::uint64_t thread, const std::vector<Call>& calls);
    void readMemory();
    void readCollections();

    const std::filesystem::path m_folder;
    const std::string m_name;
    const RawClock& m_clock;
    RawContext& m_context;
    RawTorch m_torch;
    std::unordered_map<std::uint64_t, std::uint32_t> m_frameNames;
    std::unordered_map<std::uint64_t, FrameName> m_knownFrames;
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> m_moduleNames;  // by class and number
    std::uint64_t m_badTimes = 0, m_missingTexts = 0;
    std::uint64_t m_loneFrames = 0;  // calls of Python without return, and the other way round
};

void TorchFiles::readOps() {
    const auto source = file("torch.op_range");
    if (!source) return;
    makeRoom(m_torch.ops, *source, kTlvHeaderBytes + kRawOpRange.size);
    eachTlv<kRawOpRange>(*source, kTlvOpRange, [this](const auto& record, RawInnerTlvs& inner, std::uint64_t byte) {
        const auto begin = wall(record.template get<"begin">()), end = wall(record.template get<"end">());
        RawTorchOp op;
        RawTlv text;
        while (inner.next(text)) {
            std::uint32_t RawTorchOp::*const places[] = {
                &RawTorchOp::name, &RawTorchOp::types, &RawTorchOp::shapes,  nullptr,           nullptr,
                nullptr,           &RawTorchOp::stack, &RawTorchOp::modules, &RawTorchOp::extra};
            static constexpr std::uint16_t kFirst = 2;
            if (text.type < kFirst || text.type >= kFirst + std::size(places)) continue;
            if (const auto place = places[text.type - kFirst]) op.*place = m_torch.texts.id(text.value);
        }
        if (!begin || !end) return;
        if (*end < *begin) ++m_badTimes;
        op.begin = *begin;
        op.end = std::max(*begin, *end);
        op.sequence = record.template get<"sequence">();
        op.process = record.template get<"process">();
        op.thread = record.template get<"thread">();
        op.forwardThread = record.template get<"forward_thread">();
        op.byte = byte;
        if (op.name == kRawNoText) {
            op.name = m_torch.texts.id({});
            ++m_missingTexts;
        }
        m_torch.ops.push_back(op);
    });
    reportTimes(*source);
    reportTexts(*source);
}

/// A begin is met by the next end of its thread, name and side; older begins of them are forgotten.
void TorchFiles::readQueue() {
    const auto source = file("torch.op_mark");
    if (!source) return;
    m_torch.hasQueue = true;
    const std::vector<Mark> marks = readMarks(*source);
    reportTimes(*source);
    reportTexts(*source);
    if (const auto alone = pairMarks(marks)) reportAlone(*source, *alone);
}

std::vector<TorchFiles::Mark> TorchFiles::readMarks(const RawFrameworkFile& source) {
    std::vector<Mark> marks;
    makeRoom(marks, source, kTlvHeaderBytes + kRawOpMark.size);
    eachTlv<kRawOpMark>(source, kTlvOpMark, [&](const auto& record, RawInnerTlvs& inner, std::uint64_t byte) {
        const auto time = wall(record.template get<"time">());
        std::uint32_t name = kRawNoText;
        for (RawTlv text; inner.next(text);) {
            if (text.type == 1) name = m_torch.texts.id(text.value);
        }
        const std::uint64_t kind = record.template get<"kind">();
        if (kind > kLastMarkKind) return false;
        if (!time) return true;
        if (name == kRawNoText) {
            name = m_torch.texts.id({});
            ++m_missingTexts;
        }
        marks.push_back({*time, record.template get<"correlation">(), record.template get<"thread">(),
                         record.template get<"process">(), byte, name, static_cast<std::uint8_t>(kind)});
        return true;
    });
    return marks;
}

std::optional<std::uint64_t> TorchFiles::pairMarks(const std::vector<Mark>& marks) {
    const auto byTime = sortedNumbers(
        marks.size(), [&marks](std::size_t i) { return sortKeyOf(marks[i].time); }, m_context.cancel);
    // By thread and name, and which side; nearly always the same few.
    std::map<std::tuple<std::uint64_t, std::uint32_t, bool>, std::size_t> places;
    std::vector<const Mark*> open;
    std::tuple<std::uint64_t, std::uint32_t, bool> lastKey;
    const Mark** last = nullptr;
    const auto openOf = [&](const Mark& mark) -> const Mark*& {
        const std::tuple key(mark.thread, mark.name, (mark.kind & kMarkIsDequeue) != 0);
        if (last != nullptr && key == lastKey) return *last;
        const auto [place, isNew] = places.try_emplace(key, open.size());
        if (isNew) open.push_back(nullptr);
        lastKey = key;
        last = &open[place->second];
        return *last;
    };
    m_torch.enqueues.reserve(marks.size() / 4);
    m_torch.dequeues.reserve(marks.size() / 4);
    std::uint64_t alone = 0;
    for (const KeyedNumber& one : byTime) {
        static constexpr std::uint32_t kBetweenLooks = 4096;
        if (one.number % kBetweenLooks == 0 && m_context.cancel.cancelled()) return std::nullopt;
        const Mark& mark = marks[one.number];
        const Mark*& begin = openOf(mark);
        if ((mark.kind & kMarkIsEnd) == 0) {
            if (begin != nullptr) ++alone;
            begin = &mark;
            continue;
        }
        if (begin == nullptr) {
            ++alone;
            continue;
        }
        const bool isDequeue = (mark.kind & kMarkIsDequeue) != 0;
        (isDequeue ? m_torch.dequeues : m_torch.enqueues)
            .push_back({begin->time, mark.time, mark.process, mark.thread, mark.correlation, mark.byte, mark.name});
        begin = nullptr;
    }
    const auto isOpen = [](const Mark* mark) { return mark != nullptr; };
    return alone + static_cast<std::uint64_t>(std::count_if(open.begin(), open.end(), isOpen));
}

void TorchFiles::readFrames() {
    const auto source = file("torch.python_tracer_func"), names = file("torch.python_tracer_hash");
    if (names)
        eachTlv<kRawPythonText>(*names, kTlvPythonText, [this](const auto& record, RawInnerTlvs& inner, std::uint64_t) {
            for (RawTlv text; inner.next(text);) {
                if (text.type == 1) m_frameNames[record.template get<"key">()] = m_torch.texts.id(text.value);
            }
        });
    if (!source) return;
    std::map<std::uint64_t, std::vector<Call>> threads;
    std::vector<Call>* last = nullptr;
    std::uint64_t lastThread = 0;
    eachFrameworkRecord(*source, kRawPythonCall.size, m_context, [&](const char* bytes, std::uint64_t byte) {
        const RawRecord<kRawPythonCall> record(bytes);
        const auto time = wall(record.get<"time">());
        if (!time) return;
        const std::uint64_t thread = record.get<"thread">();
        if (last == nullptr || thread != lastThread) last = &threads[lastThread = thread];
        last->push_back(
            {*time, record.get<"process">(), record.get<"key">(), byte / kRawPythonCall.size, record.get<"tag">()});
    });
    reportTimes(*source);
    for (auto& [thread, calls] : threads) {
        if (m_context.cancel.cancelled()) return;
        const auto earlier = [](const Call& a, const Call& b) {
            return std::tie(a.time, a.number) < std::tie(b.time, b.number);
        };
        parallelSort(std::span(calls), earlier, m_context.cancel);
        replayThread(thread, calls);
        calls = {};
    }
    if (m_loneFrames > 0)
        m_context.diagnostics.add("raw.lone_frame", Severity::Info, source->name, {}, {}, m_loneFrames);
    if (names) reportTexts(*names);
}

/// The name of the calls with a key, made once: names may be long.
const TorchFiles::FrameName& TorchFiles::frameName(std::uint64_t key) {
    static constexpr std::string_view kModuleMark = "######";
    const auto [known, isNew] = m_knownFrames.try_emplace(key);
    if (!isNew) return known->second;
    FrameName& name = known->second;
    const auto text = m_frameNames.find(key);
    if (text == m_frameNames.end()) ++m_missingTexts;
    name.text = text == m_frameNames.end() ? m_torch.texts.id(std::to_string(key)) : text->second;
    const std::string_view words = m_torch.texts.text(name.text);
    const auto mark = words.find(kModuleMark);
    if (mark == std::string_view::npos) return name;
    name.type = m_torch.texts.id(words.substr(0, mark));
    name.uid = m_torch.texts.id(words.substr(mark + kModuleMark.size()));
    return name;
}

void TorchFiles::replayThread(std::uint64_t thread, const std::vector<Call>& calls) {
    std::vector<RawPythonFrame> open;
    std::map<std::uint32_t, std::map<std::uint32_t, std::int64_t>> modules;  // by class and uid
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const Call& call = calls[i];
        const bool isReturn = (call.tag & 1) != 0;
        if (isReturn) {
            if (open.empty()) {
                ++m_loneFrames;
                continue;
            }
            open.back().end = call.time;
            m_torch.frames.push_back(open.back());
            open.pop_back();
            continue;
        }
        RawPythonFrame frame;
        frame.begin = frame.end = call.time;
        frame.process = call.process;
        frame.thread = thread;
        frame.number = call.number;
        frame.id = i;
        frame.parent = open.empty() ? 0 : open.back().id;
        const FrameName& name = frameName(call.key);
        frame.name = name.text;
        static constexpr std::uint8_t kPythonCall = 0;
        if (name.type != kRawNoText && call.tag == kPythonCall) {
            auto& ofType = modules[name.type];
            frame.module = ofType.try_emplace(name.uid, static_cast<std::int64_t>(ofType.size())).first->second;
            const auto [module, isNew] = m_moduleNames.try_emplace({name.type, frame.module}, kRawNoText);
            if (isNew)
                module->second = m_torch.texts.id("nn.Module: " + m_torch.texts.text(name.type) + '_' +
                                                  std::to_string(frame.module));
            frame.name = module->second;
        }
        open.push_back(frame);
    }
    // A call that never returned lasts to the last record.
    m_loneFrames += open.size();
    for (; !open.empty(); open.pop_back()) {
        open.back().end = calls.back().time;
        m_torch.frames.push_back(open.back());
    }
}

void TorchFiles::readMemory() {
    const auto source = file("torch.memory_usage");
    if (!source) return;
    makeRoom(m_torch.memory, *source, kTlvHeaderBytes + kRawMemoryUsage.size);
    std::uint64_t others = 0;
    eachTlv<kRawMemoryUsage>(*source, kTlvMemory, [&](const auto& record, RawInnerTlvs& inner, std::uint64_t) {
        for (RawTlv text; inner.next(text);) {}
        if (record.template get<"device_type">() != kNpuDevice) {
            ++others;
            return;
        }
        const auto time = wall(record.template get<"time">());
        if (!time) return;
        RawMemoryUse use;
        use.time = *time;
        use.pointer = record.template get<"pointer">();
        use.bytes = record.template get<"bytes">();
        use.allocated = record.template get<"allocated">();
        use.reserved = record.template get<"reserved">();
        use.active = record.template get<"active">();
        use.stream = record.template get<"stream">();
        use.process = record.template get<"process">();
        use.thread = record.template get<"thread">();
        use.device = record.template get<"device">();
        use.component = record.template get<"component">();
        use.event = record.template get<"event">();
        use.allocator = record.template get<"allocator">();
        others += use.allocator == 0 ? 0 : 1;
        m_torch.memory.push_back(use);
    });
    reportTimes(*source);
    if (others > 0) m_context.diagnostics.add("raw.other_memory", Severity::Info, source->name, {}, {}, others);
    std::vector<RawMemoryUse>& memory = m_torch.memory;
    const auto byTime = [](const RawMemoryUse& a, const RawMemoryUse& b) { return a.time < b.time; };
    if (std::is_sorted(memory.begin(), memory.end(), byTime)) return;
    const auto sorted = sortedNumbers(
        memory.size(), [&](std::size_t i) { return sortKeyOf(memory[i].time); }, m_context.cancel);
    std::vector<RawMemoryUse> inOrder;
    inOrder.reserve(memory.size());
    for (const KeyedNumber& one : sorted) inOrder.push_back(memory[one.number]);
    memory = std::move(inOrder);
}

void TorchFiles::readCollections() {
    const auto source = file("torch.gc_record");
    if (!source) return;
    eachFrameworkRecord(*source, kRawCollection.size, m_context, [&](const char* bytes, std::uint64_t byte) {
        const RawRecord<kRawCollection> record(bytes);
        const auto begin = wall(record.get<"begin">()), end = wall(record.get<"end">());
        if (!begin || !end) return;
        if (*end < *begin) ++m_badTimes;
        m_torch.collections.push_back(
            {*begin, std::max(*begin, *end), record.get<"process">(), byte / kRawCollection.size});
    });
    reportTimes(*source);
}

}  // namespace

/// By length and the bytes at both ends and in the middle.
std::size_t RawTorchTexts::recentPlace(std::string_view text) {
    std::uint64_t mixed = text.size();
    const std::size_t ends = text.size() - std::min(text.size(), sizeof mixed);
    for (const std::size_t place : {std::size_t{0}, text.size() / 2, ends}) {
        if (place == text.size()) break;
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, text.data() + place, std::min(text.size() - place, sizeof bytes));
        mixed = (mixed ^ bytes) * 0x9E3779B97F4A7C15ULL;
    }
    return mixed >> (64 - kRecentBits);
}

std::uint32_t RawTorchTexts::id(std::string_view text) {
    std::uint32_t& recent = m_recent[recentPlace(text)];
    if (recent != kRawNoText && m_texts[recent] == text) return recent;
    if (const auto known = m_ids.find(text); known != m_ids.end()) return recent = known->second;
    if (!isValidUtf8(text)) {
        ++m_odd;
        return id("N/A");
    }
    // Names that programs give may hold line breaks; no text holds bytes of 0.
    if (text.find('\0') != std::string_view::npos) ++m_odd;
    recent = static_cast<std::uint32_t>(m_texts.size());
    m_texts.emplace_back(text);
    m_ids.emplace(m_texts.back(), recent);
    return recent;
}

namespace {

/// Name of the first profiler_info file of a rank; empty if there is none.
std::string profilerInfoIn(const std::filesystem::path& rank) {
    static constexpr std::size_t kMaxLooks = 10000;
    std::error_code error;
    std::size_t looks = 0;
    std::string best;
    for (std::filesystem::directory_iterator at(rank, error), end; !error && at != end && looks < kMaxLooks;
         at.increment(error), ++looks) {
        const std::string file = at->path().filename().string();
        if (file.starts_with("profiler_info") && file.ends_with(".json") && (best.empty() || file < best)) best = file;
    }
    return best;
}

}  // namespace

RawTorchClock rawTorchClock(const std::filesystem::path& rank, const std::string& name, const RawSettings* host,
                            Diagnostics& diagnostics) {
    const std::string best = profilerInfoIn(rank);
    Metadata facts;
    Diagnostics ofScan;  // The scan has read the file, and reported what is wrong with it.
    if (!best.empty()) facts = readMetadata(rank / best, name + '/' + best, ofScan);
    const std::string* counts = findOption(facts, "syscnt_enable");
    const bool hasHost = host != nullptr && host->hasClock;
    const bool isCounted = counts != nullptr && *counts == "true";
    std::uint64_t hertz = kNsPerMicrosecond * kHertzPerMhz, start = 0;
    std::int64_t monotonic = 0;
    bool isKnown = counts != nullptr;
    if (isCounted && hasHost && host->hostHertz) {
        hertz = *host->hostHertz;
        start = host->hostCount;
        monotonic = host->hostMonotonic;
    } else if (isCounted) {
        const auto frequency = scaledValue(facts, "start_info.freq", static_cast<std::int64_t>(kHertzPerMhz)),
                   begin = scaledValue(facts, "start_info.start_cnt", 1),
                   begun = scaledValue(facts, "start_info.start_monotonic", 1);
        isKnown = frequency && *frequency > 0 && begin && begun;
        hertz = static_cast<std::uint64_t>(frequency.value_or(1));
        start = static_cast<std::uint64_t>(begin.value_or(0));
        monotonic = begun.value_or(0);
    }
    std::int64_t offset = 0;
    if (hasHost) {
        offset = host->wallBegin - host->monotonicBegin;
    } else {
        const auto wall = scaledValue(facts, "end_info.collectionTimeEnd", 1),
                   atEnd = scaledValue(facts, "end_info.MonotonicTimeEnd", 1);
        isKnown = isKnown && wall && atEnd && *wall >= 0 && *atEnd >= 0;
        offset = isKnown ? *wall - *atEnd : 0;
    }
    static constexpr std::int64_t kMaxNs = std::int64_t{1} << 61;
    if (monotonic < 0 || monotonic > kMaxNs || offset < -kMaxNs || offset > kMaxNs) isKnown = false;
    if (!isKnown) {
        diagnostics.add("raw.no_clock", Severity::Lost, name, {});
        return {RawClock(1, 0, 0), false};
    }
    return {RawClock(hertz, start, monotonic + offset), true};
}

bool isReadTorchFile(std::string_view name) {
    static constexpr std::string_view kRead[] = {"torch.op_range",           "torch.op_mark",
                                                 "torch.memory_usage",       "torch.python_tracer_hash",
                                                 "torch.python_tracer_func", "torch.gc_record"};
    return std::find(std::begin(kRead), std::end(kRead), name) != std::end(kRead);
}

RawTorch readRawTorch(const std::filesystem::path& folder, const std::string& name, const RawClock& clock,
                      RawContext& context) {
    using Part = TorchFiles::Part;
    static constexpr Part kParts[] = {Part::Operators, Part::Queue, Part::Python, Part::Memory};
    std::array<RawTorch, std::size(kParts)> parts;
    std::array<Diagnostics, std::size(kParts)> reported;
    parallelFor(std::size(kParts), [&](std::size_t part) {
        RawContext own{reported[part], context.progress, context.cancel};
        parts[part] = TorchFiles(folder, name, clock, own).read(kParts[part]);
    });
    for (const Diagnostics& one : reported) context.diagnostics.merge(one);
    RawTorch &torch = parts[0], &queue = parts[1], &python = parts[2], &memory = parts[3];
    // Each has met texts of its own.
    const auto own = [&torch](const RawTorch& part) {
        std::vector<std::uint32_t> ids(part.texts.size());
        for (std::uint32_t i = 0; i < ids.size(); ++i) ids[i] = torch.texts.id(part.texts.text(i));
        return ids;
    };
    const std::vector<std::uint32_t> ofQueue = own(queue), ofPython = own(python);
    for (auto* bars : {&queue.enqueues, &queue.dequeues}) {
        for (RawQueueBar& bar : *bars) bar.name = ofQueue[bar.name];
    }
    for (RawPythonFrame& frame : python.frames) frame.name = ofPython[frame.name];
    torch.enqueues = std::move(queue.enqueues);
    torch.dequeues = std::move(queue.dequeues);
    torch.hasQueue = queue.hasQueue;
    torch.memory = std::move(memory.memory);
    torch.frames = std::move(python.frames);
    torch.collections = std::move(python.collections);
    return std::move(torch);
}

std::vector<RawPythonFrame> readRawFrames(const std::filesystem::path& folder, const std::string& name,
                                          const RawClock& clock, RawContext& context) {
    return TorchFiles(folder, name, clock, context).read(TorchFiles::Part::Python).frames;
}

}  // namespace altiscope::reader
