// Errors of the wire as errors of the client.

import {
  ContentIsProtectedError,
  ContentIsUnavailableError,
  DecodeFailedError,
  DecoderNotFoundError,
  DiskFullError,
  EncodeFailedError,
  EncoderNotFoundError,
  ExportFailedError,
  FileAlreadyExistsError,
  FileFailedToParseError,
  FileFormatNotRecognizedError,
  InternalError,
  InvalidOutputURLPathExtensionError,
  InvalidParamsError,
  InvalidRequestError,
  LeasesExhaustedError,
  LimitExceededError,
  MethodNotFoundError,
  NoImageAtTimeError,
  NoSourceTrackError,
  OperationCancelledError,
  OperationNotAllowedError,
  OperationNotSupportedForAssetError,
  OperationNotSupportedForPresetError,
  OutOfMemoryError,
  PathNotAllowedError,
  ReelwireError,
  RequestCancelledError,
  UnknownHandleError,
  UnsupportedOutputSettingsError,
  ValueNotLoadedError,
  WrongHandleKindError,
} from './errors.js';

/** The classes by code; other codes are those of no class of their own. */
const CLASSES = new Map([
  [-32600, InvalidRequestError],
  [-32601, MethodNotFoundError],
  [-32602, InvalidParamsError],
  [-32603, InternalError],
  [-32800, RequestCancelledError],
  [-11801, OutOfMemoryError],
  [-11807, DiskFullError],
  [-11820, ExportFailedError],
  [-11821, DecodeFailedError],
  [-11823, FileAlreadyExistsError],
  [-11828, FileFormatNotRecognizedError],
  [-11829, FileFailedToParseError],
  [-11831, ContentIsProtectedError],
  [-11832, NoImageAtTimeError],
  [-11833, DecoderNotFoundError],
  [-11834, EncoderNotFoundError],
  [-11838, OperationNotSupportedForAssetError],
  [-11843, InvalidOutputURLPathExtensionError],
  [-11861, UnsupportedOutputSettingsError],
  [-11862, OperationNotAllowedError],
  [-11863, ContentIsUnavailableError],
  [-11869, NoSourceTrackError],
  [-11871, OperationNotSupportedForPresetError],
  [-11878, OperationCancelledError],
  [-11883, EncodeFailedError],
  [1001, UnknownHandleError],
  [1002, WrongHandleKindError],
  [1003, ValueNotLoadedError],
  [2001, LeasesExhaustedError],
  [3001, PathNotAllowedError],
  [3002, LimitExceededError],
]);

/** Makes the error of what the engine sent; `undefined` of nothing. */
export function errorFromWire(wire) {
  if (wire === undefined) return undefined;
  const { code, message, data } = wire;
  return new (CLASSES.get(code) ?? ReelwireError)(message, { code, data });
}

/** The error of work that was cancelled, where the engine has sent none. */
export const cancelled = (message, hint) =>
  errorFromWire({ code: -11878, message, data: { name: 'operationCancelled', hint } });
