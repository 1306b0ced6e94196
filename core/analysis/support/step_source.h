#pragma once

#include <cstdint>

namespace altiscope {

/// What shows the training steps of a memory snapshot's history.
enum class StepSource : std::uint8_t {
    None,         ///< Nothing does.
    Profile,      ///< Times of the steps of a profile of the same rank, by the clock that joins the two.
    Annotations,  ///< The program counts them up in what it sets as user_metadata.
    Repetition    ///< Call stacks that allocate once in each equally long part of the history.
};

}  // namespace altiscope
