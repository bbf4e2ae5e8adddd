extension ErrorCode {
  /// What to do next, for an error that has no better hint of its own.
  public var hint: String {
    switch self {
    case .parseError:
      "Send one complete UTF-8 JSON message, in lines or with Content-Length headers."
    case .invalidRequest:
      #"Send {"jsonrpc": "2.0", "id", "method", "params"}; data.name is the rule that was broken."#
    case .methodNotFound:
      "Call rpc.discover for the list of methods."
    case .invalidParams:
      "See data.errors for every problem and its place."
    case .internalError:
      "Report it with the request; the server goes on."
    case .requestCancelled:
      "Send the request again if the result is still wanted."
    case .unknown:
      "Look at data.libav and data.log for what the libraries reported."
    case .outOfMemory:
      "Ask for smaller images or fewer of them at a time."
    case .sessionNotRunning:
      "Start the session first."
    case .deviceAlreadyUsedByAnotherSession:
      "Close the other session first."
    case .noDataCaptured:
      "Record for longer, and check that the device delivers."
    case .sessionConfigurationChanged:
      "Record again without changing the session."
    case .diskFull:
      "Free space, or write to another disk; nothing was left behind."
    case .deviceWasDisconnected:
      "Connect the device again."
    case .mediaChanged:
      "Open the asset again."
    case .maximumDurationReached:
      "Use what was recorded, or raise the limit."
    case .maximumFileSizeReached:
      "Raise fileLengthLimit, or choose a preset with a lower data rate."
    case .mediaDiscontinuity:
      "Read with a time range that leaves out the gap."
    case .maximumNumberOfSamplesForFileFormatReached:
      "Write another file type, or several files."
    case .deviceNotConnected:
      "Connect the device."
    case .deviceInUseByAnotherApplication:
      "Close the other program."
    case .deviceLockedForConfigurationByAnotherProcess:
      "Try again when the other process is done."
    case .sessionWasInterrupted:
      "Start the session again."
    case .mediaServicesWereReset:
      "Open the asset again and repeat the request."
    case .exportFailed:
      "Look at data.stage and data.libav; try the Passthrough preset or another file type."
    case .decodeFailed:
      "The file may be damaged here; try another time or range."
    case .invalidSourceMedia:
      "Check the file with another program; it may be damaged."
    case .fileAlreadyExists:
      "Remove the file, or choose another name; it was not touched."
    case .compositionTrackSegmentsNotContiguous:
      "Let each segment begin where the one before it ends."
    case .invalidCompositionTrackSegmentDuration:
      "Give the segment a positive duration."
    case .invalidCompositionTrackSegmentSourceStartTime:
      "Choose a start inside the range of the source track."
    case .invalidCompositionTrackSegmentSourceDuration:
      "Choose a range inside that of the source track."
    case .fileFormatNotRecognized:
      "Check that it is a media file; engine/capabilities lists the types."
    case .fileFailedToParse:
      "Check that the path exists and the file is whole."
    case .maximumStillImageCaptureRequestsExceeded:
      "Wait for the outstanding images."
    case .contentIsProtected:
      "Use a file without protection."
    case .noImageAtTime:
      "Choose a time inside the video track's timeRange, allow a tolerance, or leave the time out "
        + "for the first frame."
    case .decoderNotFound:
      "Install an FFmpeg with that decoder; engine/capabilities lists what is there."
    case .encoderNotFound:
      "Choose another preset or format; engine/capabilities lists what is there."
    case .contentIsNotAuthorized:
      "Ask the owner of the content."
    case .applicationIsNotAuthorized:
      "Give the process the rights it needs."
    case .operationNotSupportedForAsset:
      "Load isPlayable, isReadable and isExportable first."
    case .decoderTemporarilyUnavailable:
      "Try again later."
    case .encoderTemporarilyUnavailable:
      "Try again later."
    case .invalidVideoComposition:
      "Validate the composition first."
    case .referenceForbiddenByReferencePolicy:
      "Use a self-contained file."
    case .invalidOutputURLPathExtension:
      "Give outputFileType, or a name with an extension such as .mp4."
    case .screenCaptureFailed:
      "Check the rights of the process."
    case .operationInterrupted:
      "Repeat the request."
    case .incompatibleAsset:
      "Check the asset's tracks."
    case .failedToLoadMediaData:
      "Check the disk and that the file has not changed."
    case .serverIncorrectlyConfigured:
      "Answer each resource/read once, with exactly the bytes that it asks for; open the asset again."
    case .failedToParse:
      "Check that the file is whole."
    case .fileTypeDoesNotSupportSampleReferences:
      "Write a mov file, or copy the samples."
    case .undecodableMediaData:
      "The data may be damaged or protected; try the Passthrough preset."
    case .videoCompositorFailed:
      "Look at data.libav and data.log."
    case .recordingAlreadyInProgress:
      "Stop it first."
    case .unsupportedOutputSettings:
      "engine/capabilities lists pixelFormats and sampleFormats."
    case .operationNotAllowed:
      "Make a new object: readers, sessions and writers work once."
    case .contentIsUnavailable:
      "Check the path."
    case .formatUnsupported:
      "Choose another format; engine/capabilities lists what is there."
    case .contentNotUpdated:
      "Try again later."
    case .noLongerPlayable:
      "Open the asset again."
    case .noSourceTrack:
      "asset/tracks lists the tracks."
    case .operationNotSupportedForPreset:
      "exportSession/compatiblePresets lists the presets that can."
    case .incorrectlyConfigured:
      "See the message for the setting."
    case .segmentStartedWithNonSyncSample:
      "Begin segments at sync samples."
    case .operationCancelled:
      "Repeat the request if the result is still wanted."
    case .invalidSampleCursor:
      "Make a new cursor."
    case .failedToLoadSampleData:
      "Check the disk and that the file is whole."
    case .encodeFailed:
      "Choose another preset, size or format."
    case .sandboxExtensionDenied:
      "Check the rights of the file and its folders."
    case .unknownHandle:
      "It was closed, or never was; handle/list shows the open ones."
    case .wrongHandleKind:
      "Use the handle from the result of the object's create or open method."
    case .valueNotLoaded:
      "Load it with asset/loadValues or track/loadValues first."
    case .workerDied:
      "Open the file again: it gets a worker of its own. Handles of the dead one are gone; close them."
    case .changeTokenExpired:
      "Fetch again, and count changes from the token of that."
    case .leasesExhausted:
      "Release leases with blob/release, or raise --shm-max."
    case .pathNotAllowed:
      "Use a path below the folders given with --root, or start the server with another root."
    case .resourceTimedOut:
      "Answer each resource/read, with an error where there are no bytes, or raise timeoutMs."
    case .limitExceeded:
      "See the message for the limit; ask for less at a time."
    }
  }
}
