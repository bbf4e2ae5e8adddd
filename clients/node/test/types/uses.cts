// The same by `require`, in TypeScript.

import reelwire = require('reelwire');
import { Engine, MediaTime } from 'reelwire';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const is = <T extends true>(): T | undefined => undefined;

export async function opening(): Promise<number> {
  const engine: Engine = await reelwire.Engine.launch();
  const asset = await engine.open('clip.mp4');
  const { duration } = await asset.load('duration');
  is<Same<typeof duration, MediaTime>>();
  // @ts-expect-error: a property that there isn't.
  console.log(asset.lenght);
  return duration.seconds;
}
