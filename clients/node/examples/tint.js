// An effect of this process's own on a clip: `node tint.js CLIP OUTPUT`.
//
// The engine decodes and encodes; each picture is drawn here. With sharp the function would be
//
//   async ({ sources: [[, { data, width, height }]] }) =>
//     sharp(data, { raw: { width, height, channels: 3 } }).tint('#ffcc88').raw().toBuffer()

import { Engine } from '../src/index.js';

const WEIGHTS = [256, 216, 160];

/** Takes blue and some green away. */
function tint({ sources, target }) {
  const [{ data }] = sources.values();
  for (let index = 0; index < data.length; index += 1) {
    target.data[index] = (data[index] * WEIGHTS[index % 3]) >> 8;
  }
}

const [source, output] = process.argv.slice(2);
if (!output) throw new Error('node tint.js CLIP OUTPUT');
const engine = await Engine.launch();
try {
  engine.compositor = tint;
  const asset = await engine.open(source);
  // Upright, for any transform of the file.
  const film = await engine.composition(asset);
  const { duration } = await film.load('duration');
  const own = await film.videoComposition();
  const videoComposition = {
    ...own,
    instructions: [{ ...own.instructions[0], timeRange: { start: 0, duration }, compositor: 'client' }],
  };
  await film.export(output, { preset: 'HighestQuality', videoComposition });
} finally {
  await engine.close();
}
