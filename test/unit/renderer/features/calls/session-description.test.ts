// Descriptions of calls from other programs, before a browser gets to see them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkedDescription,
  hasCandidates,
  hasRelay,
  MAX_CANDIDATES,
  serversOf,
} from "#renderer/features/calls/media/session-description.ts";
import { MAX_SDP_BYTES } from "#shared/content/chat/call-content.ts";

const FINGERPRINT = `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => "AB").join(":")}`;
const HOST = "a=candidate:1 1 udp 2122260223 192.168.1.7 50123 typ host generation 0";
const LINES = [
  "v=0",
  "o=- 1 2 IN IP4 127.0.0.1",
  "s=-",
  "t=0 0",
  "a=group:BUNDLE 0 1",
  "m=audio 9 UDP/TLS/RTP/SAVPF 111",
  "c=IN IP4 0.0.0.0",
  HOST,
  "a=ice-ufrag:abcd",
  "a=ice-pwd:0123456789abcdef01234567",
  FINGERPRINT,
  "a=setup:actpass",
  "a=mid:0",
  "a=sendrecv",
  "a=rtcp-mux",
  "a=rtpmap:111 opus/48000/2",
  "m=video 9 UDP/TLS/RTP/SAVPF 96 97",
  "a=mid:1",
  "a=rtpmap:96 VP8/90000",
];

const textOf = (lines: readonly string[]): string => `${lines.join("\r\n")}\r\n`;
const replaced = (line: string, by: readonly string[]): string => textOf(LINES.flatMap((known) => (known === line ? by : [known])));

describe("a description of a call", () => {
  it("comes through as it is where there is nothing else in it", () => {
    expect(checkedDescription(textOf(LINES))).toBe(textOf(LINES));
    expect(checkedDescription(LINES.join("\n"))).toBe(textOf(LINES));
    expect(checkedDescription(textOf(LINES.slice(0, 16)))).toBe(textOf(LINES.slice(0, 16)));
    expect(hasCandidates(textOf(LINES))).toBe(true);
    expect(hasCandidates(replaced(HOST, []))).toBe(false);
  });

  it("may name addresses of relays, and hides the own ones behind them", () => {
    const relayed = "a=candidate:3 1 udp 41885439 203.0.113.7 50123 typ relay raddr 198.51.100.9 rport 4711 generation 0";
    const both = replaced(HOST, [HOST, relayed]);
    expect(checkedDescription(both)).toBe(both);
    expect([hasRelay(both), hasRelay(textOf(LINES))]).toEqual([true, false]);
    const more = [7, 7, 8, 9].map((last) => relayed.replace("113.7", `113.${last}`));
    expect(serversOf(replaced(HOST, more))).toEqual([{ urls: "stun:203.0.113.7:3478" }, { urls: "stun:203.0.113.8:3478" }]);
    expect(serversOf(textOf(LINES))).toEqual([]);
    const hidden = checkedDescription(both, true);
    expect(hidden).toContain(" 203.0.113.7 50123 typ relay raddr 0.0.0.0 rport 0 generation 0\r\n");
    expect(hidden).not.toMatch(/198\.51\.100\.9|192\.168\.1\.7|typ host/);
    expect(hasCandidates(checkedDescription(textOf(LINES), true))).toBe(false);
  });

  it.each([
    ["data", [...LINES, "m=application 9 UDP/DTLS/SCTP webrtc-datachannel"]],
    ["three kinds of media", [...LINES, "m=video 9 UDP/TLS/RTP/SAVPF 96"]],
    ["pictures alone", LINES.filter((line) => !line.startsWith("m=audio"))],
    ["no encryption", LINES.filter((line) => line !== FINGERPRINT)],
    ["a weak fingerprint", LINES.map((line) => (line === FINGERPRINT ? "a=fingerprint:sha-1 AB:CD" : line))],
    ["a transport without encryption", LINES.map((line) => line.replace("UDP/TLS/RTP/SAVPF 111", "RTP/AVP 111"))],
    ["something that is no description", ["hello"]],
    ["nothing", []],
    ["characters that cannot be seen", [...LINES, "a=mid:\u00002"]],
    ["too many lines", [...LINES, ...Array.from({ length: 400 }, () => "a=mid:0")]],
    ["a line that is too long", [...LINES, `a=fmtp:${"9".repeat(1_100)}`]],
    ["too much of it", [...LINES, ...Array.from({ length: 20 }, () => `a=fmtp:${"9".repeat(900)}`)]],
  ])("is refused with %s", (_, lines) => {
    expect(() => checkedDescription(textOf(lines))).toThrow(/describ|description/);
  });

  it.each([
    ["a name to be looked up", "a=candidate:1 1 udp 1 tracker.example.org 80 typ host"],
    ["the own machine", "a=candidate:1 1 udp 1 127.0.0.1 9000 typ host"],
    ["the own machine as 0.0.0.0", "a=candidate:1 1 udp 1 0.0.0.0 9000 typ host"],
    ["the own machine as ::1", "a=candidate:1 1 udp 1 ::1 9000 typ host"],
    ["the own machine in another form", "a=candidate:1 1 udp 1 0:0:0:0:0:0:0:1 9000 typ host"],
    ["the own machine in an address of version 6", "a=candidate:1 1 udp 1 ::ffff:127.0.0.1 9000 typ host"],
    ["the same in hexadecimal", "a=candidate:1 1 udp 1 ::ffff:7f00:1 9000 typ host"],
    ["no address of version 6", "a=candidate:1 1 udp 1 1::2::3 9000 typ host"],
    ["no address of version 4", "a=candidate:1 1 udp 1 10.0.0.256 9000 typ host"],
    ["all devices of a network", "a=candidate:1 1 udp 1 255.255.255.255 9000 typ host"],
    ["many devices", "a=candidate:1 1 udp 1 239.255.255.250 1900 typ host"],
    ["many devices of version 6", "a=candidate:1 1 udp 1 ff02::fb 5353 typ host"],
    ["TCP", "a=candidate:1 1 tcp 1 192.168.1.7 9 typ host tcptype active"],
    ["an attribute that no call needs", "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:abc"],
    ["another kind of line", "k=clear:secret"],
  ])("loses %s", (_, line) => {
    expect(checkedDescription(replaced(HOST, [HOST, line]))).toBe(textOf(LINES));
  });

  it("keeps addresses of both kinds and hidden ones, as many as may be", () => {
    const others = [
      "a=candidate:2 1 udp 2122 2001:db8::7 50124 typ host",
      "a=candidate:3 1 UDP 2122 3f2a1b4c-0d5e-4f60-8a7b-9c0d1e2f3a4b.local 50125 typ host",
    ];
    expect(checkedDescription(replaced(HOST, [HOST, ...others]))).toBe(replaced(HOST, [HOST, ...others]));
    const many = Array.from({ length: MAX_CANDIDATES + 5 }, (_, index) => HOST.replace("50123", `${50_000 + index}`));
    expect(checkedDescription(replaced(HOST, many)).match(/a=candidate/g)).toHaveLength(MAX_CANDIDATES);
  });

  it("is what was checked already, whatever came", () => {
    const line = fc.oneof(fc.constantFrom(...LINES), fc.string({ maxLength: 40 }));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (extra) => {
        let checked: string;
        try {
          checked = checkedDescription(textOf([...LINES, ...extra]));
        } catch {
          return;
        }
        expect(checkedDescription(checked)).toBe(checked);
        expect(checked.length).toBeLessThanOrEqual(MAX_SDP_BYTES);
        expect(checked).not.toMatch(/m=application|a=crypto/);
      }),
    );
  });
});
