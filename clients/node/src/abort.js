// Abort signals. One signal may stand for thousands of requests: it gets one listener for all.

const callbacks = new WeakMap();

/** Calls back when a signal is aborted; the result ends that. The signal isn't aborted yet. */
export function onAbort(signal, callback) {
  if (!signal) return () => {};
  let waiting = callbacks.get(signal);
  if (!waiting) {
    callbacks.set(signal, (waiting = new Set()));
    const abort = () => {
      for (const each of [...waiting]) each(signal.reason);
    };
    waiting.abort = abort;
  }
  if (waiting.size === 0) signal.addEventListener('abort', waiting.abort, { once: true });
  // A function of its own, so that the same callback may be there twice.
  const entry = (reason) => callback(reason);
  waiting.add(entry);
  return () => {
    if (waiting.delete(entry) && waiting.size === 0) {
      signal.removeEventListener('abort', waiting.abort);
    }
  };
}
