// The parts of Node that the declarations and their users need, where @types/node isn't installed.

declare class Buffer extends Uint8Array {
  static concat(parts: readonly Uint8Array[]): Buffer;
  toString(encoding?: string): string;
}

declare namespace NodeJS {
  type Signals = 'SIGINT' | 'SIGKILL' | 'SIGTERM' | 'SIGSEGV' | 'SIGABRT';
  interface ProcessEnv {
    [name: string]: string | undefined;
  }
  interface ReadableStream {
    readonly readable: boolean;
    read(size?: number): string | Buffer;
    [Symbol.asyncIterator](): AsyncIterableIterator<string | Buffer>;
  }
}

interface SymbolConstructor {
  readonly dispose: unique symbol;
  readonly asyncDispose: unique symbol;
}

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

interface ReadableStream<T = unknown> {
  getReader(): { read(): Promise<{ done: boolean; value?: T }> };
}
declare class Blob {
  constructor(parts?: readonly unknown[]);
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}
declare class URL {
  constructor(url: string, base?: string | URL);
  readonly href: string;
}
declare const console: { log(...values: unknown[]): void };
declare const process: { readonly env: NodeJS.ProcessEnv };
declare function require(name: string): unknown;

declare module 'node:stream' {
  export class Readable implements NodeJS.ReadableStream {
    readonly readable: boolean;
    read(size?: number): any;
    destroy(error?: Error): this;
    pipe<T extends Writable>(destination: T): T;
    [Symbol.asyncIterator](): AsyncIterableIterator<any>;
  }
  export class Writable {
    write(chunk: unknown): boolean;
    end(): this;
  }
}
declare module 'node:stream/promises' {
  import type { Readable, Writable } from 'node:stream';
  export function pipeline(source: Readable, target: Writable): Promise<void>;
}
declare module 'node:fs' {
  import type { Writable } from 'node:stream';
  export function createWriteStream(path: string): Writable;
}
