#include "core/report/deliverables/event_text.h"

#include "core/report/deliverables/argument_number.h"

#include <array>

namespace altiscope {

struct EventText::Separators {
    /// A word of the spaced dialect as it stands here; the dense one has no space after a comma or colon.
    class Word {
    public:
        constexpr Word(bool isSpaced, std::string_view spaced) {
            for (const char c : spaced) {
                const char before = m_size == 0 ? '\0' : m_text[m_size - 1];
                if (isSpaced || c != ' ' || (before != ',' && before != ':')) m_text[m_size++] = c;
            }
        }
        constexpr operator std::string_view() const { return {m_text.data(), m_size}; }

    private:
        std::array<char, 32> m_text{};
        std::size_t m_size = 0;
    };

    bool isSpaced;
    Word between{isSpaced, ", "}, colon{isSpaced, ": "};  ///< Between events and members; after a key.
    Word name{isSpaced, R"({"name": )"};                  ///< Opens an event whose name follows.
    // The same, in the order of torch_npu.
    Word torchMetadata{isSpaced, R"({"ph": "M", "name": )"}, torchSlice{isSpaced, R"({"ph": "X", "name": )"};
    Word torchStart{isSpaced, R"({"ph": "s", "bp": "e", "name": )"};
    Word torchFinish{isSpaced, R"({"ph": "f", "bp": "e", "name": )"};
    Word process{isSpaced, R"(, "pid": )"}, thread{isSpaced, R"(, "tid": )"}, time{isSpaced, R"(, "ts": ")"};
    Word duration{isSpaced, R"(", "dur": )"};  ///< After a time, as the next ones.
    Word start{isSpaced, R"(, "ph": "s", "cat": )"}, finish{isSpaced, R"(, "ph": "f", "cat": )"};
    Word step{isSpaced, R"(, "ph": "t", "cat": )"}, completeOf{isSpaced, R"(, "ph": "X", "cat": )"};
    Word sample{isSpaced, R"(", "ph": "C", "args": {)"};
    Word category{isSpaced, R"(, "cat": )"};  ///< After a number or a time.
    Word torchCategory{isSpaced, R"(", "cat": )"}, id{isSpaced, R"(, "id": )"}, finishEnd{isSpaced, R"(, "bp": "e"})"};
    /// After a number; up to the arguments.
    Word metadata{isSpaced, R"(, "ph": "M", "args": {)"}, complete{isSpaced, R"(, "ph": "X", "args": )"};
    Word arguments{isSpaced, R"(, "args": )"};  ///< After a text or a number.
};

constexpr EventText::Separators EventText::kSpaced{true};
constexpr EventText::Separators EventText::kDense{false};

EventText::EventText(TextBuffer& out, Dialect dialect)
    : m_out(out), m_isSpaced(dialect == Dialect::Torch), m_words(m_isSpaced ? kSpaced : kDense) {}

void EventText::separate() {
    if (!m_isFirstEvent) m_out.add(m_words.between);
    m_isFirstEvent = false;
}

void EventText::begin(std::string_view words) {
    separate();
    m_out.add(words);
}

void EventText::thread(Thread thread) {
    m_out.add(m_words.process);
    m_out.add(thread.process);
    m_out.add(m_words.thread);
    m_out.add(thread.thread);
}

void EventText::time(TimeNs time) {
    m_out.add(m_words.time);
    m_out.addTime(time);
}

void EventText::member(std::string_view key, std::string_view value, bool isNumber) {
    m_out.addQuoted(key);
    m_out.add(m_words.colon);
    isNumber ? m_out.add(value) : m_out.addQuoted(value);
}

void EventText::arguments(std::string_view json) {
    if (json.empty()) m_out.add("{}");
    else if (m_isSpaced) addSpacedJson(m_out, json);
    else m_out.add(json);
}

void EventText::metadata(std::string_view name, Thread at, std::string_view key, std::string_view value,
                         bool isNumber) {
    begin(m_words.name);
    m_out.addQuoted(name);
    thread(at);
    m_out.add(m_words.metadata);
    member(key, value, isNumber);
    m_out.add("}}");
}

void EventText::beginSlice(std::string_view name, Thread at, TimeNs from) {
    begin(m_words.name);
    m_out.addQuoted(name);
    thread(at);
    time(from);
    m_out.add(m_words.duration);
}

void EventText::slice(std::string_view name, Thread at, TimeNs from, DurationNs length, std::string_view json) {
    beginSlice(name, at, from);
    m_out.addTrimmed(length.value, 3);
    m_out.add(m_words.complete);
    arguments(json);
    m_out.add('}');
}

void EventText::slice(std::string_view name, Thread at, TimeNs from, std::string_view length, std::string_view json) {
    beginSlice(name, at, from);
    m_out.add(length);
    m_out.add(m_words.complete);
    arguments(json);
    m_out.add('}');
}

void EventText::slice(std::string_view name, Thread at, Span span, std::string_view category, std::string_view json) {
    beginSlice(name, at, span.begin);
    m_out.addTrimmed(span.duration.value, 3);
    m_out.add(m_words.completeOf);
    m_out.addQuoted(category);
    m_out.add(m_words.arguments);
    arguments(json);
    m_out.add('}');
}

void EventText::dataWait(bool isStart, std::string_view iteration, Thread at, TimeNs when, std::string_view json) {
    static constexpr std::string_view kWait = "Data_aug Bound";
    begin(m_words.name);
    m_out.addQuoted(std::string(kWait) + ' ' + std::string(iteration));
    thread(at);
    m_out.add(isStart ? m_words.start : m_words.step);
    m_out.addQuoted(kWait);
    m_out.add(m_words.id);
    m_out.addQuoted(std::string(kWait) + ' ' + std::string(at.process) + '_' + std::string(at.thread));
    time(when);
    m_out.add('"');
    m_out.add(m_words.arguments);
    arguments(json);
    m_out.add('}');
}

void EventText::flow(bool isStart, FlowWords words, std::string_view id, Thread at, TimeNs when) {
    begin(m_words.name);
    m_out.add('"');
    m_out.add(words.prefix);
    m_out.add(id);
    m_out.add('"');
    thread(at);
    m_out.add(isStart ? m_words.start : m_words.finish);
    m_out.addQuoted(words.category);
    m_out.add(m_words.id);
    m_out.addQuoted(id);
    time(when);
    m_out.add('"');
    isStart ? m_out.add('}') : m_out.add(m_words.finishEnd);
}

void EventText::launch(bool isStart, std::string_view id, Thread at, TimeNs when) {
    flow(isStart, {"HostToDevice", "HostToDevice"}, id, at, when);
}

void EventText::mark(bool isStart, std::int64_t id, Thread at, TimeNs when) {
    flow(isStart, {"MsTx_", "MsTx"}, std::to_string(id), at, when);
}

void EventText::sample(std::string_view name, Thread of, TimeNs when) {
    begin(m_words.name);
    m_out.addQuoted(name);
    thread(of);
    time(when);
    m_out.add(m_words.sample);
    m_isFirstValue = true;
}

void EventText::sampleValue(std::string_view series, std::string_view value) {
    if (!m_isFirstValue) m_out.add(m_words.between);
    m_isFirstValue = false;
    member(series, value, true);
}

void EventText::torchMetadata(std::string_view name, Thread at, std::string_view key, std::string_view value,
                              bool isNumber) {
    begin(m_words.torchMetadata);
    m_out.addQuoted(name);
    thread(at);
    m_out.add(m_words.arguments);
    m_out.add('{');
    member(key, value, isNumber);
    m_out.add("}}");
}

void EventText::torchSlice(std::string_view name, Thread at, Span span, std::string_view category,
                           std::string_view json) {
    begin(m_words.torchSlice);
    m_out.addQuoted(name);
    thread(at);
    time(span.begin);
    m_out.add(m_words.duration);
    m_out.addTrimmed(span.duration.value, 3);
    m_out.add(m_words.category);
    m_out.addQuoted(category);
    m_out.add(m_words.arguments);
    arguments(json);
    m_out.add('}');
}

void EventText::torchFlow(bool isStart, const Arrow& arrow, Thread at, TimeNs when) {
    begin(isStart ? m_words.torchStart : m_words.torchFinish);
    m_out.addQuoted(arrow.name);
    m_out.add(m_words.id);
    m_out.addNumber(arrow.id);
    thread(at);
    time(when);
    m_out.add(m_words.torchCategory);
    m_out.addQuoted(arrow.category);
    m_out.add('}');
}

}  // namespace altiscope
