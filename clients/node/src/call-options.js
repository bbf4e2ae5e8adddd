// The options of those calls by name.
//
// Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.

export const CALL_OPTIONS = Object.freeze({
  discover: ['signal'],
  capabilities: ['signal'],
  stats: ['signal'],
  setLogLevel: ['signal'],
  handles: ['signal'],
  presets: ['signal'],
  cancelLoading: ['signal'],
  findUnusedTrackID: ['signal'],
  loadMetadata: [
    'track', 'format', 'identifier', 'key', 'keySpace', 'commonKey', 'preferredLanguages',
    'forSharing', 'delivery', 'path', 'signal',
  ],
  mediaSelectionGroup: [
    'playable', 'withMediaCharacteristics', 'withoutMediaCharacteristics',
    'preferredLanguages', 'signal',
  ],
  segment: ['signal'],
  samplePresentationTime: ['signal'],
  cancelAll: ['signal'],
  preflight: ['signal'],
  estimate: ['signal'],
  'exportSession.status': ['signal'],
  cancel: ['signal'],
  'assetReader.status': ['signal'],
  markConfigurationAsFinal: ['signal'],
  step: ['signal'],
  stepByTime: ['signal'],
  sample: ['signal'],
  read: ['maxCount', 'order', 'signal'],
  chunk: ['signal'],
  compare: ['signal'],
});
