// Exceptions of the caller's own code, which the engine reports as errors.

/** Descriptions and exceptions, the newest last. An engine stops at the first; several run at once. */
const recent = [];

/** Stores an exception, and returns its description for the engine: its class and its message. */
export function reportLocalFailure(thrown) {
  const description = String(thrown);
  recent.push({ description, thrown });
  if (recent.length > 16) recent.shift();
  return description;
}

/** The latest exception whose description is in the message of an engine's error. */
export function localFailure(message) {
  return recent.findLast(({ description }) => message.includes(description))?.thrown;
}
