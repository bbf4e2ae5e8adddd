import SQLite

/// The tables of a library's database.
enum LibrarySchema {
  /// The identifier that distinguishes a library from other databases, "RwLb" (`PRAGMA
  /// application_id`).
  static let applicationID: Int64 = 0x5277_4C62
  static let version: Int64 = 2

  /// The changes of the tables of earlier versions, by the version that they make.
  static let migrations: [Int64: String] = [
    2: "ALTER TABLE folder ADD COLUMN follows_links INTEGER NOT NULL DEFAULT 0"
  ]

  /// The version of the reading of items: a higher number has all files read again.
  static let probeVersion: Int64 = 1

  /// Paths are bytes, times in UTC: those of files in nanoseconds, all others in microseconds.
  static let statements = """
    CREATE TABLE folder(
      id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, excluded BLOB NOT NULL,
      -- 0 online, 1 offline, 2 denied
      state INTEGER NOT NULL DEFAULT 0, device INTEGER, scanned_at INTEGER,
      follows_links INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE directory(
      id INTEGER PRIMARY KEY, folder_id INTEGER NOT NULL REFERENCES folder(id) ON DELETE CASCADE,
      -- Below the folder, without a slash at its ends; and as text with the folder's.
      path BLOB NOT NULL, place TEXT NOT NULL, device INTEGER, UNIQUE(folder_id, path)) STRICT;
    CREATE TABLE item(
      id INTEGER PRIMARY KEY AUTOINCREMENT, uuid BLOB NOT NULL UNIQUE,
      folder_id INTEGER NOT NULL REFERENCES folder(id) ON DELETE CASCADE,
      directory_id INTEGER NOT NULL REFERENCES directory(id) ON DELETE CASCADE,
      file BLOB NOT NULL, name TEXT NOT NULL,
      device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL,
      mtime INTEGER NOT NULL, ctime INTEGER NOT NULL, fingerprint BLOB,
      -- 0 present, 1 missing, 2 unreadable
      state INTEGER NOT NULL DEFAULT 0, missing_since INTEGER, error TEXT, error_message TEXT,
      -- 0 video, 1 audio, 2 image
      kind INTEGER, container TEXT, duration REAL, duration_value INTEGER, duration_scale INTEGER,
      width INTEGER, height INTEGER, video_codec TEXT, audio_codec TEXT, frame_rate REAL,
      rotation INTEGER, creation_date INTEGER, added_at INTEGER NOT NULL, latitude REAL,
      longitude REAL,
      -- 0 until it has been read
      probe_version INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
      UNIQUE(directory_id, file)) STRICT;
    CREATE INDEX item_file ON item(device, inode);
    CREATE INDEX item_fingerprint ON item(fingerprint) WHERE fingerprint IS NOT NULL;
    CREATE INDEX item_missing ON item(missing_since) WHERE state = 1;
    CREATE INDEX item_unread ON item(folder_id) WHERE probe_version = 0;
    CREATE INDEX item_created ON item(creation_date);
    CREATE INDEX item_added ON item(added_at);
    CREATE INDEX item_name ON item(name);
    CREATE INDEX item_duration ON item(duration);
    CREATE INDEX item_size ON item(size);
    CREATE TABLE value(
      item_id INTEGER NOT NULL REFERENCES item(id) ON DELETE CASCADE,
      key TEXT NOT NULL, text TEXT NOT NULL) STRICT;
    CREATE INDEX value_item ON value(item_id, key);
    CREATE INDEX value_key ON value(key, text);
    CREATE TABLE change(
      number INTEGER PRIMARY KEY AUTOINCREMENT, item_id INTEGER NOT NULL, uuid BLOB NOT NULL,
      -- 0 inserted, 1 changed, 2 removed
      what INTEGER NOT NULL) STRICT;
    CREATE VIRTUAL TABLE search USING fts5(
      name, place, title, artist, album, description, tokenize = 'unicode61 remove_diacritics 2');
    """
}
