#include "core/report/deliverables/event_text.h"

#include "core/report/deliverables/argument_number.h"

namespace altiscope {

void EventText::begin() {
    if (!m_isFirstEvent) m_out.add(m_isSpaced ? ", " : ",");
    m_isFirstEvent = false;
    m_isFirstKey = true;
    m_out.add('{');
}

void EventText::key(std::string_view key) {
    if (!m_isFirstKey) m_out.add(m_isSpaced ? ", " : ",");
    m_isFirstKey = false;
    m_out.addQuoted(key);
    m_out.add(m_isSpaced ? ": " : ":");
}

void EventText::text(std::string_view name, std::string_view value) {
    key(name);
    m_out.addQuoted(value);
}

void EventText::number(std::string_view name, std::string_view value) {
    key(name);
    m_out.add(value);
}

void EventText::time(TimeNs time) {
    key("ts");
    m_out.add('"');
    m_out.addTime(time);
    m_out.add('"');
}

void EventText::duration(DurationNs duration) {
    key("dur");
    m_out.addTrimmed(duration.value, 3);
}

void EventText::arguments(std::string_view json) {
    key("args");
    if (json.empty()) m_out.add("{}");
    else if (m_isSpaced) m_out.add(spacedJson(json));
    else m_out.add(json);
}

void EventText::thread(Thread thread) {
    number("pid", thread.process);
    number("tid", thread.thread);
}

void EventText::metadata(std::string_view name, Thread at, std::string_view member, std::string_view value,
                         bool isNumber) {
    begin();
    text("name", name);
    thread(at);
    text("ph", "M");
    key("args");
    m_out.add('{');
    m_isFirstKey = true;
    isNumber ? number(member, value) : text(member, value);
    m_out.add("}}");
}

void EventText::slice(std::string_view name, Thread at, TimeNs from, DurationNs length, std::string_view json) {
    begin();
    text("name", name);
    thread(at);
    time(from);
    duration(length);
    text("ph", "X");
    arguments(json);
    m_out.add('}');
}

void EventText::slice(std::string_view name, Thread at, TimeNs from, std::string_view length, std::string_view json) {
    begin();
    text("name", name);
    thread(at);
    time(from);
    number("dur", length);
    text("ph", "X");
    arguments(json);
    m_out.add('}');
}

void EventText::flow(bool isStart, std::string_view prefix, std::string_view category, std::string_view id, Thread at,
                     TimeNs when) {
    begin();
    text("name", std::string(prefix).append(id));
    thread(at);
    text("ph", isStart ? "s" : "f");
    text("cat", category);
    text("id", id);
    time(when);
    if (!isStart) text("bp", "e");
    m_out.add('}');
}

void EventText::launch(bool isStart, std::string_view id, Thread at, TimeNs when) {
    flow(isStart, "HostToDevice", "HostToDevice", id, at, when);
}

void EventText::mark(bool isStart, std::int64_t id, Thread at, TimeNs when) {
    flow(isStart, "MsTx_", "MsTx", std::to_string(id), at, when);
}

void EventText::sample(std::string_view name, std::string_view process, TimeNs when) {
    begin();
    text("name", name);
    thread({process, "0"});
    time(when);
    text("ph", "C");
    key("args");
    m_out.add('{');
    m_isFirstKey = true;
}

void EventText::torchMetadata(std::string_view name, Thread at, std::string_view member, std::string_view value,
                              bool isNumber) {
    begin();
    text("ph", "M");
    text("name", name);
    thread(at);
    key("args");
    m_out.add('{');
    m_isFirstKey = true;
    isNumber ? number(member, value) : text(member, value);
    m_out.add("}}");
}

void EventText::torchSlice(std::string_view name, Thread at, TimeNs from, DurationNs length, std::string_view category,
                           std::string_view json) {
    begin();
    text("ph", "X");
    text("name", name);
    thread(at);
    time(from);
    duration(length);
    text("cat", category);
    arguments(json);
    m_out.add('}');
}

void EventText::torchFlow(bool isStart, std::string_view name, std::int64_t id, Thread at, TimeNs when,
                          std::string_view category) {
    begin();
    text("ph", isStart ? "s" : "f");
    text("bp", "e");
    text("name", name);
    key("id");
    m_out.addNumber(id);
    thread(at);
    time(when);
    text("cat", category);
    m_out.add('}');
}

void EventText::append(std::string_view events) {
    if (events.empty()) return;
    if (!m_isFirstEvent) m_out.add(m_isSpaced ? ", " : ",");
    m_isFirstEvent = false;
    m_out.add(events);
}

}  // namespace altiscope
