#include "views/timeline/panels/slice_text.h"

#include "core/base/text/catalogue.h"
#include "core/base/text/strict_json.h"
#include "core/base/text/text.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/timeline/panels/chain_list.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>

namespace altiscope {

namespace {

struct FactTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::SliceFacts)
};

QString bothDurations(DurationNs duration) {
    return FactTexts::tr("%1 (%2)").arg(formatDuration(duration), formatExactNs(duration));
}

}  // namespace

std::optional<SliceFacts> readSliceFacts(const CaptureStore& capture, CaptureId id, SliceKey key, TimeNs origin,
                                         const CancelToken& cancel) {
    const auto found = findSlice(capture, key);
    if (!found) return std::nullopt;
    const TraceStore& trace = *capture.ranks[found->rank.value].trace;
    SliceFacts facts;
    facts.capture = id;
    facts.key = key;
    facts.details = describeSlice(capture, *found, cancel);
    if (cancel.cancelled()) return std::nullopt;
    facts.origin = origin;
    facts.provisional = trace.provisional();
    facts.place = {PlaceUnit::Byte, trace.pos(found->slice).offset()};
    facts.capturePath = capture.path;
    facts.rank = capture.ranks[found->rank.value].info;
    facts.track = trace.track(facts.details.track);
    const auto keyFor = [&](SliceIndex slice) { return SliceKey{found->rank, trace.id(slice)}; };
    if (facts.details.parent != kNoSlice) {
        facts.parentName = trace.name(facts.details.parent);
        facts.parent = keyFor(facts.details.parent);
    }
    for (const LinkedSlice& link : facts.details.links) {
        SliceFacts::Link shown{link.category, link.outgoing, {}, {}, link.time, {}, {}};
        if (link.slice != kNoSlice) {
            shown.name = trace.name(link.slice);
            const Track& track = trace.track({trace.runOf(link.slice).track});
            shown.track = track.process + " / " + track.name;
            shown.duration = trace.duration(link.slice);
            shown.key = keyFor(link.slice);
        }
        facts.links.push_back(std::move(shown));
    }
    const auto stepsOf = [&](const std::vector<ChainLink>& links) {
        std::vector<SliceFacts::Step> steps;
        for (const ChainLink& link : links) {
            const Track& track = trace.track({trace.runOf(link.slice).track});
            steps.push_back({link.role, std::string(trace.name(link.slice)), track.process + " / " + track.name,
                             trace.begin(link.slice), trace.duration(link.slice), keyFor(link.slice)});
        }
        return steps;
    };
    facts.kernel = kernelFactsOf(capture.ranks[found->rank.value], found->slice, cancel);
    if (const auto collective = collectiveOfTask(capture, facts.details))
        facts.collective = {std::string(trace.name(*collective)), keyFor(*collective)};
    facts.causes = stepsOf(causesOf(trace, found->slice));
    const SliceEffects effects = effectsOf(trace, found->slice, SliceFacts::kMaxEffects, cancel);
    facts.effects = stepsOf(effects.links);
    facts.effectsExcluded = effects.excluded;
    std::stable_sort(facts.links.begin(), facts.links.end(),
                     [](const SliceFacts::Link& a, const SliceFacts::Link& b) { return a.time < b.time; });
    const auto isStep = [](const std::vector<SliceFacts::Step>& steps, const std::optional<SliceKey>& key) {
        return key && std::any_of(steps.begin(), steps.end(),
                                  [&key](const SliceFacts::Step& step) { return step.key == *key; });
    };
    for (std::size_t i = 0; i < facts.links.size(); ++i) {
        // A cause of both has been named already.
        const bool isKnown = isStep(facts.causes, facts.links[i].key) || isStep(facts.effects, facts.links[i].key);
        if (!isKnown) facts.otherLinks.push_back(i);
    }
    return facts;
}

std::vector<FactLine> factLines(const SliceFacts& facts) {
    const SliceDetails& details = facts.details;
    std::vector<FactLine> lines;
    const auto add = [&lines](const QString& title, const QString& value, std::optional<SliceKey> link = {}) {
        if (!value.isEmpty()) lines.push_back({title, value, link});
    };
    add(FactTexts::tr("Duration"), bothDurations(details.duration));
    add(FactTexts::tr("Self time"), bothDurations(details.selfDuration));
    if (facts.shown) {
        // Both by the ruler: they differ by what the clock was moved.
        const QString recorded = formatRelativeTime(details.begin, facts.shown->origin);
        const QString shown = formatRelativeTime(details.begin + facts.shown->by, facts.shown->origin);
        add(FactTexts::tr("Start"), FactTexts::tr("recorded %1, shown at %2").arg(recorded, shown));
        add(FactTexts::tr("Clock moved"), FactTexts::tr("%1 %2", "amount, reason: -5 ns by hand")
                                              .arg(formatExactNs(facts.shown->by), facts.shown->reason));
    } else {
        add(FactTexts::tr("Start"), formatRelativeTime(details.begin, facts.origin));
    }
    add(FactTexts::tr("Absolute"), formatAbsoluteTime(details.begin));
    add(FactTexts::tr("Absolute, ns"), formatPlainNs({details.begin.value}));
    add(FactTexts::tr("Rank"), rankTitle(facts.rank));
    add(FactTexts::tr("Track"),
        FactTexts::tr("%1 / %2").arg(toQString(facts.track.process), toQString(facts.track.name)));
    if (facts.collective) add(FactTexts::tr("Collective"), toQString(facts.collective->name), facts.collective->key);
    add(FactTexts::tr("Category"), toQString(details.category));
    add(FactTexts::tr("Depth"), formatCount(details.depth));
    add(FactTexts::tr("Within"), toQString(facts.parentName), facts.parent);
    // A capture that is one file is its own rank.
    const QString source =
        facts.rank.path == "." ? QFileInfo(toQString(facts.capturePath)).fileName() : toQString(facts.rank.path);
    add(FactTexts::tr("Recorded at"),
        FactTexts::tr("%1, %2", "file or folder, place in it").arg(source, formatPlace(facts.place)));
    add(FactTexts::tr("Slice id"), QString::number(facts.key.id.value));
    return lines;
}

QString sliceTitle(const SliceFacts& facts) {
    const QString name = toQString(facts.details.name);
    return facts.collective ? FactTexts::tr("%1, task of %2").arg(name, toQString(facts.collective->name)) : name;
}

QString problemText(const SliceFacts& facts) {
    if (facts.provisional && facts.details.arguments.empty() && facts.details.callStack.empty()) {
        return FactTexts::tr(
            "Arguments and call stack are not read yet: they appear once the trace is read to its end.");
    }
    if (facts.details.argumentsProblem.empty()) return {};
    return toQString(catalogueText(facts.details.argumentsProblem, catalogueLanguage(),
                                   {{"file", facts.capturePath}, {"place", formatPlace(facts.place).toStdString()}}));
}

QString plainText(const SliceFacts& facts) {
    QStringList text{sliceTitle(facts)};
    for (const FactLine& line : factLines(facts)) text << FactTexts::tr("%1: %2").arg(line.title, line.value);
    if (const QString problem = problemText(facts); !problem.isEmpty()) text << problem;
    if (facts.kernel) {
        text << QString() << FactTexts::tr("Kernel, as recorded");
        for (const auto& [title, value] : kernelLines(*facts.kernel)) text << FactTexts::tr("%1: %2").arg(title, value);
    }
    if (!facts.details.arguments.empty()) text << QString() << FactTexts::tr("Arguments");
    for (const Argument& argument : facts.details.arguments) {
        text << FactTexts::tr("%1: %2").arg(toQString(argument.key), toQString(argument.text));
    }
    if (!facts.details.callStack.empty()) text << QString() << FactTexts::tr("Call stack");
    for (const std::string& frame : facts.details.callStack) text << toQString(frame);
    if (!facts.links.empty()) text << QString() << FactTexts::tr("Linked slices");
    for (const SliceFacts::Link& link : facts.links) {
        text << (link.outgoing ? FactTexts::tr("to %1 (%2)") : FactTexts::tr("from %1 (%2)"))
                    .arg(link.name.empty() ? FactTexts::tr("no slice") : toQString(link.name),
                         toQString(link.category));
    }
    const auto addSteps = [&text](const QString& title, const std::vector<SliceFacts::Step>& steps) {
        if (!steps.empty()) text << QString() << title;
        for (const SliceFacts::Step& step : steps)
            text << FactTexts::tr("%1: %2").arg(chainRoleTitle(step.role), toQString(step.name));
    };
    addSteps(FactTexts::tr("Launched by"), facts.causes);
    addSteps(FactTexts::tr("Followed by"), facts.effects);
    if (facts.effectsExcluded > 0) text << FactTexts::tr("%1 more").arg(formatCount(facts.effectsExcluded));
    return text.join(u'\n') + u'\n';
}

QString jsonText(const SliceFacts& facts) {
    const SliceDetails& details = facts.details;
    std::string json = "{\n";
    const auto add = [&json](const char* key, const std::string& value) {
        json += "  " + jsonQuoted(key) + ": " + value + ",\n";
    };
    const auto text = [&add](const char* key, const std::string& value) {
        add(key, value.empty() ? "null" : jsonQuoted(value));
    };
    const auto number = [&add](const char* key, std::int64_t value) { add(key, std::to_string(value)); };
    number("slice_id", facts.key.id.value);
    text("name", details.name);
    text("category", details.category);
    number("ts", details.begin.value);
    number("dur", details.duration.value);
    number("self_dur", details.selfDuration.value);
    number("depth", details.depth);
    add("rank_id", facts.rank.rankId ? std::to_string(*facts.rank.rankId) : "null");
    text("process", facts.track.process);
    text("track", facts.track.name);
    number("track_id", facts.track.id.value);
    add("parent_id", facts.parent ? std::to_string(facts.parent->id.value) : "null");
    text("parent", facts.parentName);
    text("capture", facts.capturePath);
    text("source", facts.rank.path);
    std::string list;
    for (const Argument& argument : details.arguments)
        list += (list.empty() ? "" : ", ") + jsonQuoted(argument.key) + ": " + strictJson(argument.json);
    add("args", '{' + list + '}');
    if (facts.collective) {
        number("collective_id", facts.collective->key.id.value);
        text("collective", facts.collective->name);
    }
    if (facts.kernel) {
        const SliceKernel& kernel = *facts.kernel;
        std::string members;
        const auto member = [&members](const std::string& key, const std::string& value) {
            members += (members.empty() ? "" : ", ") + jsonQuoted(key) + ": " + value;
        };
        const auto quoted = [](const std::string& value) { return value.empty() ? "null" : jsonQuoted(value); };
        const auto whole = [](const std::optional<std::int64_t>& value) {
            return value ? std::to_string(*value) : "null";
        };
        member("type", quoted(kernel.type));
        member("accelerator_core", quoted(kernel.core));
        member("step", whole(kernel.step));
        member("wait", whole(kernel.wait));
        member("block_num", whole(kernel.blocks));
        member("input_shapes", quoted(kernel.inputShapes));
        member("input_types", quoted(kernel.inputTypes));
        member("input_formats", quoted(kernel.inputFormats));
        member("output_shapes", quoted(kernel.outputShapes));
        member("output_types", quoted(kernel.outputTypes));
        member("output_formats", quoted(kernel.outputFormats));
        for (const auto& metric : kernel.metrics) member(metric.first, shortestNumber(metric.second));
        add("kernel", '{' + members + '}');
    }
    list.clear();
    for (const std::string& frame : details.callStack) list += (list.empty() ? "" : ", ") + jsonQuoted(frame);
    add("call_stack", '[' + list + ']');
    list.clear();
    for (const SliceFacts::Link& link : facts.links) {
        list += (list.empty() ? "\n    {" : ",\n    {") + std::string("\"direction\": ") +
                (link.outgoing ? "\"to\"" : "\"from\"") + ", \"category\": " + jsonQuoted(link.category) +
                ", \"slice_id\": " + (link.key ? std::to_string(link.key->id.value) : "null") +
                ", \"name\": " + (link.key ? jsonQuoted(link.name) : "null") +
                ", \"ts\": " + std::to_string(link.time.value) + '}';
    }
    json += "  \"flows\": [" + list + (list.empty() ? "]" : "\n  ]") + "\n}\n";
    return toQString(json);
}

}  // namespace altiscope
