// The waits of tests: the one file of the tests in JavaScript that uses a clock.
//
// No verdict depends on how busy the machine is: an event that must come is waited for as long as it takes,
// and after HANG milliseconds it is taken to hang.

'use strict';

const { inspect } = require('node:util');

/** Milliseconds after which a wait is taken to hang; they decide nothing else. */
const HANG = 180_000 * Number(process.env.REELWIRE_PATIENCE ?? 1);

/**
 * Checks a condition until it holds, and returns its value.
 *
 * `what` names the awaited event; a function is called when the wait is over, and returns the present state instead.
 */
async function eventually(what, isSo) {
  const end = Date.now() + HANG;
  for (;;) {
    const value = await isSo();
    if (value) return value;
    if (Date.now() > end) {
      const left = typeof what === 'function' ? inspect(await what()) : what;
      throw new Error(`waited for ${HANG / 1000} s in vain: ${left}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The same for a program that does nothing else meanwhile, not even read. */
function stall(isSo) {
  const end = Date.now() + HANG;
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  while (!isSo() && Date.now() < end) Atomics.wait(nobody, 0, 0, 5);
}

module.exports = { HANG, eventually, stall };
