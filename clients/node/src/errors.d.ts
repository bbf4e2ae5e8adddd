export * from './error-base.js';
export * from './error-codes.js';
