// What goes through carriers is what another implementation makes (test/vectors/make_carry.py), opens for whom it was sealed to, and for
// no one who altered anything of it.
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  CARRY_CLASSES,
  MAX_CARRIED_BYTES,
  openRequest,
  SEAL_BYTES,
  sealRequest,
  x25519PrivateKey,
  x25519PublicHex,
} from "#node/relay/keepers/carry/carry-seal.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";

interface Case {
  readonly chainId: string;
  readonly key: string;
  readonly x25519: string;
  readonly secret: string;
  readonly onceSecret: string;
  readonly fresh: string;
  readonly freshNews: string;
  readonly message: string;
  readonly request: string;
  readonly answer: string;
  readonly news: string;
}

const { cases } = readVectors<{ readonly cases: readonly Case[] }>("carry.json");
const KEEPER = keeper("parley-test", new Uint8Array(32).fill(3));

function keeper(chainId: string, secretBytes: Uint8Array, key = "ab".repeat(32)): Parameters<typeof openRequest>[0] {
  const secret = x25519PrivateKey(secretBytes);
  return { chainId, key, x25519: x25519PublicHex(secret), secret };
}

it.each(cases)("is what another implementation seals: $chainId, $message.length digits", (vector) => {
  const { chainId, key, x25519 } = vector;
  const message = fromHex(vector.message);
  const { sealed, exchange } = sealRequest({ chainId, key, x25519 }, message, () => fromHex(vector.onceSecret));
  expect(toHex(sealed)).toBe(vector.request);
  const opened = openRequest({ chainId, key, x25519, secret: x25519PrivateKey(fromHex(vector.secret)) }, sealed);
  expect(toHex(opened?.message ?? new Uint8Array())).toBe(vector.message);
  const answer = message.toReversed();
  expect(toHex(opened?.exchange.seal("answer", answer, () => fromHex(vector.fresh)) ?? new Uint8Array())).toBe(vector.answer);
  expect(toHex(opened?.exchange.seal("news", message.subarray(0, 40), () => fromHex(vector.freshNews)) ?? new Uint8Array())).toBe(
    vector.news,
  );
  expect(exchange.open("answer", fromHex(vector.answer))).toEqual(Buffer.from(answer));
  expect(exchange.open("news", fromHex(vector.news))).toEqual(Buffer.from(message.subarray(0, 40)));
  // Each kind has keys of its own.
  expect([exchange.open("news", fromHex(vector.answer)), exchange.open("answer", fromHex(vector.news))]).toEqual([undefined, undefined]);
});

it("has one of a few lengths, whatever is in it, and refuses what is longer", () => {
  const lengthOf = (bytes: number): number => sealRequest(KEEPER, new Uint8Array(bytes), randomBytes).sealed.length - SEAL_BYTES;
  const around = CARRY_CLASSES.flatMap((size, at) => [
    [size - 4, size],
    [size - 3, CARRY_CLASSES[at + 1] ?? 0],
  ]);
  for (const [bytes = 0, length] of around.slice(0, -1)) expect([bytes, lengthOf(bytes)]).toEqual([bytes, length]);
  expect([lengthOf(0), MAX_CARRIED_BYTES]).toEqual([1_024, 1_048_572]);
  expect(() => lengthOf(MAX_CARRIED_BYTES + 1)).toThrow(RangeError);
});

it("opens for no other keeper, chain or key, and never twice under one key", () => {
  const { sealed } = sealRequest(KEEPER, new Uint8Array([1, 2, 3]), randomBytes);
  const others = [
    keeper("parley-other", new Uint8Array(32).fill(3)),
    keeper("parley-test", new Uint8Array(32).fill(3), "cd".repeat(32)),
    keeper("parley-test", new Uint8Array(32).fill(4)),
  ];
  expect(others.map((other) => openRequest(other, sealed))).toEqual([undefined, undefined, undefined]);
  const twice = [1, 2].map(() => openRequest(KEEPER, sealed)?.exchange.seal("answer", new Uint8Array(9), randomBytes));
  expect(twice[0]?.subarray(32, 64)).not.toEqual(twice[1]?.subarray(32, 64));
  // Keys of small order share a secret with everyone.
  const small = sealed.slice();
  small.fill(0, 0, 32);
  expect(openRequest(KEEPER, small)).toBeUndefined();
  expect(() => sealRequest({ ...KEEPER, x25519: "00".repeat(32) }, new Uint8Array(1), randomBytes)).toThrow();
});

it("does not open when anything was altered, cut off or added", () => {
  const { sealed, exchange } = sealRequest(KEEPER, new Uint8Array(40).fill(7), randomBytes);
  const answer = openRequest(KEEPER, sealed)?.exchange.seal("answer", new Uint8Array(40).fill(8), randomBytes) ?? new Uint8Array();
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      // The highest bit of an X25519 key is no part of it, but of the bytes that keys are made of.
      const altered = (of: Uint8Array): Uint8Array => of.map((byte, index) => (index === at ? byte ^ by : byte));
      expect([openRequest(KEEPER, altered(sealed)), exchange.open("answer", altered(answer))]).toEqual([undefined, undefined]);
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(fc.nat(sealed.length), fc.uint8Array({ maxLength: 4_096 }), (length, more) => {
      if (length === sealed.length && more.length === 0) return;
      const other = Buffer.concat([sealed.subarray(0, length), more]);
      if (other.equals(sealed)) return;
      expect(openRequest(KEEPER, other)).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});
