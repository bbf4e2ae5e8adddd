import EngineProtocol

extension Samples {
  private static let counts = #"""
    {"seen": 9, "probed": 3, "added": 2, "changed": 1, "moved": 1, "missing": 1, "unreadable": 1,
     "unreadableFolders": 1, "unreadableLinks": 2}
    """#
  private static let libraryItem = #"""
    {"item": "8ba2f772-c59e-42be-9ea8-8eaa591dd4a9", "url": "/media/a.mp4", "name": "a.mp4",
     "state": "present", "mediaType": "video", "container": "mov", "duration": \#(time), "width": 640,
     "height": 360, "videoCodec": "h264", "audioCodec": "aac", "frameRate": 29.97, "rotation": 90,
     "fileSize": 1000, "creationDate": "2021-05-01T12:30:00Z",
     "modificationDate": "2021-05-01T12:30:00Z", "addedAt": "2021-05-01T12:30:00.5Z",
     "latitude": 48.1, "longitude": -11.5, "commonMetadata": {"title": "Lake"},
     "error": {"name": "fileFailedToParse", "message": "It is empty"}}
    """#
  private static let predicate = #"""
    {"all": [{"any": [{"key": "title", "op": "contains", "value": "lake"}, {"text": "evening"}]},
     {"not": {"key": "duration", "op": "between", "value": [60, 300.5]}},
     {"key": "creationDate", "op": "exists", "value": true}, {"key": "artist", "op": "exists"}]}
    """#
  private static let scanned = #"""
    {"operation": "operation:1", "library": "library:1", "result": "succeeded", "counts": \#(counts),
     "errors": [\#(libraryItem)], "links": [{"path": "/media/b", "message": "The link leads nowhere"}], "error": \#(error)}
    """#
  private static let duplicates = #"""
    {"operation": "operation:1", "library": "library:1", "result": "succeeded",
     "groups": [[\#(libraryItem), \#(libraryItem)]], "error": \#(error)}
    """#

  static let libraries: [Sample] = [
    Sample(
      LibraryOpen.self,
      #"""
      {"database": "/home/library.sqlite", "folders": [{"path": "/media", "excluded": ["old"],
       "followsSymbolicLinks": true}],
       "watch": false}
      """#,
      #"{"library": "library:1", "itemCount": 3, "database": "/home/library.sqlite"}"#),
    Sample(
      LibraryAddFolder.self,
      #"""
      {"library": "library:1", "path": "/media", "excluded": ["old"], "followsSymbolicLinks": false}
      """#,
      "{}"),
    Sample(LibraryRemoveFolder.self, #"{"library": "library:1", "path": "/media"}"#, "{}"),
    Sample(
      LibraryScan.self, #"{"library": "library:1", "folder": "/media", "completion": "response"}"#,
      #"{"operation": "operation:1"}"#, scanned),
    Sample(
      LibraryDidProgressScan.self,
      #"""
      {"operation": "operation:1", "library": "library:1", "counts": \#(counts), "folder": "/media/b"}
      """#),
    Sample(LibraryDidScan.self, scanned),
    Sample(LibraryCancelScan.self, #"{"library": "library:1"}"#, "{}"),
    Sample(
      LibraryStatus.self, #"{"library": "library:1"}"#,
      #"""
      {"database": "/home/library.sqlite", "folders": [{"path": "/media", "state": "online",
       "watch": "events", "scannedAt": "2021-05-01T12:30:00Z", "itemCount": 3,
       "followsSymbolicLinks": true}], "itemCount": 3,
       "changeToken": 7}
      """#),
    Sample(
      LibraryFetch.self,
      #"""
      {"library": "library:1", "mediaType": "video", "predicate": \#(predicate),
       "sort": [{"key": "creationDate", "ascending": false}], "limit": 50, "observe": true}
      """#, #"{"fetchResult": "fetchResult:1", "count": 2, "changeToken": 7}"#),
    Sample(
      LibraryCollections.self, #"{"library": "library:1", "type": "month"}"#,
      #"""
      {"collections": [{"id": "month:2021-05", "title": "2021-05", "count": 2,
       "startDate": "2021-05-01T12:30:00Z", "endDate": "2021-05-02T12:30:00Z",
       "predicate": \#(predicate)}]}
      """#),
    Sample(
      LibraryChanges.self, #"{"library": "library:1", "since": 3}"#,
      #"{"changes": [{"item": "8ba2f772", "kind": "inserted"}], "changeToken": 7}"#),
    Sample(
      LibraryDuplicates.self, #"{"library": "library:1", "completion": "notification"}"#,
      #"{"operation": "operation:1"}"#, duplicates),
    Sample(
      LibraryDidProgressDuplicates.self,
      #"{"operation": "operation:1", "library": "library:1", "progress": 0.5}"#),
    Sample(LibraryDidFindDuplicates.self, duplicates),
    Sample(
      LibraryDidChange.self,
      #"""
      {"library": "library:1", "changeToken": 9, "fetchResults": [{"fetchResult": "fetchResult:1",
       "count": 2, "hasIncrementalChanges": true, "removed": [0], "inserted": [1], "changed": [0],
       "moves": [{"from": 1, "to": 0}]}]}
      """#),
    Sample(
      LibraryDidFail.self,
      #"""
      {"library": "library:1", "error": \#(error)}
      """#),
    Sample(
      FetchResultItems.self,
      #"{"fetchResult": "fetchResult:1", "start": 10, "count": 50, "keys": ["url", "name"]}"#,
      #"{"items": [\#(libraryItem)]}"#),
    Sample(
      FetchResultIndex.self, #"{"fetchResult": "fetchResult:1", "item": "8ba2f772"}"#,
      #"{"index": 3}"#),
    Sample(
      FetchResultCount.self, #"{"fetchResult": "fetchResult:1", "by": "videoCodec"}"#,
      #"{"counts": [{"value": "h264", "count": 2}]}"#),
    Sample(
      LibraryItemValues.self,
      #"{"library": "library:1", "item": "8ba2f772", "keys": ["title"]}"#,
      #"{"item": \#(libraryItem), "values": {"title": ["Lake", "See"]}}"#),
    Sample(
      LibraryItemThumbnail.self,
      #"{"library": "library:1", "item": "8ba2f772", "width": 128, "delivery": "shm"}"#,
      #"{"image": \#(image), "isCached": true}"#),
  ]
}
