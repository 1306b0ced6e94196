#include "core/import/trace/text_search.h"

#include "core/base/text/ascii.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>

namespace altiscope::reader {

namespace {

constexpr std::uint64_t kBlock = std::uint64_t{1} << 20;
constexpr std::uint64_t kStripe = std::uint64_t{16} << 20;

void toLower(std::span<char> text) {
    for (char& c : text) c = asciiLower(c);
}

/// Finds of one worker in its part of the file.
struct Stripe {
    std::vector<std::uint64_t> places;
    std::optional<Error> error;
};

void search(const ReadOnlyFile& file, std::string_view text, bool ignoreCase, std::uint64_t begin, std::uint64_t end,
            const CancelToken& cancel, Stripe& stripe) {
    std::string buffer(kBlock + text.size() - 1, '\0');
    for (std::uint64_t at = begin; at < end && !cancel.cancelled(); at += kBlock) {
        // An occurrence belongs to the block in which it begins, so a block is read with what may follow of it.
        const std::uint64_t length = std::min(kBlock, end - at) + text.size() - 1;
        const auto got = file.read(at, std::span(buffer.data(), length));
        if (!got.ok()) {
            stripe.error = got.error();
            return;
        }
        if (ignoreCase) toLower(std::span(buffer.data(), got.value()));
        const char* from = buffer.data();
        const char* const last = buffer.data() + got.value();
        while (const void* found = ::memmem(from, static_cast<std::size_t>(last - from), text.data(), text.size())) {
            const char* hit = static_cast<const char*>(found);
            stripe.places.push_back(at + static_cast<std::uint64_t>(hit - buffer.data()));
            // So that there are no more places than records, whatever is searched for.
            const void* next = ::memchr(hit, '{', static_cast<std::size_t>(last - hit));
            if (next == nullptr) break;
            from = static_cast<const char*>(next);
            if (from == hit) ++from;
        }
    }
}

}  // namespace

Result<std::vector<std::uint64_t>> findText(const ReadOnlyFile& file, std::string_view text, bool ignoreCase,
                                            const CancelToken& cancel) {
    std::string wanted(text);
    if (ignoreCase) toLower(wanted);
    std::vector<Stripe> stripes((file.size() + kStripe - 1) / kStripe);
    parallelFor(stripes.size(), [&](std::size_t i) {
        const std::uint64_t begin = i * kStripe;
        search(file, wanted, ignoreCase, begin, std::min(begin + kStripe, file.size()), cancel, stripes[i]);
    });
    if (cancel.cancelled()) return Cancelled{};
    std::vector<std::uint64_t> places;
    for (const Stripe& stripe : stripes) {
        if (stripe.error) return *stripe.error;
        places.insert(places.end(), stripe.places.begin(), stripe.places.end());
    }
    return places;
}

}  // namespace altiscope::reader
