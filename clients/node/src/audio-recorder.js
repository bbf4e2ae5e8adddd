// Recorders of the audio of one device into one file.

import { onAbort } from './abort.js';
import { absolute } from './blob.js';
import { AudioRecorderCalls } from './calls.js';
import { OperationNotAllowedError } from './errors.js';
import { checked } from './options.js';
import { send } from './remote.js';
import { MediaTime, timeOrNone } from './time.js';
import { errorFromWire } from './wire-errors.js';

export class AudioRecorder extends AudioRecorderCalls {
  #end;

  constructor(transport, handle, file) {
    super(transport, handle);
    this.path = file;
  }

  async record(options) {
    const { atHostTime, forDuration, signal } = checked('audioRecorder.record', options);
    const params = {
      audioRecorder: this.handle,
      atHostTime: timeOrNone(atHostTime),
      forDuration: timeOrNone(forDuration),
    };
    const operation = await this.transport.start('audioRecorder/record', params, { signal });
    // A continued recording has the end of the paused one.
    this.#end = ended(operation);
    // A caller that doesn't wait for it gets no error of the end of the engine.
    this.#end.catch(() => {});
  }

  async stop(options) {
    const { signal } = checked('audioRecorder.stop', options);
    await this[send]('audioRecorder/stop', { audioRecorder: this.handle }, { signal });
    return this.#end && this.untilFinished({ signal });
  }

  async untilFinished(options) {
    const { signal } = checked('audioRecorder.untilFinished', options);
    if (!this.#end) {
      throw new OperationNotAllowedError('nothing has been recorded', {
        code: -11862,
        name: 'operationNotAllowed',
        hint: 'Start it with record().',
      });
    }
    const { successfully, recordedDuration, dropped = [], error } = await unlessAborted(
      this.transport.whileWaiting(this.#end),
      signal,
    );
    const duration = MediaTime.of(recordedDuration);
    if (error && duration.value === 0n) throw errorFromWire(error);
    return {
      path: this.path,
      successfully,
      duration,
      losses: dropped,
      error: errorFromWire(error),
    };
  }
}

/** The params of the end of an operation. */
async function ended(operation) {
  for (;;) {
    const { method, params } = await operation.next();
    if (method === operation.terminal) return params;
  }
}

/** The value of a promise, or the reason of a signal that is aborted before. */
async function unlessAborted(promise, signal) {
  signal?.throwIfAborted();
  let stop;
  const abortion = new Promise((_, reject) => {
    stop = onAbort(signal, reject);
  });
  try {
    return await Promise.race([promise, abortion]);
  } finally {
    stop();
  }
}

export async function madeAudioRecorder(transport, output, options) {
  const { signal, ...rest } = checked('audioRecorder', options);
  const file = absolute(output);
  const params = { url: file, ...rest };
  const { audioRecorder } = await transport.request('audioRecorder/create', params, { signal });
  return new AudioRecorder(transport, audioRecorder, file);
}
