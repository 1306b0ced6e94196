<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>altiscope::BlockDetails</name>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n event</numerusform>
            <numerusform>%n events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::CallSitePanel</name>
    <message numerus="yes">
        <source>%1: %n call site(s).</source>
        <translation>
            <numerusform>%1: %n call site.</numerusform>
            <numerusform>%1: %n call sites.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No flow from the host leads to %n kernel(s): %1.</source>
        <translation>
            <numerusform>No flow from the host leads to %n kernel: %1.</numerusform>
            <numerusform>No flow from the host leads to %n kernels: %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::CaptureTexts</name>
    <message numerus="yes">
        <source>Only a range of time was read of %n rank(s). Choose Read all of it in their menu for the rest.</source>
        <translation>
            <numerusform>Only a range of time was read of %n rank. Choose Read all of it in its menu for the rest.</numerusform>
            <numerusform>Only a range of time was read of %n ranks. Choose Read all of it in their menu for the rest.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::CaptureTree</name>
    <message numerus="yes">
        <source>&amp;Read %n rank(s), %1</source>
        <translation>
            <numerusform>&amp;Read %n rank, %1</numerusform>
            <numerusform>&amp;Read %n ranks, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::CaptureTreeModel</name>
    <message numerus="yes">
        <source>%n kind(s) of data not recorded</source>
        <translation>
            <numerusform>%n kind of data not recorded</numerusform>
            <numerusform>%n kinds of data not recorded</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::CheckDialog</name>
    <message numerus="yes">
        <source>%n check(s) failed; correct that first.</source>
        <translation>
            <numerusform>%n check failed; correct that first.</numerusform>
            <numerusform>%n checks failed; correct that first.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The capture can be started; %n note(s).</source>
        <translation>
            <numerusform>The capture can be started; %n note.</numerusform>
            <numerusform>The capture can be started; %n notes.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::ClusterBar</name>
    <message numerus="yes">
        <source>%1 (%n place(s))</source>
        <comment>a dimension</comment>
        <translation>
            <numerusform>%1 (%n place)</numerusform>
            <numerusform>%1 (%n places)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::ClusterTables</name>
    <message numerus="yes">
        <source>%1: %n rank(s)
Lowest: %2
Lower quartile: %3
Median: %4
Upper quartile: %5
Highest: %6</source>
        <translation>
            <numerusform>%1: %n rank
Lowest: %2
Lower quartile: %3
Median: %4
Upper quartile: %5
Highest: %6</numerusform>
            <numerusform>%1: %n ranks
Lowest: %2
Lower quartile: %3
Median: %4
Upper quartile: %5
Highest: %6</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::ClusterTexts</name>
    <message numerus="yes">
        <source>%n smaller cause(s)</source>
        <translation>
            <numerusform>%n smaller cause</numerusform>
            <numerusform>%n smaller causes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) of ranks left out, as their events are not whole.</source>
        <translation>
            <numerusform>%n step of a rank left out, as its events are not whole.</numerusform>
            <numerusform>%n steps of ranks left out, as their events are not whole.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::CommunicationGaps</name>
    <message numerus="yes">
        <source>The ranks of %n group(s) were not recorded (parallel_group_info in profiler_metadata.json): groups are named by the ranks that have files, and [2] is an index whose rank is unknown.</source>
        <translation>
            <numerusform>The ranks of %n group were not recorded (parallel_group_info in profiler_metadata.json): it is named by the ranks that have files, and [2] is an index whose rank is unknown.</numerusform>
            <numerusform>The ranks of %n groups were not recorded (parallel_group_info in profiler_metadata.json): they are named by the ranks that have files, and [2] is an index whose rank is unknown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::ComparePage</name>
    <message numerus="yes">
        <source>Base: %n rank(s)</source>
        <translation>
            <numerusform>Base: %n rank</numerusform>
            <numerusform>Base: %n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Current: %n rank(s)</source>
        <translation>
            <numerusform>Current: %n rank</numerusform>
            <numerusform>Current: %n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n significant difference(s)</source>
        <translation>
            <numerusform>%n significant difference</numerusform>
            <numerusform>%n significant differences</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::DataTable</name>
    <message numerus="yes">
        <source>Copy %n row(s)</source>
        <translation>
            <numerusform>Copy %n row</numerusform>
            <numerusform>Copy %n rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::DispatchList</name>
    <message numerus="yes">
        <source>%n task(s): %1 complete, %2 without launch, %3 incomplete</source>
        <translation>
            <numerusform>%n task: %1 complete, %2 without launch, %3 incomplete</numerusform>
            <numerusform>%n tasks: %1 complete, %2 without launch, %3 incomplete</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::DurationBoxes</name>
    <message numerus="yes">
        <source>%n kernel(s): %1 to %2, half of them %3 to %4, median %5</source>
        <translation>
            <numerusform>%n kernel: %1 to %2, half of them %3 to %4, median %5</numerusform>
            <numerusform>%n kernels: %1 to %2, half of them %3 to %4, median %5</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::EvidenceView</name>
    <message numerus="yes">
        <source>%n gap(s) of the device, %1 in all, are hatched.</source>
        <translation>
            <numerusform>%n gap of the device, %1 in all, is hatched.</numerusform>
            <numerusform>%n gaps of the device, %1 in all, are hatched.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n gap(s) are hatched.</source>
        <translation>
            <numerusform>%n gap is hatched.</numerusform>
            <numerusform>%n gaps are hatched.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::FindingWeights</name>
    <message numerus="yes">
        <source>%n kind(s) of data not recorded</source>
        <translation>
            <numerusform>%n kind of data not recorded</numerusform>
            <numerusform>%n kinds of data not recorded</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::FindingsPage</name>
    <message numerus="yes">
        <source>%n of high severity</source>
        <translation>
            <numerusform>%n of high severity</numerusform>
            <numerusform>%n of high severity</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of medium</source>
        <translation>
            <numerusform>%n of medium</numerusform>
            <numerusform>%n of medium</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of low</source>
        <translation>
            <numerusform>%n of low</numerusform>
            <numerusform>%n of low</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n threshold(s) changed</source>
        <translation>
            <numerusform>%n threshold changed</numerusform>
            <numerusform>%n thresholds changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) outside of the filter.</source>
        <translation>
            <numerusform>%n finding outside of the filter.</numerusform>
            <numerusform>%n findings outside of the filter.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outside of the filter</source>
        <translation>
            <numerusform>%n outside of the filter</numerusform>
            <numerusform>%n outside of the filter</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::FlameFrames</name>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Device time of %n task(s) that it launched: %1</source>
        <translation>
            <numerusform>Device time of %n task that it launched: %1</numerusform>
            <numerusform>Device time of %n tasks that it launched: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::FlamePanel</name>
    <message numerus="yes">
        <source>Found: %n frame(s), %1, %2 of all.</source>
        <translation>
            <numerusform>Found: %n frame, %1, %2 of all.</numerusform>
            <numerusform>Found: %n frames, %1, %2 of all.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in %2 calls of %n thread(s); they launched %3 tasks of %4 on the device.</source>
        <translation>
            <numerusform>%1 in %2 calls of %n thread; they launched %3 tasks of %4 on the device.</numerusform>
            <numerusform>%1 in %2 calls of %n threads; they launched %3 tasks of %4 on the device.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::FlowButton</name>
    <message numerus="yes">
        <source>Flows of %n categories are drawn: choose which</source>
        <translation>
            <numerusform>Flows of one category are drawn: choose which</numerusform>
            <numerusform>Flows of %n categories are drawn: choose which</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::GrowthPanel</name>
    <message numerus="yes">
        <source>%n step(s), by the timeline of the rank.</source>
        <translation>
            <numerusform>%n step, by the timeline of the rank.</numerusform>
            <numerusform>%n steps, by the timeline of the rank.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), as the program counts them in its annotations.</source>
        <translation>
            <numerusform>%n step, as the program counts them in its annotations.</numerusform>
            <numerusform>%n steps, as the program counts them in its annotations.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), by how the history repeats itself.</source>
        <translation>
            <numerusform>%n step, by how the history repeats itself.</numerusform>
            <numerusform>%n steps, by how the history repeats itself.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::HolderPanel</name>
    <message numerus="yes">
        <source>%n recorded allocation(s) are alive and hold %1.</source>
        <translation>
            <numerusform>%n recorded allocation is alive and holds %1.</numerusform>
            <numerusform>%n recorded allocations are alive and hold %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::JobBar</name>
    <message numerus="yes">
        <source>%n job(s)</source>
        <translation>
            <numerusform>%n job</numerusform>
            <numerusform>%n jobs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::JobsDialog</name>
    <message numerus="yes">
        <source>%n running job(s) found.</source>
        <translation>
            <numerusform>%n running job found.</numerusform>
            <numerusform>%n running jobs found.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::LocateDialog</name>
    <message numerus="yes">
        <source>%n more were not found either; those near it are found with it.</source>
        <translation>
            <numerusform>%n more was not found either; if it is near it, it is found with it.</numerusform>
            <numerusform>%n more were not found either; those near it are found with it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::MarksPanel</name>
    <message numerus="yes">
        <source>Remove %n mark(s) of this capture?</source>
        <translation>
            <numerusform>Remove %n mark of this capture?</numerusform>
            <numerusform>Remove %n marks of this capture?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::MemoryGaps</name>
    <message numerus="yes">
        <source>%n further curve(s) with fewer samples are not shown.</source>
        <translation>
            <numerusform>%n further curve with fewer samples is not shown.</numerusform>
            <numerusform>%n further curves with fewer samples are not shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s) cannot be of the same clock as the others, or were never set: the plot opens without them.</source>
        <translation>
            <numerusform>%n time cannot be of the same clock as the others, or was never set: the plot opens without it.</numerusform>
            <numerusform>%n times cannot be of the same clock as the others, or were never set: the plot opens without them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::OperatorGaps</name>
    <message numerus="yes">
        <source>Kernel counts differ between ranks in %n group(s): from %1 on %2 to %3 on %4.</source>
        <translation>
            <numerusform>Kernel counts differ between ranks in %n group: from %1 on %2 to %3 on %4.</numerusform>
            <numerusform>Kernel counts differ between ranks in %n groups: from %1 on %2 to %3 on %4.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::OperatorsPage</name>
    <message numerus="yes">
        <source>%n kernel(s), %1 in all, in %2 groups; a group&apos;s row leads to its kernels and to where they were called from.</source>
        <translation>
            <numerusform>%n kernel, %1 in all, in %2 groups; a group&apos;s row leads to its kernels and to where they were called from.</numerusform>
            <numerusform>%n kernels, %1 in all, in %2 groups; a group&apos;s row leads to its kernels and to where they were called from.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::OverallPanel</name>
    <message numerus="yes">
        <source>Sums over %n rank(s).</source>
        <translation>
            <numerusform>Sums over %n rank.</numerusform>
            <numerusform>Sums over %n ranks.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::OverviewPage</name>
    <message numerus="yes">
        <source>%n threshold(s) changed</source>
        <translation>
            <numerusform>%n threshold changed</numerusform>
            <numerusform>%n thresholds changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n outside of the filter</source>
        <translation>
            <numerusform>%n outside of the filter</numerusform>
            <numerusform>%n outside of the filter</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::OverviewTexts</name>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> on %n host(s)</source>
        <translation>
            <numerusform> on %n host</numerusform>
            <numerusform> on %n hosts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::OwnerMap</name>
    <message numerus="yes">
        <source>%n smaller owner(s) within %1</source>
        <translation>
            <numerusform>%n smaller owner within %1</numerusform>
            <numerusform>%n smaller owners within %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n allocation(s)</source>
        <translation>
            <numerusform>%n allocation</numerusform>
            <numerusform>%n allocations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::OwnerPanel</name>
    <message numerus="yes">
        <source>At %1: %2 in %n allocation(s)</source>
        <translation>
            <numerusform>At %1: %2 in %n allocation</numerusform>
            <numerusform>At %1: %2 in %n allocations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::PeerList</name>
    <message numerus="yes">
        <source>Group %1, found on %n rank(s)</source>
        <translation>
            <numerusform>Group %1, found on %n rank</numerusform>
            <numerusform>Group %1, found on %n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>not found on %n more that share the group</source>
        <translation>
            <numerusform>not found on %n more that shares the group</numerusform>
            <numerusform>not found on %n more that share the group</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::PipelinePanel</name>
    <message numerus="yes">
        <source>; with %n micro-batch(es) GPipe and 1F1B have %1</source>
        <translation>
            <numerusform>; with %n micro-batch GPipe and 1F1B have %1</numerusform>
            <numerusform>; with %n micro-batches GPipe and 1F1B have %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::RankPictures</name>
    <message numerus="yes">
        <source>%n rank(s): %1</source>
        <translation>
            <numerusform>%n rank: %1</numerusform>
            <numerusform>%n ranks: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::RankTexts</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::RemoteDialog</name>
    <message numerus="yes">
        <source>%n file(s), %1</source>
        <translation>
            <numerusform>%n file, %1</numerusform>
            <numerusform>%n files, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A pack of %1 (%2) is made in %3 there, on %n core(s) at the lowest priority.</source>
        <translation>
            <numerusform>A pack of %1 (%2) is made in %3 there, on %n core at the lowest priority.</numerusform>
            <numerusform>A pack of %1 (%2) is made in %3 there, on at most %n cores at the lowest priority.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::ReportPage</name>
    <message numerus="yes">
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n page</numerusform>
            <numerusform>%n pages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::RowTitles</name>
    <message numerus="yes">
        <source>%1 + %n more</source>
        <translation>
            <numerusform>%1 + %n more</numerusform>
            <numerusform>%1 + %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stream(s)</source>
        <translation>
            <numerusform>%n stream</numerusform>
            <numerusform>%n streams</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::SelectionTables</name>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <comment>behind a number of tracks</comment>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n track(s) of %1</source>
        <translation>
            <numerusform>%n track of %1</numerusform>
            <numerusform>%n tracks of %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::Shares</name>
    <message numerus="yes">
        <source>%n other(s)</source>
        <translation>
            <numerusform>%n other</numerusform>
            <numerusform>%n others</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %2, %3, %n kernel(s)</source>
        <translation>
            <numerusform>%1: %2, %3, %n kernel</numerusform>
            <numerusform>%1: %2, %3, %n kernels</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::ShortagePanel</name>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n block</numerusform>
            <numerusform>%n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n further call stack(s): the tab Stacks has them all.</source>
        <translation>
            <numerusform>%n further call stack: the tab Stacks has it too.</numerusform>
            <numerusform>%n further call stacks: the tab Stacks has them all.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The pool has %n hole(s) of that size: they belong to other streams or the other pool, or the request failed for another reason. The pool shows no remedy.</source>
        <translation>
            <numerusform>The pool has %n hole of that size: it belongs to another stream or the other pool, or the request failed for another reason. The pool shows no remedy.</numerusform>
            <numerusform>The pool has %n holes of that size: they belong to other streams or the other pool, or the request failed for another reason. The pool shows no remedy.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::SnapshotPage</name>
    <message numerus="yes">
        <source>The history starts late: %n block(s) were allocated before it (max_entries, or recording was switched on later).</source>
        <translation>
            <numerusform>The history starts late: %n block was allocated before it (max_entries, or recording was switched on later).</numerusform>
            <numerusform>The history starts late: %n blocks were allocated before it (max_entries, or recording was switched on later).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) are in no segment or overlap: the file contradicts itself.</source>
        <translation>
            <numerusform>%n block is in no segment or overlaps another: the file contradicts itself.</numerusform>
            <numerusform>%n blocks are in no segment or overlap: the file contradicts itself.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::StackPanel</name>
    <message numerus="yes">
        <source>%1 in %n block(s)</source>
        <translation>
            <numerusform>%1 in %n block</numerusform>
            <numerusform>%1 in %n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n frame(s), %1</source>
        <translation>
            <numerusform>%n frame, %1</numerusform>
            <numerusform>%n frames, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::StackSource</name>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n block</numerusform>
            <numerusform>%n blocks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::StartTexts</name>
    <message numerus="yes">
        <source>%n setting(s) to correct: %1</source>
        <translation>
            <numerusform>%n setting to correct: %1</numerusform>
            <numerusform>%n settings to correct: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more target(s)</source>
        <translation>
            <numerusform>%1 and %n more target</numerusform>
            <numerusform>%1 and %n more targets</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::StaticPanel</name>
    <message numerus="yes">
        <source>%n operator(s), at most %1 in use at a node.</source>
        <translation>
            <numerusform>%n operator, at most %1 in use at a node.</numerusform>
            <numerusform>%n operators, at most %1 in use at a node.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::StatusFacts</name>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::StepPlots</name>
    <message numerus="yes">
        <source>Rank %1: %n step(s)
Fastest: %2
Lower quartile: %3
Median: %4
Upper quartile: %5
Slowest: %6</source>
        <translation>
            <numerusform>Rank %1: %n step
Fastest: %2
Lower quartile: %3
Median: %4
Upper quartile: %5
Slowest: %6</numerusform>
            <numerusform>Rank %1: %n steps
Fastest: %2
Lower quartile: %3
Median: %4
Upper quartile: %5
Slowest: %6</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::StoragePage</name>
    <message numerus="yes">
        <source>%1 in %n entry(ies)</source>
        <translation>
            <numerusform>%1 in %n entry</numerusform>
            <numerusform>%1 in %n entries</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::ThresholdsPanel</name>
    <message numerus="yes">
        <source>%n threshold(s) differ from the default. altiscope-cli goes by the defaults.</source>
        <translation>
            <numerusform>%n threshold differs from the default. altiscope-cli goes by the defaults.</numerusform>
            <numerusform>%n thresholds differ from the default. altiscope-cli goes by the defaults.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::TimeView</name>
    <message numerus="yes">
        <source>not found, or not among what is shown, on %n rank(s) of the group</source>
        <translation>
            <numerusform>not found, or not among what is shown, on %n rank of the group</numerusform>
            <numerusform>not found, or not among what is shown, on %n ranks of the group</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::TrackFilterButton</name>
    <message numerus="yes">
        <source>%n track(s) are hidden: choose which are shown (T)</source>
        <translation>
            <numerusform>%n track is hidden: choose which are shown (T)</numerusform>
            <numerusform>%n tracks are hidden: choose which are shown (T)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, on %n rank(s)</source>
        <translation>
            <numerusform>%1, on %n rank</numerusform>
            <numerusform>%1, on %n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::TrackMenu</name>
    <message numerus="yes">
        <source>&amp;Pin %n row(s)</source>
        <translation>
            <numerusform>&amp;Pin %n row</numerusform>
            <numerusform>&amp;Pin %n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Un&amp;pin %n row(s)</source>
        <translation>
            <numerusform>Un&amp;pin %n row</numerusform>
            <numerusform>Un&amp;pin %n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Merge %n thread(s) into one row</source>
        <translation>
            <numerusform>&amp;Merge %n thread into one row</numerusform>
            <numerusform>&amp;Merge %n threads into one row</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Merge all %n stream(s) of the process into one row</source>
        <translation>
            <numerusform>&amp;Merge all %n stream of the process into one row</numerusform>
            <numerusform>&amp;Merge all %n streams of the process into one row</numerusform>
        </translation>
    </message>
</context>
</TS>
