import CTestEnvironment

/// The folder of this run of the tests, which is removed when their process exits. The environment's
/// `XDG_CACHE_HOME` and `PULSE_SERVER` are in it from the process's start on.
package let testFolder = String(cString: reelwire_test_folder())
