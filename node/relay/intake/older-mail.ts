// Mail that nodes of earlier versions still gossip while keepers have it alone. It reaches its keepers that way: a node takes what it keeps
// or what is read at it, and passes the rest on without storing it; all at a tenth of the rates of gossip, as anyone may send it.
import { LRUCache } from "lru-cache";
import { isAuthenticEnvelope } from "#node/crypto/envelope-id.ts";
import { SharedRate } from "#node/network/flow/shared-rate.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import type { AdmittedEnvelope, PeerName, ValidationResult } from "#node/network/peer-network.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";
import { type Envelope, envelopeBytes, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { receiptMark } from "#shared/protocol/mail/mail-receipt.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { OpenedBoxes } from "../owners/opened-boxes.ts";
import { together } from "./reception.ts";
import type { UnforwardedMail } from "./unforwarded-mail.ts";

/** The mailboxes of this node. */
export interface OwnMailboxes {
  receive(envelopes: readonly Envelope[], source: MailSource): Promise<ValidationResult>;
  receiveAdmitted(items: readonly AdmittedEnvelope[], source: MailSource): Promise<ValidationResult>;
  /** False for an envelope that no honest node forwards. */
  isTrue(envelope: Envelope): Promise<boolean>;
  readonly boxes: Pick<OpenedBoxes, "isProven" | "isAdmitted">;
}

export interface OlderMailDependencies {
  readonly relay: OwnMailboxes;
  /** Those of mailboxes that are kept or read here. */
  readonly own: (boxes: readonly X25519KeyHex[], from: PeerName) => Promise<ReadonlySet<X25519KeyHex>>;
  readonly unforwarded: Pick<UnforwardedMail, "judge" | "judgeAdmitted">;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Envelopes that were passed on and are not again; those that came longest ago are forgotten first. */
export const MAX_PASSED = 65_536;

/** Who brought something, by its name and as it is counted. */
interface Bringer {
  readonly from: PeerName;
  readonly source: MailSource;
}

/** Takes and judges. */
export class OlderMail {
  readonly #dependencies: OlderMailDependencies;
  readonly #count: SharedRate;
  readonly #bytes: SharedRate;
  readonly #passed = new LRUCache<string, true>({ max: MAX_PASSED });

  constructor(dependencies: OlderMailDependencies) {
    this.#dependencies = dependencies;
    const nowMs = dependencies.clock.monotonicMs();
    this.#count = new SharedRate(NETWORK_LIMITS.olderMail, nowMs);
    this.#bytes = new SharedRate(NETWORK_LIMITS.olderMailBytes, nowMs);
  }

  /** What gossip is to do with envelopes; a false one is what no honest node forwards. */
  async envelopes(envelopes: readonly Envelope[], { from, source }: Bringer): Promise<ValidationResult> {
    const { relay, own: ownOf, unforwarded } = this.#dependencies;
    if (!this.#isWithin(envelopes, from)) return "ignore";
    const own = await ownOf(recipientsOf(envelopes), from);
    const kept = envelopes.filter(({ recipient_pub }) => own.has(recipient_pub));
    const taken = kept.length === 0 ? "ignore" : unforwarded.judge(await relay.receive(kept, source), kept);
    const others = envelopes.filter(({ recipient_pub }) => !own.has(recipient_pub));
    return together([taken, ...(await Promise.all(others.map((envelope) => this.#judge(envelope, null, () => relay.isTrue(envelope)))))]);
  }

  /** The same of envelopes with openings of their boxes. */
  async admitted(items: readonly AdmittedEnvelope[], { from, source }: Bringer): Promise<ValidationResult> {
    const { relay, own: ownOf, unforwarded } = this.#dependencies;
    const envelopes = items.map(({ envelope }) => envelope);
    if (!this.#isWithin(envelopes, from)) return "ignore";
    const own = await ownOf(recipientsOf(envelopes), from);
    const kept = items.filter(({ envelope }) => own.has(envelope.recipient_pub));
    const taken = kept.length === 0 ? "ignore" : unforwarded.judgeAdmitted(await relay.receiveAdmitted(kept, source), kept);
    const others = items.filter(({ envelope }) => !own.has(envelope.recipient_pub));
    const judged = others.map((item) => this.#judge(item.envelope, item.admit, () => this.#isAdmitted(item)));
    return together([taken, ...(await Promise.all(judged))]);
  }

  async #isAdmitted({ opening, envelope, admit }: AdmittedEnvelope): Promise<boolean> {
    const { relay } = this.#dependencies;
    if (opening.mailbox !== envelope.recipient_pub || !isAuthenticEnvelope(envelope)) return false;
    const { writeKey } = opening;
    return (
      (await relay.isTrue(envelope)) &&
      (await relay.boxes.isProven(opening)) &&
      (await relay.boxes.isAdmitted(envelope, { admit, writeKey }))
    );
  }

  /** Each is passed on once. What has another id than its hash no keeper takes. */
  async #judge(envelope: Envelope, admit: string | null, isTrue: () => Promise<boolean>): Promise<ValidationResult> {
    const name = `${receiptMark({ envelope, admit }, nativeSha256)} ${envelope.sent_at}`;
    if (this.#passed.has(name) || (admit === null && !isAuthenticEnvelope(envelope))) return "ignore";
    if (!(await isTrue())) return "reject";
    const isNew = !this.#passed.has(name);
    this.#passed.set(name, true);
    return isNew ? "accept" : "ignore";
  }

  #isWithin(envelopes: readonly Envelope[], from: PeerName): boolean {
    const nowMs = this.#dependencies.clock.monotonicMs();
    const bytes = envelopes.reduce((sum, envelope) => sum + envelopeBytes(envelope), 0);
    return this.#count.take(from, nowMs, envelopes.length) && this.#bytes.take(from, nowMs, bytes);
  }
}

function recipientsOf(envelopes: readonly Envelope[]): readonly string[] {
  return [...new Set(envelopes.map(({ recipient_pub }) => recipient_pub))];
}
