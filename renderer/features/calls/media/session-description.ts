// Session descriptions (SDP) of calls, before a browser gets to see them: sound and at most one film, encrypted, with addresses of devices
// and relays alone. Whatever else another program writes is left out, or makes the description worthless. Pure.
import { MAX_SDP_BYTES } from "#shared/content/chat/call-content.ts";
import { utf8Length } from "#shared/util/bytes.ts";

const MAX_LINES = 400;
const MAX_LINE_CHARS = 1_024;
/** Most addresses at which a device says it can be reached. */
export const MAX_CANDIDATES = 16;

/** Relays of the other side that are asked for the own address. */
const MAX_ASKED = 2;

const PRINTABLE = /^[\x20-\x7e]*$/;
const MEDIA_LINE = /^m=(audio|video) \d{1,5} UDP\/TLS\/RTP\/SAVPF(?: \d{1,3}){1,32}$/;
const FINGERPRINT = /^a=fingerprint:sha-256 [0-9A-F]{2}(?::[0-9A-F]{2}){31}$/i;
const CANDIDATE = /^a=candidate:[A-Za-z0-9+/]{1,32} [12] udp \d{1,10} (\S{1,64}) \d{1,5} typ (host|srflx|prflx|relay)(?: |$)/i;
/** What a browser writes instead of an address of the local network. */
const HIDDEN_ADDRESS = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.local$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const IPV6 = /^[0-9a-f:.]*:[0-9a-f:.]*$/i;
/** Addresses of version 4 that are of one other device: neither of this network or machine, nor of many. */
const FIRST_OF_ONE = { least: 1, most: 223, ownMachine: 127 } as const;
/** Of version 6, as browsers write them: those of many, and those that hold one of version 4, the own machine among them. */
const NOT_OF_ONE = /^\[(?:ff[0-9a-f]{2}:|::)/;
/** Attributes that a call needs; candidates and fingerprints are looked at by themselves. */
const ATTRIBUTES = new Set([
  "group",
  "extmap-allow-mixed",
  "msid-semantic",
  "rtcp",
  "ice-ufrag",
  "ice-pwd",
  "ice-options",
  "setup",
  "mid",
  "extmap",
  "sendrecv",
  "sendonly",
  "recvonly",
  "inactive",
  "msid",
  "rtcp-mux",
  "rtcp-rsize",
  "rtcp-fb",
  "rtpmap",
  "fmtp",
  "ssrc",
  "ssrc-group",
  "end-of-candidates",
  "ptime",
  "maxptime",
]);

/** The own address behind that of a relay, as it stands in a candidate. */
const BEHIND_RELAY = / raddr \S+ rport \d+/i;

/**
 * A description as it may be given to the browser, or sent. With `isRelayOnly` no address of the own device is in it.
 * @throws TypeError for one that is none of a call, RangeError for one beyond the bounds
 */
export function checkedDescription(sdp: string, isRelayOnly = false): string {
  if (utf8Length(sdp) > MAX_SDP_BYTES) throw new RangeError("A description of a call beyond its bounds");
  const lines = sdp.split(/\r?\n/).filter((line) => line !== "");
  if (lines.length > MAX_LINES || lines.some((line) => line.length > MAX_LINE_CHARS))
    throw new RangeError("A description of a call beyond its bounds");
  if (lines[0] !== "v=0" || !lines.every((line) => PRINTABLE.test(line))) throw new TypeError("This describes no call");
  checkMedia(lines.filter((line) => line.startsWith("m=")));
  if (!lines.some((line) => FINGERPRINT.test(line))) throw new TypeError("This describes a call without encryption");
  let candidates = 0;
  const kept = lines.filter((line) => {
    if (!line.startsWith("a=candidate:")) return isKept(line);
    if (!isReachable(line) || candidates >= MAX_CANDIDATES || (isRelayOnly && !isRelayed(line))) return false;
    candidates += 1;
    return true;
  });
  const shown = isRelayOnly ? kept.map((line) => line.replace(BEHIND_RELAY, " raddr 0.0.0.0 rport 0")) : kept;
  return `${shown.join("\r\n")}\r\n`;
}

/** True where a description names any address at which its device can be reached. */
export function hasCandidates(sdp: string): boolean {
  return sdp.split("\r\n").some(isReachable);
}

/** True where a description names an address of a relay. */
export function hasRelay(sdp: string): boolean {
  return sdp.split("\r\n").some((line) => isReachable(line) && isRelayed(line));
}

/**
 * Where a device without a relay may ask for its address, as the relay of the other side sees it: at that relay, which such a device sends to
 * anyway. So the other side can name that address to its relay.
 */
export function serversOf(offer: string): RTCIceServer[] {
  const addresses = offer.split("\r\n").flatMap((line) => (isReachable(line) && isRelayed(line) ? [CANDIDATE.exec(line)?.[1] ?? ""] : []));
  return [...new Set(addresses)]
    .slice(0, MAX_ASKED)
    .map((address) => ({ urls: `stun:${address.includes(":") ? `[${address}]` : address}:3478` }));
}

function isRelayed(line: string): boolean {
  return CANDIDATE.exec(line)?.[2]?.toLowerCase() === "relay";
}

function checkMedia(media: readonly string[]): void {
  const kinds = media.map((line) => MEDIA_LINE.exec(line)?.[1]);
  const isCall = kinds[0] === "audio" && (kinds.length === 1 || (kinds.length === 2 && kinds[1] === "video"));
  if (!isCall) throw new TypeError("This describes something else than a call");
}

function isKept(line: string): boolean {
  if (!line.startsWith("a=")) return /^[vostcmb]=/.test(line);
  if (line.startsWith("a=fingerprint:")) return FINGERPRINT.test(line);
  const [name = ""] = line.slice(2).split(":", 1);
  return ATTRIBUTES.has(name);
}

/** An address, or what stands for one in the local network: no name that would have to be looked up. */
function isReachable(line: string): boolean {
  const address = CANDIDATE.exec(line)?.[1];
  if (address === undefined) return false;
  return isOfOneDevice(address) || HIDDEN_ADDRESS.test(address);
}

/** An address of another device, in whatever form it is written: not the own machine, nor all devices of a network. */
function isOfOneDevice(address: string): boolean {
  if (IPV4.test(address)) {
    const [first = 0, ...others] = address.split(".").map(Number);
    const { least, most, ownMachine } = FIRST_OF_ONE;
    return first >= least && first <= most && first !== ownMachine && others.every((part) => part <= 255);
  }
  const url = IPV6.test(address) ? URL.parse(`http://[${address}]`) : null;
  return url !== null && !NOT_OF_ONE.test(url.hostname);
}
