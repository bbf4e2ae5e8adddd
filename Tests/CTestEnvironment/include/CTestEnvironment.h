#pragma once

/// The folder of this run of the tests. It is removed when the process exits.
const char *reelwire_test_folder(void);
