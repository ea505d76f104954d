import { readFileSync } from "node:fs";
import { Point, verify as verifyByLibrary } from "@noble/ed25519";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadSodium } from "#node/crypto/sodium.ts";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createKeyCheck, createNativeVerifier, createRuntimeVerifier } from "#node/crypto/verify-signature.ts";
import {
  ed25519PublicKey,
  isAcceptablePoint,
  isAcceptablePublicKey,
  signEd25519,
  type VerifySignature,
  verifyZip215,
} from "#shared/protocol/primitives/signature.ts";
import { concatBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { extent } from "#test/support/host/test-extent.ts";

interface Wycheproof {
  readonly numberOfTests: number;
  readonly testGroups: readonly {
    readonly publicKey: { readonly pk: string };
    readonly tests: readonly { readonly tcId: number; readonly msg: string; readonly sig: string; readonly result: string }[];
  }[];
}

const readVectors = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../../vectors/${name}`, import.meta.url), "utf8"));
const speccheck = readVectors("ed25519-speccheck.json") as readonly {
  readonly message: string;
  readonly pub_key: string;
  readonly signature: string;
}[];
const wycheproof = readVectors("wycheproof-ed25519_test.json") as Wycheproof;

const VERIFIERS: readonly (readonly [string, VerifySignature])[] = [
  ["with libsodium where there is one", createNativeVerifier()],
  ["by the runtime's library", createRuntimeVerifier(64)],
];
const ff = (count: number): string => "ff".repeat(count);
const zeros = (count: number): string => "00".repeat(count);

/** The eight points of small order in canonical form. */
const CANONICAL_SMALL_ORDER = [
  `01${zeros(31)}`,
  `ec${ff(30)}7f`,
  zeros(32),
  `${zeros(31)}80`,
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
];
/** The six other encodings of such points: y not reduced, or a sign bit on x = 0. */
const NON_CANONICAL_SMALL_ORDER = [`01${zeros(30)}80`, `ec${ff(31)}`, `ed${ff(30)}7f`, `ed${ff(31)}`, `ee${ff(30)}7f`, `ee${ff(31)}`];
const SMALL_ORDER = [...CANONICAL_SMALL_ORDER, ...NON_CANONICAL_SMALL_ORDER];

/** Every encoding whose y is not reduced. */
const UNREDUCED = Array.from({ length: 19 }, (_, offset) => (0xed + offset).toString(16)).flatMap((low) => [
  `${low}${ff(30)}7f`,
  `${low}${ff(31)}`,
]);
/** Canonical points outside the prime-order group and not of small order: an ordinary one plus each of small order. */
const MIXED_ORDER = CANONICAL_SMALL_ORDER.slice(1).map((small) =>
  toHex(
    Point.fromBytes(ed25519PublicKey(new Uint8Array(32).fill(5)))
      .add(Point.fromBytes(fromHex(small), true))
      .toBytes(),
  ),
);

/** Wycheproof cases that a strict verifier rejects and ZIP-215 accepts, with the reason. */
const ACCEPTED_BEYOND_STRICT = new Map([
  [151, "R encodes y = 1 with the sign bit of x = 0 set: ZIP-215 takes any encoding of R that decompresses"],
]);

describe.each(VERIFIERS)("native verifier %s", (_, verify) => {
  it("answers the speccheck cases by ZIP-215", () => {
    const answers = speccheck.map((test) => verify(fromHex(test.signature), fromHex(test.message), fromHex(test.pub_key)));
    expect(answers.map((isAccepted) => (isAccepted ? "V" : "X")).join(" ")).toBe("V V V V V V X X X V V V");
  });

  it("accepts the whole grid of small-order keys and nonces, as ZIP-215 demands", () => {
    const message = utf8("Zcash");
    const accepted = SMALL_ORDER.flatMap((key) =>
      SMALL_ORDER.filter((nonce) => verify(concatBytes(fromHex(nonce), new Uint8Array(32)), message, fromHex(key))),
    );
    expect(accepted).toHaveLength(196);
  });

  it("agrees with the Wycheproof results but for the listed cases", () => {
    const differing = wycheproof.testGroups.flatMap((group) =>
      group.tests
        .filter((test) => verify(fromHex(test.sig), fromHex(test.msg), fromHex(group.publicKey.pk)) !== (test.result === "valid"))
        .map((test) => test.tcId),
    );
    expect(wycheproof.numberOfTests).toBe(151);
    expect(differing).toEqual([...ACCEPTED_BEYOND_STRICT.keys()]);
  });

  it("answers like the portable rule for damaged signatures, messages and keys", () => {
    const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
    const property = fc.property(seed, fc.uint8Array({ maxLength: 80 }), fc.nat(95), fc.nat(255), (key, message, position, change) => {
      const signer = createValidatorSigner(key);
      const parts = concatBytes(signer.sign(message), fromHex(signer.publicKey));
      parts[position] = (parts[position] ?? 0) ^ change;
      const [signature, publicKey] = [parts.slice(0, 64), parts.slice(64)];
      expect(verify(signature, message, publicKey)).toBe(verifyZip215(signature, message, publicKey));
      expect(verify(signature, message, publicKey)).toBe(change === 0);
    });
    fc.assert(property, { numRuns: extent(20, 60), seed: 20_260_801 });
  });

  it("keeps answering when it has seen more keys than it caches", () => {
    const signers = [1, 2, 3].map((fill) => createValidatorSigner(new Uint8Array(32).fill(fill)));
    const small = createRuntimeVerifier(2);
    for (const signer of [...signers, ...signers]) {
      expect(small(signer.sign(utf8("again")), utf8("again"), fromHex(signer.publicKey))).toBe(true);
      expect(small(signer.sign(utf8("again")), utf8("other"), fromHex(signer.publicKey))).toBe(false);
    }
  });

  it.each([
    ["a short signature", 63, 32],
    ["a short key", 64, 31],
  ])("rejects %s", (_name, signatureLength, keyLength) => {
    expect(verify(new Uint8Array(signatureLength), utf8("x"), new Uint8Array(keyLength))).toBe(false);
  });
});

describe("libsodium", () => {
  const sodium = loadSodium();
  if (sodium === undefined) throw new Error("This platform has no binary of libsodium: the tests are for those that have");

  it("is missing where the package has no binary", () => expect(loadSodium("plan9", "vax")).toBeUndefined());

  it("accepts nothing that the rule refuses: published cases, small orders, and any mixture of valid and odd parts", () => {
    const honest = [3, 4].map((fill) => new Uint8Array(32).fill(fill));
    const points = [...SMALL_ORDER, ...UNREDUCED].map(fromHex);
    const order = fromHex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    const scalars = [new Uint8Array(32), order, order.with(0, 0xec), new Uint8Array(32).fill(0xff)];
    const signatures = honest.map((seed) => signEd25519(utf8("m"), seed));
    const keys = [...points, ...honest.map(ed25519PublicKey)];
    const nonces = [...points, ...signatures.map((signature) => signature.slice(0, 32))];
    const responses = [...scalars, ...signatures.map((signature) => signature.slice(32))];
    const mixtures = keys.flatMap((key) =>
      nonces.flatMap((nonce) => responses.map((response) => [concatBytes(nonce, response), utf8("m"), key] as const)),
    );
    const published = speccheck.map(({ signature, message, pub_key }) => [fromHex(signature), fromHex(message), fromHex(pub_key)] as const);
    const accepted = [...mixtures, ...published].filter((parts) => sodium.verify(...parts));
    expect(accepted.filter((parts) => !verifyZip215(...parts))).toEqual([]);
    expect(mixtures.filter((parts) => sodium.verify(...parts))).toHaveLength(2);
  });

  it("takes views into the middle of a buffer, and nothing of another length", () => {
    const seed = new Uint8Array(32).fill(9);
    const [signature, key] = [signEd25519(utf8("view"), seed), ed25519PublicKey(seed)];
    const whole = concatBytes(utf8("xx"), signature, utf8("view"), key, utf8("yy"));
    expect(sodium.verify(whole.subarray(2, 66), whole.subarray(66, 70), whole.subarray(70, 102))).toBe(true);
    expect(sodium.verify(whole.subarray(2, 66), whole.subarray(66, 71), whole.subarray(70, 102))).toBe(false);
    expect(sodium.verify(whole.subarray(2, 65), whole.subarray(66, 70), whole.subarray(70, 102))).toBe(false);
    expect(sodium.verify(whole.subarray(2, 66), whole.subarray(66, 70), whole.subarray(70, 101))).toBe(false);
    expect(sodium.isPrimeOrderPoint(whole.subarray(70, 102))).toBe(true);
    expect(sodium.isPrimeOrderPoint(whole.subarray(70, 101))).toBe(false);
  });
});

describe("validator signer", () => {
  it("signs as the portable implementation does", () => {
    const seed = new Uint8Array(32).fill(7);
    expect(Buffer.from(createValidatorSigner(seed).sign(utf8("m")))).toEqual(Buffer.from(signEd25519(utf8("m"), seed)));
  });
});

describe("acceptable public keys", () => {
  it.each(SMALL_ORDER)("refuses the small-order encoding %s", (key) => {
    expect(isAcceptablePublicKey(key)).toBe(false);
  });

  it("refuses every encoding whose y is not reduced", () => {
    expect(UNREDUCED.filter(isAcceptablePublicKey)).toEqual([]);
  });

  it("are recognised natively as by the rule", () => {
    const check = createKeyCheck();
    const keys = fc.oneof(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.constantFrom(...SMALL_ORDER, ...UNREDUCED).map(fromHex),
      fc.uint8Array({ minLength: 32, maxLength: 32 }).map(ed25519PublicKey),
      fc.constantFrom(...MIXED_ORDER).map(fromHex),
    );
    fc.assert(
      fc.property(keys, (key) => check(key) === isAcceptablePublicKey(toHex(key))),
      { numRuns: extent(100, 300), seed: 20_261_121 },
    );
    expect(MIXED_ORDER.every(isAcceptablePublicKey)).toBe(true);
  });

  it("are recognised by their encoding alone where they are known to be points", () => {
    const isPoint = (key: Uint8Array): boolean => {
      try {
        Point.fromBytes(key, true);
        return true;
      } catch {
        return false;
      }
    };
    const odd = [...SMALL_ORDER, ...UNREDUCED, ...MIXED_ORDER].filter((key) => isPoint(fromHex(key)));
    expect(odd.length).toBeGreaterThan(SMALL_ORDER.length + MIXED_ORDER.length);
    expect(odd.filter((key) => isAcceptablePoint(key) !== isAcceptablePublicKey(key))).toEqual([]);
    expect(odd.filter((key) => isAcceptablePoint(key.toUpperCase()) !== isAcceptablePublicKey(key))).toEqual([]);
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(isPoint);
    fc.assert(
      fc.property(bytes, (key) => isAcceptablePoint(toHex(key)) === isAcceptablePublicKey(toHex(key))),
      { numRuns: extent(34, 100), seed: 20_261_122 },
    );
  });

  it("accepts an ordinary key", () => {
    expect(isAcceptablePublicKey(createValidatorSigner(new Uint8Array(32).fill(1)).publicKey)).toBe(true);
  });
});

describe("the consensus rule", () => {
  const seed = new Uint8Array(32).fill(9);
  const [key, message] = [ed25519PublicKey(seed), utf8("message")];
  const signature = signEd25519(message, seed);
  const small = SMALL_ORDER.map(fromHex);

  it("is what the library's own verifier says of signatures with changed bytes and of points of small order", () => {
    const bytes = fc.oneof(fc.constantFrom(...small, key), fc.uint8Array({ minLength: 32, maxLength: 32 }));
    const changed = fc.tuple(fc.nat(95), fc.integer({ min: 1, max: 255 })).map(([at, mask]) => {
      const whole = concatBytes(signature, key);
      whole[at] = (whole[at] ?? 0) ^ mask;
      return [whole.subarray(0, 64), whole.subarray(64)] as const;
    });
    const made = fc
      .tuple(bytes, fc.constantFrom(new Uint8Array(32), signature.subarray(32)), bytes)
      .map(([R, S, publicKey]) => [concatBytes(R, S), publicKey] as const);
    fc.assert(
      fc.property(fc.oneof(changed, made), ([signed, publicKey]) => {
        expect(verifyZip215(signed, message, publicKey)).toBe(verifyByLibrary(signed, message, publicKey, { zip215: true }));
      }),
      { numRuns: extent(67, 200) },
    );
    expect(verifyZip215(signature, message, key)).toBe(true);
  });
});
