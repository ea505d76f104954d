// Requests of strangers for mail that is not theirs, at the rate that a peer may have: each of them is sound, and none of them has a right.
import { randomBytes } from "node:crypto";
import { NETWORK_LIMITS, type Rate } from "#node/network/network-limits.ts";
import { carryRequestCodec } from "#node/network/wire/carry-codec.ts";
import { mailRequestCodec } from "#node/network/wire/mail-codec.ts";
import { CARRY_CLASSES } from "#node/relay/keepers/carry/carry-seal.ts";
import { encode } from "#shared/codec/codec.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { digestVersion } from "#shared/protocol/keepers/kept-digest.ts";
import type { CarryRequest } from "#shared/protocol/mail/carry-messages.ts";
import type { MailRequest } from "#shared/protocol/mail/mail-messages.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import type { Attack, NetworkShape, Target, Turn } from "../attack.ts";
import { strayEnvelope } from "./mailboxes.ts";
import { askAll } from "./requests.ts";
import { besiege } from "./swarm.ts";

/** Eight are the fewest that carry for each other. */
export const KEPT_NETWORK: NetworkShape = { validators: 1, keepers: 8, followers: 2 };
const PEERS = 16;
const AT_ONCE = 8;
/** Different requests of each kind: what was asked before costs less. */
const VARIANTS = 16;
const ENVELOPE_BYTES = 7_000;
const WATCH_REQUESTS = 256;
const IDS = 64;
const SEALED_OVERHEAD = 48;
/** Classes of sealed requests that are sent to every keeper. */
const SMALL_CLASSES = 3;
const SIGNATURE_BYTES = 64;
const { mailItems, carryItems } = NETWORK_LIMITS;

const keyOf = (): string => toHex(randomBytes(32));
const idOf = (): string => toHex(randomBytes(16));
const many = <T>(length: number, made: (n: number) => T): readonly T[] => Array.from({ length }, (_, n) => made(n));

/** As many of everything as one request takes. */
function mailRequests(): readonly MailRequest[] {
  return [
    { type: "watch", boxes: many(mailItems.watchedBoxes, keyOf), isMore: true },
    { type: "watch", boxes: many(mailItems.watchedBoxes, keyOf), isMore: false },
    {
      type: "get",
      scope: null,
      boxes: many(mailItems.listedBoxes, () => ({ box: keyOf(), after: 0, afterDeletion: 0 })),
      hasContent: true,
    },
    { type: "fetch", places: many(mailItems.fetchedIds, () => ({ box: keyOf(), id: idOf() })) },
    {
      type: "put",
      items: many(mailItems.putItems, () => ({ envelope: strayEnvelope(ENVELOPE_BYTES), admit: null })),
      openings: [],
      passOn: many(mailItems.passedOnTo, keyOf),
    },
    {
      type: "delete",
      notices: many(mailItems.deletionNotices, () => ({ mailbox: keyOf(), ids: many(IDS, idOf), proof: null })),
    },
    { type: "news", boxes: many(mailItems.watchedBoxes, keyOf) },
    { type: "typing", to: keyOf(), from: keyOf(), isNews: false },
    { type: "digest", slots: many(mailItems.digestSlots, (n) => n) },
    { type: "ranges", slot: 1, ranges: many(mailItems.ranges, () => "") },
  ];
}

/** Asks for all of this, one after the other, from as many networks as there are peers. */
async function flood(target: Target, turn: Turn, frames: readonly Uint8Array[], { protocol, rate }: Flood): Promise<void> {
  let next = 0;
  await turn.begin();
  await besiege(target, turn, {
    peers: PEERS,
    assault: (peer) =>
      askAll(peer, turn, {
        shots: () => ({ protocol: peer.names[protocol], frame: frames[next++ % frames.length] ?? new Uint8Array() }),
        atOnce: AT_ONCE,
        rate,
      }),
  });
}

interface Flood {
  readonly protocol: "mail" | "carry" | "digests";
  readonly rate: Rate;
}

/** So many requests of each kind. */
export function mailFrames(variants = VARIANTS): readonly Uint8Array[] {
  return many(variants, () => mailRequests().map((request) => encode(mailRequestCodec, request))).flat();
}

/** Boxes that no one writes to, more of them than there is room for. */
function watchFrames(): readonly Uint8Array[] {
  return many(WATCH_REQUESTS, () => encode(mailRequestCodec, { type: "watch", boxes: many(mailItems.watchedBoxes, keyOf), isMore: true }));
}

/** Sealed nonsense of all lengths, for other keepers and for this one, and news that no one asked for. */
export function carryFrames({ nodes }: Pick<Target, "nodes">): readonly Uint8Array[] {
  const others = nodes.slice(1).map(({ publicKey }) => publicKey);
  const sealed = (length: number): Uint8Array => new Uint8Array(randomBytes(length + SEALED_OVERHEAD));
  const requests = CARRY_CLASSES.flatMap((length, n): readonly CarryRequest[] => {
    const passed = others.map((keeper): CarryRequest => ({ type: "pass", keeper, token: idOf(), sealed: sealed(length) }));
    // One of the large ones: else they are all that is read of a peer.
    return [
      ...(n < SMALL_CLASSES ? passed : passed.slice(0, 1)),
      { type: "pass", keeper: keyOf(), token: null, sealed: sealed(1_024) },
      { type: "open", sealed: sealed(length) },
      { type: "news", token: idOf(), sealed: sealed(1_024) },
      { type: "gone", tokens: many(carryItems.goneTokens, idOf) },
    ];
  });
  return requests.map((request) => encode(carryRequestCodec, request));
}

/** Digests that no keeper has signed, shown by those who are none. */
export function digestFrames({ nodes }: Pick<Target, "nodes">): readonly Uint8Array[] {
  const version = digestVersion(Date.now() / 1_000);
  return many(VARIANTS, (variant) => {
    const slots = many(mailItems.signedSlots, (n) => (n * VARIANTS + variant) % KEEPER_RULES.slots);
    const seen = many(mailItems.seenDigests, (n) => ({
      ...{ keeper: nodes[n % nodes.length]?.publicKey ?? "", slot: slots[n] ?? 0, version },
      ...{ count: n, fingerprint: keyOf(), signature: toBase64(randomBytes(SIGNATURE_BYTES)) },
    }));
    return encode(mailRequestCodec, { type: "signed", version, slots, seen });
  });
}

export const MAIL_REQUEST_ATTACKS: readonly Attack[] = [
  {
    name: "mail-requests",
    title: `requests for mail of ${PEERS} strangers, as large and as many as they may be`,
    work: "keptDeliveries",
    network: KEPT_NETWORK,
    attack: (target, turn) => flood(target, turn, mailFrames(), { protocol: "mail", rate: NETWORK_LIMITS.mail.requests }),
  },
  {
    name: "hopeless-watches",
    title: `watches of ${PEERS} strangers, of boxes that no one writes to`,
    work: "keptDeliveries",
    network: KEPT_NETWORK,
    attack: (target, turn) => flood(target, turn, watchFrames(), { protocol: "mail", rate: NETWORK_LIMITS.mail.requests }),
  },
  {
    name: "carry-requests",
    title: `sealed nonsense of ${PEERS} strangers, to be carried`,
    work: "keptDeliveries",
    network: KEPT_NETWORK,
    attack: (target, turn) => flood(target, turn, carryFrames(target), { protocol: "carry", rate: NETWORK_LIMITS.carry.requests }),
  },
  {
    name: "false-digests",
    title: `digests that no keeper has signed, of ${PEERS} strangers`,
    work: "keptDeliveries",
    network: KEPT_NETWORK,
    attack: (target, turn) => flood(target, turn, digestFrames(target), { protocol: "digests", rate: NETWORK_LIMITS.digests.requests }),
  },
];
