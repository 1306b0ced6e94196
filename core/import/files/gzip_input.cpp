#include "core/import/files/gzip_input.h"

#include "core/base/text/diagnostics.h"

#include <algorithm>
#include <utility>

#include <zlib.h>

namespace altiscope::reader {

namespace {

constexpr std::size_t kPackedBytes = std::size_t{256} << 10;
/// Bytes of a member's extra field, name and comment; none that a program wrote comes near it.
constexpr std::uint64_t kMaxHeaderLength = std::uint64_t{1} << 20;
constexpr unsigned char kMagic[] = {0x1F, 0x8B};
constexpr unsigned kDeflate = 8;
enum GzipFlag : unsigned { kHeaderSum = 2, kExtra = 4, kName = 8, kComment = 16, kReserved = 0xE0 };

}  // namespace

struct GzipInput::Stream {
    z_stream state{};
    std::vector<unsigned char> packed = std::vector<unsigned char>(kPackedBytes);
    bool isReady = inflateInit2(&state, -MAX_WBITS) == Z_OK;

    Stream() = default;
    ~Stream() {
        if (isReady) inflateEnd(&state);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
};

GzipInput::GzipInput(const ReadOnlyFile& file, const CancelToken& cancel)
    : m_file(file), m_cancel(cancel), m_stream(std::make_unique<Stream>()) {
    if (!m_stream->isReady) stop("not enough memory");
}

GzipInput::~GzipInput() = default;

std::uint64_t GzipInput::position() const { return m_at - m_stream->state.avail_in; }

void GzipInput::stop(std::string problem) {
    m_problem = std::move(problem);
    m_state = State::Over;
}

void GzipInput::stopCut() {
    if (m_state == State::Over) return;  // cancelled, or the file cannot be read
    m_isCut = true;
    stop("the compressed data does not end");
}

bool GzipInput::refill() {
    z_stream& state = m_stream->state;
    if (state.avail_in > 0) return true;
    if (m_state == State::Over) return false;
    if (m_cancel.cancelled()) {
        m_state = State::Over;
        return false;
    }
    std::vector<unsigned char>& packed = m_stream->packed;
    const auto got = m_file.read(m_at, std::span(reinterpret_cast<char*>(packed.data()), packed.size()));
    if (!got.ok()) {
        stop(got.error().parameters.empty() ? got.error().code : got.error().parameters.front().second);
        return false;
    }
    m_at += got.value();
    state.next_in = packed.data();
    state.avail_in = static_cast<uInt>(got.value());
    return got.value() > 0;
}

std::optional<unsigned char> GzipInput::nextByte() {
    if (!refill()) {
        stopCut();
        return std::nullopt;
    }
    z_stream& state = m_stream->state;
    m_headerSum = static_cast<std::uint32_t>(crc32(m_headerSum, state.next_in, 1));
    --state.avail_in;
    return *state.next_in++;
}

std::optional<std::uint32_t> GzipInput::nextNumber(int bytes) {
    std::uint32_t number = 0;
    for (int i = 0; i < bytes; ++i) {
        const auto byte = nextByte();
        if (!byte) return std::nullopt;
        number |= std::uint32_t{*byte} << (8 * i);
    }
    return number;
}

bool GzipInput::passOver(std::uint32_t bytes) {
    while (bytes > 0 && nextByte()) --bytes;
    return bytes == 0;
}

bool GzipInput::passOverText() {
    for (const std::uint64_t end = m_member + kMaxHeaderLength; position() < end;) {
        const auto byte = nextByte();
        if (!byte) return false;
        if (*byte == 0) return true;
    }
    stop("a name without end");
    return false;
}

bool GzipInput::passOverFields(unsigned flags) {
    static constexpr std::uint32_t kTimeAndSystem = 6, kLow16 = 0xFFFF;
    if (!passOver(kTimeAndSystem)) return false;
    if ((flags & kExtra) != 0) {
        const auto size = nextNumber(2);
        if (!size || !passOver(*size)) return false;
    }
    for (const unsigned text : {kName, kComment}) {
        if ((flags & text) != 0 && !passOverText()) return false;
    }
    if ((flags & kHeaderSum) == 0) return true;
    const std::uint32_t sum = m_headerSum & kLow16;
    const auto stated = nextNumber(2);
    if (stated && *stated != sum) noteDamage();
    return stated.has_value();
}

void GzipInput::beginMember() {
    z_stream& state = m_stream->state;
    // Some programs fill the last block of a tape up.
    while (refill() && *state.next_in == 0) {
        ++state.next_in;
        --state.avail_in;
    }
    if (m_state == State::Over) return;
    if (state.avail_in == 0) {
        m_state = State::Over;
        return;
    }
    m_member = position();
    m_headerSum = m_sum = m_length = 0;
    m_isDamaged = false;
    for (const unsigned char wanted : kMagic) {
        const auto byte = nextByte();
        if (!byte) return;
        if (*byte != wanted) return stop("something follows the compressed data");
    }
    const auto method = nextByte(), flags = method ? nextByte() : method;
    if (!flags) return;
    if (*method != kDeflate || (*flags & kReserved) != 0) return stop("a form of gzip that nobody knows");
    if (!passOverFields(*flags)) return;
    if (inflateReset(&state) != Z_OK) return stop("not enough memory");
    m_state = State::Data;
}

void GzipInput::endMember() {
    const auto sum = nextNumber(4), length = sum ? nextNumber(4) : sum;
    if (!length) return;
    if (*sum != m_sum || *length != m_length) noteDamage();
    m_state = State::Between;
}

void GzipInput::noteDamage() {
    if (std::exchange(m_isDamaged, true)) return;
    ++m_damaged;
    if (m_damagedPlaces.size() < Diagnostic::kSamples) m_damagedPlaces.push_back(m_member);
}

std::size_t GzipInput::read(std::span<char> out) {
    z_stream& state = m_stream->state;
    state.next_out = reinterpret_cast<unsigned char*>(out.data());
    state.avail_out = static_cast<uInt>(std::min<std::size_t>(out.size(), std::size_t{1} << 30));
    const uInt wanted = state.avail_out;
    while (m_state != State::Over && state.avail_out > 0) {
        if (m_state == State::Between) {
            beginMember();
            continue;
        }
        if (!refill()) {
            stopCut();
            break;
        }
        const unsigned char* const from = state.next_out;
        const int code = inflate(&state, Z_NO_FLUSH);
        const auto size = static_cast<uInt>(state.next_out - from);
        m_sum = static_cast<std::uint32_t>(crc32(m_sum, from, size));
        m_length += size;
        if (code == Z_STREAM_END) endMember();
        else if (code != Z_OK && code != Z_BUF_ERROR)
            stop(state.msg != nullptr ? state.msg : "the compressed data is damaged");
    }
    return wanted - state.avail_out;
}

}  // namespace altiscope::reader
