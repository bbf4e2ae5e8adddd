// Every error of the engine as a class.

export * from './error-base.js';
export * from './error-codes.js';
