#include "core/report/deliverables/event_text.h"

#include "core/report/deliverables/argument_number.h"

namespace altiscope {

struct EventText::Words {
    std::string_view between, colon;                                      ///< Of events and members; behind a key.
    std::string_view name;                                                ///< Opens an event whose name follows.
    std::string_view torchMetadata, torchSlice, torchStart, torchFinish;  ///< The same, in the order of torch_npu.
    std::string_view process, thread, time;
    std::string_view duration;  ///< Behind a time, as the next ones.
    std::string_view start, finish, sample;
    std::string_view category;  ///< Behind a number or a time.
    std::string_view torchCategory, id, finishEnd;
    std::string_view metadata, complete;  ///< Behind a number; up to the arguments.
    std::string_view arguments;           ///< Behind a text or a number.
};

const EventText::Words EventText::kSpaced{", ",
                                          ": ",
                                          R"({"name": )",
                                          R"({"ph": "M", "name": )",
                                          R"({"ph": "X", "name": )",
                                          R"({"ph": "s", "bp": "e", "name": )",
                                          R"({"ph": "f", "bp": "e", "name": )",
                                          R"(, "pid": )",
                                          R"(, "tid": )",
                                          R"(, "ts": ")",
                                          R"(", "dur": )",
                                          R"(, "ph": "s", "cat": )",
                                          R"(, "ph": "f", "cat": )",
                                          R"(", "ph": "C", "args": {)",
                                          R"(, "cat": )",
                                          R"(", "cat": )",
                                          R"(, "id": )",
                                          R"(, "bp": "e"})",
                                          R"(, "ph": "M", "args": {)",
                                          R"(, "ph": "X", "args": )",
                                          R"(, "args": )"};
const EventText::Words EventText::kDense{",",
                                         ":",
                                         R"({"name":)",
                                         R"({"ph":"M","name":)",
                                         R"({"ph":"X","name":)",
                                         R"({"ph":"s","bp":"e","name":)",
                                         R"({"ph":"f","bp":"e","name":)",
                                         R"(,"pid":)",
                                         R"(,"tid":)",
                                         R"(,"ts":")",
                                         R"(","dur":)",
                                         R"(,"ph":"s","cat":)",
                                         R"(,"ph":"f","cat":)",
                                         R"(","ph":"C","args":{)",
                                         R"(,"cat":)",
                                         R"(","cat":)",
                                         R"(,"id":)",
                                         R"(,"bp":"e"})",
                                         R"(,"ph":"M","args":{)",
                                         R"(,"ph":"X","args":)",
                                         R"(,"args":)"};

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

void EventText::flow(bool isStart, std::string_view prefix, std::string_view category, std::string_view id, Thread at,
                     TimeNs when) {
    begin(m_words.name);
    m_out.add('"');
    m_out.add(prefix);
    m_out.add(id);
    m_out.add('"');
    thread(at);
    m_out.add(isStart ? m_words.start : m_words.finish);
    m_out.addQuoted(category);
    m_out.add(m_words.id);
    m_out.addQuoted(id);
    time(when);
    m_out.add('"');
    isStart ? m_out.add('}') : m_out.add(m_words.finishEnd);
}

void EventText::launch(bool isStart, std::string_view id, Thread at, TimeNs when) {
    flow(isStart, "HostToDevice", "HostToDevice", id, at, when);
}

void EventText::mark(bool isStart, std::int64_t id, Thread at, TimeNs when) {
    flow(isStart, "MsTx_", "MsTx", std::to_string(id), at, when);
}

void EventText::sample(std::string_view name, std::string_view process, TimeNs when) {
    begin(m_words.name);
    m_out.addQuoted(name);
    thread({process, "0"});
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

void EventText::torchSlice(std::string_view name, Thread at, TimeNs from, DurationNs length, std::string_view category,
                           std::string_view json) {
    begin(m_words.torchSlice);
    m_out.addQuoted(name);
    thread(at);
    time(from);
    m_out.add(m_words.duration);
    m_out.addTrimmed(length.value, 3);
    m_out.add(m_words.category);
    m_out.addQuoted(category);
    m_out.add(m_words.arguments);
    arguments(json);
    m_out.add('}');
}

void EventText::torchFlow(bool isStart, std::string_view name, std::int64_t id, Thread at, TimeNs when,
                          std::string_view category) {
    begin(isStart ? m_words.torchStart : m_words.torchFinish);
    m_out.addQuoted(name);
    m_out.add(m_words.id);
    m_out.addNumber(id);
    thread(at);
    time(when);
    m_out.add(m_words.torchCategory);
    m_out.addQuoted(category);
    m_out.add('}');
}

}  // namespace altiscope
