// Media at an http or https URL, read by ranges.

import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';

import { ContentIsUnavailableError } from './errors.js';

/** The range of the first request to a server: its answer shows whether there are ranges, and the length. */
const FIRST = 64 << 10;
const REDIRECTS = [301, 302, 303, 307, 308];

/** The addresses that the internet doesn't have: of this machine, of private networks, of links (RFC 6890). */
const INTERNAL = new net.BlockList();
for (const [network, bits] of [
  ...[['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16]],
  ...[['172.16.0.0', 12], ['192.0.0.0', 24], ['192.168.0.0', 16], ['198.18.0.0', 15]],
  ['224.0.0.0', 3],
]) {
  INTERNAL.addSubnet(network, bits, 'ipv4');
  // Translated to IPv6 (RFC 6052).
  INTERNAL.addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6');
}
for (const [network, bits] of [['::', 96], ['fc00::', 7], ['fe80::', 9], ['ff00::', 8]]) {
  INTERNAL.addSubnet(network, bits, 'ipv6');
}

function isInternal(address) {
  const plain = address.split('%')[0];
  // Of an IPv4 address in IPv6, BlockList looks at the former.
  return INTERNAL.check(plain, net.isIPv6(plain) ? 'ipv6' : 'ipv4');
}

/** The host of a URL, without the brackets of an IPv6 address. */
function hostOf(address) {
  return address.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Looks up a name as `net.connect` asks for it, and refuses the addresses that the internet doesn't have. */
function lookupOutside(host, options, done) {
  dns.lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error);
    const internal = found.find(({ address }) => isInternal(address));
    if (internal) return done(inPrivateNetwork(host));
    if (options.all) done(null, found);
    else done(null, found[0].address, found[0].family);
  });
}

function inPrivateNetwork(host) {
  return new Error(`it is redirected to '${host}', which is in a private network`);
}

/** For connections to the internet alone: another agent's may lead elsewhere. */
const OUTSIDE = {
  'http:': new http.Agent({ keepAlive: true, lookup: lookupOutside }),
  'https:': new https.Agent({ keepAlive: true, lookup: lookupOutside }),
};

function parsed(location, base) {
  try {
    return new URL(location, base);
  } catch {
    return undefined;
  }
}

/** The requests for one URL. */
class Requests {
  #address;
  /** True if the first URL is internal. A server of the internet must not have this machine ask others that it can't
   * reach itself. */
  #mayBeInternal;

  constructor(address, mayBeInternal) {
    this.#address = address;
    this.#mayBeInternal = mayBeInternal;
  }

  static async of(url) {
    const address = new URL(url);
    const found = await dns.promises.lookup(hostOf(address), { all: true }).catch(() => []);
    return new Requests(address, found.some((entry) => isInternal(entry.address)));
  }

  /** The requests for the target of redirects. */
  from(address) {
    return new Requests(address, this.#mayBeInternal);
  }

  /**
   * Asks for a range, and follows redirects.
   *
   * @param tag sent to the server that has stated it, and to no other
   * @returns the answer, and the URL that it is the answer for
   */
  async ask(offset, length, { tag, signal } = {}) {
    let address = this.#address;
    for (let count = 0; count < 10; count += 1) {
      const isSame = address.origin === this.#address.origin;
      const answer = await this.#askOnce(address, offset, length, isSame ? tag : undefined, signal);
      const { location } = answer.headers;
      if (!REDIRECTS.includes(answer.statusCode) || !location) return { answer, address };
      answer.destroy();
      address = this.#redirected(location, address);
    }
    throw new Error('it is redirected again and again');
  }

  #redirected(location, from) {
    const to = parsed(location, from);
    if (!['http:', 'https:'].includes(to?.protocol)) {
      throw new Error(`it is redirected to '${location}', which is no http or https URL`);
    }
    // Names are looked at where they are looked up.
    if (!this.#mayBeInternal && net.isIP(hostOf(to)) && isInternal(hostOf(to))) {
      throw inPrivateNetwork(hostOf(to));
    }
    return to;
  }

  #askOnce(address, offset, length, tag, signal) {
    const { get } = address.protocol === 'https:' ? https : http;
    const headers = {
      range: `bytes=${offset}-${offset + length - 1}`,
      // Ranges are of the stored bytes, so the answer must not be encoded.
      'accept-encoding': 'identity',
      'user-agent': 'reelwire',
      ...(tag && { 'if-range': tag }),
    };
    const agent = this.#mayBeInternal ? undefined : OUTSIDE[address.protocol];
    return new Promise((resolve, reject) => {
      get(address, { headers, agent, signal }, resolve).on('error', reject);
    });
  }
}

/** The content of an http or https URL, by ranges. */
class Ranges {
  isRandomAccess = true;
  #requests;
  #tag;
  #first;

  constructor(requests, name, length, tag, first) {
    this.#requests = requests;
    this.name = name;
    this.length = length;
    this.#tag = tag;
    this.#first = first;
  }

  async read(offset, length) {
    if (offset + length <= this.#first.length) return this.#first.subarray(offset, offset + length);
    const { answer } = await this.#requests.ask(offset, length, { tag: this.#tag });
    if (answer.statusCode !== 206 || total(answer) !== this.length) {
      answer.destroy();
      throw new Error(
        [200, 206].includes(answer.statusCode)
          ? 'the file on the server has changed'
          : `the server answers ${answer.statusCode} ${answer.statusMessage}`,
      );
    }
    return body(answer, length);
  }

  close() {
    this.#first = new Uint8Array(0);
  }
}

/** The bytes of an answer, limited to the requested number: a server may send more, without an end. */
async function body(answer, length) {
  const bytes = new Uint8Array(length);
  let filled = 0;
  for await (const chunk of answer) {
    if (filled + chunk.length > length) {
      throw new Error(`the server sends more than the ${length} bytes that were asked for`);
    }
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  if (filled < length) {
    throw new Error(`the server sends ${filled} bytes instead of ${length}`);
  }
  return bytes;
}

function total(answer) {
  const length = Number(answer.headers['content-range']?.split('/').at(-1));
  return Number.isSafeInteger(length) ? length : undefined;
}

/**
 * Opens an http or https URL.
 *
 * @param ordered makes the source of a stream of bytes, its name and its length, for a server without ranges
 * @throws ContentIsUnavailableError if it can't be had
 */
export async function openURL(url, signal, ordered) {
  const { protocol, host, pathname } = new URL(url);
  const name = `${protocol}//${host}${pathname}`;
  const fail = (reason) =>
    new ContentIsUnavailableError(`${name} can't be opened: ${reason}`, {
      ...{ name: 'contentIsUnavailable', code: -11863, hint: 'Check the URL.' },
    });
  const requests = await Requests.of(url);
  let answer;
  let address;
  try {
    ({ answer, address } = await requests.ask(0, FIRST, { signal }));
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw fail(error.message || error.code);
  }
  const length = total(answer);
  if (answer.statusCode === 206 && length !== undefined) {
    const tag = answer.headers.etag;
    const strong = tag?.startsWith('W/') ? undefined : tag;
    let first;
    try {
      first = await body(answer, Math.min(length, FIRST));
    } catch (error) {
      throw fail(error.message);
    }
    // From the target of redirects on: that server has stated the tag.
    return new Ranges(requests.from(address), name, length, strong, first);
  }
  if (answer.statusCode === 200) {
    const stated = Number(answer.headers['content-length'] ?? NaN);
    const isKnown = Number.isSafeInteger(stated) && !answer.headers['content-encoding'];
    return ordered(answer, { name, length: isKnown ? stated : undefined });
  }
  answer.destroy();
  throw fail(`the server answers ${answer.statusCode} ${answer.statusMessage}`);
}
