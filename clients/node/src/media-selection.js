// Media selection: tracks that are alternatives, such as languages.

import { MetadataItem } from './metadata.js';

export class MediaSelectionOption {
  constructor(wire) {
    this.trackID = wire.trackID;
    this.mediaType = wire.mediaType;
    this.mediaSubTypes = wire.mediaSubTypes;
    this.mediaCharacteristics = wire.mediaCharacteristics;
    this.isPlayable = wire.isPlayable;
    this.extendedLanguageTag = wire.extendedLanguageTag;
    this.displayName = wire.displayName;
    this.commonMetadata = wire.commonMetadata.map((item) => new MetadataItem(item));
  }
}

export class MediaSelectionGroup {
  constructor(wire) {
    this.options = wire.options.map((option) => new MediaSelectionOption(option));
    this.defaultTrackID = wire.defaultTrackID;
    this.allowsEmptySelection = wire.allowsEmptySelection;
  }
}
