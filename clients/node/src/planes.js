// The planes of pictures and of audio, as typed arrays that lie where the bytes are.

import { endianness } from 'node:os';

const AUDIO_TYPES = {
  u8: Uint8Array,
  s16: Int16Array,
  s32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
};
/** Numbers of a pixel, of formats with one plane. */
const PACKED = {
  ...{ rgb24: 3, bgr24: 3, rgb48: 3, bgr48: 3, gray: 1, ya8: 2, ya16: 2 },
  ...{ rgba: 4, bgra: 4, argb: 4, abgr: 4, rgba64: 4, bgra64: 4 },
  ...{ rgb0: 4, bgr0: 4, '0rgb': 4, '0bgr': 4 },
};
const WIDE = ['rgb48', 'bgr48', 'rgba64', 'bgra64', 'ya16'];
/** By how many bits the width of chroma is shifted. */
const CHROMA = { 420: 1, 422: 1, 444: 0, 440: 0, 411: 2, 410: 2 };
const PLANAR = /^(yuva?|gbrp|gbrap)j?(4\d\d)?p?(\d\d?)?$/;
const INTERLEAVED = { nv12: 1, nv21: 1, nv16: 1, nv24: 0, nv42: 0 };
const INTERLEAVED_WIDE = /^p([024])1[0246]$/;

const form = (shift, components, size) => ({ shift, components, size });

/** The layouts of the planes of a pixel format of FFmpeg's; none for an unknown one. */
export function pictureForms(pixelFormat) {
  const name = pixelFormat.replace(/[lb]e$/, '');
  if (Object.hasOwn(PACKED, name)) return [form(0, PACKED[name], WIDE.includes(name) ? 2 : 1)];
  const gray = /^gray(8|9|1[0246])$/.exec(name);
  if (gray) return [form(0, 1, gray[1] === '8' ? 1 : 2)];
  if (Object.hasOwn(INTERLEAVED, name)) return [form(0, 1, 1), form(INTERLEAVED[name], 2, 1)];
  const wide = INTERLEAVED_WIDE.exec(name);
  if (wide) return [form(0, 1, 2), form(wide[1] === '4' ? 0 : 1, 2, 2)];
  const [, kind, chroma, depth] = PLANAR.exec(name) ?? [];
  if (kind === undefined || (chroma === undefined) === kind.startsWith('yuv')) return [];
  const size = depth === undefined ? 1 : 2;
  const full = form(0, 1, size);
  if (kind.startsWith('gb')) return new Array(kind === 'gbrap' ? 4 : 3).fill(full);
  if (!Object.hasOwn(CHROMA, chroma)) return [];
  const part = form(CHROMA[chroma], 1, size);
  return kind === 'yuva' ? [full, part, part, full] : [full, part, part];
}

/** Bytes as numbers of a type, without a copy where they lie well. */
function numbers(bytes, Type) {
  const size = Type.BYTES_PER_ELEMENT;
  if (size === 1) return new Type(bytes.buffer, bytes.byteOffset, bytes.length);
  const source = bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes);
  return new Type(source.buffer, source.byteOffset, Math.floor(source.length / size));
}

export class Plane {
  constructor(data, { width, height, components, bytesPerRow }) {
    this.data = data;
    this.width = width;
    this.height = height;
    this.components = components;
    this.bytesPerRow = bytesPerRow;
  }

  row(number) {
    if (!(number >= 0 && number < this.height)) {
      throw new RangeError(`a row is from 0 to ${this.height - 1}, not ${number}`);
    }
    const start = (number * this.bytesPerRow) / this.data.BYTES_PER_ELEMENT;
    return this.data.subarray(start, start + this.width * this.components);
  }
}

/** The planes of a picture. Of a format that isn't known they are bytes, and as wide as a row. */
export function picturePlanes(bytes, pixelFormat, width, wires) {
  const forms = pictureForms(pixelFormat);
  const isSwapped = pixelFormat.endsWith('be') === (endianness() === 'LE');
  return wires.map(({ offset, bytesPerRow, height }, index) => {
    const { shift, components, size } = forms[index] ?? form(0, 1, 0);
    const rows = bytes.subarray(offset, offset + bytesPerRow * height);
    const columns = size === 0 ? bytesPerRow : (width + (1 << shift) - 1) >> shift;
    if (size === 2 && !isSwapped) {
      return new Plane(numbers(rows, Uint16Array), {
        ...{ width: columns, height, components, bytesPerRow },
      });
    }
    // Of numbers in the other order of bytes these are the bytes.
    return new Plane(numbers(rows, Uint8Array), {
      ...{ width: columns, height, components: components * Math.max(size, 1), bytesPerRow },
    });
  });
}

/** The planes of audio: one when channels alternate, else one a channel. */
export function audioPlanes(bytes, { sampleFormat, frames, channels, planes }) {
  const Type = AUDIO_TYPES[sampleFormat] ?? Uint8Array;
  const components = planes.length === 1 ? channels : 1;
  return planes.map(
    ({ offset, size }) =>
      new Plane(numbers(bytes.subarray(offset, offset + size), Type), {
        ...{ width: frames, height: 1, components, bytesPerRow: size },
      }),
  );
}

/** The rows of planes one after the other, without padding. */
export function packed(planes) {
  const rows = [];
  for (const plane of planes) {
    for (let number = 0; number < plane.height; number += 1) {
      const { buffer, byteOffset, byteLength } = plane.row(number);
      rows.push(Buffer.from(buffer, byteOffset, byteLength));
    }
  }
  return Buffer.concat(rows);
}
