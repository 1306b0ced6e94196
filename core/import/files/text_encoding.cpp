#include "core/import/files/text_encoding.h"

#include <algorithm>
#include <cstddef>

#include <iconv.h>

namespace altiscope::reader {

namespace {

/// A conversion of the C library; each thread has its own, since it has a state.
class GbkConverter {
public:
    GbkConverter() : m_handle(iconv_open("UTF-8", "GB18030")) {}
    ~GbkConverter() {
        if (isOpen()) iconv_close(m_handle);
    }
    GbkConverter(const GbkConverter&) = delete;
    GbkConverter& operator=(const GbkConverter&) = delete;

    std::optional<std::string> convert(std::string_view bytes) const {
        if (!isOpen()) return std::nullopt;
        // Two bytes become three at most, four become four.
        std::string from(bytes), to(bytes.size() * 2 + 4, '\0');
        char* in = from.data();
        char* out = to.data();
        std::size_t inLeft = from.size(), outLeft = to.size();
        iconv(m_handle, nullptr, nullptr, nullptr, nullptr);
        if (iconv(m_handle, &in, &inLeft, &out, &outLeft) == static_cast<std::size_t>(-1) || inLeft != 0)
            return std::nullopt;
        to.resize(to.size() - outLeft);
        return to;
    }

private:
    bool isOpen() const { return m_handle != reinterpret_cast<iconv_t>(-1); }
    iconv_t m_handle;
};

}  // namespace

std::optional<std::string> textOfGbk(std::string_view bytes) {
    static constexpr unsigned char kFirstBeyondAscii = 0x80;
    if (std::none_of(bytes.begin(), bytes.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= kFirstBeyondAscii; }))
        return std::nullopt;
    static thread_local const GbkConverter converter;
    return converter.convert(bytes);
}

}  // namespace altiscope::reader
