// What peers send is bytes of strangers: every decoder answers any of them, and gives each value one encoding.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeConsensusMessage } from "#node/engine/consensus-message-codec.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { mailRequestCodec, mailResponseCodec } from "#node/network/wire/mail-codec.ts";
import {
  boxMessageCodec,
  deletionNoticeCodec,
  firstMailboxResponseCodec,
  mailboxRequestCodec,
  mailboxResponseCodec,
  relayMessageCodec,
  secondMailboxResponseCodec,
} from "#node/network/wire/relay-codec.ts";
import { cleanText, decodeAnnouncement, encodeAnnouncement } from "#node/network/wire/version-announcement.ts";
import {
  blocksRequestCodec,
  decodeBlockFront,
  decodeFinalBlock,
  encodedFinalBlockCodec,
  encodeFinalBlock,
  firstStatusCodec,
  gossipedConsensusCodec,
  secondStatusCodec,
  statusCodec,
  transactionsMessageCodec,
  tryDecodeConsensus,
} from "#node/network/wire/wire-codec.ts";
import { encode, tryDecode, type Codec as WireCodec } from "#shared/codec/codec.ts";
import { encodeBlock } from "#shared/protocol/chain/block.ts";
import { commitCodec } from "#shared/protocol/chain/vote.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { GENESIS_HASH, sampleBlock, sampleEnvelope, sampleVote } from "#test/support/nodes/test-network.ts";
import { actor, alice, bob, CHAIN_ID, signed } from "#test/support/worlds/ledger-world.ts";

interface Codec {
  readonly name: string;
  readonly encoded: Uint8Array;
  readonly decode: (bytes: Uint8Array) => unknown;
  /** Encoding of what {@link Codec.decode} gave. */
  readonly encode: (value: never) => Uint8Array;
}

const KEY = "03".repeat(32);
const transaction = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: { memo: "hello" } });
const paid = { ...sampleEnvelope(2), fee_ut: 7, fee_sig: Buffer.alloc(64, 1).toString("base64") };
const deletion = { mailbox: KEY, ids: ["a", 'b"'], height: 7, signature: Buffer.alloc(64, 2).toString("base64") };
const opening = {
  mailbox: sampleEnvelope(1).recipient_pub,
  writeKey: KEY,
  read: "owner" as const,
  untilSec: 1_767_225_600,
  height: 7,
  signature: deletion.signature,
};
const announcement = { nodeKey: actor(4).pub, version: "1.2.3", apiVersion: "0.4.0", atSec: 1_767_225_600 };

function caseOf<T>(name: string, codec: WireCodec<T>, value: T): Codec {
  return { name, encoded: encode(codec, value), decode: (bytes) => tryDecode(codec, bytes), encode: (read) => encode(codec, read) };
}

const id = sampleEnvelope(1).id;
const items = [
  { envelope: sampleEnvelope(1), admit: deletion.signature },
  { envelope: paid, admit: null },
];
const signedDigest = { count: 3, fingerprint: KEY, signature: deletion.signature };
const MAIL_REQUESTS: readonly MailRequest[] = [
  { type: "put", items, openings: [opening], passOn: [KEY] },
  { type: "open", openings: [opening] },
  { type: "get", scope: id, boxes: [{ box: KEY, after: 7, afterDeletion: 2 }], hasContent: true },
  { type: "delete", notices: [{ mailbox: KEY, ids: ["a"], proof: { height: 7, signature: deletion.signature } }] },
  { type: "fetch", places: [{ box: KEY, id }] },
  { type: "watch", boxes: [KEY], isMore: false },
  { type: "news", boxes: [KEY] },
  { type: "typing", to: KEY, from: KEY, isNews: true },
  { type: "digest", slots: [0, 16_383] },
  { type: "ranges", slot: 7, ranges: ["", "0a", "f".repeat(16)] },
  { type: "renew", count: 7, fingerprint: "ab".repeat(16) },
  { type: "signed", version: 9, slots: [0, 16_383], seen: [{ keeper: KEY, slot: 7, version: 9, ...signedDigest }] },
];
const listed = { box: KEY, ids: [id], lastSeq: 3, opening, deletions: [deletion], lastDeletion: 4, hasMore: true };
const MAIL_RESPONSES: readonly MailResponse[] = [
  { type: "wrongKeeper", epoch: 9 },
  { type: "busy" },
  { type: "done" },
  { type: "receipts", receipts: [{ from: KEY, marks: [id], untilSec: 5, signature: deletion.signature }] },
  { type: "page", scope: id, boxes: [listed, { ...listed, opening: null }], items },
  { type: "mail", items, openings: [opening], deletions: [deletion] },
  { type: "digests", digests: [{ count: 3, fingerprint: KEY }, null] },
  { type: "signed", digests: [signedDigest, null] },
  { type: "renewed", news: [KEY] },
  { type: "renewed", news: null },
  {
    type: "ranges",
    answers: [
      { is: "list", entries: [{ box: KEY, id, receivedSec: 5 }] },
      { is: "split", digests: Array.from({ length: 16 }, (_, count) => ({ count, fingerprint: KEY })) },
    ],
  },
];

const CODECS: readonly Codec[] = [
  ...[null, 1_767_225_600].map((repeatedAtSec) =>
    caseOf(`transactions, repeated at ${repeatedAtSec}`, transactionsMessageCodec, {
      transactions: [transaction, transaction],
      repeatedAtSec,
    }),
  ),
  { name: "block", encoded: encodeFinalBlock(sampleBlock(3, [transaction])), decode: decodeFinalBlock, encode: encodeFinalBlock },
  caseOf("consensus over gossip", gossipedConsensusCodec, { atSec: 5, message: sampleVote(1, 0, 7) }),
  caseOf("status of before", firstStatusCodec, { chainId: CHAIN_ID, genesisHash: GENESIS_HASH, height: 9, tipHash: KEY, firstHeight: 1 }),
  caseOf("status without what is kept", secondStatusCodec, {
    ...{ chainId: CHAIN_ID, genesisHash: GENESIS_HASH, height: 9, tipHash: KEY, firstHeight: 7, firstHeader: 2, snapshots: [8, 4] },
  }),
  caseOf("status", statusCodec, {
    ...{ chainId: CHAIN_ID, genesisHash: GENESIS_HASH, height: 9, tipHash: KEY, firstHeight: 7, firstHeader: 2, snapshots: [8, 4] },
    keepsFrom: 8,
  }),
  caseOf("request for blocks", blocksRequestCodec, { from: 0, count: 3 }),
  caseOf("envelopes", relayMessageCodec, { type: "envelopes", envelopes: [sampleEnvelope(1), paid] }),
  caseOf("typing notice", relayMessageCodec, { type: "typing", notice: { to: KEY, from: GENESIS_HASH, atSec: 1 } }),
  caseOf("request for a mailbox", mailboxRequestCodec, { recipients: [KEY, GENESIS_HASH], since: 4, cursor: "12" }),
  caseOf("answer of a mailbox of before", firstMailboxResponseCodec, { envelopes: [paid], cursor: null }),
  caseOf("answer of a mailbox without boxes", secondMailboxResponseCodec, { envelopes: [paid], cursor: null, deletions: [deletion] }),
  caseOf("answer of a mailbox", mailboxResponseCodec, {
    envelopes: [paid, sampleEnvelope(3)],
    admits: [deletion.signature, null],
    cursor: null,
    deletions: [deletion],
    openings: [opening],
  }),
  caseOf("opening of a box", boxMessageCodec, { type: "opening", opening }),
  caseOf("mail to a box", boxMessageCodec, {
    type: "mail",
    items: [{ opening, envelope: sampleEnvelope(1), admit: deletion.signature }],
  }),
  caseOf("deletion", deletionNoticeCodec, {
    mailbox: KEY,
    ids: ["a", 'b"'],
    proof: { height: 7, signature: deletion.signature },
  }),
  caseOf("notice of what was read", deletionNoticeCodec, { mailbox: KEY, ids: ["a"], proof: null }),
  ...MAIL_REQUESTS.map((request) => caseOf(`${request.type} at a keeper`, mailRequestCodec, request)),
  ...MAIL_RESPONSES.map((response) => caseOf(`${response.type} of a keeper`, mailResponseCodec, response)),
  {
    name: "announcement",
    encoded: encodeAnnouncement(CHAIN_ID, announcement, actor(4).seed),
    decode: (bytes) => decodeAnnouncement(CHAIN_ID, bytes, verifyZip215),
    encode: (value) => encodeAnnouncement(CHAIN_ID, value, actor(4).seed),
  },
];

/** Bytes with one change: another value, a piece left out, a piece put in. */
const change = fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }), kind: fc.constantFrom("set", "cut", "insert") });

function changed(
  bytes: Uint8Array,
  { at, value, kind }: { readonly at: number; readonly value: number; readonly kind: string },
): Uint8Array {
  const index = at % bytes.length;
  if (kind === "set") return bytes.with(index, value);
  const rest = bytes.subarray(kind === "cut" ? index + 1 : index);
  return Buffer.concat([bytes.subarray(0, index), kind === "cut" ? new Uint8Array() : Uint8Array.of(value), rest]);
}

describe.each(CODECS)("codec of $name", ({ encoded, decode, encode }) => {
  it("gives back what was encoded", () => {
    expect(Buffer.from(encode(decode(encoded) as never)).equals(encoded)).toBe(true);
  });

  it("takes no other version and no other shape", () => {
    for (const bytes of [encodeCbor(1), encodeCbor([]), encodeCbor([1]), encodeCbor([2, 1, 2]), encodeCbor({ a: 1 }), new Uint8Array()])
      expect(decode(bytes)).toBeUndefined();
  });

  it("answers any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void decode(bytes)),
      { numRuns: extent(100, 300), seed: 11 },
    );
  });

  it("answers changed bytes, and gives every value one encoding", () => {
    fc.assert(
      fc.property(change, (how) => {
        const bytes = changed(encoded, how);
        const value = decode(bytes);
        if (value !== undefined) expect(Buffer.from(encode(value as never)).equals(bytes)).toBe(true);
      }),
      { numRuns: extent(200, 600), seed: 12 },
    );
  });
});

/** What costs much to build: many empty lists, lists in lists, a wide map, many small numbers, a long text. */
const HEAVY_BYTES = 262_144;
const HEAVY: readonly Uint8Array[] = [
  Buffer.concat([Buffer.from("9a0003ffff", "hex"), Buffer.alloc(HEAVY_BYTES, 0x80)]),
  Buffer.alloc(HEAVY_BYTES, 0x81),
  Buffer.concat([Buffer.from("ba0003ffff", "hex"), Buffer.alloc(HEAVY_BYTES, 0x60)]),
  Buffer.concat([Buffer.from("9a0003ffff", "hex"), Buffer.alloc(HEAVY_BYTES, 0x01)]),
  Buffer.concat([Buffer.from("7a0003ffff", "hex"), Buffer.alloc(HEAVY_BYTES, 0x61)]),
];
/** Far below what one of them would take if it was built: 16 to 60 bytes for each byte. */
const MOST_HEAP_BYTES = 16 * HEAVY_BYTES;

describe.each([
  ...CODECS,
  { name: "message between validators", encoded: encodeConsensusMessage(sampleVote(1, 0, 7)), decode: tryDecodeConsensus },
])("codec of $name", ({ encoded, decode }) => {
  it("builds nothing of what is too large, wherever in the message it stands", () => {
    const places = Array.from({ length: Math.min(encoded.length, 48) }, (_, at) => at);
    for (const heavy of HEAVY) {
      const before = process.memoryUsage().heapUsed;
      for (const at of places) decode(Buffer.concat([encoded.subarray(0, at), heavy]));
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(MOST_HEAP_BYTES);
    }
  });
});

describe("codecs", () => {
  it("take as many transactions and envelopes as one message holds, and no more", () => {
    const { transactionItems, envelopeItems } = NETWORK_LIMITS;
    const transactions = (count: number): Uint8Array => encodeCbor([1, Array.from({ length: count }, () => 0), null]);
    const full = encode(transactionsMessageCodec, {
      transactions: Array.from({ length: transactionItems }, () => transaction),
      repeatedAtSec: null,
    });
    expect(tryDecode(transactionsMessageCodec, full)?.transactions).toHaveLength(transactionItems);
    expect(tryDecode(transactionsMessageCodec, transactions(transactionItems + 1))).toBeUndefined();
    const envelopes = Array.from({ length: envelopeItems + 1 }, (_, n) => sampleEnvelope(n));
    expect(() => encode(relayMessageCodec, { type: "envelopes", envelopes })).toThrow(RangeError);
    expect(tryDecode(relayMessageCodec, encode(relayMessageCodec, { type: "envelopes", envelopes: envelopes.slice(1) }))).toBeDefined();
  });

  it("answer lists nested as deep as a message is long", () => {
    const deep = new Uint8Array(200_000).fill(0x81);
    for (const { decode } of CODECS) expect(decode(deep)).toBeUndefined();
    expect(tryDecodeConsensus(deep)).toBeUndefined();
  });

  it("refuse more recipients than a request may name", () => {
    const recipients = Array.from({ length: NETWORK_LIMITS.recipientsPerRequest + 1 }, () => KEY);
    const encoded = (keys: readonly string[]): Uint8Array => encodeCbor([1, keys.map(fromHex), 0, null]);
    expect(tryDecode(mailboxRequestCodec, encoded(recipients.slice(1)))).toBeDefined();
    expect(tryDecode(mailboxRequestCodec, encoded(recipients))).toBeUndefined();
    expect(() => encode(mailboxRequestCodec, { recipients, since: 0, cursor: null })).toThrow(RangeError);
  });

  it("refuse an announcement that another node signed, or one for another chain", () => {
    expect(decodeAnnouncement(CHAIN_ID, encodeAnnouncement(CHAIN_ID, announcement, actor(5).seed), verifyZip215)).toBeUndefined();
    expect(decodeAnnouncement("other-chain", encodeAnnouncement(CHAIN_ID, announcement, actor(4).seed), verifyZip215)).toBeUndefined();
  });

  it("take no transactions in another form than the deterministic one", () => {
    const bytes = Buffer.from(encode(transactionsMessageCodec, { transactions: [transaction], repeatedAtSec: null }));
    // A list of three that begins with the version 1 and a list of one.
    expect([bytes.toString("hex", 0, 3), tryDecode(transactionsMessageCodec, bytes)?.transactions]).toEqual(["830181", [transaction]]);
    for (const other of ["83180181", "83f93c0081", "8301" + "9801", "980301" + "81"])
      expect(tryDecode(transactionsMessageCodec, Buffer.concat([Buffer.from(other, "hex"), bytes.subarray(3)]))).toBeUndefined();
  });

  it("read header and commit of a block without its body, which is read when it is wanted", () => {
    const { block, commit } = sampleBlock(3, [transaction]);
    const encoded = encodeBlock(block);
    const front = decodeBlockFront(encodeFinalBlock({ block, commit }), (id) => (id === transaction.id ? transaction : undefined));
    expect([front?.header, front?.commit, Buffer.from(front?.encoded ?? [])]).toEqual([block.header, commit, Buffer.from(encoded)]);
    expect(front?.read()?.transactions[0]).toBe(transaction);
    const torn = encode(encodedFinalBlockCodec, { block: encoded.subarray(0, -1), commit: encode(commitCodec, commit) });
    const { header, read } = decodeBlockFront(torn) ?? {};
    expect([header, read?.()]).toEqual([block.header, undefined]);
  });

  it("refuse empty batches", () => {
    expect(tryDecode(transactionsMessageCodec, encodeCbor([1, [], null]))).toBeUndefined();
    expect(tryDecode(relayMessageCodec, encodeCbor([1, 0, []]))).toBeUndefined();
    expect(() => encode(transactionsMessageCodec, { transactions: [], repeatedAtSec: null })).toThrow(RangeError);
    expect(() => encode(relayMessageCodec, { type: "envelopes", envelopes: [] })).toThrow(RangeError);
  });

  it("cut texts of peers and take control characters out of them", () => {
    expect(cleanText(`1.0\u001b[31m\u202e${"x".repeat(100)}`)).toBe(`1.0[31m${"x".repeat(NETWORK_LIMITS.versionChars - 7)}`);
  });
});
