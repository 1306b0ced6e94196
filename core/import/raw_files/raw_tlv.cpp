#include "core/import/raw_files/raw_tlv.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::size_t kTlvHeader = 6;
/// Small enough that what was read is still near when it is looked at.
constexpr std::size_t kTlvWindow = std::size_t{1} << 18;

std::uint16_t tlvType(const char* bytes) {
    std::uint16_t type;
    std::memcpy(&type, bytes, sizeof type);
    return type;
}

std::uint32_t tlvLength(const char* bytes) {
    std::uint32_t length;
    std::memcpy(&length, bytes + sizeof(std::uint16_t), sizeof length);
    return length;
}

std::optional<ReadOnlyFile> openedFramework(const RawFrameworkFile& source, RawContext& context) {
    auto file = ReadOnlyFile::open(source.path);
    if (file.ok()) return std::move(file).value();
    context.diagnostics.add(file.error().code, Severity::Lost, source.name, {}, file.error().parameters);
    return std::nullopt;
}

}  // namespace

RawTlvFile::RawTlvFile(const RawFrameworkFile& file, RawContext& context)
    : m_source(file), m_context(context), m_file(openedFramework(file, context)) {}

/// Sees to it that so many bytes from m_at on are there.
bool RawTlvFile::provide(std::size_t bytes) {
    if (m_end - m_at >= bytes) return true;
    const std::size_t had = m_end - m_at;
    if (had > 0) std::memmove(m_bytes.data(), m_bytes.data() + m_at, had);
    m_begin += m_at;
    m_at = 0;
    const std::size_t wanted = had + std::max(bytes - had, kTlvWindow);
    if (m_bytes.size() < wanted) m_bytes.resize(wanted);
    const auto got = m_file->read(m_begin + had, std::span(m_bytes).subspan(had, wanted - had));
    if (!got.ok())
        m_context.diagnostics.add(got.error().code, Severity::Lost, m_source.name, {PlaceUnit::Byte, m_begin + had},
                                  got.error().parameters);
    m_end = had + (got.ok() ? got.value() : 0);
    m_context.progress.addDone(m_end - had);
    return m_end >= bytes;
}

bool RawTlvFile::next(RawTlv& tlv) {
    if (!m_file || m_context.cancel.cancelled()) return false;
    const auto stop = [this](std::string_view code) {
        m_context.diagnostics.add(code, Severity::Lost, m_source.name, {PlaceUnit::Byte, m_begin + m_at});
        m_file.reset();
        return false;
    };
    if (!provide(kTlvHeader)) {
        if (m_end > m_at) return stop("raw.cut");
        m_file.reset();
        return false;
    }
    const std::size_t length = tlvLength(m_bytes.data() + m_at);
    const std::uint64_t byte = m_begin + m_at;
    if (byte + kTlvHeader + length > m_file->size()) return stop("raw.cut");
    if (length > kMaxValue) return stop("raw.bad_record");
    if (!provide(kTlvHeader + length)) return stop("raw.cut");
    tlv = {tlvType(m_bytes.data() + m_at), {m_bytes.data() + m_at + kTlvHeader, length}, byte};
    m_at += kTlvHeader + length;
    return true;
}

bool readRawTlv(const ReadOnlyFile& file, std::uint64_t byte, std::vector<char>& bytes, RawTlv& tlv) {
    bytes.resize(kTlvHeader);
    const auto header = file.read(byte, std::span(bytes));
    if (!header.ok() || header.value() != kTlvHeader) return false;
    const std::size_t length = tlvLength(bytes.data());
    if (length > RawTlvFile::kMaxValue || byte + kTlvHeader + length > file.size()) return false;
    bytes.resize(kTlvHeader + length);
    const auto got = file.read(byte, std::span(bytes));
    if (!got.ok() || got.value() != bytes.size()) return false;
    tlv = {tlvType(bytes.data()), {bytes.data() + kTlvHeader, length}, byte};
    return true;
}

bool RawInnerTlvs::next(RawTlv& tlv) {
    if (m_rest.empty()) return false;
    const std::size_t length = m_rest.size() < kTlvHeader ? 0 : tlvLength(m_rest.data());
    if (m_rest.size() < kTlvHeader || length > m_rest.size() - kTlvHeader) {
        m_isCut = true;
        return false;
    }
    tlv = {tlvType(m_rest.data()), m_rest.substr(kTlvHeader, length), 0};
    m_rest.remove_prefix(kTlvHeader + length);
    return true;
}

void eachFrameworkRecord(const RawFrameworkFile& file, std::uint32_t size, RawContext& context,
                         const std::function<void(const char*, std::uint64_t)>& take) {
    auto opened = openedFramework(file, context);
    if (!opened) return;
    std::vector<char> bytes(kTlvWindow / size * size);
    for (std::uint64_t at = 0; !context.cancel.cancelled();) {
        const auto got = opened->read(at, std::span(bytes));
        if (!got.ok()) {
            context.diagnostics.add(got.error().code, Severity::Lost, file.name, {PlaceUnit::Byte, at},
                                    got.error().parameters);
            return;
        }
        context.progress.addDone(got.value());
        const std::size_t whole = got.value() / size * size;
        for (std::size_t i = 0; i < whole; i += size) take(bytes.data() + i, at + i);
        at += whole;
        if (whole == bytes.size()) continue;
        if (got.value() > whole) context.diagnostics.add("raw.cut", Severity::Lost, file.name, {PlaceUnit::Byte, at});
        return;
    }
}

}  // namespace altiscope::reader
