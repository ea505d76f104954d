// The codec of STUN against the vectors of RFC 5769, and against bytes that are none.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasIntegrity, hasRightFingerprint, longTermKey, sealStun } from "#node/network/calls/wire/integrity.ts";
import { StreamFrames } from "#node/network/calls/wire/stream-frames.ts";
import {
  ATTRIBUTES,
  attributeOf,
  attributesOf,
  MAX_ATTRIBUTES,
  parseStun,
  unknownAttributes,
} from "#node/network/calls/wire/stun-message.ts";
import { readUint32, readXorAddress, writeXorAddress } from "#node/network/calls/wire/stun-values.ts";
import { attribute, OVER_UDP, REQUESTS, turnRequest } from "#test/support/calls/turn-client.ts";

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll(/\s/g, ""), "hex");
const SHORT_KEY = Buffer.from("VOkJxbRl1RmTxUk/WvJxBt");
const REQUEST = bytesOf(`000100582112a442b7e7a701bc34d686fa87dfae
  802200105354554e207465737420636c69656e74 002400046e0001ff 80290008932ff9b151263b36
  000600096576746a3a68367659202020 000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a2 80280004e57a3bcf`);
const IPV4_RESPONSE = bytesOf(`0101003c2112a442b7e7a701bc34d686fa87dfae
  8022000b7465737420766563746f7220 002000080001a147e112a643
  000800142b91f599fd9e90c38c7489f92af9ba53f06be7d7 80280004c07d4c96`);
const IPV6_RESPONSE = bytesOf(`010100482112a442b7e7a701bc34d686fa87dfae
  8022000b7465737420766563746f7220 002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9
  00080014a382954e4be67bf11784c97c8292c275bfe3ed41 80280004c8fb0b4c`);
const LONG_TERM = bytesOf(`000100602112a44278ad3433c6ad72c029da412e
  00060012e3839ee38388e383aae38383e382afe382b90000
  0015001c662f2f3439396b39353464364f4c33346f4c39465354767936347341
  0014000b6578616d706c652e6f726700 00080014f67024656dd64a3e02b8e0712e85c9a28ca89666`);

const parsed = (bytes: Buffer): NonNullable<ReturnType<typeof parseStun>> => {
  const message = parseStun(bytes);
  if (message === undefined) throw new Error("This is no message");
  return message;
};

describe("the vectors of RFC 5769", () => {
  it.each([
    ["a request", REQUEST],
    ["a response of IPv4", IPV4_RESPONSE],
    ["a response of IPv6", IPV6_RESPONSE],
  ])("verify for %s, and not with one bit less", (_, bytes) => {
    expect(hasIntegrity(parsed(bytes), SHORT_KEY)).toBe(true);
    expect(hasRightFingerprint(parsed(bytes))).toBe(true);
    const changed = Buffer.from(bytes);
    changed[25] = (changed[25] ?? 0) ^ 1;
    expect(hasIntegrity(parsed(changed), SHORT_KEY)).toBe(false);
    expect(hasRightFingerprint(parsed(changed))).toBe(false);
  });

  it("name the addresses", () => {
    const addressOf = (bytes: Buffer): unknown => {
      const message = parsed(bytes);
      return readXorAddress(attributeOf(message, ATTRIBUTES.mappedAddress)?.value ?? Buffer.alloc(0), message.transaction);
    };
    expect(addressOf(IPV4_RESPONSE)).toEqual({ address: "192.0.2.1", port: 32_853 });
    expect(addressOf(IPV6_RESPONSE)).toEqual({ address: "2001:db8:1234:5678:11:2233:4455:6677", port: 32_853 });
    const { transaction } = parsed(IPV4_RESPONSE);
    expect(writeXorAddress(Uint8Array.of(192, 0, 2, 1), 32_853, transaction).toString("hex")).toBe("0001a147e112a643");
  });

  it("verify for a long-term credential, which another password does not", () => {
    const key = (password: string): Buffer => longTermKey("マトリックス", "example.org", password);
    expect(hasIntegrity(parsed(LONG_TERM), key("TheMatrIX"))).toBe(true);
    expect(hasIntegrity(parsed(LONG_TERM), key("TheMatrix"))).toBe(false);
    expect(unknownAttributes(parsed(REQUEST))).toEqual([0x0024]);
  });
});

describe("a message", () => {
  const credential = { username: "1800000000:0011223344556677", password: "secret" };

  it("is written as an independent client writes it", () => {
    const transaction = Buffer.alloc(12, 7);
    const theirs = turnRequest({
      type: REQUESTS.allocate,
      attributes: OVER_UDP,
      transaction,
      credential,
      nonce: "n",
      hasFingerprint: true,
    });
    const { username, password } = credential;
    const ours = sealStun(
      { method: 3, class: 0, transaction },
      [
        [ATTRIBUTES.transport, Buffer.from([17, 0, 0, 0])],
        [ATTRIBUTES.username, Buffer.from(username)],
        [ATTRIBUTES.realm, Buffer.from("parley")],
        [ATTRIBUTES.nonce, Buffer.from("n")],
      ],
      { key: longTermKey(username, "parley", password), hasFingerprint: true },
    );
    expect(ours.toString("hex")).toBe(theirs.toString("hex"));
    expect(parsed(theirs)).toMatchObject({ method: 3, class: 0 });
  });

  it("counts nothing that comes after its integrity", () => {
    const signed = turnRequest({ type: REQUESTS.allocate, credential });
    const more = attribute(0x0012, Buffer.from("0001a147e112a643", "hex"));
    const longer = Buffer.concat([signed, more]);
    longer.writeUInt16BE(signed.readUInt16BE(2) + more.length, 2);
    expect(attributeOf(parsed(longer), ATTRIBUTES.peerAddress)).toBeUndefined();
    expect(attributesOf(parsed(longer), ATTRIBUTES.peerAddress)).toEqual([]);
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["a head alone that says more", bytesOf("0001000421 12a442b7e7a701bc34d686fa87dfae")],
    ["another cookie", bytesOf("00010000 2112a443b7e7a701bc34d686fa87dfae")],
    ["a length that is no multiple of four", bytesOf("00010002 2112a442b7e7a701bc34d686fa87dfae0000")],
    ["bytes after its end", Buffer.concat([REQUEST, Buffer.alloc(4)])],
    ["less than it says", REQUEST.subarray(0, -4)],
    ["an attribute beyond its end", bytesOf("00010004 2112a442b7e7a701bc34d686fa87dfae 00060009")],
    [
      "too many attributes",
      turnRequest({ type: 1, attributes: Array.from({ length: MAX_ATTRIBUTES + 1 }, () => [0x8022, Buffer.alloc(0)]) }),
    ],
  ])("is none with %s", (_, bytes) => {
    expect(parseStun(bytes)).toBeUndefined();
  });

  it("is read without an error, whatever the bytes are", () => {
    const head = Buffer.from(REQUEST.subarray(0, 20));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), fc.boolean(), (tail, hasHead) => {
        const body = Buffer.from(tail.subarray(0, tail.length - (tail.length % 4)));
        head.writeUInt16BE(body.length, 2);
        const message = parseStun(hasHead ? Buffer.concat([head, body]) : Buffer.from(tail));
        if (message === undefined) return;
        hasIntegrity(message, SHORT_KEY);
        hasRightFingerprint(message);
        for (const { value } of message.attributes) readXorAddress(value, message.transaction);
        readUint32(attributeOf(message, ATTRIBUTES.lifetime));
      }),
    );
  });
});

describe("a stream", () => {
  const data = bytesOf("4000000568656c6c6f");
  const filled = Buffer.concat([data, Buffer.alloc(3)]);

  it("is cut into the same frames, however it comes", () => {
    const all = Buffer.concat([REQUEST, filled, LONG_TERM]);
    for (const step of [1, 3, 7, all.length]) {
      const frames = new StreamFrames();
      const found: string[] = [];
      for (let at = 0; at < all.length; at += step)
        found.push(...frames.take(all.subarray(at, at + step)).map((frame) => frame.toString("hex")));
      expect(found).toEqual([REQUEST, data, LONG_TERM].map((frame) => frame.toString("hex")));
    }
  });

  it.each([bytesOf("8000000400000000"), bytesOf("c0000004"), bytesOf("0001ffff"), bytesOf("40000900")])("is lost with %s", (bytes) => {
    expect(() => new StreamFrames().take(bytes)).toThrow(RangeError);
  });
});
