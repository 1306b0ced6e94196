#include "core/report/document/report_queries.h"

#include "core/analysis/steps/step_parts.h"

#include <utility>

namespace altiscope {

namespace {

// Constants only. Computed rows count where a rank has any, as "computed" < "recorded". Step times are those that
// compare and gates take (StepUse). Nothing sums over recordings: names and ranks begin with that of their recording
// where there are several.

/// Fragments that several statements have in common.
constexpr std::pair<std::string_view, std::string_view> kFragments[] = {
    {"$steps",
     "WITH b AS (SELECT s.*, {step} AS time, $prefix AS prefix FROM step_breakdown s WHERE left_out IS NULL)"},
    {"$parts",
     "avg({computing}) AS computing, avg({exposed_communication}) AS exposed_communication, avg({bubble}) AS bubble, "
     "avg({free}) AS free, avg(time) AS step, avg({overlapped}) AS overlapped, avg({preparing}) AS preparing FROM b"},
    {"$collectives",
     "WITH chosen AS (SELECT rank_id, recording, min(origin) AS origin FROM collective GROUP BY rank_id, recording), b "
     "AS (SELECT s.*, $prefix || substr(op_name, 1, instr(op_name || '__', '__') - 1) AS type FROM collective s JOIN "
     "chosen c ON s.rank_id IS c.rank_id AND s.recording IS c.recording AND s.origin = c.origin)"},
    {"$rank", "CASE WHEN s.recording IS NULL THEN s.rank_id ELSE $prefix || s.rank_id END"},
    {"$prefix", "coalesce(s.recording || ' · ', '')"},
};

constexpr ReportSectionInfo kSections[] = {
    {"facts", "report.facts", "report.facts.text"},
    {"steps", "report.steps", ""},
    {"findings", "report.findings", ""},
    {"operators", "report.operators", "report.operators.text"},
    {"communication", "report.communication", "report.communication.text"},
    {"memory", "report.memory", "report.memory.text"},
    {"compare", "report.compare", ""},
    {"diagnostics", "report.diagnostics", "report.diagnostics.text"},
    {"method", "report.method", "report.method.text"},
};

constexpr ReportQuery kQueries[] = {
    {"facts", "report.table.capture",
     "SELECT (SELECT count(*) FROM rank) AS ranks, (SELECT nullif(count(DISTINCT host), 0) FROM rank) AS hosts, "
     "(SELECT "
     "count(DISTINCT step) FROM step_breakdown) AS steps, (SELECT max(end_ts - start_ts) FROM rank) AS recorded_time, "
     "(SELECT coalesce(sum(count), 0) FROM diagnostic WHERE severity = 'lost') AS lost",
     ",,,ns,", ""},
    {"facts", "report.table.ranks",
     "SELECT rank_id, device_id, host, framework, source, end_ts - start_ts AS recorded_time, path FROM rank ORDER BY "
     "rank_id, path LIMIT 2000",
     ",,,,,ns,", ""},
    {"facts", "report.table.versions",
     "SELECT key, value, count(*) AS ranks FROM metadata WHERE key LIKE '%version%' GROUP BY key, value ORDER BY key, "
     "value LIMIT 50",
     ",,", ""},
    {"steps", "report.table.mean_step",
     "$steps SELECT count(step) AS steps_of_ranks, $parts HAVING count(*) > 0 AND count(DISTINCT recording) < 2",
     ",ns,ns,ns,ns,ns,ns,ns", ""},
    {"steps", "report.table.by_recording",
     "$steps SELECT recording AS name, $parts WHERE recording IS NOT NULL GROUP BY recording ORDER BY recording",
     ",ns,ns,ns,ns,ns,ns,ns", "1234", true},
    {"steps", "report.table.by_step",
     "$steps SELECT CASE WHEN recording IS NULL THEN b.step ELSE prefix || b.step END AS number, $parts GROUP BY "
     "recording, b.step ORDER BY recording, b.step LIMIT 1000",
     ",ns,ns,ns,ns,ns,ns,ns", "1234"},
    {"steps", "report.table.by_rank",
     "$steps SELECT CASE WHEN recording IS NULL THEN rank_id ELSE prefix || rank_id END AS rank_id, $parts GROUP BY "
     "recording, b.rank_id ORDER BY recording, b.rank_id LIMIT 2000",
     ",ns,ns,ns,ns,ns,ns,ns", "1234"},
    // Ranks without a time of the device; those with a timeline have the steps of their host.
    {"steps", "report.table.whole_steps",
     "SELECT s.rank_id AS rank_id, CASE WHEN max(r.start_ts) IS NULL THEN 'recorded' ELSE 'host' END AS kind, "
     "count(DISTINCT s.step) AS steps, avg(s.end_ts - s.start_ts) AS mean FROM step s JOIN rank r ON r.rank_id IS "
     "s.rank_id WHERE coalesce(s.rank_id, -1) NOT IN (SELECT coalesce(rank_id, -1) FROM step_breakdown) GROUP BY "
     "s.rank_id HAVING avg(s.end_ts - s.start_ts) > 0 ORDER BY s.rank_id LIMIT 2000",
     ",,,ns", "", true},
    {"findings", "report.table.severities",
     // Limits share their time: what is recoverable has no sum.
     "SELECT severity, count(*) AS findings FROM finding GROUP BY severity ORDER BY "
     "CASE severity WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END",
     ",", ""},
    // The table has the worst first.
    {"findings", "report.table.findings",
     "SELECT title, severity, $rank AS rank_id, step, recoverable, detail, rule, ts, dur, evidence FROM finding s "
     "LIMIT 100",
     ",,,,ns,,,stamp,ns,", "4"},
    {"operators", "report.table.operators",
     "WITH chosen AS (SELECT rank_id, recording, min(origin) AS origin FROM op_stat GROUP BY rank_id, recording) "
     "SELECT $prefix || s.name AS name, core_type, sum(count) AS count, sum(total) AS total, sum(total) * 1.0 / "
     "(sum(sum(total)) OVER (PARTITION BY s.recording)) AS share, sum(total) * 1.0 / sum(count) AS mean, max(max) AS "
     "longest FROM op_stat s JOIN chosen c ON s.rank_id IS c.rank_id AND s.recording IS c.recording AND s.origin = "
     "c.origin GROUP BY s.recording, s.name, core_type ORDER BY total DESC, s.name, core_type, s.recording LIMIT 30",
     ",,,ns,share,ns,ns", "3"},
    {"operators", "report.table.calls",
     "WITH chosen AS (SELECT rank_id, recording, min(origin) AS origin FROM api_stat GROUP BY rank_id, recording) "
     "SELECT $prefix || s.name AS name, level, sum(count) AS count, sum(total) AS total, sum(total) * 1.0 / sum(count) "
     "AS mean, max(max) AS longest FROM api_stat s JOIN chosen c ON s.rank_id IS c.rank_id AND s.recording IS "
     "c.recording AND s.origin = c.origin GROUP BY s.recording, s.name, level ORDER BY total DESC, s.name, level, "
     "s.recording LIMIT 20",
     ",,,ns,ns,ns", ""},
    {"communication", "report.table.collectives",
     "$collectives SELECT type, kind, count(*) AS count, sum(elapsed) AS elapsed, sum(transit) AS transit, sum(wait) "
     "AS wait, "
     "avg(elapsed) AS mean, max(elapsed) AS longest FROM b GROUP BY type, kind ORDER BY elapsed DESC, type, kind LIMIT "
     "30",
     ",,,ns,ns,ns,ns,ns", "3"},
    {"communication", "report.table.waits",
     "$collectives SELECT $rank AS rank_id, count(*) AS count, sum(elapsed) AS elapsed, sum(transit) AS transit, "
     "sum(elapsed - transit) AS not_moving FROM b s WHERE kind = 'collective' GROUP BY s.recording, s.rank_id ORDER BY "
     "s.recording, not_moving, s.rank_id LIMIT 2000",
     ",,ns,ns,ns", "4"},
    {"communication", "report.table.links",
     "WITH chosen AS (SELECT recording, max(selection = 'total') AS totals FROM link GROUP BY recording) SELECT "
     "$prefix || src_rank || '-' || dst_rank AS link, transport, sum(size) AS size, sum(transit) AS "
     "transit, sum(size) * 1.0 / sum(transit) AS bandwidth FROM link s JOIN chosen c ON s.recording IS c.recording "
     "WHERE selection = CASE "
     "totals WHEN 1 THEN 'total' ELSE 'single' END AND src_rank <> dst_rank AND size > 0 AND transit > 0 GROUP BY "
     "s.recording, src_rank, dst_rank, transport ORDER BY bandwidth, src_rank, dst_rank, transport, s.recording LIMIT "
     "20",
     ",,transfer,ns,GB/s", "4"},
    {"communication", "report.table.transports",
     "SELECT $prefix || transport AS transport, sum(size) AS size, sum(transit) AS transit, sum(size) * 1.0 / "
     "sum(transit) AS bandwidth FROM bandwidth s GROUP BY s.recording, s.transport ORDER BY size DESC, s.transport, "
     "s.recording",
     ",transfer,ns,GB/s", ""},
    {"memory", "report.table.peaks",
     "SELECT $rank AS rank_id, component, max(allocated) AS allocated, max(reserved) AS reserved, max(active) AS "
     "active, count(*) AS samples FROM memory_sample s GROUP BY s.recording, s.rank_id, component ORDER BY "
     "s.recording, s.rank_id, component LIMIT 2000",
     ",,bytes,bytes,bytes,", "3"},
    {"memory", "report.table.allocations",
     "SELECT $prefix || s.name AS name, count(*) AS count, sum(size) AS size, max(size) AS greatest, sum(release_ts IS "
     "NULL) AS not_released FROM allocation s GROUP BY s.recording, s.name ORDER BY size DESC, s.name, s.recording "
     "LIMIT 20",
     ",,bytes,bytes,", ""},
    {"diagnostics", "report.table.diagnostics",
     "SELECT severity, code, count, file, place, message FROM diagnostic ORDER BY CASE severity WHEN 'lost' THEN 0 "
     "WHEN 'repaired' THEN 1 ELSE 2 END, code, file LIMIT 500",
     ",,,,,", ""},
};

}  // namespace

std::span<const ReportSectionInfo> reportSections() { return kSections; }
std::span<const ReportQuery> reportQueries() { return kQueries; }

std::string statementOf(const ReportQuery& query) {
    std::string sql(query.sql);
    const auto replaceAll = [&sql](const std::string& name, const std::string& text) {
        for (std::size_t at = sql.find(name); at != std::string::npos; at = sql.find(name, at + text.size()))
            sql.replace(at, name.size(), text);
    };
    for (const auto& [name, text] : kFragments) replaceAll(std::string(name), std::string(text));
    for (const StepPartInfo& info : stepParts()) replaceAll('{' + std::string(info.name) + '}', std::string(info.sql));
    return sql;
}

}  // namespace altiscope
