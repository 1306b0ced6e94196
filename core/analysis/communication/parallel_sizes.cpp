#include "core/analysis/communication/parallel_groups.h"

#include <algorithm>
#include <span>
#include <string>

namespace altiscope {

namespace {

using enum Parallelism;

constexpr std::string_view kKindNames[kParallelisms] = {"tp", "cp", "pp", "dp", "ep"};

/// How an order lays out ranks.
struct OrderFacts {
    std::string_view name;
    std::array<Parallelism, 4> dimensions;   ///< The fastest first.
    std::array<Parallelism, 2> expertsOver;  ///< Likewise; the same twice: one alone.
    bool areExpertsApart = false;            ///< Their ranks are as far apart as they can be, else they are next.
};
constexpr OrderFacts kOrders[kRankOrders] = {
    {"megatron", {Tensor, Context, Data, Pipeline}, {Data, Data}, false},
    {"megatron-pp-dp", {Tensor, Context, Pipeline, Data}, {Data, Data}, false},
    {"mindspeed", {Tensor, Context, Data, Pipeline}, {Context, Data}, false},
    {"mindie", {Tensor, Data, Pipeline, Context}, {Tensor, Data}, true},
    {"vllm", {Tensor, Pipeline, Data, Context}, {Tensor, Data}, false},
};
const OrderFacts& factsOf(RankOrder order) { return kOrders[static_cast<std::size_t>(order)]; }

std::span<const Parallelism> expertDimensions(const OrderFacts& order) {
    return {order.expertsOver.data(), order.expertsOver[0] == order.expertsOver[1] ? std::size_t{1} : std::size_t{2}};
}

std::int64_t expertRanks(const ParallelSizes& sizes) {
    std::int64_t ranks = 1;
    for (const Parallelism kind : expertDimensions(factsOf(sizes.order))) ranks *= sizes.of(kind);
    return ranks;
}

}  // namespace

std::string_view parallelismName(Parallelism kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

std::string_view rankOrderName(RankOrder order) { return factsOf(order).name; }

std::optional<RankOrder> rankOrderOf(std::string_view name) {
    for (std::size_t i = 0; i < kRankOrders; ++i) {
        if (kOrders[i].name == name) return static_cast<RankOrder>(i);
    }
    return std::nullopt;
}

std::string_view parallelSourceName(ParallelSource source) {
    switch (source) {
    case ParallelSource::Recorded: return "recorded";
    case ParallelSource::Computed: return "computed";
    case ParallelSource::Typed: return "typed";
    }
    return {};
}

std::int32_t ParallelSizes::of(Parallelism kind) const {
    switch (kind) {
    case Tensor: return tp;
    case Context: return cp;
    case Pipeline: return pp;
    case Data: return dp;
    case Expert: return ep;
    }
    return 1;
}

std::optional<Error> problemOf(const ParallelSizes& sizes, std::int64_t ranks) {
    for (std::size_t kind = 0; kind < kParallelisms; ++kind) {
        const std::int32_t size = sizes.of(static_cast<Parallelism>(kind));
        if (size >= 1 && size <= ParallelSizes::kMaxSize) continue;
        return Error{
            "parallel.size", {}, {}, {{"name", std::string(kKindNames[kind])}, {"size", std::to_string(size)}}};
    }
    // Four sizes up to 10,000 do not overflow.
    const std::int64_t product = sizes.ranks();
    if (product > ParallelSizes::kMaxRanks || product < ranks) {
        return Error{
            "parallel.ranks", {}, {}, {{"product", std::to_string(product)}, {"ranks", std::to_string(ranks)}}};
    }
    const OrderFacts& order = factsOf(sizes.order);
    if (order.dimensions.back() == Context && sizes.cp > 1)
        return Error{"parallel.context", {}, {}, {{"order", std::string(order.name)}}};
    if (const std::int64_t over = expertRanks(sizes); over % sizes.ep != 0)
        return Error{"parallel.expert", {}, {}, {{"ep", std::to_string(sizes.ep)}, {"of", std::to_string(over)}}};
    return std::nullopt;
}

ParallelPlace placeOf(const ParallelSizes& sizes, std::int64_t rank) {
    const OrderFacts& order = factsOf(sizes.order);
    ParallelPlace place{};
    for (const Parallelism kind : order.dimensions) {
        place[static_cast<std::size_t>(kind)] = static_cast<std::int32_t>(rank % sizes.of(kind));
        rank /= sizes.of(kind);
    }
    std::int64_t number = 0, factor = 1;
    for (const Parallelism kind : expertDimensions(order)) {
        number += factor * place[static_cast<std::size_t>(kind)];
        factor *= sizes.of(kind);
    }
    const std::int64_t expert = order.areExpertsApart ? number / (factor / sizes.ep) : number % sizes.ep;
    place[static_cast<std::size_t>(Expert)] = static_cast<std::int32_t>(expert);
    return place;
}

std::int64_t rankAt(const ParallelSizes& sizes, const ParallelPlace& place) {
    std::int64_t rank = 0, factor = 1;
    for (const Parallelism kind : factsOf(sizes.order).dimensions) {
        rank += factor * place[static_cast<std::size_t>(kind)];
        factor *= sizes.of(kind);
    }
    return rank;
}

std::vector<std::int64_t> groupAt(const ParallelSizes& sizes, Parallelism kind, std::int64_t rank) {
    ParallelPlace place = placeOf(sizes, rank);
    const std::size_t at = static_cast<std::size_t>(kind);
    std::vector<std::int64_t> ranks;
    ranks.reserve(static_cast<std::size_t>(sizes.of(kind)));
    if (kind != Expert) {
        for (place[at] = 0; place[at] < sizes.of(kind); ++place[at]) ranks.push_back(rankAt(sizes, place));
        return ranks;
    }
    const OrderFacts& order = factsOf(sizes.order);
    const auto dimensions = expertDimensions(order);
    const Parallelism fast = dimensions.front(), slow = dimensions.back();
    const std::int64_t width = sizes.of(fast);
    const bool isOne = dimensions.size() == 1;
    const std::int64_t number =
        place[static_cast<std::size_t>(fast)] + (isOne ? 0 : width * place[static_cast<std::size_t>(slow)]);
    const std::int64_t distance = order.areExpertsApart ? expertRanks(sizes) / sizes.ep : 1;
    const std::int64_t first = number - distance * place[at];
    for (std::int64_t expert = 0; expert < sizes.ep; ++expert) {
        const std::int64_t other = first + distance * expert;
        place[static_cast<std::size_t>(fast)] = static_cast<std::int32_t>(isOne ? other : other % width);
        if (!isOne) place[static_cast<std::size_t>(slow)] = static_cast<std::int32_t>(other / width);
        ranks.push_back(rankAt(sizes, place));
    }
    return ranks;
}

}  // namespace altiscope
