// The calls that are on the wire as they are here, for each kind of object.
//
// Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.
//
// A class `…Calls` is the base of an object's own class. Calls that need more than that are written
// by hand in the object's module.

import { Loudness, SceneChanges, Silences } from './analysis.js';
import { absolute, blobOf, deliveryToWire, folderPath, imageDelivery } from './blob.js';
import { ContactSheet } from './contact-sheet.js';
import { estimateOf, preflightOf, stateOf } from './export-result.js';
import { TrackSegment } from './keys.js';
import { MediaSelectionGroup } from './media-selection.js';
import { metadataItems } from './metadata.js';
import { done } from './operation.js';
import { checked } from './options.js';
import { before, job, made, Remote, send, worked, written } from './remote.js';
import { chunkOf, Sample } from './sample.js';
import { MediaTime, rangeOrNone, timeOrNone, TimeRange } from './time.js';
import { Waveform } from './waveform.js';
import { cursorPosition, listOf, readerStateOf, trackIDOf } from './wire.js';
import { errorFromWire } from './wire-errors.js';

export class EngineCalls {
  async discover(options) {
    const { signal } = checked('discover', options);
    return this[send]('rpc.discover', undefined, { signal });
  }

  async capabilities(options) {
    const { signal } = checked('capabilities', options);
    return this[send]('engine/capabilities', undefined, { signal });
  }

  async stats(options) {
    const { signal } = checked('stats', options);
    return this[send]('engine/stats', undefined, { signal });
  }

  async hostTime(options) {
    const { signal } = checked('hostTime', options);
    const result = await this[send]('engine/hostTime', undefined, { signal });
    return { ...result, hostTime: MediaTime.of(result.hostTime) };
  }

  async setLogLevel(level, options) {
    const { signal } = checked('setLogLevel', options);
    await this[send]('engine/setLogLevel', { level }, { signal });
  }

  async handles(options) {
    const { signal } = checked('handles', options);
    const result = await this[send]('handle/list', undefined, { signal });
    return result.handles;
  }

  async validateVideoComposition(videoComposition, options = {}) {
    const { asset, timeRange, signal } = checked('validateVideoComposition', options);
    return this[send](
      'videoComposition/validate',
      { videoComposition, asset: asset?.handle, timeRange: rangeOrNone(timeRange) },
      { signal },
    );
  }

  async layerRamp(layerInstruction, kind, time, options) {
    const { signal } = checked('layerRamp', options);
    const result = await this[send](
      'videoComposition/ramp',
      { layerInstruction, kind, time: MediaTime.of(time) },
      { signal },
    );
    return result.ramp;
  }

  async volumeRamp(audioMix, track, time, options) {
    const { signal } = checked('volumeRamp', options);
    const result = await this[send](
      'audioMix/volumeRamp',
      { audioMix, trackID: trackIDOf(track), time: MediaTime.of(time) },
      { signal },
    );
    return result.ramp;
  }

  async presets(options) {
    const { signal } = checked('presets', options);
    const result = await this[send]('exportSession/presets', undefined, { signal });
    return result.presets;
  }

  async canAddInput(outputFileType, input, options) {
    const { signal } = checked('canAddInput', options);
    const result = await this[send](
      'assetWriter/canAdd',
      { outputFileType, input: this[written]('input', input) },
      { signal },
    );
    return result.reasons;
  }

  async authorizationStatus(mediaType, options) {
    const { signal } = checked('authorizationStatus', options);
    const result = await this[send]('capture/authorizationStatus', { mediaType }, { signal });
    return result.status;
  }

  async devices(options = {}) {
    const { mediaType, direction, signal } = checked('devices', options);
    return this[send]('capture/devices', { mediaType, direction }, { signal });
  }

  async observeDevices(isObserving, options) {
    const { signal } = checked('observeDevices', options);
    await this[send]('capture/observeDevices', { isObserving }, { signal });
  }
}

export class AssetCalls extends Remote {
  async cancelLoading(options) {
    const { signal } = checked('cancelLoading', options);
    await this[send]('asset/cancelLoading', { asset: this.handle }, { signal });
  }

  async findUnusedTrackID(options) {
    const { signal } = checked('findUnusedTrackID', options);
    const result = await this[send]('asset/findUnusedTrackID', { asset: this.handle }, { signal });
    return result.trackID;
  }

  async loadMetadata(options = {}) {
    const {
      track, format, identifier, key, keySpace, commonKey, preferredLanguages, forSharing, signal,
    } = checked('loadMetadata', options);
    const result = await this[send](
      'asset/metadata',
      {
        asset: this.handle,
        trackID: trackIDOf(track),
        format,
        identifier,
        key,
        keySpace,
        commonKey,
        preferredLanguages: listOf(preferredLanguages),
        forSharing,
        delivery: deliveryToWire(options),
      },
      { signal },
    );
    return metadataItems(this.transport, result.metadata);
  }

  async mediaSelectionGroup(mediaCharacteristic, options = {}) {
    const {
      playable, withMediaCharacteristics, withoutMediaCharacteristics, preferredLanguages, signal,
    } = checked('mediaSelectionGroup', options);
    const result = await this[send](
      'asset/mediaSelectionGroup',
      {
        asset: this.handle,
        mediaCharacteristic,
        playable,
        withMediaCharacteristics: listOf(withMediaCharacteristics),
        withoutMediaCharacteristics: listOf(withoutMediaCharacteristics),
        preferredLanguages: listOf(preferredLanguages),
      },
      { signal },
    );
    return result.group && new MediaSelectionGroup(result.group);
  }

  async videoComposition(options = {}) {
    const { prototype, signal } = checked('videoComposition', options);
    const result = await this[send](
      'videoComposition/withPropertiesOf',
      { asset: this.handle, prototype },
      { signal },
    );
    return result.videoComposition;
  }

  async compatiblePresets(options = {}) {
    const { outputFileType, signal } = checked('compatiblePresets', options);
    const result = await this[send](
      'exportSession/compatiblePresets',
      { asset: this.handle, outputFileType },
      { signal },
    );
    return result.presets;
  }

  async incompatiblePresets(options = {}) {
    const { outputFileType, signal } = checked('incompatiblePresets', options);
    const result = await this[send](
      'exportSession/compatiblePresets',
      { asset: this.handle, outputFileType, explain: true },
      { signal },
    );
    return Object.fromEntries((result.incompatible ?? []).map((each) => [each.preset, each.reason]));
  }

  async compatibleFileTypes(preset, options) {
    const { signal } = checked('compatibleFileTypes', options);
    const result = await this[send](
      'exportSession/compatibleFileTypes',
      { asset: this.handle, preset },
      { signal },
    );
    return result.fileTypes;
  }

  async incompatibleFileTypes(preset, options) {
    const { signal } = checked('incompatibleFileTypes', options);
    const result = await this[send](
      'exportSession/compatibleFileTypes',
      { asset: this.handle, preset, explain: true },
      { signal },
    );
    return Object.fromEntries((result.incompatible ?? []).map((each) => [each.fileType, each.reason]));
  }

  async sampleCursor(track, position = 'first', options) {
    const { signal } = checked('sampleCursor', options);
    const result = await this[send](
      'sampleCursor/create',
      { asset: this.handle, trackID: trackIDOf(track), position: cursorPosition(position) },
      { signal },
    );
    return this[made]('sampleCursor', result);
  }

  async waveform(options = {}) {
    const {
      track, audioMix, timeRange, audioTimePitchAlgorithm, count, format, width, height, color,
      backgroundColor, quality, onProgress, signal,
    } = checked('waveform', options);
    const end = await done(
      this.transport,
      'waveform/generate',
      {
        asset: this.handle,
        trackID: trackIDOf(track),
        audioMix,
        timeRange: rangeOrNone(timeRange),
        audioTimePitchAlgorithm,
        count,
        format,
        width,
        height,
        color,
        backgroundColor,
        quality,
        delivery: deliveryToWire(options),
      },
      { signal, onProgress, title: 'waveform' },
    );
    return new Waveform(end, await blobOf(this.transport, end.image));
  }

  async sceneChanges(options = {}) {
    const {
      track, timeRange, sensitivity, minimumDuration, onProgress, signal,
    } = checked('sceneChanges', options);
    const end = await done(
      this.transport,
      'analysis/sceneChanges',
      {
        asset: this.handle,
        trackID: trackIDOf(track),
        timeRange: rangeOrNone(timeRange),
        sensitivity,
        minimumDuration: timeOrNone(minimumDuration),
      },
      { signal, onProgress, title: 'scene changes' },
    );
    return new SceneChanges(end);
  }

  async silences(options = {}) {
    const {
      track, audioMix, timeRange, threshold, minimumDuration, onProgress, signal,
    } = checked('silences', options);
    const end = await done(
      this.transport,
      'analysis/silences',
      {
        asset: this.handle,
        trackID: trackIDOf(track),
        audioMix,
        timeRange: rangeOrNone(timeRange),
        threshold,
        minimumDuration: timeOrNone(minimumDuration),
      },
      { signal, onProgress, title: 'silences' },
    );
    return new Silences(end);
  }

  async loudness(options = {}) {
    const { track, audioMix, timeRange, onProgress, signal } = checked('loudness', options);
    const end = await done(
      this.transport,
      'analysis/loudness',
      {
        asset: this.handle,
        trackID: trackIDOf(track),
        audioMix,
        timeRange: rangeOrNone(timeRange),
      },
      { signal, onProgress, title: 'loudness' },
    );
    return new Loudness(end);
  }
}

export class TrackCalls {
  async segment(trackTime, options) {
    const { signal } = checked('segment', options);
    const result = await this[send](
      'track/segment',
      { trackTime: MediaTime.of(trackTime) },
      { signal },
    );
    return result.segment && new TrackSegment(result.segment);
  }

  async samplePresentationTime(trackTime, options) {
    const { signal } = checked('samplePresentationTime', options);
    const result = await this[send](
      'track/samplePresentationTime',
      { trackTime: MediaTime.of(trackTime) },
      { signal },
    );
    return MediaTime.of(result.time);
  }

  async associatedTracks(associationType) {
    const result = await this[send]('track/associatedTracks', { associationType });
    return this[made]('associatedTracks', result);
  }
}

export class CompositionCalls extends Remote {
  async openTimelineIO(options = {}) {
    const { relativeTo, signal } = checked('openTimelineIO', options);
    return this[send](
      'composition/openTimelineIO',
      { composition: this.handle, relativeTo },
      { signal },
    );
  }

  async copy(options) {
    const { signal } = checked('copy', options);
    const result = await this[send]('composition/copy', { composition: this.handle }, { signal });
    return this[made]('copy', result);
  }

  async timeline(options) {
    const { signal } = checked('timeline', options);
    const result = await this[send](
      'composition/timeline',
      { composition: this.handle },
      { signal },
    );
    return result.timeline;
  }

  async timelineLosses(options) {
    const { signal } = checked('timelineLosses', options);
    const result = await this[send](
      'composition/timeline',
      { composition: this.handle },
      { signal },
    );
    return result.losses;
  }

  async set(options = {}) {
    const {
      naturalSize, audioMix, videoComposition, subtitleTracks, signal,
    } = checked('composition.set', options);
    const result = await this[send](
      'composition/set',
      {
        composition: this.handle,
        naturalSize,
        audioMix,
        videoComposition,
        subtitleTracks: listOf(subtitleTracks),
      },
      { signal },
    );
    return { ...result, duration: MediaTime.of(result.duration) };
  }

  async addTrack(mediaType, options = {}) {
    const { preferredTrackID, signal } = checked('addTrack', options);
    const result = await this[send](
      'composition/addTrack',
      { composition: this.handle, mediaType, preferredTrackID },
      { signal },
    );
    return { ...result, duration: MediaTime.of(result.duration) };
  }

  async removeTrack(track, options) {
    const { signal } = checked('removeTrack', options);
    const result = await this[send](
      'composition/removeTrack',
      { composition: this.handle, trackID: trackIDOf(track) },
      { signal },
    );
    return { ...result, duration: MediaTime.of(result.duration) };
  }

  async setTrack(track, options = {}) {
    const {
      isEnabled, naturalTimeScale, languageCode, extendedLanguageTag, preferredTransform,
      preferredVolume, signal,
    } = checked('setTrack', options);
    const result = await this[send](
      'composition/setTrack',
      {
        composition: this.handle,
        trackID: trackIDOf(track),
        isEnabled,
        naturalTimeScale,
        languageCode,
        extendedLanguageTag,
        preferredTransform,
        preferredVolume,
      },
      { signal },
    );
    return { ...result, duration: MediaTime.of(result.duration) };
  }

  async compatibleTrack(asset, assetTrackID, options) {
    const { signal } = checked('compatibleTrack', options);
    const result = await this[send](
      'composition/compatibleTrack',
      { composition: this.handle, asset: asset.handle, assetTrackID },
      { signal },
    );
    return result.trackID;
  }

  async insertTimeRange(asset, options = {}) {
    const {
      timeRange, at, track, assetTrackID, tracks, clamp, playback, speedRamp, signal,
    } = checked('insertTimeRange', options);
    const result = await this[send](
      'composition/insertTimeRange',
      {
        composition: this.handle,
        asset: asset.handle,
        timeRange: rangeOrNone(timeRange),
        at: timeOrNone(at),
        trackID: trackIDOf(track),
        assetTrackID,
        tracks,
        clamp,
        playback,
        speedRamp: listOf(speedRamp),
      },
      { signal },
    );
    return { ...result, timeRange: TimeRange.of(result.timeRange), duration: MediaTime.of(result.duration) };
  }

  async insertTimeRanges(track, items, options = {}) {
    const { at, clamp, signal } = checked('insertTimeRanges', options);
    const result = await this[send](
      'composition/insertTimeRanges',
      {
        composition: this.handle,
        trackID: trackIDOf(track),
        items: Array.from(items, (each) => this[written]('items', each)),
        at: timeOrNone(at),
        clamp,
      },
      { signal },
    );
    return { ...result, timeRange: TimeRange.of(result.timeRange), duration: MediaTime.of(result.duration) };
  }

  async insertEmptyTimeRange(timeRange, options = {}) {
    const { track, signal } = checked('insertEmptyTimeRange', options);
    const result = await this[send](
      'composition/insertEmptyTimeRange',
      { composition: this.handle, timeRange: TimeRange.of(timeRange), trackID: trackIDOf(track) },
      { signal },
    );
    return { ...result, duration: MediaTime.of(result.duration) };
  }

  async removeTimeRange(timeRange, options = {}) {
    const { track, signal } = checked('removeTimeRange', options);
    const result = await this[send](
      'composition/removeTimeRange',
      { composition: this.handle, timeRange: TimeRange.of(timeRange), trackID: trackIDOf(track) },
      { signal },
    );
    return { ...result, duration: MediaTime.of(result.duration) };
  }

  async scaleTimeRange(timeRange, toDuration, options = {}) {
    const { track, signal } = checked('scaleTimeRange', options);
    const result = await this[send](
      'composition/scaleTimeRange',
      {
        composition: this.handle,
        timeRange: TimeRange.of(timeRange),
        toDuration: MediaTime.of(toDuration),
        trackID: trackIDOf(track),
      },
      { signal },
    );
    return { ...result, duration: MediaTime.of(result.duration) };
  }

  async segments(track, options) {
    const { signal } = checked('segments', options);
    const result = await this[send](
      'composition/segments',
      { composition: this.handle, trackID: trackIDOf(track) },
      { signal },
    );
    return this[made]('segments', result);
  }

  async setSegments(track, segments, options) {
    const { signal } = checked('setSegments', options);
    const result = await this[send](
      'composition/setSegments',
      {
        composition: this.handle,
        trackID: trackIDOf(track),
        segments: Array.from(segments, (each) => this[written]('segments', each)),
      },
      { signal },
    );
    return { ...result, duration: MediaTime.of(result.duration) };
  }

  async validateSegments(track, segments, options) {
    const { signal } = checked('validateSegments', options);
    const result = await this[send](
      'composition/validateSegments',
      {
        composition: this.handle,
        trackID: trackIDOf(track),
        segments: Array.from(segments, (each) => this[written]('segments', each)),
      },
      { signal },
    );
    return result.problems;
  }
}

export class ImageGeneratorCalls extends Remote {
  async image(time, options = {}) {
    const { format, quality, signal } = checked('imageGenerator.image', options);
    const result = await this[send](
      'imageGenerator/generateImage',
      {
        imageGenerator: this.handle,
        time: timeOrNone(time),
        format,
        quality,
        delivery: imageDelivery(options),
      },
      { signal },
    );
    return this[made]('image', result);
  }

  async contactSheet(options = {}) {
    const {
      columns, rows, count, times, timeRange, tileWidth, spacing, showsTimes, format, quality,
      imageName, onProgress, signal,
    } = checked('imageGenerator.contactSheet', options);
    const end = await done(
      this.transport,
      'imageGenerator/contactSheet',
      {
        imageGenerator: this.handle,
        columns,
        rows,
        count,
        times: times && Array.from(times, (each) => MediaTime.of(each)),
        timeRange: rangeOrNone(timeRange),
        tileWidth,
        spacing,
        showsTimes,
        format,
        quality,
        delivery: imageDelivery(options),
        imageName,
      },
      { signal, onProgress, title: 'contact sheet' },
    );
    return new ContactSheet(end, await blobOf(this.transport, end.image));
  }

  async cancelAll(options) {
    const { signal } = checked('cancelAll', options);
    await this[send]('imageGenerator/cancelAll', { imageGenerator: this.handle }, { signal });
  }
}

export class ExportSessionCalls extends Remote {
  async preflight(options) {
    const { signal } = checked('preflight', options);
    const result = await this[send](
      'exportSession/preflight',
      { exportSession: this.handle },
      { signal },
    );
    return preflightOf(result);
  }

  async estimate(options) {
    const { signal } = checked('estimate', options);
    const result = await this[send](
      'exportSession/estimate',
      { exportSession: this.handle },
      { signal },
    );
    return estimateOf(result);
  }

  async plan(options = {}) {
    const { partCount, minimumPartDuration, threadCount, signal } = checked('plan', options);
    const result = await this[send](
      'exportSession/plan',
      {
        exportSession: this.handle,
        partCount,
        minimumPartDuration: timeOrNone(minimumPartDuration),
        threadCount,
      },
      { signal },
    );
    return result.plan;
  }

  exportPart(plan, part, output, options = {}) {
    const params = () => ({ plan, part, outputURL: absolute(output) });
    return this[job]('exportSession.exportPart', 'exportSession/exportPart', params, options);
  }

  join(plan, parts, options = {}) {
    const params = () => ({ plan, partURLs: Array.from(parts, (each) => absolute(each)) });
    return this[job]('exportSession.join', 'exportSession/join', params, options);
  }

  async status(options) {
    const { signal } = checked('exportSession.status', options);
    const result = await this[send](
      'exportSession/status',
      { exportSession: this.handle },
      { signal },
    );
    return stateOf(result);
  }

  async cancel(options) {
    const { signal } = checked('cancel', options);
    await this[send]('exportSession/cancel', { exportSession: this.handle }, { signal });
  }
}

export class AssetReaderCalls extends Remote {
  async status(options) {
    const { signal } = checked('assetReader.status', options);
    const result = await this[send]('assetReader/status', { assetReader: this.handle }, { signal });
    return readerStateOf(result);
  }
}

export class OutputCalls {
  async markConfigurationAsFinal(options) {
    const { signal } = checked('markConfigurationAsFinal', options);
    await this[send]('assetReader/markConfigurationAsFinal', { output: this.handle }, { signal });
  }
}

export class AssetWriterCalls extends Remote {
  async endSession(sourceTime, options) {
    const { signal } = checked('endSession', options);
    await this[send](
      'assetWriter/endSession',
      { assetWriter: this.handle, sourceTime: MediaTime.of(sourceTime) },
      { signal },
    );
  }

  async flushSegment() {
    await this[before]('flushSegment');
    await this[send]('assetWriter/flushSegment', { assetWriter: this.handle });
  }

  async status() {
    const result = await this[send]('assetWriter/status', { assetWriter: this.handle });
    return this[made]('status', result);
  }
}

export class SampleCursorCalls extends Remote {
  async step(count = 1, order = 'decode', options) {
    const { signal } = checked('sampleCursor.step', options);
    const result = await this[send](
      'sampleCursor/step',
      { sampleCursor: this.handle, count, order },
      { signal },
    );
    return result.stepped;
  }

  async stepByTime(by, order = 'presentation', options) {
    const { signal } = checked('stepByTime', options);
    const result = await this[send](
      'sampleCursor/stepByTime',
      { sampleCursor: this.handle, by: MediaTime.of(by), order },
      { signal },
    );
    return { moved: MediaTime.of(result.moved), wasPinned: result.wasPinned };
  }

  async sample(options) {
    const { signal } = checked('sample', options);
    const result = await this[send](
      'sampleCursor/sample',
      { sampleCursor: this.handle },
      { signal },
    );
    return new Sample(result.sample);
  }

  async read(options = {}) {
    const { maxCount, order, signal } = checked('read', options);
    const result = await this[send](
      'sampleCursor/samples',
      { sampleCursor: this.handle, maxCount, order },
      { signal },
    );
    return { ...result, samples: result.samples.map((each) => new Sample(each)) };
  }

  async chunk(options) {
    const { signal } = checked('chunk', options);
    const result = await this[send](
      'sampleCursor/chunk',
      { sampleCursor: this.handle },
      { signal },
    );
    return chunkOf(result);
  }

  async copy() {
    const result = await this[send]('sampleCursor/copy', { sampleCursor: this.handle });
    return this[made]('copy', result);
  }

  async compare(other, options) {
    const { signal } = checked('compare', options);
    const result = await this[send](
      'sampleCursor/compare',
      { lhs: this.handle, rhs: other.handle },
      { signal },
    );
    return result.order;
  }

  async hasEarlierDecodedPresentedLater(other) {
    const result = await this[send](
      'sampleCursor/reordering',
      { sampleCursor: this.handle, to: other.handle },
    );
    return result.hasEarlierDecodedPresentedLater;
  }

  async hasLaterDecodedPresentedEarlier(other) {
    const result = await this[send](
      'sampleCursor/reordering',
      { sampleCursor: this.handle, to: other.handle },
    );
    return result.hasLaterDecodedPresentedEarlier;
  }
}

export class PlayerCalls extends Remote {
  async play(options) {
    const { signal } = checked('player.play', options);
    return this[send]('player/play', { player: this.handle }, { signal });
  }

  async pause(options) {
    const { signal } = checked('player.pause', options);
    return this[send]('player/pause', { player: this.handle }, { signal });
  }

  async setRate(rate, options = {}) {
    const { time, atHostTime, immediately, signal } = checked('setRate', options);
    return this[send](
      'player/setRate',
      {
        player: this.handle,
        rate,
        time: timeOrNone(time),
        atHostTime: timeOrNone(atHostTime),
        immediately,
      },
      { signal },
    );
  }

  async state(options) {
    const { signal } = checked('player.state', options);
    const result = await this[send]('player/state', { player: this.handle }, { signal });
    return { ...result, error: errorFromWire(result.error), time: MediaTime.of(result.time), hostTime: MediaTime.of(result.hostTime) };
  }

  async cancelPendingSeeks(options) {
    const { signal } = checked('cancelPendingSeeks', options);
    const result = await this[send](
      'player/cancelPendingSeeks',
      { player: this.handle },
      { signal },
    );
    return result.cancelled;
  }

  async cancelPendingPrerolls(options) {
    const { signal } = checked('cancelPendingPrerolls', options);
    const result = await this[send](
      'player/cancelPendingPrerolls',
      { player: this.handle },
      { signal },
    );
    return result.cancelled;
  }

  async remove(playerItem, options) {
    const { signal } = checked('remove', options);
    await this[send](
      'player/remove',
      { player: this.handle, playerItem: playerItem.handle },
      { signal },
    );
  }

  async removeAllItems(options) {
    const { signal } = checked('removeAllItems', options);
    await this[send]('player/removeAllItems', { player: this.handle }, { signal });
  }

  async finishAudioFile(options) {
    const { signal } = checked('player.finishAudioFile', options);
    return this[send]('player/finishAudioFile', { player: this.handle }, { signal });
  }
}

export class PlayerItemCalls extends Remote {
  async select(characteristic, options = {}) {
    const { track, signal } = checked('select', options);
    await this[send](
      'playerItem/select',
      { playerItem: this.handle, characteristic, trackID: trackIDOf(track) },
      { signal },
    );
  }

  async state(options) {
    const { signal } = checked('playerItem.state', options);
    const result = await this[send]('playerItem/state', { playerItem: this.handle }, { signal });
    return { ...result, error: errorFromWire(result.error), duration: MediaTime.of(result.duration), time: MediaTime.of(result.time), loadedTimeRanges: result.loadedTimeRanges.map((each) => TimeRange.of(each)), seekableTimeRanges: result.seekableTimeRanges.map((each) => TimeRange.of(each)) };
  }

  async step(count, options) {
    const { signal } = checked('playerItem.step', options);
    const result = await this[send](
      'playerItem/step',
      { playerItem: this.handle, count },
      { signal },
    );
    return { ...result, time: MediaTime.of(result.time) };
  }
}

export class VideoOutputCalls extends Remote {
  async hasNewPixelBuffer(options = {}) {
    const { itemTime, hostTime, signal } = checked('hasNewPixelBuffer', options);
    const result = await this[send](
      'videoOutput/hasNewPixelBuffer',
      { videoOutput: this.handle, itemTime: timeOrNone(itemTime), hostTime: timeOrNone(hostTime) },
      { signal },
    );
    return { ...result, itemTime: MediaTime.of(result.itemTime) };
  }

  async itemTime(hostTime, options) {
    const { signal } = checked('itemTime', options);
    const result = await this[send](
      'videoOutput/itemTime',
      { videoOutput: this.handle, hostTime: MediaTime.of(hostTime) },
      { signal },
    );
    return MediaTime.of(result.itemTime);
  }

  async requestNotificationOfMediaDataChange(advanceInterval, options) {
    const { signal } = checked('requestNotificationOfMediaDataChange', options);
    await this[send](
      'videoOutput/requestNotificationOfMediaDataChange',
      { videoOutput: this.handle, advanceInterval: MediaTime.of(advanceInterval) },
      { signal },
    );
  }
}

export class PlayerLooperCalls extends Remote {
  async state(options) {
    const { signal } = checked('playerLooper.state', options);
    const result = await this[send](
      'playerLooper/state',
      { playerLooper: this.handle },
      { signal },
    );
    return { ...result, error: errorFromWire(result.error) };
  }

  async disable(options) {
    const { signal } = checked('disable', options);
    await this[send]('playerLooper/disable', { playerLooper: this.handle }, { signal });
  }
}

export class AudioPlayerCalls extends Remote {
  async prepareToPlay(options) {
    const { signal } = checked('prepareToPlay', options);
    await this[send]('audioPlayer/prepareToPlay', { audioPlayer: this.handle }, { signal });
  }

  async play(options = {}) {
    const { atHostTime, signal } = checked('audioPlayer.play', options);
    await this[send](
      'audioPlayer/play',
      { audioPlayer: this.handle, atHostTime: timeOrNone(atHostTime) },
      { signal },
    );
  }

  async pause(options) {
    const { signal } = checked('audioPlayer.pause', options);
    await this[send]('audioPlayer/pause', { audioPlayer: this.handle }, { signal });
  }

  async stop(options) {
    const { signal } = checked('stop', options);
    await this[send]('audioPlayer/stop', { audioPlayer: this.handle }, { signal });
  }

  async set(options = {}) {
    const {
      volume, fadeDuration, pan, rate, numberOfLoops, currentTime, signal,
    } = checked('audioPlayer.set', options);
    await this[send](
      'audioPlayer/set',
      {
        audioPlayer: this.handle,
        volume,
        fadeDuration: timeOrNone(fadeDuration),
        pan,
        rate,
        numberOfLoops,
        currentTime: timeOrNone(currentTime),
      },
      { signal },
    );
  }

  async state(options) {
    const { signal } = checked('audioPlayer.state', options);
    const result = await this[send]('audioPlayer/state', { audioPlayer: this.handle }, { signal });
    return { ...result, currentTime: MediaTime.of(result.currentTime), deviceCurrentTime: MediaTime.of(result.deviceCurrentTime), duration: MediaTime.of(result.duration) };
  }

  async meters(options) {
    const { signal } = checked('meters', options);
    const result = await this[send]('audioPlayer/meters', { audioPlayer: this.handle }, { signal });
    return { ...result, hostTime: MediaTime.of(result.hostTime) };
  }

  async finishAudioFile(options) {
    const { signal } = checked('audioPlayer.finishAudioFile', options);
    return this[send]('audioPlayer/finishAudioFile', { audioPlayer: this.handle }, { signal });
  }
}

export class CaptureSessionCalls extends Remote {
  async state() {
    const result = await this[send]('captureSession/state', { captureSession: this.handle });
    return { ...result, time: MediaTime.of(result.time) };
  }

  async advanceClock(by, options) {
    const { signal } = checked('advanceClock', options);
    const result = await this[send](
      'captureSession/advanceClock',
      { captureSession: this.handle, by: MediaTime.of(by) },
      { signal },
    );
    return { ...result, time: MediaTime.of(result.time) };
  }
}

export class CaptureOutputCalls extends Remote {
  async stopRecording(options) {
    const { signal } = checked('stopRecording', options);
    await this[send]('captureOutput/stopRecording', { captureOutput: this.handle }, { signal });
  }

  async pauseRecording(options) {
    const { signal } = checked('pauseRecording', options);
    await this[send]('captureOutput/pauseRecording', { captureOutput: this.handle }, { signal });
  }

  async resumeRecording(options) {
    const { signal } = checked('resumeRecording', options);
    await this[send]('captureOutput/resumeRecording', { captureOutput: this.handle }, { signal });
  }

  async recordingState(options) {
    const { signal } = checked('recordingState', options);
    const result = await this[send](
      'captureOutput/recordingState',
      { captureOutput: this.handle },
      { signal },
    );
    return { ...result, recordedDuration: MediaTime.of(result.recordedDuration) };
  }

  async levels() {
    const result = await this[send]('captureOutput/levels', { captureOutput: this.handle });
    return { ...result, time: MediaTime.of(result.time) };
  }
}

export class AudioRecorderCalls extends Remote {
  async prepareToRecord(options) {
    const { signal } = checked('audioRecorder.prepareToRecord', options);
    await this[send]('audioRecorder/prepareToRecord', { audioRecorder: this.handle }, { signal });
  }

  async pause(options) {
    const { signal } = checked('audioRecorder.pause', options);
    await this[send]('audioRecorder/pause', { audioRecorder: this.handle }, { signal });
  }

  async deleteRecording(options) {
    const { signal } = checked('deleteRecording', options);
    await this[send]('audioRecorder/deleteRecording', { audioRecorder: this.handle }, { signal });
  }

  async state(options) {
    const { signal } = checked('audioRecorder.state', options);
    const result = await this[send](
      'audioRecorder/state',
      { audioRecorder: this.handle },
      { signal },
    );
    return { ...result, currentTime: MediaTime.of(result.currentTime), deviceCurrentTime: MediaTime.of(result.deviceCurrentTime) };
  }

  async meters(options) {
    const { signal } = checked('audioRecorder.meters', options);
    const result = await this[send](
      'audioRecorder/meters',
      { audioRecorder: this.handle },
      { signal },
    );
    return { ...result, time: MediaTime.of(result.time) };
  }

  async advanceClock(by, options) {
    const { signal } = checked('audioRecorder.advanceClock', options);
    const result = await this[send](
      'audioRecorder/advanceClock',
      { audioRecorder: this.handle, by: MediaTime.of(by) },
      { signal },
    );
    return MediaTime.of(result.time);
  }
}

export class LibraryCalls extends Remote {
  async addFolder(path, options = {}) {
    const { excluded, followsSymbolicLinks, signal } = checked('library.addFolder', options);
    await this[send](
      'library/addFolder',
      {
        library: this.handle,
        path: folderPath(path),
        excluded: listOf(excluded),
        followsSymbolicLinks,
      },
      { signal },
    );
  }

  async removeFolder(path, options) {
    const { signal } = checked('library.removeFolder', options);
    await this[send](
      'library/removeFolder',
      { library: this.handle, path: folderPath(path) },
      { signal },
    );
  }

  async scan(options = {}) {
    const { folder, onProgress, signal } = checked('library.scan', options);
    const params = { library: this.handle, folder: folder && folderPath(folder) };
    return this[worked]('scan', 'library/scan', params, { signal, onProgress });
  }

  async cancelScan(options) {
    const { signal } = checked('cancelScan', options);
    await this[send]('library/cancelScan', { library: this.handle }, { signal });
  }

  async status(options) {
    const { signal } = checked('library.status', options);
    return this[send]('library/status', { library: this.handle }, { signal });
  }

  async collections(type, options) {
    const { signal } = checked('library.collections', options);
    const result = await this[send](
      'library/collections',
      { library: this.handle, type },
      { signal },
    );
    return this[made]('collections', result);
  }

  async changes(since, options) {
    const { signal } = checked('library.changes', options);
    return this[send]('library/changes', { library: this.handle, since }, { signal });
  }

  async duplicates(options) {
    const { onProgress, signal } = checked('library.duplicates', options);
    const params = { library: this.handle };
    return this[worked]('duplicates', 'library/duplicates', params, { signal, onProgress });
  }
}
