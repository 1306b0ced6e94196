#include "core/report/export/arrow_messages.h"

#include <flatbuffers/flatbuffers.h>

#include <bit>
#include <utility>
#include <vector>

namespace altiscope::arrow {

namespace {

using Builder = flatbuffers::FlatBufferBuilder;
template <class T>
using At = flatbuffers::Offset<T>;
using Any = At<void>;
using Texts = flatbuffers::String;

// Numbers of the specification. Message.fbs: MetadataVersion, MessageHeader; Schema.fbs: Endianness, Type, Precision.
constexpr std::int16_t kVersion5 = 4;
enum class Header : std::uint8_t { Schema = 1, DictionaryBatch = 2, RecordBatch = 3 };
enum class TypeOf : std::uint8_t { Int = 2, FloatingPoint = 3, Binary = 4, Utf8 = 5 };
constexpr std::int16_t kDouble = 2;
constexpr std::int16_t kByteOrder = std::endian::native == std::endian::little ? 0 : 1;
constexpr std::uint32_t kContinuation = 0xffffffffU;

/// A table of FlatBuffers as its slots are set, in their order in the specification. Objects in it come first.
class TableOf {
public:
    explicit TableOf(Builder& to) : m_to(to), m_start(to.StartTable()) {}
    /// A value that equals the default of its slot takes no room.
    template <class T>
    TableOf& value(int slot, T value, T absent = {}) {
        m_to.AddElement<T>(offsetOf(slot), value, absent);
        return *this;
    }
    template <class T>
    TableOf& refer(int slot, At<T> at) {
        m_to.AddOffset(offsetOf(slot), at);
        return *this;
    }
    Any end() { return Any(m_to.EndTable(m_start)); }

private:
    static flatbuffers::voffset_t offsetOf(int slot) {
        return flatbuffers::FieldIndexToOffset(static_cast<flatbuffers::voffset_t>(slot));
    }
    Builder& m_to;
    flatbuffers::uoffset_t m_start;
};

Any integerType(Builder& to, std::int32_t bits) {
    return TableOf(to).value<std::int32_t>(0, bits).value<std::uint8_t>(1, 1).end();
}

std::pair<TypeOf, Any> typeOf(Builder& to, ColumnKind kind) {
    switch (kind) {
    case ColumnKind::Integer: return {TypeOf::Int, integerType(to, 64)};
    case ColumnKind::Real: return {TypeOf::FloatingPoint, TableOf(to).value<std::int16_t>(0, kDouble).end()};
    case ColumnKind::Text: return {TypeOf::Utf8, TableOf(to).end()};
    case ColumnKind::Blob: break;
    }
    return {TypeOf::Binary, TableOf(to).end()};
}

Any fieldOf(Builder& to, const SchemaField& field, std::int64_t number) {
    const At<Texts> name = to.CreateString(field.name);
    const auto type = typeOf(to, field.kind);
    std::vector<Any> metadata;
    if (!field.unit.empty()) {
        const At<Texts> key = to.CreateString("unit"), value = to.CreateString(field.unit.data(), field.unit.size());
        metadata.push_back(TableOf(to).refer(0, key).refer(1, value).end());
    }
    const auto pairs = to.CreateVector(metadata);
    // Older readers take a list that is absent for a broken schema.
    const auto children = to.CreateVector(std::vector<Any>());
    Any dictionary;
    if (field.kind == ColumnKind::Text) {
        const Any index = integerType(to, 32);
        dictionary = TableOf(to).value<std::int64_t>(0, number).refer(1, index).end();
    }
    TableOf table(to);
    table.refer(0, name).value<std::uint8_t>(1, 1).value(2, static_cast<std::uint8_t>(type.first));
    table.refer(3, type.second);
    if (!dictionary.IsNull()) table.refer(4, dictionary);
    table.refer(5, children);
    if (!metadata.empty()) table.refer(6, pairs);
    return table.end();
}

/// Two numbers of 64 bits in their order in memory: FieldNode and Buffer.
struct Pair {
    std::int64_t first, second;
};

Any batchOf(Builder& to, const Batch& batch) {
    std::vector<Pair> nodes, parts;
    for (const Node& node : batch.nodes)
        nodes.push_back({flatbuffers::EndianScalar(node.length), flatbuffers::EndianScalar(node.nulls)});
    for (const BufferPart& part : batch.parts)
        parts.push_back({flatbuffers::EndianScalar(part.offset), flatbuffers::EndianScalar(part.length)});
    const auto nodesAt = to.CreateVectorOfStructs(nodes);
    const auto partsAt = to.CreateVectorOfStructs(parts);
    return TableOf(to).value<std::int64_t>(0, batch.rows).refer(1, nodesAt).refer(2, partsAt).end();
}

void appendNumber(std::string& bytes, std::uint32_t number) {
    const std::uint32_t ordered = flatbuffers::EndianScalar(number);
    bytes.append(reinterpret_cast<const char*>(&ordered), sizeof ordered);
}

/// A message up to its body: a mark, the size of the metadata with what fills them up, and these.
std::string framedMessage(Builder& to, Header kind, Any header, std::int64_t bodyBytes) {
    to.Finish(TableOf(to)
                  .value<std::int16_t>(0, kVersion5)
                  .value(1, static_cast<std::uint8_t>(kind))
                  .refer(2, header)
                  .value<std::int64_t>(3, bodyBytes)
                  .end());
    constexpr std::size_t kAlign = kAlignment;
    const std::size_t size = (to.GetSize() + kAlign - 1) / kAlign * kAlign;
    std::string bytes;
    appendNumber(bytes, kContinuation);
    appendNumber(bytes, static_cast<std::uint32_t>(size));
    bytes.append(reinterpret_cast<const char*>(to.GetBufferPointer()), to.GetSize());
    bytes.append(size - to.GetSize(), '\0');
    return bytes;
}

}  // namespace

std::string schemaMessage(std::span<const SchemaField> fields) {
    Builder to;
    std::vector<Any> all;
    for (const SchemaField& field : fields) all.push_back(fieldOf(to, field, static_cast<std::int64_t>(all.size())));
    const auto list = to.CreateVector(all);
    const Any schema = TableOf(to).value<std::int16_t>(0, kByteOrder).refer(1, list).end();
    return framedMessage(to, Header::Schema, schema, 0);
}

std::string recordBatchMessage(const Batch& batch) {
    Builder to;
    const Any header = batchOf(to, batch);
    return framedMessage(to, Header::RecordBatch, header, batch.bodyBytes);
}

std::string dictionaryMessage(std::int64_t id, const Batch& batch) {
    Builder to;
    const Any texts = batchOf(to, batch);
    const Any header = TableOf(to).value<std::int64_t>(0, id).refer(1, texts).end();
    return framedMessage(to, Header::DictionaryBatch, header, batch.bodyBytes);
}

std::string endOfStream() {
    std::string bytes;
    appendNumber(bytes, kContinuation);
    appendNumber(bytes, 0);
    return bytes;
}

}  // namespace altiscope::arrow
