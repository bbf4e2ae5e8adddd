// The versions of this client and of the protocol that it speaks.

export const VERSION = '0.1.0';
export const PROTOCOL_VERSION = '1.0';
