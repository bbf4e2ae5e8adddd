// Contact sheets: many images of a video in one, with a map for web players.

import { inspect } from 'node:util';

import { Picture } from './picture.js';
import { MediaTime, TimeRange, timeOrNone } from './time.js';
import { errorFromWire } from './wire-errors.js';

export class ContactSheetTile {
  constructor(wire) {
    this.index = wire.index;
    this.timeRange = TimeRange.of(wire.timeRange);
    this.requestedTime = MediaTime.of(wire.requestedTime);
    this.actualTime = timeOrNone(wire.actualTime);
    this.sampleIndex = wire.sampleIndex;
    this.isExact = wire.isExact ?? false;
    this.x = wire.x;
    this.y = wire.y;
    this.width = wire.width;
    this.height = wire.height;
    this.error = errorFromWire(wire.error);
  }
}

export class ContactSheet extends Picture {
  constructor(wire, blob) {
    super(wire.image, blob);
    this.tileWidth = wire.tileWidth;
    this.tileHeight = wire.tileHeight;
    this.columns = wire.columns;
    this.rows = wire.rows;
    this.tiles = wire.tiles.map((tile) => new ContactSheetTile(tile));
    this.webVTT = wire.webVTT;
    this.webVTTPath = wire.webVTTPath;
  }

  [inspect.custom]() {
    const tiles = `${this.columns}×${this.rows} tiles of ${this.tileWidth}×${this.tileHeight}`;
    return `ContactSheet ${this.width}×${this.height} ${this.format}, ${tiles}`;
  }
}
