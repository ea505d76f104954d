// Mail of strangers, each of a network of its own, straight to a keeper of its boxes: sound envelopes, as many and as fast as is taken, until each
// network has brought all that it may on a day, and on after that.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { mailRequestCodec, mailResponseCodec } from "#node/network/wire/mail-codec.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { boxKeyPair, boxSharedKey, envelopeBytes, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import type { KeptEnvelope } from "#shared/protocol/mail/mail-messages.ts";
import { receiptMark } from "#shared/protocol/mail/mail-receipt.ts";
import { NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import type { RudePeer } from "../../support/nodes/rude-peer.ts";
import type { Attack, Target, Turn } from "../attack.ts";
import { DAY_LEFT_BYTES } from "../used-days.ts";
import { KEPT_NETWORK } from "./mail-requests.ts";
import { askAll, type Shot } from "./requests.ts";
import { freshPeer, subnetAddress } from "./swarm.ts";

/** Networks of strangers. */
export const FLOOD_SOURCES = 10;
const ENVELOPE_BYTES = 4_096;
const PUT_ENVELOPES = NETWORK_LIMITS.mailItems.putItems;
const AT_ONCE = NETWORK_LIMITS.mail.responsesPerPeer;
const REFUSED_PAUSE_MS = 100;

/** A request, with its envelopes by the marks of their receipts. */
interface PreparedPut {
  readonly frame: Uint8Array;
  /** Bytes as limits count them. */
  readonly bytesOf: ReadonlyMap<string, number>;
  /** Those that were not taken yet. */
  readonly left: Set<string>;
}

/** What a stranger's network hands in, and what came of it. */
export class StrangersMail {
  /** Envelopes that the keeper signed for, and their bytes as limits count them. */
  taken = 0;
  takenBytes = 0;
  /** Envelopes for which it did not sign, as often as they were handed in. */
  refused = 0;
  readonly #requests: readonly PreparedPut[];
  readonly #onResponse: (taken: number, takenBytes: number, refused: number) => void;
  #next = 0;

  constructor(boxes: readonly string[], onResponse: (taken: number, takenBytes: number, refused: number) => void = (): void => undefined) {
    this.#onResponse = onResponse;
    const sender = boxKeyPair(new Uint8Array(randomBytes(32)));
    const keys = new Map(boxes.map((box) => [box, boxSharedKey(sender.secretKey, box)]));
    // Half as many more as there is room for on its day.
    const count = Math.ceil((DAY_LEFT_BYTES / (PUT_ENVELOPES * ENVELOPE_BYTES)) * 1.5);
    const sentAt = Math.floor(Date.now() / 1_000);
    this.#requests = Array.from({ length: count }, () => {
      const items = Array.from({ length: PUT_ENVELOPES }, (_, n): KeptEnvelope => {
        const recipientPub = boxes[n % boxes.length] ?? "";
        const nonce = new Uint8Array(randomBytes(NONCE_BYTES));
        const sealed = { plaintext: new Uint8Array(ENVELOPE_BYTES), recipientPub, sender, senderMasterPub: "", nonce, sentAt };
        return { envelope: sealEnvelope(sealed, keys.get(recipientPub)), admit: null };
      });
      const bytesOf = new Map(items.map((item) => [receiptMark(item, nativeSha256), envelopeBytes(item.envelope)]));
      return { frame: encode(mailRequestCodec, { type: "put", items, openings: [], passOn: [] }), bytesOf, left: new Set(bytesOf.keys()) };
    });
  }

  /** The next request of which not all was taken. */
  next(protocol: string): Shot {
    const { length } = this.#requests;
    for (let tries = 0; tries < length && this.#requests[this.#next % length]?.left.size === 0; tries += 1) this.#next += 1;
    const request = this.#requests[this.#next % length];
    this.#next += 1;
    if (request === undefined) throw new Error("There are requests");
    return { protocol, frame: request.frame, onFrame: (frame): void => this.#hear(request, frame) };
  }

  #hear({ left, bytesOf }: PreparedPut, frame: Uint8Array): void {
    const response = tryDecode(mailResponseCodec, frame);
    const signed = response?.type === "receipts" ? response.receipts.flatMap(({ marks }) => marks) : [];
    const taken = signed.filter((mark) => left.delete(mark));
    const bytes = taken.reduce((sum, mark) => sum + (bytesOf.get(mark) ?? 0), 0);
    this.taken += taken.length;
    this.takenBytes += bytes;
    this.refused += left.size;
    this.#onResponse(taken.length, bytes, left.size);
  }
}

async function flood(target: Target, turn: Turn): Promise<void> {
  const boxes = target.floodedBoxes ?? [];
  const onResponse = (taken: number, bytes: number, refused: number): void => {
    turn.count("envelopes taken", taken);
    turn.count("KiB taken", Math.round(bytes / 1_024));
    turn.count("envelopes refused", refused);
  };
  const sources = Array.from({ length: FLOOD_SOURCES }, () => new StrangersMail(boxes, onResponse));
  turn.signal.addEventListener("abort", () => {
    for (const problem of sources.flatMap(problemsOf)) turn.problem(problem);
  });
  await turn.begin();
  await Promise.all(sources.map((source, n) => floodFrom(subnetAddress(n), source, target, turn)));
}

/** One network's peers, of which the next one comes when one is sent away. */
async function floodFrom(from: string, source: StrangersMail, target: Target, turn: Turn): Promise<void> {
  const assault = (peer: RudePeer): Promise<void> =>
    askAll(peer, turn, { shots: () => source.next(peer.names.mail), atOnce: AT_ONCE, rate: NETWORK_LIMITS.mail.requests });
  while (!turn.signal.aborted) {
    try {
      const peer = await freshPeer(target, { from });
      turn.count("identities");
      await assault(peer).finally(() => peer[Symbol.asyncDispose]());
    } catch {
      turn.count("refusals");
      await delay(REFUSED_PAUSE_MS);
    }
  }
}

/** A flood is one at its limits: all that its networks may bring was taken, and nothing of what is beyond. */
function problemsOf({ takenBytes, refused }: StrangersMail): readonly string[] {
  const isUsed = takenBytes > DAY_LEFT_BYTES - PUT_ENVELOPES * 2 * ENVELOPE_BYTES && refused > 0;
  return [
    ...(takenBytes > DAY_LEFT_BYTES ? ["more was taken of a network than it may bring on a day"] : []),
    ...(isUsed ? [] : ["a network of the flood did not bring what it may"]),
  ];
}

export const MAIL_FLOOD_ATTACKS: readonly Attack[] = [
  {
    name: "mail-flood",
    title: `mail of ${FLOOD_SOURCES} strangers to boxes of the victim, until it takes no more of them and on, beside a contact's`,
    work: "contactMail",
    network: { ...KEPT_NETWORK, nearlyUsedDays: FLOOD_SOURCES },
    attack: flood,
  },
];
