#include "core/import/archive/gzip_input.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <zlib.h>

namespace altiscope::reader {

namespace {

constexpr std::size_t kPackedBytes = std::size_t{256} << 10;
constexpr int kGzipWindow = 15 + 16;  // the largest window; 16: the header and the checksum of gzip

}  // namespace

struct GzipInput::Stream {
    z_stream state{};
    std::vector<unsigned char> packed = std::vector<unsigned char>(kPackedBytes);
    bool isReady = inflateInit2(&state, kGzipWindow) == Z_OK;

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

bool GzipInput::refill() {
    z_stream& state = m_stream->state;
    if (state.avail_in > 0) return true;
    if (m_cancel.cancelled()) {
        m_isOver = true;
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

void GzipInput::goOn() {
    static constexpr unsigned char kFirstByte = 0x1F;
    z_stream& state = m_stream->state;
    // Some programs fill the last block of a tape up.
    while (!m_isOver && refill() && *state.next_in == 0) {
        ++state.next_in;
        --state.avail_in;
    }
    if (m_isOver) return;
    if (state.avail_in == 0) m_isOver = true;
    else if (*state.next_in != kFirstByte) stop("something follows the compressed data");
    else if (inflateReset(&state) != Z_OK) stop("not enough memory");
    else m_isBetween = false;
}

std::size_t GzipInput::read(std::span<char> out) {
    z_stream& state = m_stream->state;
    state.next_out = reinterpret_cast<unsigned char*>(out.data());
    state.avail_out = static_cast<uInt>(std::min<std::size_t>(out.size(), std::size_t{1} << 30));
    const uInt wanted = state.avail_out;
    while (!m_isOver && state.avail_out > 0) {
        if (m_isBetween) {
            goOn();
            continue;
        }
        if (!refill()) {
            if (m_isOver) break;
            m_isCut = true;
            stop("the compressed data does not end");
            break;
        }
        const int code = inflate(&state, Z_NO_FLUSH);
        if (code == Z_STREAM_END) m_isBetween = true;
        else if (code != Z_OK && code != Z_BUF_ERROR)
            stop(state.msg != nullptr ? state.msg : "the compressed data is damaged");
    }
    return wanted - state.avail_out;
}

}  // namespace altiscope::reader
