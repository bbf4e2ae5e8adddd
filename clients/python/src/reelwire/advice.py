"""The phrasing of advice in Python, by its name on the wire.

Generated from Sources/Generator/advice by Sources/Generator/generate.py; do not edit.
"""

from __future__ import annotations

#: ``{name}`` stands for an argument, ``{name|or}`` for a list of which one is chosen.
PHRASINGS: dict[str, str] = {
    "removeCaptureOutput": "Remove an output first.",
    "removeCaptureInput": "Remove an input first.",
    "useOneInput": "Connect that input to each output: an input may have many connections.",
    "turnVideoConnection": "Turn a connection of video.",
    "connectWhatFits": "Connect media of a type that both ends have.",
    "connectOnce": "Leave the change out.",
    "disconnectFirst": "Disconnect it first, or add another output.",
    "nameConnection": "Name one of the connections that the last configuration returned.",
    "nameWhatIsThere": "Name an input or output that was added, and not removed since.",
    "chooseDeviceFormat": "Choose a format of the device: {formats}.",
    "chooseCapturePreset": "Choose another preset, or a format of the device: {formats}.",
    "startCaptureSession": "Start the session first, with session.start().",
    "recordUntilSamples": "Record until a sample of each connected track has come.",
    "reconnectDevice": "Connect the device again; the session continues with it automatically.",
    "reconnectAndStart": "Connect the device again, and start again.",
    "resumeDevice": "Check that the device is on and isn't suspended, or leave it out.",
    "closeDeviceUser": "Close the program that uses the device, and start again.",
    "chooseDevice": "Choose one of engine.devices().",
    "raiseRecordingLimit": (
        "The file is whole up to there. Raise the limit, or record on into another file."
    ),
    "raiseRecordingSize": (
        "Raise the limit to at least that size, or record smaller pictures or at a lower bit "
        "rate."
    ),
    "freeDiskSpace": (
        "The file is whole up to there. Free space on its disk, or record to another one."
    ),
    "freeDiskSpaceFirst": (
        "Free space on its disk, record to another one, or lower min_free_disk_space_limit."
    ),
    "recordWhatFileHolds": (
        "Give settings that the type of file has, leave a track out by video=None or "
        "audio=None, or record to another type, such as mkv."
    ),
    "stateRecordingType": "Give file_type, one of: {fileTypes}.",
    "startRecordingAgain": "The file is whole up to there. Start another recording.",
    "addManualClock": "Make the session with clock='manual'.",
    "connectBeforeRecording": "Connect an input to the output first.",
    "takePhotosLater": "Wait until one of them is finished.",
    "useSyntheticDevices": "Use synthetic devices with a manual clock.",
    "pauseWhileRecording": "Pause a running recording, and resume one that is paused.",
    "addPullOutput": "Add an output with mode='pull'.",
    "allowCapture": "Start the engine with it: Engine(allow_capture=('{permission}',)).",
    "closeCaptureSession": "Close the other session, or remove the device's input from it.",
    "addOutputOfType": "Add an output of the type that can.",
    "stopRecorder": "Stop the recorder first.",
    "leaveOutScreenSettings": (
        "Leave out the crop, the cursor and the scale factor, which are for screens."
    ),
    "releaseFrames": (
        "Release frames with release(), or add the output with a larger max_outstanding."
    ),
    "insertLater": "Insert the media at a later time: the range between becomes an empty one.",
    "giveDuration": "Give a duration above zero.",
    "giveTimeOrEnd": "Give a time from 0 on, or none for the end.",
    "giveRangeFromZero": "Give a range that begins at 0 or later, and isn't negative.",
    "exportPartOfComposition": "Export a part of it, and continue with that file.",
    "giveVideoComposition": "Give one, for example that of asset.video_composition().",
    "correctVideoComposition": (
        "Correct the listed problems, or begin with asset.video_composition()."
    ),
    "coverAll": "Its instructions have to cover all that is shown of '{path}'.",
    "giveCompositor": "Give the compositor, or have the engine draw all instructions.",
    "correctCompositor": "Correct the compositor, or have the engine draw the instruction.",
    "answerPictures": "Answer each request, or allow more time for it.",
    "installTextLibrary": (
        "Install libass (Debian's libass9), and use a build that was made with its headers "
        "(libass-dev)."
    ),
    "nameFontFile": "Name a file with a TrueType or OpenType font (.ttf, .otf, .ttc).",
    "requestDecodedPictures": "Ask for decoded pictures.",
    "shrinkPictures": "Make the pictures smaller: {pixels} pixels is the most.",
    "useColorNames": "Use FFmpeg's names, for example bt709 for each.",
    "leaveOutColorProperties": "Leave out colorProperties, or set those of bt709.",
    "stateFileType": "Give output_file_type, one of: {fileTypes}.",
    "chooseFileType": "Choose one of: {fileTypes}.",
    "choosePreset": "Choose one of: {presets}.",
    "chooseFileTypeOrPreset": (
        "Choose another file type (mkv holds nearly everything), or a preset that encodes."
    ),
    "chooseCompatiblePreset": "asset.compatible_presets() lists the presets that suit this asset.",
    "chooseAvailableEncoder": "Engine.capabilities() lists the encoders there are.",
    "choosePresetOfAnySize": (
        "Choose another preset: those of H.264 and VP9 take pictures of any size."
    ),
    "raiseFileLengthLimit": "Raise file_length_limit, or choose a preset with a lower data rate.",
    "renameFile": "Give the new file another name.",
    "givePathOrURL": "Give a path or a file URL.",
    "makeSession": "A session exports once: make another one.",
    "createSessionForExport": "Create a new export session for each export.",
    "replaceOnlyWhereAsked": (
        "Choose another path: an asset is only replaced where that is asked for."
    ),
    "exportElsewhere": "Export to another file.",
    "exportElsewhereWithLosses": "Export to another file, and the result lists the losses.",
    "encode": "Choose a preset that encodes.",
    "encodeDecodedPictures": (
        "Choose a preset that encodes: that takes the pictures as they are decoded."
    ),
    "encodeOrKeepFormat": (
        "Choose a preset that encodes, or a range in which the format doesn't change."
    ),
    "encodeOrJoinInBand": (
        'Choose a preset that encodes, or joins={"video": "inBand"}, which not every player '
        "reads."
    ),
    "copyAudioOrEncode": 'Choose joins={"audio": "copy"}, or a preset that encodes.',
    "leaveOutProtected": (
        "Use a file without protection, or a preset that leaves out its {mediaType}."
    ),
    "chooseCodecWithoutLayer": (
        "Choose a codec without it, h264 for example: all is mapped to BT.709 then."
    ),
    "chooseRangeWithSamples": "Choose a range that holds samples.",
    "giveRangeOfExport": "Give a numeric start and a duration that is numeric or +infinity.",
    "chooseRangeOfExport": "The part to export lasts {duration}.",
    "keepSpeedOrLeaveOutAudio": "Change the speed of that part, or leave out the audio track.",
    "setTimePitchAlgorithm": (
        "Set audio_time_pitch_algorithm to {algorithms|or}, or change the speed of that part."
    ),
    "exportInOnePiece": "Export it in one piece.",
    "exportFileInOnePiece": "Export it in one piece, or open a file.",
    "copyInOnePiece": "Export it in one piece: copying is done in a moment.",
    "leaveOutFileLengthLimit": "Leave out file_length_limit.",
    "chooseQuality": "Choose a quality, or a rateFactor in settings.",
    "passPlanUnchanged": "Pass it on as it is.",
    "planAgain": "Plan anew, or open that file.",
    "makeSessionAsPlanned": "Make the session as the one that has planned was made.",
    "useSameBuild": "Use the same build on all machines, or plan anew.",
    "choosePart": "Its parts are numbered from 0 to {last}.",
    "exportPart": "Export part {part} to this path.",
    "exportPartByPlan": "Export part {part} by this plan.",
    "exportPartAgain": "Remove it, and export part {part} again.",
    "exportPartByBuildThatJoins": "Export part {part} again, with the build that joins.",
    "nameFileOfEachPart": "Name the file of each part, in the order of the plan.",
    "nameFilesInOrder": "Name the files in the order of the plan's parts.",
    "checkPath": "Check the path: it is relative to the folder the engine was started in.",
    "chooseFolderForFiles": "Choose another folder: no file can be made in this one.",
    "nameFileInFolder": "Name a file inside the folder.",
    "nameFileOrPictures": "Name a file inside the folder.",
    "createFolder": "Create the folder first, and check the path's spelling.",
    "chooseUnusedPath": (
        "Choose another path, or remove the file first: nothing is ever overwritten."
    ),
    "checkPermissions": "Check the permissions of the file and of its folder.",
    "chooseWritableFolder": "Choose a folder on a file system that can be written to.",
    "answerReads": "Answer each read, with an error where there are no bytes, or allow more time.",
    "answerReadsOnce": (
        "Answer each read once, with exactly the bytes that it asks for; open the asset "
        "again."
    ),
    "checkSource": "Check where the bytes come from, and try again.",
    "openAgain": "Open the asset again.",
    "raiseStreamLimit": "Start the server with a larger --max-streams, up to 1000.",
    "supplyRandomAccess": (
        "Supply it with random access, or put it into a file first; --spool-max raises the "
        "limit."
    ),
    "copyIntoFile": "Copy the data into a regular file first.",
    "waitForWriters": "Try again when nothing writes to the file any more.",
    "checkDevice": "The disk or the network share failed to read: check the device.",
    "giveLocalPath": "Give a path or a file URL: this engine opens local files only.",
    "useFirstMemory": "Use the memory of the first request.",
    "releaseUnusedObjects": (
        "Close objects that are no longer needed, or raise the process's limit."
    ),
    "splitFile": "Split the file; ffmpeg's -f segment does it without encoding.",
    "keepWithinPixels": "{pixels} pixels is the most.",
    "useFileWithoutProtection": "Use a file without protection.",
    "useUnprotectedTrack": "Use a file without protection, or one of its other tracks.",
    "useUnprotectedMedia": (
        "Use a file without protection, or one of its other tracks; a reader's output without "
        "settings gives the samples as they are stored."
    ),
    "getWholeFile": "Nothing can be read without it: get the whole file.",
    "getHeaderAgain": "Its header is damaged: get the file, or its first fragment, once more.",
    "convertImage": (
        "Convert it with another program: pictures in HEVC and AV1 are read, and grids of "
        "them."
    ),
    "getImageAgain": (
        "Its boxes 'pitm', 'iloc', 'iinf' and 'iprp' are damaged or don't agree: get the file "
        "once more."
    ),
    "salvage": "Get the whole file, or open it with salvage=True to export its readable part.",
    "readBeforeDamage": (
        "The part before is intact; opened with salvage=True, it is read without this error."
    ),
    "tryNewerFFmpeg": (
        "It may be damaged, or of a kind that this FFmpeg doesn't know, as FLAC of 32 bits is "
        "for FFmpeg 5; a newer one may."
    ),
    "copyUndecodable": (
        "It may be damaged here, not be {codec} at all, or of a kind that this FFmpeg doesn't "
        "decode; a newer one may, and Passthrough copies it as it is."
    ),
    "nameCharacterSet": (
        "Give a name of IANA's list, such as windows-1251, Shift_JIS or GB18030; iconv -l "
        "lists those of this system."
    ),
    "offsetSubtitlesOnly": (
        "Give a number of seconds, and that of a file of subtitles (srt, vtt, ass)."
    ),
    "stateCharacterSet": (
        'State the character set that it is in, character_set="windows-1251"; iconv -l lists '
        "names."
    ),
    "exportToAnotherType": "Export it to another type of file, and the losses are listed.",
    "describeImageSequence": (
        "Give a frame_rate above 0, and numbers that leave 1,000,000 pictures or fewer."
    ),
    "nameImageSequence": (
        "Name the pictures as in frame%04d.png, frames/*.png, a folder, or by the first of "
        "them, frame0001.png; numbers and steps go with the first and last form."
    ),
    "checkImageSequence": (
        "Check the folder, and the pattern of the names: frame%04d.png has four digits or "
        "more, frame%d.png none in front."
    ),
    "holdMissingImages": (
        "Add the picture, name other numbers, or have the one before it shown longer, with "
        "missing_frame_policy='hold'."
    ),
    "usePicturesOfOneKind": (
        "Convert it first: the pictures of a sequence have one format, size and orientation."
    ),
    "useImageSequenceFormats": (
        "Convert it first: png, jpg, webp, bmp, tiff, gif, dpx, exr, jp2, tga, qoi, sgi and "
        "pnm are read."
    ),
    "convertSubtitles": "Convert it to SubRip, WebVTT or ASS first.",
    "sendJSON": "Send one UTF-8 JSON text per message.",
    "sendExpected": "Send {expected}.",
    "sendCall": 'Send {"jsonrpc": "2.0", "id": …, "method": …, "params": {…}}.',
    "splitRequest": "Split the request, or start the engine with a higher --max-message-bytes.",
    "useOwnID": "Give every request an id of its own.",
    "matchProtocolVersions": (
        "Install a client and a program whose versions have the same first number."
    ),
    "useSimilarMethod": 'Did you mean "{method}"?',
    "discoverMethods": "Engine.discover() has the methods.",
    "correctMembers": "Correct the params listed in error.data['errors'].",
    "reportDefect": (
        "This is a defect of the server; please report it with the request that caused it."
    ),
    "sendAgainIfWanted": "Send the request again if its result is still wanted.",
    "keepInputOpen": "Keep the input open until the answer has come.",
    "chooseAnotherDatabase": "Choose another path: the file is no library.",
    "moveDatabaseAway": "Move the file away and scan again: media is never written to.",
    "waitForOtherProcess": "Another process writes to the library: try again later.",
    "checkDatabasePermissions": "Check the permissions of the file and its folder.",
    "checkDatabasePath": "Check the path of the database and its folder.",
    "freeSpaceAndScan": "Free some space: nothing is lost, the next scan continues.",
    "checkDisk": "The disk failed: check the device.",
    "giveDatabasePath": "Give the path of a database, or set HOME.",
    "removeOtherFolder": "A file belongs to one folder: remove the other one first.",
    "listFolders": "The status of the library lists its folders.",
    "scanThere": "Fetch from it here, and scan there.",
    "fetchAgain": "It may have been forgotten: fetch again.",
    "chooseItemsByMediaType": "Choose items by media_type, or show something else for this one.",
    "mountDisk": "Mount its disk, and scan again.",
    "scanAgain": "Scan again if it has come back.",
    "choosePlayableAsset": "Load the asset's tracks to see their types.",
    "checkThatFileIsComplete": "Check that the file is complete.",
    "playFromThere": "Play it from where it is.",
    "loadSelectionGroups": "Load its media selection groups to see their options.",
    "chooseOption": "The options are {options}.",
    "makeItemCurrent": "Make it the player's current item first.",
    "insertItemFirst": "Insert the item into a player first.",
    "removeItemThere": "Remove it there first, or create another item of the asset.",
    "createItemForEachPlace": (
        "Create an item for each place in the queue: an asset may have any number of items."
    ),
    "nameItemOfPlayer": "Name one of the player's items.",
    "stepForward": "Step forward, or seek.",
    "seekInstead": "Seek instead.",
    "replacePlayer": "Create another one.",
    "createQueue": "Create it as a queue.",
    "disableAutomaticWaiting": "Have it not wait automatically to minimize stalling first.",
    "waitUntilReady": "Wait until its item is ready to play.",
    "pauseFirst": "Pause it first.",
    "disableLooper": "Disable its looper first.",
    "giveRangeToLoop": "Give a numeric start from zero on, and a duration above zero.",
    "closeObservers": "Close those that aren't needed any more.",
    "closeOutput": "Close one of them first.",
    "createWithManualClock": "Create the player with a manual clock.",
    "moveClockForward": "Move it forward, by 24 hours at most.",
    "moveClockInSteps": "Move it in smaller steps, or make intervals of observers longer.",
    "chooseAudioDeviceOrClock": "Choose a file or no device, or another clock.",
    "playWithoutAudio": "Playback continues without audio; write it to a file instead.",
    "waitForAudioServer": "Playback continues without audio until it is back.",
    "createWithAudioFile": "Create it with a file as its audio device; a file is finished once.",
    "startAudioServer": "Start an audio server, or write the audio to a file.",
    "listOutputs": 'Choose one of engine.devices(direction="output").',
    "finishAudioFile": "Finish its audio file first.",
    "closeOtherPlayer": "Close another player, or take its items away.",
    "enableRate": "Make the audio player with enable_rate=True.",
    "enableMetering": "Make the audio player with is_metering_enabled=True.",
    "sendMessage": "Send one complete UTF-8 JSON message, in lines or with Content-Length headers.",
    "sendRequest": (
        "Report it: the client sent an invalid request; error.name is the rule that was "
        "broken."
    ),
    "listMethods": "Engine.discover() has the list of methods.",
    "readProblems": "See error.data['errors'] for every problem and its place.",
    "reportRequest": "Report it with the request; the server continues.",
    "repeatRequestIfWanted": "Send the request again if the result is still wanted.",
    "readReports": (
        "Look at error.data['libav'] and error.data['log'] for the messages of the libraries."
    ),
    "requestFewerImages": "Ask for smaller images or fewer of them at a time.",
    "closeOtherSession": "Close the other session first.",
    "recordLonger": "Record for longer, and check that the device delivers.",
    "recordAgain": "Record again without changing the session.",
    "freeSpace": "Free space, or write to another disk; no unfinished file is left.",
    "connectDeviceAgain": "Connect the device again.",
    "useRecording": "Use the recorded part, or raise the limit.",
    "leaveOutGap": "Read with a time range that leaves out the gap.",
    "writeSeveralFiles": "Write another file type, or several files.",
    "connectDevice": "Connect the device.",
    "closeOtherProgram": "Close the other program.",
    "waitForProcess": "Try again when the other process is done.",
    "startSessionAgain": "Start the session again.",
    "openAgainAndRepeat": "Open the asset again and repeat the request.",
    "copyOrChangeFileType": (
        "Look at error.data['stage'] and error.data['libav']; try the Passthrough preset or "
        "another file type."
    ),
    "chooseAnotherTime": "The file may be damaged here; try another time or range.",
    "checkMedia": "Check the file with another program; it may be damaged.",
    "chooseAnotherName": "Remove the file, or choose another name; it was not touched.",
    "joinSegments": "Let each segment begin where the one before it ends.",
    "giveDurationOfSegment": "Give the segment a positive duration.",
    "chooseStartInSource": "Choose a start inside the range of the source track.",
    "chooseRangeInSource": "Choose a range inside that of the source track.",
    "checkFileType": "Check that it is a media file; Engine.capabilities() lists the types.",
    "checkFile": "Check that the path exists and the file is whole.",
    "waitForImages": "Wait for the outstanding images.",
    "chooseTimeOfFrame": (
        "Choose a time inside the video track's time_range, allow a tolerance, or leave the "
        "time out for the first frame."
    ),
    "installDecoder": (
        "Install an FFmpeg with that decoder; Engine.capabilities() lists the available ones."
    ),
    "choosePresetOrFormat": (
        "Choose another preset or format; Engine.capabilities() lists the available ones."
    ),
    "askOwner": "Ask the owner of the content.",
    "grantRights": "Give the process the rights it needs.",
    "checkAsset": "Load is_playable, is_readable and is_exportable first.",
    "tryLater": "Try again later.",
    "validateComposition": "Validate the composition first.",
    "useSelfContainedFile": "Use a self-contained file.",
    "giveFileType": "Give output_file_type, or a name with an extension such as .mp4.",
    "checkProcessRights": "Check the rights of the process.",
    "repeatRequest": "Repeat the request.",
    "checkTracks": "Check the asset's tracks.",
    "checkDiskAndChanges": "Check the disk and that the file has not changed.",
    "answerResourceReadsOnce": (
        "Answer each read once, with exactly the bytes that it asks for; open the asset "
        "again."
    ),
    "checkFileIsWhole": "Check that the file is whole.",
    "writeMovie": "Write a mov file, or copy the samples.",
    "copyDamaged": "The data may be damaged or protected; try the Passthrough preset.",
    "readReportsOfCompositor": "Look at error.data['libav'] and error.data['log'].",
    "stopRecording": "Stop it first.",
    "listFormats": "Engine.capabilities() lists pixelFormats and sampleFormats.",
    "makeNewObject": "Make a new object: readers, sessions and writers work once.",
    "checkPathOfContent": "Check the path.",
    "chooseFormat": "Choose another format; Engine.capabilities() lists the available ones.",
    "listTracks": "asset.tracks lists the tracks.",
    "listCompatiblePresets": "asset.compatible_presets() lists the presets that can.",
    "readMessageForSetting": "See the message for the setting.",
    "beginAtSyncSamples": "Begin segments at sync samples.",
    "repeatIfWanted": "Repeat the request if the result is still wanted.",
    "makeCursor": "Make a new cursor.",
    "checkDiskAndFile": "Check the disk and that the file is whole.",
    "choosePresetSizeOrFormat": "Choose another preset, size or format.",
    "checkRights": "Check the rights of the file and its folders.",
    "listHandles": "It was closed, or never was; Engine.handles() shows the open ones.",
    "useHandleOfObject": "Use the handle from the result of the object's create or open method.",
    "loadValue": "Load it with asset.load() or track.load() first.",
    "openFileAgain": (
        "Open the file again: it gets a worker of its own. Handles of the dead one are gone; "
        "close them."
    ),
    "fetchAndCountAgain": "Fetch again, and count changes from the token of that.",
    "releaseLeases": "Release bytes with release(), or start the engine with a larger --shm-max.",
    "useAllowedPath": (
        "Use a path below the folders of --root, or start the server with another root."
    ),
    "answerResourceReads": (
        "Answer each read, with an error where there are no bytes, or raise timeoutMs."
    ),
    "readMessageForLimit": "See the message for the limit; ask for less at a time.",
    "stateAttributes": "State them when the writer is created, or a byteCount here.",
    "answerComposeFrameOnce": "Answer each frame of a compositor once.",
    "sendToProcessOfMedia": (
        "It opens no media, for it has sockets: send the request to a process of media."
    ),
    "replaceFile": "Leave it alone, or replace it: a file that has changed is tried again.",
    "openWithOthers": (
        "A worker process died while it was in work. Close its handles and open it again: if "
        "nothing happened meanwhile, it comes to the others."
    ),
    "raiseProcessLimits": "Close objects, or raise the limits of processes and open files.",
    "chooseAssetWithTracks": "It has no tracks at all.",
    "chooseTrack": "Its tracks are {tracks}.",
    "addTrack": "It has no tracks yet: add one.",
    "loadTracks": "Load the asset's tracks to see their numbers and types.",
    "chooseTrackWithSamples": "Choose a track with samples: asset.tracks lists them.",
    "chooseDecodableTrack": "Choose another track, or a build of FFmpeg that has one.",
    "nameTextTrack": "Name a track of subtitles or text.",
    "chooseImageFormat": "Choose one of: {formats}.",
    "chooseSheetFormat": (
        "Choose a file format, RGB or grey: jpeg, png, webp, bmp, rgb24, rgba, bgra or gray."
    ),
    "chooseTimeOfTrack": (
        "The video runs from {start} to {end}; ask within it, or widen the tolerances; "
        "without a time there is the first frame."
    ),
    "chooseTimeBetween": "It is shown from {start} to {end}.",
    "chooseRangeOfTrack": "The track runs from {start} to {end}: choose a range within it.",
    "chooseFrame": (
        "Its frames are numbered from 0 to {last}, in the order in which they are shown."
    ),
    "chooseOtherFrame": (
        "The file is damaged there: choose another frame, or request an image by time."
    ),
    "requestTimes": "Ask for their times.",
    "requestNumericTime": "Ask for a numeric time.",
    "readSamplesInstead": "Read its samples instead.",
    "limitImageSize": (
        'Set a maximum_size, or take the stored pixels: aperture_mode="encodedPixels".'
    ),
    "keepSourceColors": (
        'Take the samples as they are: yuv420p10le with dynamic_range_policy="matchSource".'
    ),
    "shrinkContactSheet": (
        "Ask for fewer tiles, for another number of columns, or for a smaller tile_width; png "
        "has no limit of width and height of its own."
    ),
    "shrinkWaveform": "A waveform has at most {pixels} pixels.",
    "shrinkWaveformWithinLength": (
        "A waveform has at most {pixels} pixels, and in this format {length} in width and "
        "height."
    ),
    "requestFewerParts": "Ask for at most {maximum} parts.",
    "requestFewerResults": "Raise minimum_duration, or search a part of the asset: time_range.",
    "requestOutput": "Give \"video\", a track's number or a TrackOutput.",
    "startReader": "Call reader.start() first.",
    "requestRandomAccess": "Create it with supports_random_access=True.",
    "readToEnd": "Read the output to its end.",
    "readToEndBeforeReset": "Read the output to its end, then reset it.",
    "requestDecodedAudio": "Give a sample_format.",
    "requestAudioOrStored": "Give sample_format for audio, or no settings.",
    "requestVideoOrStored": "Give pixel_format for video, or no settings.",
    "requestStored": "Leave settings out to read the samples as stored.",
    "readDecoded": "Read it decoded: give the output settings.",
    "decodeOrEncode": "Decode it, or choose a preset that encodes.",
    "choosePixelFormat": "Choose one of: {formats}.",
    "chooseSampleFormat": "Choose one of: {formats}.",
    "chooseBetween": "Give {minimum} to {maximum}.",
    "giveRange": "Give a numeric start and a duration above zero.",
    "giveRangeOrInstant": "Give a numeric start and a duration of zero or more.",
    "orderRanges": "Give ranges in ascending order that don't overlap.",
    "giveStartsOnce": "Give each start once.",
    "createReaderForPass": "Create a new reader for each pass.",
    "createReaderForRanges": "Create a new reader to read more ranges.",
    "makeReader": "A reader reads once: make another one.",
    "compareCursorsOfTrack": "Compare cursors of one track, made from the same asset.",
    "giveTimeOrInfinity": "Give a numeric time, or an infinite one for an end.",
    "createWriter": "Create a new writer.",
    "createWriterForFile": "Create a new writer for each file.",
    "makeWriter": "A writer writes once: make another one.",
    "startWriter": "Start the writer first.",
    "finishAnotherWriter": "Finish or cancel one of them first.",
    "startSession": "Start the session first.",
    "startOneSession": "Start one session.",
    "endSessionOnce": "Start one session, and end it once.",
    "giveTimeOfSample": "Give the presentation time of a sample.",
    "giveTimes": "Give each sample a presentation time.",
    "appendInOrder": "Append samples in order: times of an input have to rise.",
    "appendFirst": "Append samples before the writer is finished.",
    "appendBeforeFinished": "Append everything before the input is marked as finished.",
    "appendWhatFits": (
        "Append pictures, linear audio or text to inputs with settings, samples as stored to "
        "others."
    ),
    "appendAsUTF8": "Append it as UTF-8.",
    "separateFormats": (
        "Write the samples of each format to a track or a file of their own, or decode them."
    ),
    "stateSampleFormat": "State the format of the samples.",
    "statePlanes": "State a pixel format, and its planes one after the other without gaps.",
    "stateFormat": "State the dimensions of video, or sampleRate and channelsPerFrame of audio.",
    "useCodecName": "Use FFmpeg's name, for example h264 or aac.",
    "usePixelFormatName": "Use FFmpeg's name of a pixel format, for example rgb24 or yuv420p.",
    "useSampleFormatName": "Use u8, s16, s32, f32 or f64.",
    "takeImages": "Take images of it first, or read its frames.",
    "encodeOrGiveSettings": "Choose a preset that encodes it, or give settings.",
    "chooseAnotherCodec": "Give it another codec.",
    "setSegments": "Set segments when the writer is created.",
    "endAtSyncSamples": "End segments before sync samples.",
}
