#include "core/query/schema/table_functions.h"

namespace altiscope {

namespace {

using enum ColumnType;

constexpr std::string_view kKeyMeaning =
    "What the rows of BY have in common: its value, or a JSON array of several; NULL without BY";

constexpr ColumnInfo kRecordingOfView{
    "recording", Text, "", "Which of several recordings of ranks with equal numbers; NULL where there is one"};

constexpr ColumnInfo kSpan[] = {
    {"key", Text, "", kKeyMeaning},
    {"ts", Integer, "ns", "Begin", Nullability::Never},
    {"dur", Integer, "ns", "Duration", Nullability::Never},
};
constexpr ColumnInfo kMerged[] = {
    {"key", Text, "", kKeyMeaning},
    {"ts", Integer, "ns", "Begin", Nullability::Never},
    {"dur", Integer, "ns", "Duration", Nullability::Never},
    {"count", Integer, "", "How many rows it is made of", Nullability::Never},
};
constexpr ColumnInfo kJoined[] = {
    {"key", Text, "", kKeyMeaning},
    {"ts", Integer, "ns", "Begin of what both have in common", Nullability::Never},
    {"dur", Integer, "ns", "Duration of it", Nullability::Never},
    {"left_id", Integer, "", "rowid in the first table, or id of the first SELECT"},
    {"right_id", Integer, "", "The same of the second"},
};
constexpr ColumnInfo kRelative[] = {
    {"slice_id", Integer, "", "Of the slice", Nullability::Never},
    {"distance", Integer, "", "Levels from the given slice: 1 is its parent, or a child of it", Nullability::Never},
};
constexpr ColumnInfo kLinked[] = {
    {"slice_id", Integer, "", "Of the slice, each once", Nullability::Never},
    {"distance", Integer, "", "Flows from the given slice; below 0 against their direction", Nullability::Never},
    {"flow_id", Integer, "", "The flow that leads there; NULL for the slice itself"},
};

constexpr ColumnInfo kOneSource[] = {{"source", Text, "", ""}, {"by", Text, "", ""}};
constexpr ColumnInfo kTwoSources[] = {{"first", Text, "", ""}, {"second", Text, "", ""}, {"by", Text, "", ""}};
constexpr ColumnInfo kOfSlice[] = {{"start", Integer, "", ""}};

constexpr TableFunctionInfo kFunctions[] = {
    {"gaps", "gaps('TABLE'[, 'BY'])",
     "Times between rows of a table, or of a SELECT with the columns ts and dur, in which no row runs; apart for each "
     "value of the columns BY",
     kSpan, kOneSource},
    {"merge", "merge('TABLE'[, 'BY'])", "Times in which any row runs: rows that overlap or touch are one", kMerged,
     kOneSource},
    {"intersect_spans", "intersect_spans('TABLE', 'TABLE'[, 'BY'])",
     "Times in which rows of both run; also called \"intersect\", in double quotes, since SQL has that word", kSpan,
     kTwoSources},
    {"intersect", "\"intersect\"('TABLE', 'TABLE'[, 'BY'])", "intersect_spans under the name that SQL has for its own",
     kSpan, kTwoSources},
    {"span_join", "span_join('TABLE', 'TABLE'[, 'BY'])",
     "Each pair of rows, one of each table, that run at the same time; a SELECT has a column id too", kJoined,
     kTwoSources},
    {"ancestors", "ancestors(slice_id)", "The slices around a slice, the innermost first", kRelative, kOfSlice},
    {"descendants", "descendants(slice_id)", "The slices within a slice, by distance", kRelative, kOfSlice},
    {"flow_chain", "flow_chain(slice_id)",
     "The slice, those that flows lead to from it, and those that lead to it, also over several flows", kLinked,
     kOfSlice},
};

constexpr ColumnInfo kKernelChain[] = {
    {"kernel_rowid", Integer, "", "rowid of kernel", Nullability::Never},
    {"rank_id", Integer, "", "Number of the rank in the job; NULL if no source states it"},
    {"step", Integer, "", "Of the kernel"},
    {"kernel", Text, "", "Name of the kernel"},
    {"ts", Integer, "ns", "Begin on the device"},
    {"dur", Integer, "ns", "Duration on the device"},
    {"slice_id", Integer, "", "Of the kernel; NULL without a timeline"},
    {"launch_id", Integer, "", "slice_id of the call of CANN that launched it; NULL where no flow says it"},
    {"launch", Text, "", "Its name"},
    {"operator_slice_id", Integer, "", "The operator that launched it"},
    {"operator", Text, "", "Its name"},
    {"module", Text, "", "Innermost module around the operator; NULL where modules were not recorded"},
    {"line", Text, "", "Innermost line of Python around it: of the stack, or of the Python functions"},
    kRecordingOfView,
};
constexpr ColumnInfo kLaunch[] = {
    {"kernel_rowid", Integer, "", "rowid of kernel", Nullability::Never},
    {"rank_id", Integer, "", "Number of the rank in the job; NULL if no source states it"},
    {"kernel", Text, "", "Name of the kernel"},
    {"launch_id", Integer, "", "slice_id of the call of CANN that launched it", Nullability::Never},
    {"launch_ts", Integer, "ns", "Begin of the call"},
    {"ts", Integer, "ns", "Begin on the device"},
    {"latency", Integer, "ns", "From the begin of the call to the begin on the device"},
    {"queue_length", Integer, "",
     "Kernels of the rank that were launched when it was, itself among them, and had not begun"},
    kRecordingOfView,
};
constexpr ColumnInfo kCounterSpan[] = {
    {"track_id", Integer, "", "Of the counter's track", Nullability::Never},
    {"rank_id", Integer, "", "Number of the rank in the job; NULL if no source states it"},
    {"name", Text, "", "Name of the counter"},
    {"series", Text, "", "Which line of it"},
    {"ts", Integer, "ns", "Time of the sample", Nullability::Never},
    {"dur", Integer, "ns", "Until the next sample of the line; NULL for the last one"},
    {"value", Real, "", "In the unit of the counter"},
    kRecordingOfView,
};
constexpr ColumnInfo kSnapshotStart[] = {
    {"device_id", Integer, "", "Device; NULL of host memory"},
    {"rank_id", Integer, "", "Number of the rank in the job; NULL if no source states it"},
    {"allocated", Integer, "bytes", "Requested sizes of all blocks before the first event"},
    {"reserved", Integer, "bytes", "Sizes of all segments before it"},
    kRecordingOfView,
};
constexpr ColumnInfo kWait[] = {
    {"instance", Integer, "", "Number of the collective over ranks", Nullability::Never},
    {"origin", Text, "", "recorded, or computed by Altiscope"},
    {"step", Integer, "", "Of the rank that waits"},
    {"group_name", Text, "", "Group of the collective"},
    {"op_name", Text, "", "Name of the collective"},
    {"rank_id", Integer, "", "Who waits"},
    {"ts", Integer, "ns", "Its begin of the collective, on its own clock"},
    {"wait", Integer, "ns", "Until the last rank has begun, by aligned clocks"},
    {"late_rank", Integer, "", "The last rank to begin"},
    kRecordingOfView,
};
constexpr ColumnInfo kModule[] = {
    {"slice_id", Integer, "", "Of the call of the module", Nullability::Never},
    {"rank_id", Integer, "", "Number of the rank in the job; NULL if no source states it"},
    {"name", Text, "", "Name of the module, without \"nn.Module: \""},
    {"ts", Integer, "ns", "Begin on the host", Nullability::Never},
    {"dur", Integer, "ns", "Duration on the host", Nullability::Never},
    {"parent_id", Integer, "", "slice_id of the module around it; NULL for the outermost"},
    {"kernels", Integer, "", "Kernels that its operators launched"},
    {"device_dur", Integer, "ns", "Their time on the device"},
    kRecordingOfView,
};
constexpr ColumnInfo kPipelineBubble[] = {
    {"rank_id", Integer, "", "Number of the rank in the job; NULL if no source states it"},
    {"step", Integer, "", "Number of the training step; NULL: the recording has none"},
    {"stage", Integer, "", "Stage of the pipeline, from 0"},
    {"micro_batches", Integer, "", "Forward passes of the rank in the step"},
    {"busy", Integer, "ns", "Time of its passes"},
    {"bubble", Integer, "ns",
     "What they leave of the time from the first pass of any rank to the end of the last one, by aligned clocks"},
    {"forward", Integer, "ns", "Mean forward pass of the rank"},
    {"backward", Integer, "ns", "Mean backward pass of the rank"},
    {"ideal_1f1b", Integer, "ns", "The bubble of GPipe and of 1F1B, were all stages as long as they are in the mean"},
    {"ideal_interleaved", Integer, "ns",
     "The same of 1F1B with two parts of the model in each stage; NULL with fewer micro-batches than stages. Where "
     "stages "
     "have several parts already, passes are those of the parts, and this is for twice as many"},
    {"ideal_zero_bubble", Integer, "ns",
     "The same of the zero-bubble schedule ZB-H1, as if gradients of weights took half of the backward pass; NULL with "
     "fewer micro-batches than stages"},
    {"is_slowest", Integer, "", "1: its stage has the longest passes of the step, for which the others wait"},
    {"equal_cut", Integer, "ns",
     "What a step of 1F1B would win with layers cut so that all stages are equally long; NULL: not all are here"},
    kRecordingOfView,
};

constexpr ViewInfo kViews[] = {
    {"kernel_chain", "Each kernel with what led to it: launch, operator, module, line", kKernelChain, R"sql(
SELECT k.rowid AS kernel_rowid, k.rank_id, k.step, k.name AS kernel, k.ts, k.dur, k.slice_id,
  l.slice_id AS launch_id, l.name AS launch, k.operator_slice_id, o.name AS operator,
  (SELECT substr(m.name, 12) FROM ancestors(k.operator_slice_id) a JOIN slice m ON m.slice_id = a.slice_id
    WHERE m.name GLOB 'nn.Module: *' ORDER BY a.distance LIMIT 1) AS module,
  coalesce(
    (SELECT rtrim(substr(p.call_stack || char(10), 1, instr(p.call_stack || char(10), char(10)) - 1), ';' || char(13))
      FROM operator p WHERE p.slice_id = k.operator_slice_id AND p.call_stack IS NOT NULL LIMIT 1),
    (SELECT c.name FROM ancestors(k.operator_slice_id) a JOIN slice c ON c.slice_id = a.slice_id
      WHERE c.name GLOB '*.py([0-9]*' ORDER BY a.distance LIMIT 1)) AS line, k.recording
FROM kernel k
LEFT JOIN slice o ON o.slice_id = k.operator_slice_id
LEFT JOIN flow f ON f.to_slice = k.slice_id AND f.category = 'HostToDevice'
LEFT JOIN slice l ON l.slice_id = f.from_slice)sql"},
    {"launch", "Each kernel that a call of CANN launched: how long it took to begin, and how many waited", kLaunch,
     R"sql(
WITH launched AS (
  SELECT k.rowid AS kernel_rowid, k.rank_id, k.name AS kernel, l.slice_id AS launch_id, l.ts AS launch_ts, k.ts,
    k.recording
  FROM kernel k JOIN flow f ON f.to_slice = k.slice_id AND f.category = 'HostToDevice'
  JOIN slice l ON l.slice_id = f.from_slice WHERE k.ts IS NOT NULL),
changes AS (
  SELECT kernel_rowid, rank_id, recording, launch_ts AS at, 1 AS change FROM launched UNION ALL
  SELECT NULL, rank_id, recording, ts, -1 FROM launched),
queued AS (
  SELECT kernel_rowid, sum(change) OVER (PARTITION BY rank_id, recording ORDER BY at, change
    ROWS UNBOUNDED PRECEDING) AS waiting FROM changes)
SELECT launched.kernel_rowid, rank_id, kernel, launch_id, launch_ts, ts, ts - launch_ts AS latency,
  waiting AS queue_length, recording
FROM launched JOIN queued ON queued.kernel_rowid = launched.kernel_rowid)sql"},
    {"counter_span", "Samples of counters with how long each holds", kCounterSpan, R"sql(
SELECT track_id, rank_id, name, series, ts,
  lead(ts) OVER (PARTITION BY track_id, name, series ORDER BY ts) - ts AS dur, value, recording
FROM counter)sql"},
    {"snapshot_start", "Where the curves of each memory snapshot begin", kSnapshotStart, R"sql(
SELECT device_id, rank_id,
  allocated - CASE action WHEN 'alloc' THEN ifnull(size, 0) WHEN 'free_requested' THEN -ifnull(size, 0)
    ELSE 0 END AS allocated,
  reserved - CASE WHEN action IN ('segment_alloc', 'segment_map') THEN ifnull(size, 0)
    WHEN action IN ('segment_free', 'segment_unmap') THEN -ifnull(size, 0) ELSE 0 END AS reserved, recording
FROM snapshot_event WHERE event_id = 0)sql"},
    {"wait", "Who waits for whom in each collective, by aligned clocks", kWait, R"sql(
WITH aligned AS (
  SELECT c.instance, c.origin, c.step, c.group_name, c.op_name, c.rank_id, c.ts, c.ts + r.clock_offset AS at,
    c.recording
  FROM collective c JOIN rank r ON r.rank_id = c.rank_id AND r.rowid = (c.rowid >> 40) + 1
  WHERE c.instance IS NOT NULL AND c.ts > 0 AND r.clock_offset IS NOT NULL),
latest AS (
  SELECT instance, origin, rank_id, at, row_number() OVER (PARTITION BY instance, origin ORDER BY at DESC, rank_id) AS
    place FROM aligned)
SELECT a.instance, a.origin, a.step, a.group_name, a.op_name, a.rank_id, a.ts, l.at - a.at AS wait,
  l.rank_id AS late_rank, a.recording
FROM aligned a JOIN latest l ON l.instance = a.instance AND l.origin = a.origin AND l.place = 1
WHERE a.rank_id <> l.rank_id)sql"},
    {"module", "Calls of modules, with the time of their kernels", kModule, R"sql(
SELECT m.slice_id, m.rank_id, substr(m.name, 12) AS name, m.ts, m.dur,
  (SELECT p.slice_id FROM ancestors(m.slice_id) a JOIN slice p ON p.slice_id = a.slice_id
    WHERE p.name GLOB 'nn.Module: *' ORDER BY a.distance LIMIT 1) AS parent_id,
  (SELECT count(*) FROM descendants(m.slice_id) d JOIN kernel k ON k.operator_slice_id = d.slice_id) AS kernels,
  (SELECT sum(k.dur) FROM descendants(m.slice_id) d JOIN kernel k ON k.operator_slice_id = d.slice_id) AS device_dur,
  m.recording
FROM slice m WHERE m.name GLOB 'nn.Module: *')sql"},
    {"pipeline_bubble", "How long each rank of a pipeline is busy, and how long it waits for the others",
     kPipelineBubble,
     R"sql(
WITH aligned AS (
  SELECT b.rank_id, b.step, b.stage, b.direction, b.dur, b.ts + ifnull(r.clock_offset, 0) AS at, b.recording
  FROM pipeline_block b JOIN rank r ON r.rank_id = b.rank_id AND r.recording IS b.recording),
whole AS (SELECT step, recording, max(at + dur) - min(at) AS span FROM aligned GROUP BY step, recording),
passes AS (
  SELECT step, recording, stage, avg(dur) FILTER (WHERE direction = 'forward') AS forward,
    avg(dur) FILTER (WHERE direction = 'backward') AS backward
  FROM aligned GROUP BY step, recording, stage),
means AS (
  SELECT step, recording, count(*) AS stages, avg(forward) AS forward, avg(backward) AS backward,
    max(forward + backward) AS slowest
  FROM passes GROUP BY step, recording),
pipeline AS (
  SELECT b.rank_id, max(length(g.ranks) - length(replace(g.ranks, ',', '')) + 1) AS stages
  FROM (SELECT DISTINCT rank_id FROM pipeline_block) b JOIN parallel_group g
  ON g.kind = 'pp' AND replace(replace(g.ranks, '[', ','), ']', ',') GLOB '*,' || b.rank_id || ',*'
  GROUP BY b.rank_id)
SELECT a.rank_id, a.step, a.stage, sum(a.direction = 'forward') AS micro_batches, sum(a.dur) AS busy,
  w.span - sum(a.dur) AS bubble,
  CAST(round(avg(a.dur) FILTER (WHERE a.direction = 'forward')) AS INTEGER) AS forward,
  CAST(round(avg(a.dur) FILTER (WHERE a.direction = 'backward')) AS INTEGER) AS backward,
  CAST(round((max(ifnull(p.stages, 0), m.stages) - 1) * (m.forward + m.backward)) AS INTEGER) AS ideal_1f1b,
  CASE WHEN sum(a.direction = 'forward') >= max(ifnull(p.stages, 0), m.stages) THEN
    CAST(round((max(ifnull(p.stages, 0), m.stages) - 1) * (m.forward + m.backward) / 2) AS INTEGER) END
    AS ideal_interleaved,
  CASE WHEN sum(a.direction = 'forward') >= max(ifnull(p.stages, 0), m.stages) THEN
    CAST(round((max(ifnull(p.stages, 0), m.stages) - 1) * m.forward) AS INTEGER) END AS ideal_zero_bubble,
  own.forward + own.backward = m.slowest AS is_slowest,
  CASE WHEN m.stages >= ifnull(p.stages, 0) THEN
    CAST(round((sum(a.direction = 'forward') - 1) * (m.slowest - m.forward - m.backward)) AS INTEGER) END AS equal_cut,
  a.recording
FROM aligned a JOIN whole w ON w.step IS a.step AND w.recording IS a.recording
JOIN means m ON m.step IS a.step AND m.recording IS a.recording
JOIN passes own ON own.step IS a.step AND own.recording IS a.recording AND own.stage = a.stage
LEFT JOIN pipeline p ON p.rank_id = a.rank_id
GROUP BY a.rank_id, a.step, a.stage, a.recording)sql"},
};

}  // namespace

std::span<const TableFunctionInfo> tableFunctions() { return kFunctions; }
std::span<const ViewInfo> schemaViews() { return kViews; }

}  // namespace altiscope
