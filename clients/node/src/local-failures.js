// What the caller's own code throws, which the engine reports as errors.

/** Descriptions and what was thrown, the newest last. An engine stops at the first; several run at once. */
const recent = [];

/** Keeps what was thrown, and returns its description for the engine: its class and its message. */
export function reportLocalFailure(thrown) {
  const description = String(thrown);
  recent.push({ description, thrown });
  if (recent.length > 16) recent.shift();
  return description;
}

/** What was thrown last of that whose description is in the message of an engine's error. */
export function localFailure(message) {
  return recent.findLast(({ description }) => message.includes(description))?.thrown;
}
