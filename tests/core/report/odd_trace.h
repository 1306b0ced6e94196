#pragma once

namespace altiscope::test {

/// Everything that a trace of one rank may hold, odd things included.
inline constexpr const char* kOddTrace = R"json([
{"ph":"M","name":"process_name","pid":7,"args":{"name":"Python"}},
{"ph":"M","name":"process_labels","pid":7,"args":{"labels":"CPU"}},
{"ph":"M","name":"process_sort_index","pid":7,"args":{"sort_index":2}},
{"ph":"M","name":"thread_name","pid":7,"tid":1,"args":{"name":"Thread \"one\""}},
{"ph":"M","name":"thread_sort_index","pid":7,"tid":1,"args":{"sort_index":5}},
{"ph":"X","name":"outer","cat":"cpu_op","pid":7,"tid":1,"ts":"1736412474714258.990","dur":10,"args":{"a":[1,"},{\"x\":"],"n":NaN}},
{"ph":"X","name":"same","cname":"good","pid":7,"tid":1,"ts":"1736412474714260.000","dur":2},
{"ph":"X","name":"same","pid":7,"tid":1,"ts":"1736412474714260.000","dur":2,"args":{"second":true}},
{"ph":"X","name":"overlaps","pid":7,"tid":1,"ts":"1736412474714265.500","dur":30},
{"ph":"X","name":"point","pid":7,"tid":1,"ts":"1736412474714268.990","dur":0},
{"ph":"B","name":"open \u00e9","cname":"own","pid":"99999999999999999999","tid":"t","ts":"1736412474714261.001"},
{"ph":"i","name":"mark","pid":7,"tid":1,"ts":"1736412474714262.000","args":{"m":1}},
{"ph":"X","name":"task","pid":8,"tid":2,"ts":"1736412474714270.000","dur":5},
{"ph":"C","name":"HBM","pid":8,"ts":"1736412474714259.000","args":{"Read(MB/s)":1.5,"Write(MB/s)":2,"acc_id":3}},
{"ph":"C","name":"HBM","pid":8,"ts":"1736412474714259.000","args":{"Read(MB/s)":1e300,"acc_id":3}},
{"ph":"C","name":"HBM","pid":8,"ts":"1736412474714260.000","args":{"Write(MB/s)":-0.1}},
{"ph":"s","cat":"async","name":"f","id":"7","pid":7,"tid":1,"ts":"1736412474714260.500"},
{"ph":"f","bp":"e","cat":"async","name":"f","id":7,"pid":8,"tid":2,"ts":"1736412474714270.000"},
{"ph":"f","cat":"async","name":"f","id":7,"pid":8,"tid":2,"ts":"1736412474714272.000"},
{"ph":"s","cat":"lost","name":"f","id":1,"pid":5,"tid":5,"ts":"1736412474714260.500"},
{"ph":"f","cat":"lost","name":"f","id":1,"pid":8,"tid":2,"ts":"1736412474714271.000"}
])json";

}  // namespace altiscope::test
