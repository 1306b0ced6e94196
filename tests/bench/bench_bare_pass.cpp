// The yardstick for imports: one bare single-thread simdjson pass over a trace that is already in memory order, looking at the
// fields that every import needs and keeping nothing but a sum. Prints the seconds for loading and walking the file.
// Usage: bench_bare_pass TRACE.json
#include <simdjson.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const auto start = std::chrono::steady_clock::now();
    simdjson::padded_string json;
    if (simdjson::padded_string::load(argv[1]).get(json) != simdjson::SUCCESS) return 1;
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document = parser.iterate(json);
    std::uint64_t sum = 0;
    std::uint64_t events = 0;
    for (simdjson::ondemand::object event : document.get_array()) {
        ++events;
        for (auto field : event) {
            const std::string_view key = field.unescaped_key();
            if (key != "name" && key != "ph" && key != "ts" && key != "dur" && key != "pid" && key != "tid") continue;
            const std::string_view token = field.value().raw_json_token();
            for (const char c : token) sum = sum * 31 + static_cast<std::uint8_t>(c);
        }
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("{\"seconds\": %.4f, \"events\": %llu, \"sum\": %llu}\n", seconds, static_cast<unsigned long long>(events),
                static_cast<unsigned long long>(sum));
    return 0;
}
