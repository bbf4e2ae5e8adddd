// Hints of the engine for those who use this client: on the wire they name methods.

const calls = {
  'composition/create': 'engine.composition()',
  'composition/assemble': 'engine.assemble()',
  'composition/import': 'engine.importComposition()',
  'rpc.discover': 'engine.discover()',
  'asset/loadValues': 'asset.load()',
  'track/loadValues': 'track.load()',
  'asset/tracks': 'asset.loadTracks()',
  'assetReader/start': 'reader.start()',
  'exportSession/compatiblePresets': 'asset.compatiblePresets()',
  'handle/list': 'engine.handles()',
  'blob/release': 'release()',
};
const nouns =
  'asset|track|composition|imageGenerator|exportSession|assetReader|sampleCursor|waveform|engine|' +
  'handle|blob';
// Not within a path.
const method = new RegExp(`\\brpc\\.discover\\b|(?<![\\w/.'])(?:${nouns})/[a-z][A-Za-z]+\\b`, 'g');
const phrases = [
  ['raise --shm-max', 'start the engine with a larger --shm-max'],
  [/\bdata\.(libav|log|stage|errors)\b/g, 'error.data.$1'],
];

/** A hint of the engine's with this client's calls in place of methods. */
export function nodeHint(hint) {
  const reworded = phrases.reduce((text, [from, to]) => text.replace(from, to), hint);
  return reworded.replace(method, (name) => calls[name] ?? `${name.replace('/', '.')}()`);
}
