#include "views/snapshot/data/snapshot_tables.h"

#include "views/snapshot/data/loaded_snapshot.h"

#include <QCoreApplication>
#include <QStringList>
#include <QStringTokenizer>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct SnapshotTables {
    Q_DECLARE_TR_FUNCTIONS(altiscope::SnapshotTables)
};

QString stateWord(const QString& state) {
    if (state == "freed"_L1) return SnapshotTables::tr("Released");
    if (state == "active_allocated"_L1) return SnapshotTables::tr("Allocated");
    if (state == "active_pending_free"_L1 || state == "active_awaiting_free"_L1)
        return SnapshotTables::tr("Waits for streams");
    if (state == "inactive"_L1) return SnapshotTables::tr("Workspace");
    return state;
}

QString segmentWord(const QString& kind) {
    return kind == "expandable"_L1 ? SnapshotTables::tr("Expandable") : SnapshotTables::tr("Fixed");
}

QString steadyWord(const QString& word) {
    return word == "yes"_L1 ? SnapshotTables::tr("Yes") : SnapshotTables::tr("No");
}

QString sideWord(const QString& word) {
    return word == "after"_L1 ? SnapshotTables::tr("New") : SnapshotTables::tr("Gone");
}

QString shareWord(const QString& word) {
    if (word == "allocated"_L1) return SnapshotTables::tr("Allocated by the program");
    if (word == "waiting"_L1) return SnapshotTables::tr("Waits for streams");
    if (word == "rounding"_L1) return SnapshotTables::tr("Rounding");
    if (word == "free"_L1) return SnapshotTables::tr("Free");
    return SnapshotTables::tr("Reserved in all");
}

/// Frames without the folders of their files, which would fill the cell.
QString stackWord(const QString& stack) {
    constexpr qsizetype kFrames = 24;  // more than a cell shows
    QStringList frames;
    for (const QStringView frame : QStringView(stack).tokenize(u'\n')) {
        if (frames.size() == kFrames) break;
        frames << shortFrame(frame.toUtf8().toStdString());
    }
    return frames.join(u" ← "_s);
}

ColumnHeading stackHeading() {
    return {.title = SnapshotTables::tr("Call stack"),
            .formula = SnapshotTables::tr(
                "FILE(LINE): FUNCTION of each frame, the innermost first. Search with: stack ~ \"forward\""),
            .word = stackWord,
            .none = SnapshotTables::tr("(no call stack)")};
}

ColumnHeading annotationHeading() {
    return {.title = SnapshotTables::tr("Annotation"),
            .formula = SnapshotTables::tr("user_metadata: what the program set with _set_memory_metadata or "
                                          "_annotate_tensor. Search with: annotation ~ \"forward\"")};
}

}  // namespace

std::vector<ColumnHeading> blockHeadings(const DeviceSnapshot& snapshot) {
    std::vector<ColumnHeading> headings{
        {SnapshotTables::tr("Address"), {}},
        {SnapshotTables::tr("Requested"),
         SnapshotTables::tr("Bytes that the program wanted (size of alloc, requested_size).")},
        {SnapshotTables::tr("Size"),
         SnapshotTables::tr("With rounding; recorded only for blocks that are alive at the end.")},
        {.title = SnapshotTables::tr("State"),
         .formula = SnapshotTables::tr("At the end of the snapshot."),
         .word = stateWord},
        {SnapshotTables::tr("Allocated by event"), SnapshotTables::tr("Empty: before the history.")},
        {SnapshotTables::tr("Released by event"), SnapshotTables::tr("free_completed. Empty: alive at the end.")},
        {SnapshotTables::tr("Lifetime"), SnapshotTables::tr("Events from allocation to release.")},
        {SnapshotTables::tr("Stream"), {}},
        {SnapshotTables::tr("Segment"), SnapshotTables::tr("Address of its segment.")},
        stackHeading()};
    if (snapshot.hasAnnotations) headings.push_back(annotationHeading());
    return headings;
}

std::vector<ColumnHeading> eventHeadings(const DeviceSnapshot& snapshot) {
    std::vector<ColumnHeading> headings{
        {SnapshotTables::tr("Event"), SnapshotTables::tr("Index of the entry in the device's list.")},
        {SnapshotTables::tr("Action"), {}},
        {SnapshotTables::tr("Address"), {}},
        {SnapshotTables::tr("Size"), SnapshotTables::tr("Of blocks as requested, of segments as reserved.")},
        {SnapshotTables::tr("Stream"), {}},
        {SnapshotTables::tr("Allocated"), SnapshotTables::tr("Requested bytes that the program has after the event.")},
        {SnapshotTables::tr("Active"),
         SnapshotTables::tr("Allocated, and released blocks that wait for their streams.")},
        {SnapshotTables::tr("Reserved"), SnapshotTables::tr("Bytes of all segments after the event.")},
        stackHeading()};
    if (!snapshot.firstTime && !snapshot.hasAnnotations) return headings;
    headings.push_back(
        {SnapshotTables::tr("Time"), SnapshotTables::tr("time_us, since the first event that has one.")});
    headings.push_back(annotationHeading());
    return headings;
}

std::vector<ColumnHeading> segmentHeadings() {
    return {{SnapshotTables::tr("Address"), {}},
            {SnapshotTables::tr("Size"), SnapshotTables::tr("Bytes reserved.")},
            {SnapshotTables::tr("Stream"), {}},
            {SnapshotTables::tr("Pool"),
             SnapshotTables::tr("segment_pool_id: (0, 0) is the common pool, any other one of a graph or of the "
                                "program, whose holes nothing else can use.")},
            {.title = SnapshotTables::tr("Kind"),
             .formula = SnapshotTables::tr("Expandable: the file says so, or parts of it were mapped within the "
                                           "history."),
             .word = segmentWord},
            {SnapshotTables::tr("Requested"), SnapshotTables::tr("Bytes that the program wanted of it.")},
            {SnapshotTables::tr("Used"),
             SnapshotTables::tr(
                 "The same with rounding. Of past blocks the rounding is computed: up to a multiple of 512.")},
            {SnapshotTables::tr("Blocks"), {}},
            {SnapshotTables::tr("Holes"), SnapshotTables::tr("Parts that nothing uses.")},
            {SnapshotTables::tr("Free"), SnapshotTables::tr("Bytes of the holes.")},
            {SnapshotTables::tr("Largest hole"), {}},
            {SnapshotTables::tr("Scattered"),
             SnapshotTables::tr("1 - largest hole / free: the share of the free bytes that is in smaller holes.")}};
}

std::vector<ColumnHeading> stackChangeHeadings() {
    return {stackHeading(),
            {SnapshotTables::tr("Before"), SnapshotTables::tr("Requested bytes of its blocks in the first state.")},
            {SnapshotTables::tr("After"), SnapshotTables::tr("The same in the second one.")},
            {SnapshotTables::tr("Change"), u"after - before"_s},
            {SnapshotTables::tr("Blocks before"), {}},
            {SnapshotTables::tr("Blocks after"), {}}};
}

std::vector<ColumnHeading> loneBlockHeadings() {
    return {{.title = SnapshotTables::tr("Block"),
             .formula = SnapshotTables::tr(
                 "New: it is there in the second state only. Gone: in the first one only. In two snapshots a block is "
                 "the same if address, size, call stack and, where it is recorded, the time of its allocation are."),
             .word = sideWord},
            {SnapshotTables::tr("Requested"), SnapshotTables::tr("Bytes that the program wanted.")},
            {SnapshotTables::tr("Address"), {}},
            {SnapshotTables::tr("Allocated by event"),
             SnapshotTables::tr("In the history of its own snapshot. Empty: before the history.")},
            stackHeading()};
}

std::vector<ColumnHeading> poolShareHeadings() {
    return {{.title = SnapshotTables::tr("Memory"),
             .formula = SnapshotTables::tr("What the pool's memory is: the parts add up to what is reserved. Of past "
                                           "blocks the rounding is computed: up to a multiple of 512."),
             .word = shareWord},
            {SnapshotTables::tr("Before"), SnapshotTables::tr("Bytes in the first state.")},
            {SnapshotTables::tr("After"), SnapshotTables::tr("The same in the second one.")},
            {SnapshotTables::tr("Change"), u"after - before"_s}};
}

std::vector<ColumnHeading> stackGrowthHeadings(StepSource source) {
    const bool isPerStep = source != StepSource::None;
    return {stackHeading(),
            {isPerStep ? SnapshotTables::tr("Growth per step") : SnapshotTables::tr("Growth per 1,000 events"),
             isPerStep ? SnapshotTables::tr(
                             "Slope of a straight line through the bytes of the stack at the ends of the steps.")
                       : SnapshotTables::tr("Slope of a straight line through the sum of the bytes that remain.")},
            {u"±"_s, SnapshotTables::tr("Half of the slope's 95 % interval (Student).")},
            {u"R²"_s, SnapshotTables::tr("How well the line fits: 100 % if all points lie on it.")},
            {SnapshotTables::tr("Remaining"),
             SnapshotTables::tr("Bytes of its blocks that are there at the end; of a stack that also releases blocks, "
                                "the growth from the start of the first step to the end of the last one.")},
            {SnapshotTables::tr("Blocks"), SnapshotTables::tr("Allocated within the history, and there at its end.")},
            {SnapshotTables::tr("Size of one"), SnapshotTables::tr("The median.")},
            {SnapshotTables::tr("Released"), SnapshotTables::tr("Blocks that it allocated and released.")},
            {.title = SnapshotTables::tr("Steady"),
             .formula = SnapshotTables::tr("Yes: at the end of a step it never has fewer bytes than before it. Without "
                                           "steps: what remains was allocated over at least half of the history."),
             .word = steadyWord}};
}

}  // namespace altiscope
