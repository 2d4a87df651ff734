// The entry of a fuzz target. libFuzzer calls it, or replay.cpp with the files of the corpus.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
