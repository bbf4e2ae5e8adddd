// The client for `require('reelwire')`.
//
// Where Node loads ES modules by `require` (from 20.19 and 22.12 on) it is the same module. Before that
// modules load later: `Engine.launch()` loads them automatically, and the rest is available from then on.

'use strict';

/** The module; `undefined` where Node can't load it at once. */
function loaded() {
  try {
    return require('./index.js');
  } catch (error) {
    if (error.code === 'ERR_REQUIRE_ESM') return undefined;
    throw error;
  }
}

/** The names that are available at once if modules load later. */
function later() {
  let all;
  let loading;
  const load = () => (loading ??= import('./index.js').then((module) => (all = module)));
  const Engine = Object.freeze({
    launch: async (...args) => (await load()).Engine.launch(...args),
    /** For `instanceof`. */
    [Symbol.hasInstance]: (value) => all !== undefined && value instanceof all.Engine,
  });
  const own = { Engine };
  return new Proxy(own, {
    get(_, name) {
      if (name === 'Engine') return Engine;
      if (all) return all[name];
      // Properties that other code reads of every module.
      if (typeof name === 'symbol' || ['then', '__esModule', 'default', 'toJSON'].includes(name)) {
        return undefined;
      }
      throw new Error(
        `this version of Node has '${name}' of reelwire once Engine.launch() has been waited for, ` +
          "or by: const reelwire = await import('reelwire')",
      );
    },
    has: (_, name) => name in (all ?? own),
    ownKeys: () => Reflect.ownKeys(own),
  });
}

module.exports = loaded() ?? later();
