// libnfc's interface.
#pragma once
#include <nfc/nfc.h>

/// Sends one command to a PN53x chip and receives its answer, both without frame and code of direction.
///
/// Exported by libnfc 1.8.0, declared in none of its installed headers. Returns the length of the answer,
/// or a negative error; `timeout` is in milliseconds, 0 for none, -1 for the usual one.
extern int pn53x_transceive(
    struct nfc_device *device, const uint8_t *command, const size_t command_length,
    uint8_t *answer, const size_t answer_size, int timeout);
