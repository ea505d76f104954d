import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLinkCode, formatLinkPicture, parseLinkCode } from "#shared/linking/link-code.ts";
import {
  agreeOnSession,
  commitmentTo,
  type LinkMailboxes,
  matchesCommitment,
  rendezvousMailboxes,
  sessionMailboxes,
} from "#shared/linking/link-keys.ts";
import { decodeLinkMessage, encodeLinkMessage, type LinkMessage, MAX_PART_BYTES } from "#shared/linking/link-message.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";

interface Pair {
  readonly old: string;
  readonly fresh: string;
}

interface Vectors {
  readonly chainId: string;
  readonly codes: readonly { readonly secret: string; readonly code: string }[];
  readonly rendezvous: Pair;
  readonly session: Readonly<Record<"oldSecret" | "freshSecret" | "nonce" | "commitment" | "digits" | "key", string>> & {
    readonly mailboxes: Pair;
  };
  readonly messages: readonly { readonly message: Readonly<Record<string, unknown>>; readonly bytes: string }[];
}

const vectors = readVectors<Vectors>("linking.json");
const BYTE_FIELDS = ["commitment", "key", "nonce", "data"];

function messageOf(fields: Readonly<Record<string, unknown>>): LinkMessage {
  const entries = Object.entries(fields).map(([name, value]) => [name, BYTE_FIELDS.includes(name) ? fromHex(String(value)) : value]);
  return Object.fromEntries(entries) as LinkMessage;
}

function publicKeys({ old, fresh }: LinkMailboxes): Pair {
  return { old: toHex(old.publicKey), fresh: toHex(fresh.publicKey) };
}

describe("codes", () => {
  it.each(vectors.codes)("$code is read as another program wrote it", ({ secret, code }) => {
    expect(parseLinkCode(code, vectors.chainId)).toBe(secret);
    expect(parseLinkCode(formatLinkPicture(code), vectors.chainId)).toBe(secret);
    expect(parseLinkCode(` ${code.toLowerCase().replaceAll("-", " ")} `, vectors.chainId)).toBe(secret);
    expect(parseLinkCode(code.replaceAll("0", "o").replaceAll("1", "l"), vectors.chainId)).toBe(secret);
  });

  it("are drawn again each time, and can be read", () => {
    const codes = Array.from({ length: 50 }, () => createLinkCode("any", systemRandom));
    expect(new Set(codes).size).toBe(50);
    for (const code of codes) expect(parseLinkCode(code, "any")).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/);
  });

  it("with a slip are refused", () => {
    const code = vectors.codes[0]?.code ?? "";
    for (const wrong of ["", "0", code.slice(1), `${code}0`, `1${code.slice(1)}`, code.replace("B", "U"), code.replace("A", "%")])
      expect(() => parseLinkCode(wrong, vectors.chainId)).toThrow(expect.objectContaining({ code: "LINK_CODE_INVALID" }));
  });

  it("of another network are distinguished", () => {
    const code = createLinkCode("network-one", systemRandom);
    expect(() => parseLinkCode(code, "network-two")).toThrow(expect.objectContaining({ code: "LINK_OTHER_NETWORK" }));
  });
});

describe("keys", () => {
  const { session, chainId, codes } = vectors;
  const secret = codes[0]?.secret ?? "";
  const old = boxKeyPair(fromHex(session.oldSecret));
  const fresh = boxKeyPair(fromHex(session.freshSecret));
  const commitment = fromHex(session.commitment);
  const transcript = { chainId, secret, commitment, oldPub: old.publicKey, freshPub: fresh.publicKey, nonce: fromHex(session.nonce) };

  it("are those of another program, on both devices", () => {
    expect(publicKeys(rendezvousMailboxes(chainId, secret))).toEqual(vectors.rendezvous);
    expect(toHex(commitmentTo(fresh.publicKey, transcript.nonce))).toBe(session.commitment);
    const here = agreeOnSession(old.secretKey, fresh.publicKey, transcript);
    const there = agreeOnSession(fresh.secretKey, old.publicKey, transcript);
    for (const agreed of [here, there]) {
      expect(agreed && { digits: agreed.digits, key: toHex(agreed.key) }).toEqual({ digits: session.digits, key: session.key });
      expect(agreed && publicKeys(sessionMailboxes(agreed.key))).toEqual(session.mailboxes);
    }
  });

  it("are bound to everything that was said", () => {
    expect(matchesCommitment(transcript)).toBe(true);
    expect(matchesCommitment({ ...transcript, freshPub: old.publicKey })).toBe(false);
    expect(agreeOnSession(old.secretKey, new Uint8Array(32), transcript)).toBeUndefined();
    const changes = [{ chainId: "x" }, { secret: "X" }, { commitment: transcript.nonce }, { oldPub: commitment }, { nonce: commitment }];
    const keys = changes.map((change) => agreeOnSession(old.secretKey, fresh.publicKey, { ...transcript, ...change })?.key);
    expect(new Set([session.key, ...keys.map((key) => toHex(key ?? commitment))]).size).toBe(changes.length + 1);
  });
});

describe("messages", () => {
  it.each(vectors.messages)("$message.kind has the bytes that another program gives it", ({ message, bytes }) => {
    expect(toHex(encodeLinkMessage(messageOf(message)))).toBe(bytes);
    expect(decodeLinkMessage(fromHex(bytes))).toEqual(messageOf(message));
  });

  it("of any bytes give a message or nothing, never an exception", () => {
    const known = vectors.messages.map(({ bytes }) => fromHex(bytes));
    const slips = fc.array(fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 255 })), { maxLength: 4 });
    fc.assert(
      fc.property(fc.nat({ max: known.length - 1 }), slips, (n, changes) => {
        const bytes = (known[n] ?? new Uint8Array()).slice();
        for (const [offset, value] of changes) bytes[offset] = value;
        const message = decodeLinkMessage(bytes);
        if (message !== undefined) expect(decodeLinkMessage(encodeLinkMessage(message))).toEqual(message);
      }),
      { seed: 6, numRuns: extent(500, 2_000) },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(decodeLinkMessage(bytes)).toBeUndefined();
      }),
      { seed: 7, numRuns: extent(167, 500) },
    );
  });

  it.each([
    ["an unknown kind", { kind: "pay" }],
    ["a key that is too short", { kind: "offer", key: new Uint8Array(31) }],
    ["a device without a name", { kind: "device", dev: new Uint8Array(32), sign: new Uint8Array(32), name: "" }],
    ["a name that is too long", { kind: "device", dev: new Uint8Array(32), sign: new Uint8Array(32), name: "x".repeat(65) }],
    ["a reason that is none", { kind: "end", reason: "because" }],
    ["a window that is too wide", { kind: "want", after: "", window: 9 }],
    ["something nested", { kind: "end", reason: { of: { it: ["x"] } } }],
  ])("with %s are none", (_, fields) => {
    const content = encodeCbor(fields);
    const bytes = new Uint8Array(512);
    bytes.set([0xff, 0x50, 0x4c, 0x4c, 1, 0, 0, 0, content.length]);
    bytes.set(content, 9);
    expect(decodeLinkMessage(bytes)).toBeUndefined();
  });

  it("fit in an envelope at their largest, and are refused beyond", () => {
    const part = {
      kind: "part",
      from: "",
      next: "x".repeat(128),
      isLast: true,
      done: 1,
      total: 1,
      data: new Uint8Array(MAX_PART_BYTES),
    } as const;
    expect(decodeLinkMessage(encodeLinkMessage(part))).toEqual(part);
    expect(() => encodeLinkMessage({ ...part, data: new Uint8Array(MAX_PART_BYTES + 1) })).toThrow(RangeError);
  });
});
