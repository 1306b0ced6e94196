// The yardstick for imports: one bare single-thread simdjson pass over a trace, looking at the fields that every import
// needs and keeping nothing but a sum. The file is read and walked twice into the same buffers, and the second pass
// counts: the first one also pays for the kernel's zeroing of pages, which differs between days by more than anything
// that is compared with it. Prints the seconds of reading and walking. Usage: bench_bare_pass TRACE.json
#include <simdjson.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    std::error_code failed;
    const auto size = std::filesystem::file_size(argv[1], failed);
    if (failed) return 1;
    std::vector<char> buffer(size + simdjson::SIMDJSON_PADDING);
    simdjson::ondemand::parser parser;
    std::uint64_t sum = 0, events = 0;
    double seconds = 0;
    for (int pass = 0; pass < 2; ++pass) {
        sum = events = 0;
        const auto start = std::chrono::steady_clock::now();
        std::ifstream file(argv[1], std::ios::binary);
        if (!file.read(buffer.data(), static_cast<std::streamsize>(size))) return 1;
        simdjson::ondemand::document document = parser.iterate(buffer.data(), size, buffer.size());
        for (simdjson::ondemand::object event : document.get_array()) {
            ++events;
            for (auto field : event) {
                const std::string_view key = field.unescaped_key();
                if (key != "name" && key != "ph" && key != "ts" && key != "dur" && key != "pid" && key != "tid")
                    continue;
                const std::string_view token = field.value().raw_json_token();
                for (const char c : token) sum = sum * 31 + static_cast<std::uint8_t>(c);
            }
        }
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    std::printf("{\"seconds\": %.4f, \"events\": %llu, \"sum\": %llu}\n", seconds,
                static_cast<unsigned long long>(events), static_cast<unsigned long long>(sum));
    return 0;
}
