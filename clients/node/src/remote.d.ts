// TypeScript's own declarations have these from 5.2 on, with `esnext.disposable`.
declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }
}

/** The options of every request. */
export interface Cancellable {
  /** Cancels the request, or the work. The promise is rejected with the signal's reason. */
  signal?: AbortSignal;
}

/**
 * An object of the engine. It is closed by `close()`, at the end of an `await using`, or some time
 * after it was forgotten.
 */
export class Remote {
  protected constructor();
  /** Its name on the wire, for example `asset:1`; throws once it is closed. */
  readonly handle: string;
  readonly closed: boolean;
  /** Lets go of it; its work is cancelled. Closing again does nothing. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
