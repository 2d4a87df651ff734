// How much of a sweep a test plays.
#pragma once

namespace ampcheck::reference {

// One in so many of the inputs: sanitized assertions are slow.
#ifdef __SANITIZE_ADDRESS__
inline constexpr int kShare = 8;
#else
inline constexpr int kShare = 1;
#endif

}  // namespace ampcheck::reference
