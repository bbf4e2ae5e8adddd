import EngineProtocol
import JSONRPC
import Testing

/// A message with every member it can have: its params, and its result when it is a request.
struct Sample: Sendable, CustomTestStringConvertible {
  var type: any (Codable & Sendable).Type
  var method: String
  var params: String
  var result: (any (Codable & Sendable).Type)?
  var results: [String] = []

  init<Request: RequestType>(_ type: Request.Type, _ params: String, _ results: String...) {
    self.type = type
    method = type.method
    self.params = params
    result = Request.Result.self
    self.results = results
  }

  init<Sent: NotificationType>(_ type: Sent.Type, _ params: String) {
    self.type = type
    method = type.method
    self.params = params
  }

  var testDescription: String { method }
}

enum Samples {
  static let time = #"{"value": 1001, "timescale": 30000}"#
  static let range = #"{"start": {"value": 0, "timescale": 1}, "duration": "+infinity"}"#
  static let size = #"{"width": 1920, "height": 1080.5}"#
  static let error = #"""
    {"code": -11823, "message": "no", "data": {"name": "fileAlreadyExists", "hint": "do",
     "path": "/a", "handle": "asset:1", "key": "duration", "stage": "open",
     "libav": {"code": "AVERROR_EOF", "operation": "av_read_frame", "message": "End of file"},
     "log": ["a"], "errors": [{"path": "/a", "expected": "b", "got": "c", "code": -11824}], "reason": "r",
     "suggestion": "s"}}
    """#
  static let item = #"""
    {"identifier": "itsk/©nam", "key": "©nam", "keySpace": "itsk", "commonKey": "title",
     "extendedLanguageTag": "de", "locale": "de_AT", "time": \#(time), "duration": \#(time),
     "dataType": "public.utf8", "value": "x", "extraAttributes": {"name": "y"}}
    """#
  static let artwork = #"""
    {"identifier": "itsk/covr", "key": "covr", "keySpace": "itsk", "commonKey": "artwork",
     "value": {"data": "AA==", "blob": \#(inline), "size": 1, "mimeType": "image/png"}}
    """#
  static let segment = #"""
    {"timeMapping": {"source": \#(range), "target": \#(range)}, "isEmpty": false}
    """#
  static let option = #"""
    {"trackID": 2, "mediaType": "audio", "mediaSubTypes": ["mp4a"],
     "mediaCharacteristics": ["audible"], "isPlayable": true, "extendedLanguageTag": "de",
     "displayName": "de", "commonMetadata": [\#(item)]}
    """#
  static let selection =
    #"{"choices": [{"mediaCharacteristic": "audible", "trackID": 2}]}"#
  static let color =
    #"{"primaries": "bt709", "transfer": "bt709", "matrix": "bt709", "range": "limited"}"#
  static let plane = #"{"offset": 64, "bytesPerRow": 1920, "height": 1080}"#
  static let inline = #"{"kind": "inline", "size": 1, "mimeType": "image/png", "data": "AA=="}"#
  static let file = #"{"kind": "file", "size": 1, "mimeType": "image/png", "path": "/a.png"}"#
  static let shm = #"""
    {"kind": "shm", "size": 1, "mimeType": "image/png", "path": "/proc/1/fd/9", "offset": 64,
     "lease": "lease:5"}
    """#
  static let image = #"""
    {"width": 2, "height": 2, "format": "yuv420p", "blob": \#(inline), "planes": [\#(plane)],
     "color": \#(color), "chromaLocation": "left"}
    """#
  static let point = #"{"x": 0.3127, "y": 0.329}"#
  static let videoFormat = #"""
    {"dimensions": \#(size), "presentationDimensions": \#(size),
     "pixelAspectRatio": {"horizontalSpacing": 4, "verticalSpacing": 3},
     "cleanAperture": {"x": 0, "y": 0, "width": 704, "height": 576}, "fieldCount": 2,
     "fieldDetail": "temporalTopFirst", "fieldOrder": "tt", "bitsPerComponent": 8, "depth": 32,
     "pixelFormat": "yuv420p", "color": \#(color), "gammaLevel": 2.2, "chromaLocation": "left",
     "containsAlphaChannel": true, "alphaChannelMode": "straight",
     "masteringDisplayColorVolume": {"red": \#(point), "green": \#(point), "blue": \#(point),
       "whitePoint": \#(point), "minLuminance": 0.0001, "maxLuminance": 1000},
     "contentLightLevel": {"maxCLL": 1000, "maxFALL": 400},
     "ambientViewingEnvironment": {"illuminance": 314.0625, "light": \#(point)},
     "dolbyVision": {"versionMajor": 1, "versionMinor": 0, "profile": 8, "level": 6,
       "compatibilityID": 4, "isRPUPresent": true, "isEnhancementLayerPresent": false,
       "isBaseLayerPresent": true},
     "iccProfile": "AA==", "stereo3D": {"type": "side by side", "isInverted": false},
     "spherical": {"projection": "equirectangular", "yaw": 90, "pitch": 0, "roll": 0},
     "nalUnitHeaderLength": 4, "parameterSets": ["Z2Q=", "aO4="]}
    """#
  static let format = #"""
    {"mediaType": "video", "mediaSubType": "avc1", "codec": "h264", "formatName": "H.264", "profile": "High", "level": 40,
     "extradataSize": 1, "extradata": "AQ==", "sampleDescriptionExtensions": {"avcC": "AQ=="},
     "video": \#(videoFormat),
     "audio": {"sampleRate": 44100, "formatID": "aach", "formatFlags": 0, "bytesPerPacket": 0,
       "framesPerPacket": 2048, "bytesPerFrame": 0, "channelsPerFrame": 2, "bitsPerChannel": 0,
       "sourceBitDepth": 16, "channelLayout": "stereo", "channels": ["FL", "FR"],
       "initialPadding": 2112, "trailingPadding": 5, "seekPreroll": 3840,
       "formatList": [{"formatID": "aach", "sampleRate": 44100, "channelsPerFrame": 2,
         "framesPerPacket": 2048}]},
     "timecode": {"frameDuration": \#(time), "frameQuanta": 30, "isDropFrame": true,
       "is24HourMaximum": true, "areNegativeTimesAllowed": false, "isCounter": false,
       "startTimecode": "01:00:00;00"}}
    """#
  static let track = #"""
    {"trackID": 1, "mediaType": "video", "mediaSubType": "avc1",
     "mediaCharacteristics": ["visual", "frameBased"], "isEnabled": true, "isDecodable": true,
     "languageCode": "deu", "extendedLanguageTag": "de", "naturalSize": \#(size)}
    """#
  static let fileType = #"""
    {"type": "mp4", "name": "MPEG-4", "extensions": ["mp4"], "mimeTypes": ["video/mp4"],
     "canRead": true, "canWrite": true}
    """#
  static let storedSample = #"""
    {"index": 3, "presentationTime": \#(time), "presentationTimeInferred": true,
     "decodeTime": \#(time), "duration": "indefinite", "durationInferred": true, "size": 100,
     "storageRange": {"offset": "9007199254740993", "length": 100}, "packetPosition": 48,
     "syncInfo": {"isFullSync": false, "isPartialSync": false, "isDroppable": true},
     "dependencyInfo": {"dependsOnOthers": false, "hasDependentSamples": false},
     "audioDependencyInfo": {"isIndependentlyDecodable": true, "packetRefreshCount": 4},
     "samplesRequiredForDecoderRefresh": 4, "isDiscarded": true}
    """#
  static let codec = #"{"name": "libx264", "codec": "h264", "description": "H.264"}"#

  static let assetValues = #"""
    {"duration": {"status": "loaded", "value": \#(time)},
     "providesPreciseDurationAndTiming": {"status": "loaded", "value": true},
     "tracks": {"status": "loaded", "value": [\#(track)]},
     "metadata": {"status": "loaded", "value": [\#(item)]},
     "commonMetadata": {"status": "loaded", "value": []}, "isPlayable": {"status": "unknown"},
     "isReadable": {"status": "loading"}, "isExportable": {"status": "cancelled"},
     "hasProtectedContent": {"status": "failed", "error": \#(error)},
     "preferredTransform": {"status": "loaded", "value": [0, 1, -1, 0, 1080, 0]},
     "naturalSize": {"status": "loaded", "value": \#(size)},
     "preferredRate": {"status": "loaded", "value": 1},
     "preferredVolume": {"status": "loaded", "value": 0.5},
     "minimumTimeOffsetFromLive": {"status": "loaded", "value": "invalid"},
     "trackGroups": {"status": "loaded", "value": [{"trackIDs": [2, 3]}]},
     "creationDate": {"status": "loaded", "value": \#(item)}, "lyrics": {"status": "loaded"},
     "availableMetadataFormats": {"status": "loaded", "value": ["com.apple.itunes"]},
     "availableChapterLocales": {"status": "loaded", "value": ["de"]},
     "availableMediaCharacteristicsWithMediaSelectionOptions":
       {"status": "loaded", "value": ["audible"]},
     "preferredMediaSelection": {"status": "loaded", "value": \#(selection)},
     "allMediaSelections": {"status": "loaded", "value": [\#(selection)]},
     "canContainFragments": {"status": "loaded", "value": true},
     "containsFragments": {"status": "loaded", "value": false},
     "overallDurationHint": {"status": "loaded", "value": \#(time)},
     "isComposable": {"status": "loaded", "value": true},
     "isCompatibleWithSavedPhotosAlbum": {"status": "loaded", "value": false},
     "isCompatibleWithAirPlayVideo": {"status": "loaded", "value": false},
     "variants": {"status": "loaded",
       "value": [{"peakBitRate": 2000000.5, "averageBitRate": 1000000.5}]},
     "containerFacts": {"status": "loaded",
       "value": {"formatName": "mov,mp4", "formatLongName": "QuickTime / MOV", "size": 1000,
         "bitRate": 8000.5, "streamCount": 2, "isCutShort": true, "missingBytes": 12,
         "isEncrypted": false, "hasIndex": true}}}
    """#
  static let trackValues = #"""
    {"mediaType": {"status": "loaded", "value": "video"},
     "formatDescriptions": {"status": "loaded", "value": [\#(format)]},
     "mediaCharacteristics": {"status": "loaded", "value": ["visual"]},
     "timeRange": {"status": "loaded", "value": \#(range)},
     "naturalTimeScale": {"status": "loaded", "value": 30000},
     "estimatedDataRate": {"status": "loaded", "value": 1000000},
     "totalSampleDataLength": {"status": "loaded", "value": "9007199254740993"},
     "languageCode": {"status": "loaded"}, "extendedLanguageTag": {"status": "loaded", "value": "de"},
     "naturalSize": {"status": "loaded", "value": \#(size)},
     "preferredTransform": {"status": "loaded", "value": [1, 0, 0, 1, 0, 0]},
     "preferredVolume": {"status": "loaded", "value": 1},
     "nominalFrameRate": {"status": "loaded", "value": 29.97},
     "minFrameDuration": {"status": "loaded", "value": "invalid"},
     "requiresFrameReordering": {"status": "loaded", "value": true},
     "hasAudioSampleDependencies": {"status": "loaded", "value": false},
     "isEnabled": {"status": "loaded", "value": true}, "isPlayable": {"status": "loading"},
     "isDecodable": {"status": "loading"}, "isSelfContained": {"status": "loading"},
     "metadata": {"status": "loaded", "value": []},
     "segments": {"status": "loaded", "value": [\#(segment)]},
     "commonMetadata": {"status": "loaded", "value": [\#(item)]},
     "availableMetadataFormats": {"status": "loaded", "value": ["org.id3"]},
     "availableTrackAssociationTypes": {"status": "loaded", "value": ["timecode"]},
     "canProvideSampleCursors": {"status": "loaded", "value": true}}
    """#

  static let all =
    engine + assets + compositions + videoCompositions + audioMixes + images + exports + readers
    + writers + cursors + waveforms + analyses + players + captures + captureSessions
    + captureOutputs + audioRecorders + libraries + times
  static let engine: [Sample] = [
    Sample(
      Initialize.self,
      #"{"processId": 7, "clientInfo": {"name": "t", "version": "1"}, "capabilities": {}}"#,
      #"""
      {"serverInfo": {"name": "reelwire", "version": "1"}, "protocolVersion": "1.0",
       "ffmpeg": {"version": "7.1", "license": "GPL", "libraries": {"libavutil": "59.39.100"}},
       "capabilities": {"deliveries": ["inline", "file", "shm"], "maxMessageBytes": 67108864,
         "maxSharedMemoryBytes": 536870912}}
      """#),
    Sample(Shutdown.self, "{}", "null"),
    Sample(Exit.self, "{}"),
    Sample(CancelRequest.self, #"{"id": "a"}"#),
    Sample(RpcDiscover.self, "{}", #"{"openrpc": "1.3.2", "methods": []}"#),
    Sample(
      EngineCapabilities.self, "{}",
      #"""
      {"fileTypes": [\#(fileType)], "videoDecoders": [\#(codec)], "videoEncoders": [\#(codec)],
       "audioDecoders": [\#(codec)], "audioEncoders": [\#(codec)], "imageFormats": ["jpeg"],
       "pixelFormats": ["rgba"], "sampleFormats": ["flt"], "exportPresets": ["Passthrough"],
       "textRenderer": "libass 0.17.1"}
      """#),
    Sample(
      EngineStats.self, "{}",
      #"""
      {"handles": {"asset": 2}, "operations": 1, "residentBytes": 1, "leases": 1, "leasedBytes": 1,
       "framesDecoded": 1, "seeks": 1, "bytesRead": 1, "packetsRead": 1, "resourceReads": 1,
       "resourceBytesRequested": 1, "resourceBytesReceived": 1, "conversions": {"zimg": 1},
       "composedPictures": {"planar": 1}, "players": [
         {"player": "player:1", "presented": 1, "underruns": 2, "bytesBuffered": 3,
          "dropped": {"outOfCredit": 4, "late": 5, "skipped": 6}, "maximumLateness": "invalid"}]}
      """#),
    Sample(EngineSetLogLevel.self, #"{"level": "debug"}"#, "{}"),
    Sample(
      EngineLog.self,
      #"{"level": "info", "logger": "libav", "message": "m", "metadata": {"a": "b"}}"#),
    Sample(
      HandleList.self, "{}",
      #"{"handles": [{"handle": "asset:1", "kind": "asset", "describes": "/a.mp4"}]}"#),
    Sample(HandleClose.self, #"{"handle": "output:4/1"}"#, "{}"),
    Sample(BlobRelease.self, #"{"leases": ["lease:1", "lease:2"]}"#),
  ]

  private static let drawn = #"""
    {"pixelFormat": "rgb24", "width": 2, "height": 1, "color": {"range": "full"},
     "planes": [{"offset": 0, "bytesPerRow": 6, "height": 1}]}
    """#
  private static let lent = #"""
    {"kind": "shm", "size": 6, "mimeType": "application/octet-stream", "path": "/proc/4242/fd/9",
     "offset": 64, "lease": "lease:1"}
    """#

  static let assets: [Sample] = [
    Sample(
      AssetOpen.self,
      #"""
      {"url": "/a", "options":
        {"preferPreciseDurationAndTiming": true, "salvage": true, "characterSet": "windows-1251", "timeOffset": -1.5,
         "imageSequence": {"frameRate": {"numerator": 30000, "denominator": 1001}, "startNumber": 3,
           "endNumber": 9, "frameStep": 2, "missingFramePolicy": "hold"}}}
      """#,
      #"{"asset": "asset:1"}"#),
    Sample(
      AssetOpen.self, #"{"library": "library:1", "item": "8ba2f772"}"#, #"{"asset": "asset:1"}"#),
    Sample(
      AssetOpen.self,
      #"""
      {"resource": {"length": 5, "isRandomAccess": true, "name": "a", "mimeType": "video/mp4",
       "timeoutMs": 5}}
      """#, #"{"asset": "asset:1", "resource": "resource:1"}"#),
    Sample(
      ResourceAllocate.self, #"{"resource": "resource:1", "size": 65536}"#,
      #"{"path": "/proc/4242/fd/9", "size": 65536}"#),
    Sample(
      ResourceRead.self,
      #"{"resource": "resource:1", "request": 1, "offset": 0, "length": 9, "place": 64}"#),
    Sample(ResourceDidCancelRead.self, #"{"resource": "resource:1", "request": 1}"#),
    Sample(ResourceDidEnd.self, #"{"resource": "resource:1"}"#),
    Sample(
      ResourceDidRead.self,
      #"""
      {"resource": "resource:1", "request": 1, "blob": {"kind": "inline", "data": "AAAA"},
       "isEnd": true}
      """#),
    Sample(
      ResourceDidRead.self,
      #"{"resource": "resource:1", "request": 1, "blob": {"kind": "shm", "size": 5}}"#),
    Sample(
      ResourceDidRead.self,
      #"{"resource": "resource:1", "request": 1, "error": {"message": "m"}}"#),
    Sample(
      VideoCompositionComposeFrame.self,
      #"""
      {"owner": "exportSession:1", "request": 1, "compositionTime": \#(time),
       "instruction": {"timeRange": \#(range), "layerInstructions": [{"trackID": 1}],
         "compositor": "client"},
       "sources": [{"trackID": 1, "time": \#(time), "image": \#(drawn), "blob": \#(lent)}],
       "target": {"image": \#(drawn), "blob": \#(lent)}}
      """#),
    Sample(
      VideoCompositionFinishFrame.self, #"{"request": 1, "error": {"message": "m"}}"#, "{}"),
    Sample(
      AssetLoadValues.self,
      #"{"asset": "asset:1", "keys": ["duration", "tracks"], "completion": "response"}"#,
      #"{"operation": "operation:1"}"#,
      #"{"operation": "operation:1", "asset": "asset:1", "values": \#(assetValues)}"#),
    Sample(
      AssetDidLoadValues.self,
      #"{"operation": "operation:1", "asset": "asset:1", "values": \#(assetValues)}"#),
    Sample(
      AssetValueStatus.self, #"{"asset": "asset:1", "keys": []}"#, #"{"values": \#(assetValues)}"#),
    Sample(AssetCancelLoading.self, #"{"asset": "asset:1"}"#, "{}"),
    Sample(
      AssetTracks.self,
      #"""
      {"asset": "asset:1", "trackID": 2, "mediaType": "audio", "mediaCharacteristic": "audible",
       "selection": {"include": [{"trackID": 2, "mediaType": "audio", "codec": "aac", "language": "de",
         "mediaCharacteristics": ["isAuxiliaryContent"]}], "exclude": [{"mediaType": "metadata"}],
         "languages": ["de"]}}
      """#,
      #"{"tracks": [\#(track)]}"#),
    Sample(AssetFindUnusedTrackID.self, #"{"asset": "asset:1"}"#, #"{"trackID": 3}"#),
    Sample(
      AssetMetadata.self,
      #"""
      {"asset": "asset:1", "trackID": 2, "format": "com.apple.itunes", "identifier": "itsk/covr",
       "key": "covr", "keySpace": "itsk", "commonKey": "artwork", "preferredLanguages": ["de"],
       "forSharing": true, "delivery": "shm"}
      """#, #"{"metadata": [\#(artwork)]}"#),
    Sample(
      AssetChapterMetadataGroups.self,
      #"""
      {"asset": "asset:1", "titleLocale": "de", "bestMatchingPreferredLanguages": ["de"],
       "containingItemsWithCommonKeys": ["artwork"], "delivery": "inline"}
      """#, #"{"groups": [{"timeRange": \#(range), "items": [\#(item)]}]}"#),
    Sample(
      AssetMediaSelectionGroup.self,
      #"""
      {"asset": "asset:1", "mediaCharacteristic": "audible", "playable": true,
       "withMediaCharacteristics": ["audible"], "withoutMediaCharacteristics": ["easyToRead"],
       "preferredLanguages": ["de"]}
      """#,
      #"""
      {"group": {"options": [\#(option)], "defaultTrackID": 2, "allowsEmptySelection": false}}
      """#),
    Sample(
      TrackLoadValues.self,
      #"{"asset": "asset:1", "trackID": 1, "keys": ["timeRange"], "completion": "notification"}"#,
      #"{"operation": "operation:1"}"#,
      #"{"operation": "operation:1", "asset": "asset:1", "trackID": 1, "values": \#(trackValues)}"#),
    Sample(
      TrackDidLoadValues.self,
      #"{"operation": "operation:1", "asset": "asset:1", "trackID": 1, "values": \#(trackValues)}"#),
    Sample(
      TrackValueStatus.self, #"{"asset": "asset:1", "trackID": 1, "keys": ["timeRange"]}"#,
      #"{"values": \#(trackValues)}"#),
    Sample(
      TrackSegment.self, #"{"asset": "asset:1", "trackID": 1, "trackTime": \#(time)}"#,
      #"{"segment": \#(segment)}"#),
    Sample(
      TrackSamplePresentationTime.self,
      #"{"asset": "asset:1", "trackID": 1, "trackTime": \#(time)}"#, oneTime),
    Sample(
      TrackAssociatedTracks.self,
      #"{"asset": "asset:1", "trackID": 1, "associationType": "timecode"}"#,
      #"{"tracks": [\#(track)]}"#),
  ]

  static let sheet = #"""
    {"operation": "operation:1", "imageGenerator": "imageGenerator:2", "result": "succeeded",
     "image": \#(image), "tileWidth": 120, "tileHeight": 68, "columns": 5, "rows": 4,
     "tiles": [{"index": 0, "timeRange": \#(range), "requestedTime": \#(time),
       "actualTime": \#(time), "sampleIndex": 7, "isExact": true, "x": 0, "y": 0, "width": 120,
       "height": 68, "error": \#(error)}],
     "webVTT": "WEBVTT\n", "webVTTPath": "/sheet.vtt", "error": \#(error)}
    """#

  static let images: [Sample] = [
    Sample(
      ImageGeneratorCreate.self,
      #"""
      {"asset": "asset:1", "appliesPreferredTrackTransform": true, "maximumSize": \#(size),
       "apertureMode": "encodedPixels", "requestedTimeToleranceBefore": "+infinity",
       "requestedTimeToleranceAfter": \#(time), "dynamicRangePolicy": "matchSource",
       "videoComposition": null}
      """#, #"{"imageGenerator": "imageGenerator:2"}"#),
    Sample(
      ImageGeneratorGenerateImage.self,
      #"""
      {"imageGenerator": "imageGenerator:2", "time": \#(time), "format": "webp", "quality": 0.5,
       "delivery": {"kind": "file", "path": "/a-%d.webp"}}
      """#,
      #"""
      {"image": \#(image), "requestedTime": \#(time), "actualTime": \#(time), "sampleIndex": 7,
       "isExact": true}
      """#),
    Sample(
      ImageGeneratorGenerateImages.self,
      #"""
      {"imageGenerator": "imageGenerator:2", "times": [\#(time), "invalid"], "samples": [3, -1],
       "format": "png", "quality": 1, "delivery": "shm", "completion": "response"}
      """#, #"{"operation": "operation:1"}"#,
      #"""
      {"operation": "operation:1", "imageGenerator": "imageGenerator:2", "succeeded": 1,
       "failed": 2, "cancelled": 3}
      """#),
    Sample(
      ImageGeneratorDidGenerateImage.self,
      #"""
      {"operation": "operation:1", "imageGenerator": "imageGenerator:2", "index": 0,
       "requestedTime": \#(time), "result": "failed", "actualTime": \#(time), "sampleIndex": 7,
       "isExact": false, "image": \#(image), "error": \#(error)}
      """#),
    Sample(
      ImageGeneratorDidFinish.self,
      #"""
      {"operation": "operation:1", "imageGenerator": "imageGenerator:2", "succeeded": 1,
       "failed": 2, "cancelled": 3}
      """#),
    Sample(
      ImageGeneratorContactSheet.self,
      #"""
      {"imageGenerator": "imageGenerator:2", "columns": 5, "rows": 4, "count": 18,
       "times": [\#(time)], "timeRange": \#(range), "tileWidth": 120, "spacing": 2,
       "showsTimes": true, "format": "png", "quality": 0.5, "delivery": {"kind": "file", "path": "/sheet.png"},
       "imageName": "/thumbs/sheet.png", "completion": "response"}
      """#, #"{"operation": "operation:1"}"#, sheet),
    Sample(
      ImageGeneratorDidProgressContactSheet.self,
      #"""
      {"operation": "operation:1", "imageGenerator": "imageGenerator:2", "completed": 3,
       "count": 20}
      """#),
    Sample(ImageGeneratorDidFinishContactSheet.self, sheet),
    Sample(ImageGeneratorCancelAll.self, #"{"imageGenerator": "imageGenerator:2"}"#, "{}"),
  ]

  static let readers: [Sample] = [
    Sample(
      AssetReaderCreate.self,
      #"""
      {"asset": "asset:1", "timeRange": \#(range), "outputs": [
        {"type": "track", "trackID": 1, "supportsRandomAccess": true,
         "settings": {"pixelFormat": "rgba", "width": 320, "height": 180, "format": "jpeg"}},
        {"type": "videoComposition", "settings": {"pixelFormat": "rgb24"}, "videoComposition":
         {"frameDuration": \#(time), "renderSize": \#(size), "instructions": []}},
        {"type": "track", "track": {"mediaType": "audio", "language": "de"}},
        {"type": "track", "mediaType": "audio", "audioTimePitchAlgorithm": "spectral", "settings":
         {"sampleFormat": "flt", "sampleRate": 48000, "channels": 2, "interleaved": false}}]}
      """#,
      #"{"assetReader": "assetReader:4", "outputs": ["output:4/1", "output:4/2", "output:4/3"]}"#),
    Sample(AssetReaderStart.self, #"{"assetReader": "assetReader:4"}"#, "{}"),
    Sample(
      AssetReaderNextSampleBuffers.self,
      #"""
      {"output": "output:4/1", "maxCount": 8, "maxBytes": 1000, "timeoutMs": 50,
       "delivery": "inline"}
      """#,
      #"""
      {"sampleBuffers": [{"presentationTime": \#(time), "decodeTime": \#(time),
        "duration": \#(time), "numSamples": 1, "attachments": {"notSync": true,
          "isDependedOnByOthers": true, "dependsOnOthers": true, "doNotDisplay": true,
          "trimDurationAtStart": \#(time), "trimDurationAtEnd": \#(time), "speedMultiplier": 2,
          "emptyMedia": true, "resetDecoderBeforeDecoding": true, "drainAfterDecoding": true},
        "format": \#(format), "blob": \#(shm),
        "image": {"pixelFormat": "rgba", "width": 2, "height": 2, "planes": [\#(plane)],
          "color": \#(color)},
        "audio": {"sampleFormat": "fltp", "sampleRate": 48000, "channels": 2,
          "channelLayout": "stereo", "frames": 1024, "planes": [{"offset": 0, "size": 4096}]}},
        {"presentationTime": \#(time), "duration": \#(time), "numSamples": 1, "attachments": {},
         "blob": \#(file)}],
       "endOfStream": false}
      """#),
    Sample(
      AssetReaderStatus.self, #"{"assetReader": "assetReader:4"}"#,
      #"{"status": "reading", "error": \#(error)}"#),
    Sample(AssetReaderReset.self, #"{"output": "output:4/1", "timeRanges": []}"#, "{}"),
    Sample(AssetReaderMarkConfigurationAsFinal.self, #"{"output": "output:4/1"}"#, "{}"),
    Sample(AssetReaderCancel.self, #"{"assetReader": "assetReader:4"}"#, "{}"),
  ]

  private static let loss = #"{"path": "/tracks", "what": "Marker.2", "reason": "left out"}"#
  static let rectangle = #"{"x": 1, "y": 2, "width": 3, "height": 4.5}"#
  private static let sequence = #"""
    {"size": \#(size), "frameRate": 25, "background": [0, 0, 0, 1],
     "subtitles": [{"url": "/media/a.srt"}],
     "textLayers": [{"text": "Live", "timeRange": \#(range)}],
     "subtitleTracks": [{"url": "/a.srt", "language": "de", "timeOffset": -1.5}], "clips": [
      {"duration": \#(time), "background": [0, 0, 1, 1], "text": {"text": "Title",
       "style": \#(textStyle), "position": {"x": 0.5, "y": 0.5}, "fadeIn": \#(time), "fadeOut": \#(time)}},
     {"url": "/a.mp4", "asset": "asset:1", "timeRange": \#(range), "speed": {"numerator": 3, "denominator": 2},
      "speedRamp": [{"at": \#(time), "speed": 2}], "volume": 0.5, "fit": "cover", "duration": \#(time), "freeze": \#(time), "zoom": {"from": \#(rectangle), "to": \#(rectangle)},
      "transition": {"kind": "wipe", "duration": \#(time), "direction": "up", "color": [0, 0, 0, 1]}}],
     "overlays": [{"url": "/b.png", "asset": "asset:1", "timeRange": \#(range), "sourceTimeRange": \#(range),
      "speed": 2, "speedRamp": [{"at": \#(time), "speed": 2}], "volume": 0.5, "frame": \#(rectangle), "fit": "cover", "opacity": 0.5, "fadeIn": \#(time), "fadeOut": \#(time)}],
     "audio": [{"url": "/c.m4a", "asset": "asset:1", "at": \#(time), "timeRange": \#(range), "volume": 0.5,
      "fadeIn": \#(time), "fadeOut": \#(time), "loop": true,
      "duck": {"to": 0.25, "attack": \#(time), "release": \#(time)}}]}
    """#

  static let compositions: [Sample] = [
    Sample(
      CompositionCreate.self, #"{"naturalSize": {"width": 1280, "height": 720}}"#,
      #"{"composition": "composition:1"}"#),
    Sample(
      CompositionCreate.self, #"{"timeline": \#(timeline)}"#,
      #"{"composition": "composition:1"}"#),
    Sample(
      CompositionAssemble.self, #"{"sequence": \#(sequence), "timelineOnly": true}"#,
      #"{"composition": "composition:1", "timeline": \#(timeline)}"#),
    Sample(
      CompositionImport.self,
      #"{"document": {"OTIO_SCHEMA": "Timeline.1"}, "relativeTo": "/media"}"#,
      #"{"composition": "composition:1", "losses": [\#(loss)]}"#),
    Sample(
      CompositionOpenTimelineIO.self, #"{"composition": "composition:1", "relativeTo": "/media"}"#,
      #"{"document": {"OTIO_SCHEMA": "Timeline.1"}, "losses": [\#(loss)]}"#),
    Sample(
      CompositionTimeline.self, #"{"composition": "composition:1"}"#,
      #"{"timeline": \#(timeline), "losses": [\#(loss)]}"#),
    Sample(
      CompositionCopy.self, #"{"composition": "composition:1"}"#,
      #"{"composition": "composition:2"}"#),
    Sample(
      CompositionSet.self, #"{"composition": "composition:1", "naturalSize": "source"}"#,
      compositionState),
    Sample(
      CompositionSet.self,
      #"""
      {"composition": "composition:1", "naturalSize": {"width": 640, "height": 360},
       "audioMix": \#(audioMix), "videoComposition": \#(videoComposition),
       "subtitleTracks": [{"url": "/a.srt", "name": "Deutsch"}]}
      """#, compositionState),
    Sample(
      CompositionSet.self,
      #"{"composition": "composition:1", "audioMix": null, "videoComposition": null}"#,
      compositionState),
    Sample(
      CompositionAddTrack.self,
      #"{"composition": "composition:1", "mediaType": "video", "preferredTrackID": 7}"#,
      #"{"trackID": 7, "duration": \#(time), "revision": 1}"#),
    Sample(
      CompositionRemoveTrack.self, #"{"composition": "composition:1", "trackID": 7}"#,
      compositionState),
    Sample(
      CompositionSetTrack.self,
      #"""
      {"composition": "composition:1", "trackID": 7, "isEnabled": false, "naturalTimeScale": 600,
       "languageCode": "deu", "extendedLanguageTag": "de-AT",
       "preferredTransform": [1, 0, 0, 1, 0, 0], "preferredVolume": 0.5}
      """#, compositionState),
    Sample(
      CompositionCompatibleTrack.self,
      #"{"composition": "composition:1", "asset": "asset:1", "assetTrackID": 2}"#,
      #"{"trackID": 2}"#),
    Sample(
      CompositionInsertTimeRange.self,
      #"""
      {"composition": "composition:1", "asset": "asset:1", "timeRange": \#(range), "at": \#(time),
       "trackID": 7, "assetTrackID": 1, "tracks": [1, 2], "clamp": true,
       "playback": "reverse", "speedRamp": [{"at": \#(time), "speed": 2}]}
      """#, inserted),
    Sample(
      CompositionInsertTimeRanges.self,
      #"""
      {"composition": "composition:1", "trackID": 7, "at": \#(time), "clamp": false, "items": [
        {"asset": "asset:1", "assetTrackID": 1, "timeRange": \#(range),
         "speedRamp": [{"at": \#(time), "speed": {"numerator": 1, "denominator": 3}}]},
        {"timeRange": \#(range)}]}
      """#, inserted),
    Sample(
      CompositionInsertEmptyTimeRange.self,
      #"{"composition": "composition:1", "timeRange": \#(range), "trackID": 7}"#, compositionState),
    Sample(
      CompositionRemoveTimeRange.self,
      #"{"composition": "composition:1", "timeRange": \#(range), "trackID": 7}"#, compositionState),
    Sample(
      CompositionScaleTimeRange.self,
      #"""
      {"composition": "composition:1", "timeRange": \#(range), "toDuration": \#(time), "trackID": 7}
      """#, compositionState),
    Sample(
      CompositionSegments.self, #"{"composition": "composition:1", "trackID": 7}"#,
      #"""
      {"segments": [{"asset": "asset:1", "path": "/a.mp4", "assetTrackID": 1, "timeMapping": {
        "source": \#(range), "target": \#(range)}, "speedRamp": [{"at": \#(time), "speed": 2}]}]}
      """#),
    Sample(
      CompositionSetSegments.self,
      #"{"composition": "composition:1", "trackID": 7, "segments": [\#(compositionSegment)]}"#,
      compositionState),
    Sample(
      CompositionValidateSegments.self,
      #"{"composition": "composition:1", "trackID": 7, "segments": [\#(compositionSegment)]}"#,
      #"""
      {"isValid": false, "problems": [{"path": "/segments/0/timeMapping/target/start",
        "expected": "0 s", "got": "1 s", "code": -11824}]}
      """#),
  ]

  private static let compositionState = #"{"duration": \#(time), "revision": 4}"#
  private static let inserted =
    #"{"timeRange": \#(range), "trackIDs": [7], "duration": \#(time), "revision": 4}"#
  private static let compositionSegment =
    #"{"asset": "asset:1", "timeMapping": {"source": \#(range), "target": \#(range)}}"#
  static let timeline = #"""
    {"version": 1, "naturalSize": {"width": 1280, "height": 720},
     "sources": {"s1": {"url": "/media/a.mp4"}, "s2": {"url": "/media/logo.png", "still": true}},
     "tracks": [{"trackID": 1, "mediaType": "video", "segments": [
       {"source": "s1", "trackID": 1, "timeMapping": {"source": \#(range), "target": \#(range)}},
       {"timeMapping": {"source": "invalid", "target": \#(range)}}]}],
     "subtitleTracks": [{"url": "/a.srt", "characterSet": "windows-1251"}]}
    """#

  static let cursors: [Sample] = [
    Sample(
      SampleCursorCreate.self,
      #"{"asset": "asset:1", "trackID": 1, "position": \#(time)}"#,
      #"{"sampleCursor": "sampleCursor:5", "sample": \#(storedSample)}"#),
    Sample(
      SampleCursorCreate.self, #"{"asset": "asset:1", "trackID": 1, "position": "last"}"#,
      #"{"sampleCursor": "sampleCursor:6", "sample": \#(storedSample)}"#),
    Sample(
      SampleCursorStep.self,
      #"{"sampleCursor": "sampleCursor:5", "count": -3, "order": "presentation"}"#,
      #"{"stepped": -2, "sample": \#(storedSample)}"#),
    Sample(
      SampleCursorStepByTime.self,
      #"{"sampleCursor": "sampleCursor:5", "by": "-infinity", "order": "decode"}"#,
      #"{"moved": \#(time), "wasPinned": true, "sample": \#(storedSample)}"#),
    Sample(
      SampleCursorSample.self, #"{"sampleCursor": "sampleCursor:5"}"#,
      #"{"sample": \#(storedSample)}"#),
    Sample(
      SampleCursorSamples.self,
      #"{"sampleCursor": "sampleCursor:5", "maxCount": 10000, "order": "decode"}"#,
      #"{"samples": [\#(storedSample)], "endOfTrack": true}"#),
    Sample(
      SampleCursorChunk.self, #"{"sampleCursor": "sampleCursor:5"}"#,
      #"""
      {"storageRange": {"offset": -1, "length": 100}, "sampleCount": 1, "sampleIndexInChunk": 0,
       "hasUniformSampleSizes": true, "hasUniformSampleDurations": false}
      """#),
    Sample(
      SampleCursorCopy.self, #"{"sampleCursor": "sampleCursor:5"}"#,
      #"{"sampleCursor": "sampleCursor:7"}"#),
    Sample(
      SampleCursorCompare.self, #"{"lhs": "sampleCursor:5", "rhs": "sampleCursor:7"}"#,
      #"{"order": -1}"#),
    Sample(
      SampleCursorReordering.self, #"{"sampleCursor": "sampleCursor:5", "to": "sampleCursor:7"}"#,
      #"{"hasEarlierDecodedPresentedLater": true, "hasLaterDecodedPresentedEarlier": false}"#),
  ]
  static let times: [Sample] = [
    Sample(TimeAdd.self, pair(time), oneTime),
    Sample(TimeSubtract.self, pair(time), oneTime),
    Sample(TimeMultiply.self, #"{"time": \#(time), "by": 2}"#, oneTime),
    Sample(TimeCompare.self, pair(time), #"{"order": -1}"#),
    Sample(
      TimeConvertScale.self,
      #"{"time": \#(time), "timescale": 600, "rounding": "quickTime"}"#, oneTime),
    Sample(
      TimeSeconds.self, #"{"time": \#(time)}"#, #"{"seconds": 0.5}"#, "{}",
      #"{"seconds": "-infinity"}"#, #"{"seconds": "+infinity"}"#),
    Sample(TimeDescribe.self, #"{"time": \#(time)}"#, #"{"description": "{1/2 = 0.500}"}"#),
    Sample(TimeRangeEnd.self, #"{"range": \#(range)}"#, oneTime),
    Sample(
      TimeRangeContains.self,
      #"{"range": \#(range), "time": \#(time), "timeRange": \#(range)}"#, #"{"contains": true}"#),
    Sample(TimeRangeUnion.self, pair(range), oneRange),
    Sample(TimeRangeIntersection.self, pair(range), oneRange),
    Sample(TimeRangeEqual.self, pair(range), #"{"equal": false}"#),
    Sample(TimeRangeClamp.self, #"{"range": \#(range), "time": \#(time)}"#, oneTime),
    Sample(TimeRangeFold.self, #"{"range": \#(range), "time": \#(time)}"#, oneTime),
    Sample(
      TimeRangeMap.self, #"{"time": \#(time), "from": \#(range), "to": \#(range)}"#, oneTime),
  ]

  static let oneTime = #"{"time": \#(time)}"#
  static let oneRange = #"{"range": \#(range)}"#
  static func pair(_ value: String) -> String { #"{"lhs": \#(value), "rhs": \#(value)}"# }
}
