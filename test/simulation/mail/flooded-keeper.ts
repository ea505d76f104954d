// A keeper that is flooded, over the rules of room that every mailbox has today: a real store, with a small disk. Contacts write to open
// boxes, strangers to lasting keys, and sources flood mailboxes that no one reads.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import type { MailClient } from "#node/relay/intake/mail-service.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { createRelay, type Relay } from "#node/relay/relay.ts";
import { openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { type Envelope, envelopeBytes } from "#shared/protocol/mail/envelope.ts";
import { emptyEnvelope } from "#test/support/chain/envelope-id.ts";
import { createRandom } from "#test/support/host/random.ts";
import { type BoxWriter, boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { hashText } from "./simulated-relays.ts";

/** A flood. */
export interface FloodChoice {
  /** Networks that flood. */
  readonly sources: number;
  /** Envelopes that the keeper's disk holds. */
  readonly room: number;
  /** Envelopes of the flood by that. */
  readonly times: number;
}

/** Parts from 0 to 1 that are not there at the end, or of what the keeper should keep. */
export interface FloodResult {
  readonly contactsLost: number;
  readonly strangersKept: number;
  readonly floodStored: number;
  readonly refused: number;
}

const CHAIN_ID = "parley-simulated";
const NOW_S = 1_800_000_000;
const HEIGHT = 5_000;
const CONTENT_BYTES = 900;
const OWNERS = 20;
const AT_ONCE = 64;
/** Of the disk, percent: what contacts and strangers send. */
const CONTACTS_PERCENT = 10;
const STRANGERS_PERCENT = 18;
/** Networks of strangers; how much each sends is exponentially distributed. */
const STRANGERS = 1_000;

/** Floods a keeper while others write. */
export async function simulateFlood({ sources, room, times }: FloodChoice): Promise<FloodResult> {
  const folder = mkdtempSync(join(tmpdir(), "parley-flood-"));
  const store = openMailbox(folder);
  const clock = { nowMs: (): number => NOW_S * 1_000, monotonicMs: (): number => NOW_S * 1_000 };
  const size = envelopeBytes(unsealed(hashText("a mailbox"), "size"));
  const relay = createRelay({
    chainId: CHAIN_ID,
    secretKey: new Uint8Array(32).fill(3),
    store,
    clock,
    random: (length) => new Uint8Array(length).fill(4),
    verify: createNativeVerifier(),
    height: () => HEIGHT,
    limits: { ...MAILBOX_LIMITS, totalBytes: room * size, sourceDayBytes: Math.max(room * size, 64 * size) },
  });
  try {
    return await new FloodedKeeper(relay, { sources, room, times }).run();
  } finally {
    relay.close();
    store.close();
    rmSync(folder, { recursive: true });
  }
}

class FloodedKeeper {
  readonly #relay: Relay;
  readonly #choice: FloodChoice;
  readonly #owners = Array.from({ length: OWNERS }, (_, n) => mailboxOwner(CHAIN_ID, n + 1));
  readonly #contact: BoxWriter = boxWriter(CHAIN_ID, 100);
  readonly #strangers: readonly string[];
  readonly #sent = { contacts: [] as Envelope[], strangers: [] as Envelope[] };

  constructor(relay: Relay, choice: FloodChoice) {
    this.#relay = relay;
    this.#choice = choice;
    this.#strangers = strangersOf(Math.floor((choice.room * STRANGERS_PERCENT) / 100));
  }

  async run(): Promise<FloodResult> {
    const { room, times, sources } = this.#choice;
    for (const owner of this.#owners) {
      const opening = owner.opening(this.#contact.key, { untilSec: NOW_S + 86_400, height: HEIGHT });
      await this.#relay.boxes.take(opening, client("owners"));
    }
    const contacts = Math.floor((room * CONTACTS_PERCENT) / 100);
    const flood = room * times;
    let [refused, stored] = [0, 0];
    // All three come evenly, mixed with each other.
    for (let at = 0; at < flood; at += AT_ONCE) {
      const until = (all: number): number => Math.floor((Math.min(flood, at + AT_ONCE) * all) / flood);
      await this.#send(this.#sent.contacts, until(contacts), (n) => this.#fromContact(n));
      await this.#send(this.#sent.strangers, until(this.#strangers.length), (n) =>
        this.#broadcast(unsealed(hashText(`reader ${n % 400}`), `s ${n}`), this.#strangers[n] ?? ""),
      );
      const some = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) =>
          this.#broadcast(unsealed(hashText(`target ${(at + i) % 997}`), `f ${at + i}`), `flood ${(at + i) % sources}`),
        ),
      );
      stored += some.filter(({ isStored }) => isStored).length;
      refused += some.filter(({ isStored }) => !isStored).length;
    }
    const isThere = ({ id, recipient_pub: recipientPub }: Envelope): boolean =>
      this.#relay.list({ recipientPub, limit: 10_000 }).items.some(({ envelope }) => envelope.id === id);
    const part = (some: readonly Envelope[]): number => some.filter(isThere).length / some.length;
    return {
      contactsLost: 1 - part(this.#sent.contacts),
      strangersKept: part(this.#sent.strangers),
      floodStored: stored / (stored + refused),
      refused: refused / (stored + refused),
    };
  }

  async #send(sent: Envelope[], until: number, send: (n: number) => Promise<{ readonly envelope: Envelope }>): Promise<void> {
    while (sent.length < until) sent.push((await send(sent.length)).envelope);
  }

  #fromContact(n: number): Promise<{ readonly envelope: Envelope }> {
    const envelope = unsealed(this.#owners[n % OWNERS]?.pub ?? "", `c ${n}`);
    return this.#broadcast(envelope, `contact ${n % 50}`, this.#contact.admit(envelope));
  }

  async #broadcast(envelope: Envelope, from: string, admit?: string): Promise<{ readonly envelope: Envelope; readonly isStored: boolean }> {
    try {
      await this.#relay.broadcast(envelope, client(from), admit);
      return { envelope, isStored: true };
    } catch (error) {
      if (!isCodedError(error)) throw error;
      return { envelope, isStored: false };
    }
  }
}

/** From which network each of so many envelopes comes, in an order of chance. */
function strangersOf(count: number): readonly string[] {
  const random = createRandom(count);
  const ends: number[] = [];
  for (let n = 0; n < STRANGERS; n += 1) ends.push((ends.at(-1) ?? 0) - Math.log(1 - random.next()));
  return Array.from({ length: count }, () => {
    const drawn = random.next() * (ends.at(-1) ?? 0);
    return `stranger ${ends.findIndex((end) => drawn < end)}`;
  });
}

const client = (network: string): MailClient => ({ party: network, tag: network, isLimited: true });

/** An envelope of a name, which no other one has. */
function unsealed(recipientPub: string, name: string): Envelope {
  const nonce = Buffer.from(hashText(name), "hex").subarray(0, 24);
  return emptyEnvelope({ recipientPub, nonce, bytes: CONTENT_BYTES, sentAt: NOW_S });
}
