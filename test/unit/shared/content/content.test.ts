import { encode } from "cborg";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodedFallback } from "#shared/content/body-codecs.ts";
import { CALL_ENDS, MAX_CALL_S, MAX_SDP_BYTES } from "#shared/content/chat/call-content.ts";
import { MAX_MENTIONS } from "#shared/content/chat/mention-content.ts";
import { MAX_STICKER_BYTES } from "#shared/content/chat/sticker-content.ts";
import { MAX_VOICE_MS, MAX_WAVEFORM } from "#shared/content/chat/voice-content.ts";
import type { ContentFrame, IncomingContent, KnownBody, OutgoingContent, SentBody } from "#shared/content/content.ts";
import {
  CHUNK_BYTES,
  CHUNK_OVERHEAD_BYTES,
  MAX_ASKED_CHUNKS,
  MAX_CHUNKS,
  MAX_EMOJI_BYTES,
  MAX_EXPIRY_S,
  MAX_FILE_BOXES,
  MAX_FILE_BYTES,
  MAX_IMAGE_SIDE,
  MAX_PUSHED_FILE_BYTES,
  MAX_QUOTE_BYTES,
  MAX_RECEIPT_IDS,
  MAX_RESEND_POSITIONS,
  MAX_REVISIONS,
  MAX_TEXT_BYTES,
} from "#shared/content/content.ts";
import { decodePlaintext, encodeContent } from "#shared/content/content-codec.ts";
import { frameContent, MAX_PLAINTEXT_BYTES, MIN_PLAINTEXT_BYTES } from "#shared/content/content-frame.ts";
import { GROUP_MEMBERSHIP_STATUSES, type GroupStateBody, MAX_GROUP_ENTRIES, REFUSAL_REASONS } from "#shared/content/group-content.ts";
import { padmeLength } from "#shared/content/padme.ts";
import {
  MAX_NOTE_BYTES,
  MAX_PAY_DUE_MS,
  MAX_PAY_LINE_BYTES,
  MAX_PAY_LINES,
  MAX_PAY_NUMBER_BYTES,
  MAX_SHARES,
  MIN_SHARES,
  type PayRequestBody,
} from "#shared/content/pay-content.ts";
import { isProfileName, MAX_PROFILE_NAME_CHARS } from "#shared/content/profile-name.ts";
import { MAX_GROUP_NAME_BYTES } from "#shared/protocol/groups/group-bounds.ts";
import { boxKeyPair, envelopeBytes, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { MAX_ENVELOPE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { concatBytes, fromHex, toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";

interface Case<Body> {
  readonly name: string;
  readonly body: Body;
  readonly plaintext: string;
  /** Fields of the frame beyond those of all cases. */
  readonly frame?: Partial<ContentFrame>;
}

const golden = readVectors<{
  readonly frame: ContentFrame;
  readonly known: readonly Case<KnownBody>[];
  readonly later: readonly Case<Record<string, unknown>>[];
  readonly padme: readonly (readonly [number, number])[];
}>("content.json");

const ID = "01".repeat(16);
const FILE = { name: "a", type: "b/c", size: 1, key: new Uint8Array(32), digest: new Uint8Array(32), caption: "" };
const REFERENCE = { author: new Uint8Array(32), id: new Uint8Array(16) };
const SHARE = { person: new Uint8Array(32).fill(1), amount: 1 };
const OTHER_SHARE = { person: new Uint8Array(32).fill(2), amount: 1 };
const MEMBER: readonly CborValue[] = [new Uint8Array(32), 1, 0, 1];
const GROUP = { term: 0, keeper: new Uint8Array(32), since: 1, name: ["x", 1, 1], people: [MEMBER] };
const fields = (kind: string, body: CborValue): { readonly [key: string]: CborValue } => ({
  id: fromHex(golden.frame.id),
  from: fromHex(golden.frame.from),
  dev: fromHex(golden.frame.fromDevice),
  to: fromHex(golden.frame.to),
  chain: golden.frame.chainId,
  at: golden.frame.at,
  kind,
  body,
});
const withByte = (bytes: Uint8Array, offset: number, value: number): Uint8Array => bytes.with(offset, value);
const plaintextOf = (value: CborValue): Uint8Array => frameContent(encodeCbor(value));

/** What a content says to programs that do not know its kind is not read by one that does. */
function isInFallback({ body }: OutgoingContent, plaintext: Uint8Array, offset: number): boolean {
  const fallback = encodedFallback(body);
  if (fallback === undefined) return false;
  const field = `${toHex(encodeCbor("fallback"))}${toHex(fallback)}`;
  const start = toHex(plaintext).indexOf(field) / 2;
  return offset >= start && offset < start + field.length / 2;
}

describe("golden plaintexts", () => {
  it.each(golden.known)("$name is written and read", ({ body, plaintext, frame }) => {
    const content = { ...golden.frame, ...frame, body };
    expect(toHex(encodeContent(content))).toBe(plaintext);
    expect(decodePlaintext(fromHex(plaintext))).toEqual({ form: "content", content });
  });

  it.each(golden.later)("$name is read", ({ body, plaintext }) => {
    const decoded = decodePlaintext(fromHex(plaintext));
    const content = decoded.form === "content" ? decoded.content : undefined;
    const seen = content?.body.kind === "unknown" ? { ...content.body, raw: toHex(content.body.raw) } : content?.body;
    expect(seen).toEqual(body);
  });

  it.each(golden.padme)("Padmé of %i is %i", (length, padded) => {
    expect(padmeLength(length)).toBe(padded);
  });
});

it("a voice note that claims more than there can be is cut to the bounds, and refused where it is written", () => {
  const read = decodePlaintext(
    plaintextOf(fields("attachment", { ...FILE, voice: { ms: 0, wave: new Uint8Array(MAX_WAVEFORM + 9).fill(255) } })),
  );
  const body = read.form === "content" && read.content.body.kind === "attachment" ? read.content.body : undefined;
  expect(body?.voice).toEqual({ durationMs: 1, waveform: toBase64(new Uint8Array(MAX_WAVEFORM).fill(255)) });
  const long = decodePlaintext(plaintextOf(fields("attachment", { ...FILE, voice: { ms: 2 ** 53 - 1, wave: new Uint8Array() } })));
  expect(long).toMatchObject({ content: { body: { voice: { durationMs: MAX_VOICE_MS, waveform: "" } } } });
  if (body === undefined) throw new Error("no file");
  for (const voice of [
    { durationMs: MAX_VOICE_MS + 1, waveform: "" },
    { durationMs: 1, waveform: toBase64(new Uint8Array(MAX_WAVEFORM + 1)) },
  ])
    expect(() => encodeContent({ ...golden.frame, body: { ...body, voice } })).toThrow(RangeError);
});

describe("mentions", () => {
  const person = "11".repeat(32);
  const span = (start: number, length: number): Uint8Array =>
    concatBytes(new Uint8Array([start >> 8, start & 255, 0, length]), fromHex(person));
  const readText = (text: string, mentions: CborValue): unknown => {
    const decoded = decodePlaintext(plaintextOf(fields("text", { text, mentions })));
    return decoded.form === "content" ? decoded.content.body : decoded.form;
  };

  it.each<[string, CborValue]>([
    ["no bytes", 7],
    ["a list", [[0, 4, fromHex(person)]]],
    ["less than one", span(0, 4).subarray(1)],
    ["one beyond the text", span(0, 60)],
    ["one that begins behind it", span(40_000, 4)],
    ["one that is no name", span(1, 4)],
    ["one that is empty", span(0, 1)],
    ["one over two lines", span(5, 4)],
    ["one that cuts a character", span(11, 2)],
  ])("that are %s are cut, and the text stays", (_, mentions) => {
    expect(readText("@Ann @a\nb  @🌍", mentions)).toEqual({ kind: "text", text: "@Ann @a\nb  @🌍" });
  });

  it("of thousands that overlap leave one a name, and no more than there may be", () => {
    const text = "@a".repeat(MAX_MENTIONS + 9);
    const every = concatBytes(...Array.from({ length: 2_000 }, (_, index) => span((index % 200) >> 1, 2)));
    expect(readText("@aa", concatBytes(span(0, 3), span(0, 2), span(1, 2)))).toMatchObject({ mentions: [{ start: 0, length: 3, person }] });
    expect(readText(text, every)).toMatchObject({
      text,
      mentions: Array.from({ length: 8 }, (_, index) => ({ start: index * 2, length: 2, person })),
    });
    const all = concatBytes(...Array.from({ length: MAX_MENTIONS + 9 }, (_, index) => span(index * 2, 2)));
    expect((readText(text, all) as { readonly mentions: readonly unknown[] }).mentions).toHaveLength(MAX_MENTIONS);
  });

  it("that lie on no name are not written", () => {
    const body = { kind: "text", text: "@Ann", mentions: [{ start: 0, length: 9, person }] } as const;
    expect(() => encodeContent({ ...golden.frame, body })).toThrow(RangeError);
  });
});

describe("padding", () => {
  it("makes all short contents the same size", () => {
    const sizes = ["a", "a".repeat(250)].map((text) => encodeContent({ ...golden.frame, body: { kind: "text", text } }).length);
    expect(sizes).toEqual([MIN_PLAINTEXT_BYTES, MIN_PLAINTEXT_BYTES]);
  });

  it("never shrinks, grows by at most 12 %, and is a fixed point", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_PLAINTEXT_BYTES }), (length) => {
        const padded = padmeLength(length);
        expect(padded).toBeGreaterThanOrEqual(length);
        expect(padded).toBeLessThanOrEqual(Math.ceil(length * 1.12));
        expect(padmeLength(padded)).toBe(padded);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it("leaves the largest plaintext within the limit of envelopes", () => {
    expect(padmeLength(MAX_PLAINTEXT_BYTES)).toBe(MAX_PLAINTEXT_BYTES);
    const seal = (length: number): number =>
      envelopeBytes(
        sealEnvelope({
          plaintext: new Uint8Array(length),
          recipientPub: toHex(boxKeyPair(new Uint8Array(32).fill(1)).publicKey),
          sender: boxKeyPair(new Uint8Array(32).fill(2)),
          senderMasterPub: "aa".repeat(32),
          nonce: new Uint8Array(24),
          sentAt: Number.MAX_SAFE_INTEGER,
        }),
      );
    expect(seal(MAX_PLAINTEXT_BYTES)).toBeLessThanOrEqual(MAX_ENVELOPE_BYTES);
    expect(seal(padmeLength(MAX_PLAINTEXT_BYTES + 1))).toBeGreaterThan(MAX_ENVELOPE_BYTES);
  });
});

it("the largest chunk fits in an envelope", () => {
  const body = { kind: "attachment.chunk", id: ID, index: 0, data: new Uint8Array(CHUNK_BYTES + CHUNK_OVERHEAD_BYTES) } as const;
  expect(encodeContent({ ...golden.frame, body }).length).toBeLessThanOrEqual(MAX_PLAINTEXT_BYTES);
});

const hex = (bytes: number): fc.Arbitrary<string> => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(toHex);
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 });
const at = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const ids = fc.array(hex(16), { minLength: 1, maxLength: MAX_RECEIPT_IDS });
const textBody = fc.record({ kind: fc.constant("text" as const), text });
const short = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: "binary-ascii", maxLength });
const to = fc.record({ author: hex(32), id: hex(16) });
const positions = fc.array(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { minLength: 1, maxLength: MAX_RESEND_POSITIONS });
const constant = <T extends string>(value: T): fc.Arbitrary<T> => fc.constant(value);
const clock = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const groupState: fc.Arbitrary<GroupStateBody> = fc.record({
  kind: constant("group.state"),
  term: at,
  keeper: hex(32),
  since: at,
  name: fc.record({ text: fc.string({ unit: "binary-ascii", minLength: 1, maxLength: MAX_GROUP_NAME_BYTES }), clock, at }),
  entries: fc.array(fc.record({ key: hex(32), clock, standing: fc.constantFrom(...GROUP_MEMBERSHIP_STATUSES), at }), {
    minLength: 1,
    maxLength: 40,
  }),
});
const invoice = fc.array(
  fc.record({
    text: fc.string({ unit: "binary-ascii", minLength: 1, maxLength: MAX_PAY_LINE_BYTES }),
    amountUt: fc.integer({ min: 1, max: 1_000_000 }),
  }),
  {
    minLength: 1,
    maxLength: MAX_PAY_LINES,
  },
);
const payRequest: fc.Arbitrary<PayRequestBody> = fc.oneof(
  fc.record(
    {
      kind: constant("pay.request"),
      amountUt: fc.integer({ min: 1 }),
      note: short(MAX_NOTE_BYTES),
      due: fc.integer({ min: 1, max: MAX_PAY_DUE_MS }),
      number: fc.string({ unit: "binary-ascii", minLength: 1, maxLength: MAX_PAY_NUMBER_BYTES }),
    },
    { requiredKeys: ["kind", "amountUt", "note"] },
  ),
  invoice.map((lines) => ({
    kind: "pay.request" as const,
    amountUt: lines.reduce((sum, { amountUt }) => sum + amountUt, 0),
    note: "",
    lines,
  })),
);
const chatBody: fc.Arbitrary<SentBody> = fc.oneof(
  textBody,
  fc.record({ kind: constant("reply"), text, to, quote: short(MAX_QUOTE_BYTES) }),
  fc.record({ kind: constant("reaction"), to, emoji: fc.constantFrom("", "👍", "👩‍👩‍👧‍👦") }),
  fc.record({ kind: constant("edit"), id: hex(16), text, revision: fc.integer({ min: 1, max: MAX_REVISIONS }) }),
  fc.record({ kind: constant("delete"), id: hex(16) }),
  fc.record({ kind: constant("timer"), seconds: fc.integer({ min: 0, max: MAX_EXPIRY_S }) }),
  payRequest,
  fc.record({ kind: constant("pay.close"), to }),
  fc.record({ kind: constant("pay.share"), to, txId: short(40).map((id) => `tx${id}`) }),
  fc
    .uniqueArray(fc.record({ person: hex(32), amountUt: fc.integer({ min: 1, max: 1_000_000 }) }), {
      minLength: MIN_SHARES,
      maxLength: MAX_SHARES,
      selector: ({ person }) => person,
    })
    .map((shares) => ({
      kind: "pay.split" as const,
      amountUt: shares.reduce((sum, { amountUt }) => sum + amountUt, 0),
      note: "",
      shares,
    })),
  fc.record({
    kind: constant("pay.receipt"),
    txId: fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 128 }),
    amountUt: fc.integer({ min: 1 }),
    request: fc.option(hex(16)),
  }),
  fc.record({
    kind: constant("pay.receipt"),
    txId: short(40).map((id) => `tx${id}`),
    amountUt: fc.integer({ min: 1 }),
    request: fc.constant(null),
    note: fc.string({ unit: "binary-ascii", minLength: 1, maxLength: MAX_NOTE_BYTES }),
  }),
  fc.record({ kind: constant("contact.accept") }),
  fc.record(
    {
      kind: constant("profile"),
      name: fc.string({ unit: "grapheme", maxLength: 40 }).filter(isProfileName),
      picture: fc.record({ at: fc.nat(), data: fc.uint8Array({ maxLength: 64 }) }, { requiredKeys: ["at"] }),
    },
    { requiredKeys: ["kind", "name"] },
  ),
  fc.record({
    kind: constant("poll"),
    question: short(100).filter((text) => text !== ""),
    answers: fc.uniqueArray(fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 100 }), { minLength: 2, maxLength: 12 }),
    isMultiple: fc.boolean(),
  }),
  fc.record({
    kind: constant("poll.vote"),
    to: fc.record({ author: hex(32), id: hex(16) }),
    choices: fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 12 }),
  }),
  fc.record({ kind: constant("pin"), to: fc.record({ author: hex(32), id: hex(16) }), isPinned: fc.boolean() }),
  fc.record({ kind: constant("call.offer"), media: fc.constantFrom("audio", "video"), sdp: short(200) }),
  fc.record({ kind: constant("call.answer"), to, leg: hex(8), sdp: short(200) }),
  fc.record(
    {
      kind: constant("call.end"),
      to,
      reason: fc.constantFrom(...CALL_ENDS),
      seconds: fc.integer({ min: 0, max: MAX_CALL_S }),
      leg: hex(8),
    },
    { requiredKeys: ["kind", "to", "reason", "seconds"] },
  ),
  fc.record({ kind: constant("poll.close"), to: fc.record({ author: hex(32), id: hex(16) }) }),
  groupState,
  fc.record({ kind: constant("group.leave"), clock: fc.integer({ min: 1 }) }),
  fc.record({
    kind: constant("file"),
    name: fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 255 }),
    mediaType: fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 127 }),
    size: fc.integer({ min: MAX_PUSHED_FILE_BYTES + 1, max: MAX_FILE_BYTES }),
    key: hex(32),
    digest: hex(32),
    caption: short(200),
  }),
  fc.record({
    kind: constant("attachment"),
    name: fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 255 }),
    mediaType: fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 127 }),
    size: fc.integer({ min: 1, max: MAX_PUSHED_FILE_BYTES }),
    key: hex(32),
    digest: hex(32),
    caption: short(200),
    image: fc.option(
      fc.record({
        width: fc.integer({ min: 1, max: MAX_IMAGE_SIDE }),
        height: fc.integer({ min: 1, max: MAX_IMAGE_SIDE }),
        preview: fc.uint8Array({ maxLength: 300 }),
      }),
    ),
    voice: fc.record({
      durationMs: fc.integer({ min: 1, max: MAX_VOICE_MS }),
      waveform: fc.uint8Array({ maxLength: MAX_WAVEFORM }).map(toBase64),
    }),
  }),
);
const anyBody: fc.Arbitrary<KnownBody> = fc.oneof(
  chatBody,
  fc.record({
    kind: constant("attachment.chunk"),
    id: hex(16),
    index: fc.integer({ min: 0, max: MAX_CHUNKS - 1 }),
    data: fc.uint8Array({ minLength: 1, maxLength: 2_000 }),
  }),
  fc.record({
    kind: constant("file.ask"),
    id: hex(16),
    chunks: fc.array(fc.nat(MAX_CHUNKS - 1), { minLength: 1, maxLength: MAX_ASKED_CHUNKS }),
  }),
  fc.record({ kind: constant("file.got"), id: hex(16) }),
  fc.record({ kind: constant("file.gone"), id: hex(16) }),
  fc.record({ kind: constant("receipt"), status: fc.constantFrom("delivered" as const, "read" as const), ids }),
  fc.record({ kind: fc.constantFrom("resend" as const, "resend.gone" as const), stream: hex(8), positions }),
  fc.record({ kind: constant("sync.sent"), peer: hex(32), id: hex(16), at, body: chatBody }),
  fc.record({ kind: constant("sync.read"), peer: hex(32), ids }),
  fc.record({
    kind: constant("sync.sticker"),
    sticker: hex(16),
    emoji: constant("🙂"),
    place: fc.nat(),
    data: fc.uint8Array({ minLength: 1, maxLength: 64 }),
  }),
  fc.record({ kind: constant("group.ask") }),
  fc.record({
    kind: constant("group.join"),
    group: hex(16),
    key: hex(32),
    at,
    asked: fc.uniqueArray(hex(32), { minLength: 1, maxLength: 3 }),
    signature: hex(64),
  }),
  fc.record({ kind: constant("group.refused"), group: hex(16), key: hex(32), reason: fc.constantFrom(...REFUSAL_REASONS) }),
  fc.record({ kind: constant("sync.link"), text: fc.string({ minLength: 1, maxLength: 128 }) }),
  fc.record({ kind: constant("sync.chat"), peer: hex(32), isPinned: fc.boolean(), isArchived: fc.boolean(), mutedUntil: at }),
);
const anyContent: fc.Arbitrary<OutgoingContent> = fc.record(
  {
    id: hex(16),
    from: hex(32),
    fromDevice: hex(32),
    to: hex(32),
    chainId: fc.string({ minLength: 1, maxLength: 32 }),
    at,
    body: anyBody,
    expiresInS: fc.integer({ min: 1, max: MAX_EXPIRY_S }),
    place: fc.record({ stream: hex(8), position: fc.integer({ min: 1 }) }),
    group: fc.record({ id: hex(16), keeper: hex(32) }),
    card: fc.record({
      epochPub: hex(32),
      notAfter: fc.integer({ min: 1 }),
      signingPub: hex(32),
      certificate: hex(64),
      signature: hex(64),
    }),
    block: fc.record({ height: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), hash: hex(32) }),
  },
  { requiredKeys: ["id", "from", "fromDevice", "to", "chainId", "at", "body"] },
);

describe("contents", () => {
  it("survive writing and reading", () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        expect(decodePlaintext(encodeContent(content))).toEqual({ form: "content", content });
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it("keep a byte order mark at the beginning of a text", () => {
    const content: OutgoingContent = { ...golden.frame, body: { kind: "text", text: "\ufeffhello" } };
    expect(decodePlaintext(encodeContent(content))).toEqual({ form: "content", content });
  });

  it("are no prototype of what is read from them", () => {
    const body = JSON.parse('{ "__proto__": { "quote": "x" }, "text": "hello" }') as { readonly [key: string]: CborValue };
    const reading = decodePlaintext(frameContent(encodeCbor(fields("text", body))));
    expect(reading).toEqual({ form: "content", content: { ...golden.frame, body: { kind: "text", text: "hello" } } });
    expect(reading.form === "content" && Object.getPrototypeOf(reading.content.body)).toBe(Object.prototype);
  });

  it("damaged anywhere give something else or nothing, never an exception", () => {
    fc.assert(
      fc.property(anyContent, fc.nat(), fc.integer({ min: 1, max: 255 }), (content, position, change) => {
        const plaintext = encodeContent(content);
        const offset = position % plaintext.length;
        fc.pre(!isInFallback(content, plaintext, offset));
        plaintext[offset] = (plaintext[offset] ?? 0) ^ change;
        const decoded = decodePlaintext(plaintext);
        expect(decoded).not.toEqual({ form: "content", content });
        expect(decodePlaintext(plaintext.subarray(0, offset)).form).not.toBe("content");
      }),
      { seed: 13, numRuns: 400 },
    );
  });

  it("are found in no random bytes, framed or not, without an exception", () => {
    const check = (bytes: Uint8Array): void => {
      expect(["plain", "invalid", "newer"]).toContain(decodePlaintext(bytes).form);
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), check), { seed: 17, numRuns: 500 });
    fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }).map(frameContent), check), { seed: 19, numRuns: 500 });
    fc.assert(
      fc.property(
        fc.object({
          maxDepth: 6,
          depthSize: "small",
          maxKeys: 12,
          values: [fc.integer({ min: 0 }), fc.string(), fc.uint8Array({ maxLength: 64 })],
        }),
        (value) => check(frameContent(encode(value))),
      ),
      { seed: 23, numRuns: 200 },
    );
  });
});

describe("plain text of other programs", () => {
  it("is shown as it is", () => {
    expect(decodePlaintext(utf8("hello from a shell"))).toEqual({ form: "plain", text: "hello from a shell" });
  });

  it.each([
    ["nothing", new Uint8Array()],
    ["no UTF-8", Uint8Array.of(0xfe, 0x00)],
  ])("is not %s", (_, bytes) => {
    expect(decodePlaintext(bytes)).toEqual({ form: "invalid" });
  });
});

const WRONG_NAMES: readonly (readonly [string, string])[] = [
  ["a long name", "é".repeat(MAX_PROFILE_NAME_CHARS + 1)],
  ["a name with space around it", " Zoë"],
  ["a name of spaces", "  "],
  ["a name of two lines", "Zoë\nBob"],
  ["a name that turns the direction of text", "Zoë \u202Ebob"],
  ["a name with an invisible character", "Zoë\u200B"],
];

it("a name has 64 characters, whatever their bytes", () => {
  const body = { kind: "profile", name: "🌍".repeat(MAX_PROFILE_NAME_CHARS) } as const;
  const content = { ...golden.frame, body };
  expect(decodePlaintext(encodeContent(content))).toEqual({ form: "content", content });
});

describe("refused contents", () => {
  const body = { text: "x" };
  const valid = fields("text", body);
  const without = (name: string): CborValue => Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name));
  const cases: readonly (readonly [string, Uint8Array])[] = [
    ["a list instead of a map", plaintextOf([valid])],
    ...Object.keys(valid).map((name) => [`no ${name}`, plaintextOf(without(name))] as const),
    ["a short id", plaintextOf({ ...valid, id: new Uint8Array(15) })],
    ["a negative time", plaintextOf({ ...valid, at: -1 })],
    ["an empty text", plaintextOf(fields("text", { text: "" }))],
    ["a long text", plaintextOf(fields("text", { text: "x".repeat(MAX_TEXT_BYTES + 1) }))],
    ["a receipt of no message", plaintextOf(fields("receipt", { status: "read", ids: [] }))],
    ["a receipt of too many", plaintextOf(fields("receipt", { status: "read", ids: Array(MAX_RECEIPT_IDS + 1).fill(fromHex(ID)) }))],
    ["a receipt of another status", plaintextOf(fields("receipt", { status: "eaten", ids: [fromHex(ID)] }))],
    [
      "a sent receipt",
      plaintextOf(fields("sync.sent", { peer: fromHex(golden.frame.to), id: fromHex(ID), at: 1, kind: "receipt", body: {} })),
    ],
    ["a reply to nothing", plaintextOf(fields("reply", { text: "x", quote: "" }))],
    ["a reply with a long quotation", plaintextOf(fields("reply", { text: "x", to: REFERENCE, quote: "x".repeat(MAX_QUOTE_BYTES + 1) }))],
    ["a long reaction", plaintextOf(fields("reaction", { to: REFERENCE, emoji: "x".repeat(MAX_EMOJI_BYTES + 1) }))],
    ["an edit to nothing", plaintextOf(fields("edit", { id: fromHex(ID), text: "", rev: 1 }))],
    ["revision 0", plaintextOf(fields("edit", { id: fromHex(ID), text: "x", rev: 0 }))],
    ["a revision too many", plaintextOf(fields("edit", { id: fromHex(ID), text: "x", rev: MAX_REVISIONS + 1 }))],
    ["a deletion of nothing", plaintextOf(fields("delete", {}))],
    ["lines that do not add up", plaintextOf(fields("pay.request", { amount: 5, note: "", lines: [{ text: "x", amount: 4 }] }))],
    ["no lines", plaintextOf(fields("pay.request", { amount: 5, note: "", lines: [] }))],
    [
      "too many lines",
      plaintextOf(
        fields("pay.request", { amount: MAX_PAY_LINES + 1, note: "", lines: Array(MAX_PAY_LINES + 1).fill({ text: "x", amount: 1 }) }),
      ),
    ],
    [
      "a line of nothing",
      plaintextOf(
        fields("pay.request", {
          amount: 5,
          note: "",
          lines: [
            { text: "x", amount: 5 },
            { text: "y", amount: 0 },
          ],
        }),
      ),
    ],
    ["a long number", plaintextOf(fields("pay.request", { amount: 5, note: "", number: "x".repeat(MAX_PAY_NUMBER_BYTES + 1) }))],
    ["a due date of no time", plaintextOf(fields("pay.request", { amount: 5, note: "", due: 0 }))],
    ["a due date that is no date", plaintextOf(fields("pay.request", { amount: 5, note: "", due: 8_640_000_000_000_001 }))],
    ["a long note of a payment", plaintextOf(fields("pay.receipt", { tx: "tx1", amount: 5, note: "x".repeat(MAX_NOTE_BYTES + 1) }))],
    ...(
      [
        ["of one person", [SHARE]],
        ["of one person twice", [SHARE, SHARE]],
        ["that do not add up", [SHARE, { ...OTHER_SHARE, amount: 2 }]],
        ["of nothing", [SHARE, OTHER_SHARE, { person: new Uint8Array(32).fill(3), amount: 0 }]],
        ["of too many", Array.from({ length: MAX_SHARES + 1 }, (_, index) => ({ person: new Uint8Array(32).fill(index), amount: 1 }))],
      ] as const
    ).map(
      ([what, shares]) =>
        [
          `shares ${what}`,
          plaintextOf(fields("pay.split", { amount: shares.length > MAX_SHARES ? shares.length : 2, note: "", shares })),
        ] as const,
    ),
    ["a closing of nothing", plaintextOf(fields("pay.close", {}))],
    ["a poll of one answer", plaintextOf(fields("poll", { question: "?", answers: ["a"], multiple: false }))],
    [
      "a poll of too many answers",
      plaintextOf(fields("poll", { question: "?", answers: Array.from({ length: 13 }, (_, n) => `${n}`), multiple: false })),
    ],
    ["a poll of equal answers", plaintextOf(fields("poll", { question: "?", answers: ["a", "a"], multiple: false }))],
    ["a poll without question", plaintextOf(fields("poll", { question: "", answers: ["a", "b"], multiple: false }))],
    ["a poll of long answers", plaintextOf(fields("poll", { question: "?", answers: ["a", "b".repeat(129)], multiple: false }))],
    [
      "a call with a description that is too long",
      plaintextOf(fields("call.offer", { media: "audio", sdp: "v".repeat(MAX_SDP_BYTES + 1) })),
    ],
    ["a call with something else than sound and pictures", plaintextOf(fields("call.offer", { media: "screen", sdp: "v=0" }))],
    ["a call without description", plaintextOf(fields("call.offer", { media: "audio" }))],
    ["an answer of no name", plaintextOf(fields("call.answer", { to: REFERENCE, leg: new Uint8Array(7), sdp: "v=0" }))],
    ["an answer to nothing", plaintextOf(fields("call.answer", { leg: new Uint8Array(8), sdp: "v=0" }))],
    ["an end for no reason", plaintextOf(fields("call.end", { to: REFERENCE, reason: "bored", seconds: 0 }))],
    ["a call of more than a week", plaintextOf(fields("call.end", { to: REFERENCE, reason: "ended", seconds: MAX_CALL_S + 1 }))],
    ["a call of negative length", plaintextOf(fields("call.end", { to: REFERENCE, reason: "ended", seconds: -1 }))],
    ["a pin that is neither on nor off", plaintextOf(fields("pin", { to: REFERENCE, on: 1 }))],
    ["a vote for what no poll has", plaintextOf(fields("poll.vote", { to: REFERENCE, choices: [12] }))],
    ["a timer of more than a year", plaintextOf(fields("timer", { seconds: MAX_EXPIRY_S + 1 }))],
    ...WRONG_NAMES.map(([what, name]) => [what, plaintextOf(fields("profile", { name }))] as const),
    ["a name that is no text", plaintextOf(fields("profile", { name: 7 }))],
    ["a name that is missing", plaintextOf(fields("profile", {}))],
    ["a picture without a time", plaintextOf(fields("profile", { name: "", picture: { data: new Uint8Array(8) } }))],
    ["a large picture", plaintextOf(fields("profile", { name: "", picture: { at: 1, data: new Uint8Array(8_193) } }))],
    ["a request for nothing", plaintextOf(fields("pay.request", { amount: 0, note: "" }))],
    ["a long note", plaintextOf(fields("pay.request", { amount: 1, note: "x".repeat(MAX_NOTE_BYTES + 1) }))],
    ["a receipt of no payment", plaintextOf(fields("pay.receipt", { tx: "", amount: 1 }))],
    ["a file that is too large", plaintextOf(fields("attachment", { ...FILE, size: MAX_PUSHED_FILE_BYTES + 1 }))],
    ["a large file that is small", plaintextOf(fields("file", { ...FILE, size: MAX_PUSHED_FILE_BYTES }))],
    ["a large file that is too large", plaintextOf(fields("file", { ...FILE, size: MAX_FILE_BYTES + 1 }))],
    ["a request for no chunk", plaintextOf(fields("file.ask", { id: fromHex(ID), chunks: [] }))],
    ["a request for a chunk beyond the last", plaintextOf(fields("file.ask", { id: fromHex(ID), chunks: [MAX_CHUNKS] }))],
    [
      "a file in too many mailboxes",
      plaintextOf(fields("attachment", { ...FILE, boxes: Array(MAX_FILE_BOXES + 1).fill(new Uint8Array(32)) })),
    ],
    ["a file in no mailbox", plaintextOf(fields("attachment", { ...FILE, boxes: [] }))],
    ["a file in a mailbox whose key is short", plaintextOf(fields("attachment", { ...FILE, boxes: [new Uint8Array(31)] }))],
    ["a request for too many chunks", plaintextOf(fields("file.ask", { id: fromHex(ID), chunks: Array(MAX_ASKED_CHUNKS + 1).fill(0) }))],
    ["a file without name", plaintextOf(fields("attachment", { ...FILE, name: "" }))],
    ["an image of no size", plaintextOf(fields("attachment", { ...FILE, image: { width: 0, height: 1, preview: new Uint8Array() } }))],
    ["a chunk of nothing", plaintextOf(fields("attachment.chunk", { id: fromHex(ID), index: 0, data: new Uint8Array() }))],
    ["a chunk beyond the last", plaintextOf(fields("attachment.chunk", { id: fromHex(ID), index: MAX_CHUNKS, data: Uint8Array.of(1) }))],
    ["a call for position 0", plaintextOf(fields("resend", { stream: new Uint8Array(8), positions: [0] }))],
    ["a short stream", plaintextOf(fields("resend", { stream: new Uint8Array(7), positions: [1] }))],
    ["a sticker without its picture", plaintextOf(fields("sync.sticker", { id: fromHex(ID), emoji: "🙂", place: 1 }))],
    ["a sticker without an emoji", plaintextOf(fields("sync.sticker", { id: fromHex(ID), place: 1, data: new Uint8Array(1) }))],
    [
      "a sticker that is too large",
      plaintextOf(fields("sync.sticker", { id: fromHex(ID), emoji: "🙂", place: 1, data: new Uint8Array(MAX_STICKER_BYTES + 1) })),
    ],
    ["a mute that is no time", plaintextOf(fields("sync.chat", { peer: fromHex(golden.frame.to), pinned: true, archived: 0, muted: 1 }))],
    ["a group state without members", plaintextOf(fields("group.state", { ...GROUP, people: [] }))],
    ["a group state of too many", plaintextOf(fields("group.state", { ...GROUP, people: Array(MAX_GROUP_ENTRIES + 1).fill(MEMBER) }))],
    ["a standing that is none", plaintextOf(fields("group.state", { ...GROUP, people: [MEMBER.with(2, 3)] }))],
    ["a member without time", plaintextOf(fields("group.state", { ...GROUP, people: [MEMBER.slice(0, 3)] }))],
    ["a group without name", plaintextOf(fields("group.state", { ...GROUP, name: ["", 1, 1] }))],
    ["a long name of a group", plaintextOf(fields("group.state", { ...GROUP, name: ["x".repeat(MAX_GROUP_NAME_BYTES + 1), 1, 1] }))],
    ["a group that is left at no clock", plaintextOf(fields("group.leave", { clock: 0 }))],
    ["a group without admin", plaintextOf({ ...valid, group: [new Uint8Array(16)] })],
    ["a group that is no list", plaintextOf({ ...valid, group: new Uint8Array(16) })],
    ["an expiry of no time", plaintextOf({ ...valid, exp: 0 })],
    ["a place without position", plaintextOf({ ...valid, place: [new Uint8Array(8)] })],
    ["a block below the first", plaintextOf({ ...valid, block: [0, new Uint8Array(32)] })],
    ["a block without hash", plaintextOf({ ...valid, block: [1] })],
    ["a block with a short hash", plaintextOf({ ...valid, block: [1, new Uint8Array(31)] })],
    ["a card without time", plaintextOf({ ...valid, card: [new Uint8Array(32)] })],
    ["a card without signatures", plaintextOf({ ...valid, card: [new Uint8Array(32), 1] })],
    ["a card that is no list", plaintextOf({ ...valid, card: new Uint8Array(32) })],
    ["a place that is no list", plaintextOf({ ...valid, place: 7 })],
    ["a kind that is no name", plaintextOf(fields("Sync Sent", {}))],
    ["a long fallback", plaintextOf({ ...fields("later", {}), fallback: "x".repeat(1025) })],
    [
      "keys out of order",
      frameContent(
        encode(
          new Map([
            ["zz", 1],
            ["a", 1],
          ]),
          { mapSorter: () => 0 },
        ),
      ),
    ],
    ["nesting", frameContent(new Uint8Array(100_000).fill(0x81))],
    ["too many items", plaintextOf({ ...valid, x: Array(5_000).fill(0) })],
    ["a length beyond its bytes", frameContent(Uint8Array.of(0x9b, 0, 0, 0, 1, 0, 0, 0, 0))],
    ["padding that is not zero", withByte(plaintextOf(valid), -1, 1)],
    ["padding that is too long", concatBytes(plaintextOf(valid), new Uint8Array(300))],
    ["an unpadded frame", concatBytes(Uint8Array.of(0xff, 0x50, 0x4c, 0x59, 1, 0, 0, 0, 1, 0xa0))],
    ["version 0", withByte(plaintextOf(valid), 4, 0)],
    ["a frame cut in its head", Uint8Array.of(0xff, 0x50, 0x4c, 0x59, 1, 0)],
  ];

  it("has a valid start", () => {
    expect(decodePlaintext(plaintextOf(valid)).form).toBe("content");
  });

  it.each(cases)("%s", (_, plaintext) => {
    expect(decodePlaintext(plaintext)).toEqual({ form: "invalid" });
  });

  it("a later version is named, not refused", () => {
    expect(decodePlaintext(withByte(plaintextOf(valid), 4, 2))).toEqual({ form: "newer", version: 2 });
  });

  it.each<[string, IncomingContent["body"]]>([
    ["an empty text", { kind: "text", text: "" }],
    ["a long text", { kind: "text", text: "é".repeat(MAX_TEXT_BYTES / 2 + 1) }],
    ["a receipt of nothing", { kind: "receipt", status: "read", ids: [] }],
    ["a receipt of too many", { kind: "receipt", status: "read", ids: Array(MAX_RECEIPT_IDS + 1).fill(ID) }],
    ...WRONG_NAMES.map(([what, name]): [string, IncomingContent["body"]] => [what, { kind: "profile", name }]),
    ["a long timer", { kind: "timer", seconds: MAX_EXPIRY_S + 1 }],
    [
      "a group without members",
      { kind: "group.state", term: 0, keeper: "dd".repeat(32), since: 1, name: { text: "x", clock: 1, at: 1 }, entries: [] },
    ],
    ["half an amount", { kind: "pay.request", amountUt: 0.5, note: "" }],
    [
      "what the device does not know",
      {
        kind: "sync.sent",
        peer: "dd".repeat(32),
        id: ID,
        at: 1,
        body: { kind: "unknown", name: "later", fallback: "", raw: new Uint8Array() },
      },
    ],
  ])("are not written either: %s", (_, wrong) => {
    expect(() => encodeContent({ ...golden.frame, body: wrong as KnownBody })).toThrow(RangeError);
  });
});
