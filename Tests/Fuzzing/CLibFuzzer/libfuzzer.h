#pragma once

#include <stddef.h>
#include <stdint.h>

/// The function that libFuzzer's own `main` calls; no header of the toolchain declares it.
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
