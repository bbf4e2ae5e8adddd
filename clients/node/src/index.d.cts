// For `require('reelwire')` in TypeScript: the same declarations, which are those of an ES module.

// @ts-ignore: the compiler takes it for one that can't be required, and has its types all the same.
export * from './index.js';
