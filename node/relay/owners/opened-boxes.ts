// Open boxes of this node: takes openings that mailbox keys signed, says which of them are news for others, and judges what is admitted.
import { LRUCache } from "lru-cache";
import { isAuthenticEnvelope } from "#node/crypto/envelope-id.ts";
import type { ValidationResult } from "#node/network/peer-network.ts";
import { isCarriedParty, type MailSource, OWN_PARTY } from "#node/storage/mailbox/mail-sources.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import {
  type AdmittedBy,
  type BoxOpening,
  isAdmitted,
  isLaterOpening,
  isSameOpening,
  isSignedOpening,
  KNOWN_AFTER_S,
  MAX_OPEN_S,
} from "#shared/protocol/mail/box-opening.ts";
import { PROOF_HEIGHTS } from "#shared/protocol/mail/box-proof.ts";
import type { Envelope, X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isAcceptablePoint } from "#shared/protocol/primitives/signature.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { GroupCommit } from "../group-commit.ts";
import { noRoom } from "../mail-source.ts";
import type { MailboxLimits } from "../mailbox-limits.ts";
import { isTimely, Listeners, requireTimely, type SignedByOwnersDependencies } from "./signed-by-owners.ts";

export interface OpenedBoxesDependencies extends SignedByOwnersDependencies {
  readonly limits: MailboxLimits;
}

/** A box whose write key is known. */
export interface OpenedBox {
  readonly opening: BoxOpening;
  /** False once its time is over: it takes what is admitted, and has no room of its own any more. */
  readonly isOpen: boolean;
}

/** By whose signature an envelope came. */
export interface Admission {
  readonly admit: string;
  /** The key under which it was checked; undefined where no opening of the box is known. */
  readonly writeKey: PublicKeyHex | undefined;
}

/** Openings that came another way than gossip and are remembered until that brings them. */
const MAX_UNFORWARDED = 8_192;

/** Clocks of nodes differ by so much, s. */
const CLOCK_SKEW_S = 3_600;

/** An envelope may be from so far ahead, s: less than deletions are remembered longer than mail is kept. */
const MAX_AHEAD_S = 86_400;

/** Refusal of an envelope without the signature that its mailbox asks for. */
export function admitMissing(): CodedError {
  return new CodedError("FORBIDDEN", "The mailbox takes only envelopes that its write key has signed: admit is missing");
}

type Outcome = "stored" | "known" | "stale" | "full";

/** An opening that is about to be stored. */
interface Coming {
  readonly opening: BoxOpening;
  readonly party: string;
  readonly isForeign: boolean;
}

/** Takes openings; their listeners are told what other nodes should know. */
export class OpenedBoxes {
  readonly #dependencies: OpenedBoxesDependencies;
  readonly #listeners = new Listeners<BoxOpening>();
  readonly #commits: GroupCommit<Coming, Outcome>;
  /** Signatures of openings that came another way than gossip, which has not brought them yet: it is to go on with them. */
  #unforwarded: LRUCache<string, true> | undefined;

  constructor(dependencies: OpenedBoxesDependencies) {
    this.#dependencies = dependencies;
    this.#commits = new GroupCommit((coming) => this.#commitBatch(coming).map((value) => ({ value })), dependencies.limits.batchEnvelopes);
  }

  /** The box of a mailbox, while its write key is known; undefined for every other mailbox. */
  find(mailbox: X25519KeyHex): OpenedBox | undefined {
    const opening = this.#dependencies.store.boxes.find(mailbox);
    const nowSec = this.#nowSec();
    if (opening === undefined || opening.untilSec + KNOWN_AFTER_S <= nowSec) return undefined;
    return { opening, isOpen: opening.untilSec > nowSec };
  }

  /** True when the mailbox's key has signed the opening. Nothing is stored. */
  async isProven(opening: BoxOpening): Promise<boolean> {
    const { chainId, verify } = this.#dependencies;
    return isAcceptablePoint(opening.writeKey) && (await isSignedOpening(chainId, opening, verify));
  }

  /** Opens a box as a client asks; gives the opening that holds. @throws CodedError BAD_REQUEST, FORBIDDEN or RELAY_FULL */
  async take(opening: BoxOpening, source: MailSource): Promise<BoxOpening> {
    await this.check(opening);
    const outcome = await this.#put(opening, source, false);
    if (outcome === "busy") throw new CodedError("RELAY_FULL", "The node receives more openings than it can store: try again in a moment");
    return this.#placed(outcome, opening, source);
  }

  /** Judges what a client asks for by itself. @throws CodedError BAD_REQUEST, FORBIDDEN or RELAY_FULL */
  async check(opening: BoxOpening): Promise<void> {
    const { chainId, verify } = this.#dependencies;
    const nowSec = this.#nowSec();
    this.#requireEnabled();
    if (opening.untilSec <= nowSec || opening.untilSec > nowSec + MAX_OPEN_S)
      throw new CodedError("BAD_REQUEST", `until is later than now, and at most ${MAX_OPEN_S} seconds`);
    if (!isAcceptablePoint(opening.writeKey)) throw new CodedError("BAD_REQUEST", "write_pub is a key that anyone could sign for");
    this.#requireHeight();
    requireTimely(opening.height, this.#dependencies);
    if (!(await isSignedOpening(chainId, opening, verify)))
      throw new CodedError("FORBIDDEN", "signature is not one of the mailbox's key over this opening");
  }

  /** Opens a box at once by an opening that was found right; gives the one that holds. @throws CodedError FORBIDDEN or RELAY_FULL */
  place(opening: BoxOpening, source: MailSource): BoxOpening {
    return this.#placed(this.#putNow(opening, source, false), opening, source);
  }

  /**
   * Takes what a gateway of this node's operator judged when its owner signed it, however long ago that was. One that a later opening has
   * replaced meanwhile is done. `isForeign`: it counts as another node's. @throws CodedError BAD_REQUEST, FORBIDDEN or RELAY_FULL
   */
  async takeLate(opening: BoxOpening, source: MailSource, isForeign = true): Promise<void> {
    this.#requireEnabled();
    if (!this.#isPossible(opening))
      throw new CodedError("BAD_REQUEST", "The opening is over, or of a height that the chain has not reached");
    if (!(await this.isProven(opening))) throw new CodedError("FORBIDDEN", "signature is not one of the mailbox's key over this opening");
    const outcome = await this.#put(opening, source, isForeign);
    if (outcome === "busy") throw new CodedError("RELAY_FULL", "The node receives more openings than it can store: try again in a moment");
    if (outcome !== "stale") this.#placed(outcome, opening, source);
  }

  #placed(outcome: Outcome, opening: BoxOpening, source: MailSource): BoxOpening {
    if (outcome === "stale") throw new CodedError("FORBIDDEN", "A later opening of this mailbox is known: sign with the present height");
    if (outcome === "full") throw this.#fullError(source);
    const held = this.find(opening.mailbox)?.opening ?? opening;
    this.#listeners.call(held);
    return held;
  }

  /** Takes what a node of the same operator has judged, where there is room for it. */
  placeForeign(opening: BoxOpening, source: MailSource): void {
    if (this.#isPossible(opening)) this.#putNow(opening, source, true);
  }

  /** Takes what gossip brings. A false proof is what no honest node forwards. */
  async receive(opening: BoxOpening, source: MailSource): Promise<ValidationResult> {
    const known = this.#dependencies.store.boxes.find(opening.mailbox);
    if (known !== undefined && !isLaterOpening(opening, known)) return this.#isUnforwarded(opening, known) ? "accept" : "ignore";
    if (!(await this.isProven(opening))) return "reject";
    if (!isTimely(opening.height, this.#dependencies) || !this.#isPossible(opening)) return "ignore";
    if (!this.#dependencies.isEnabled) return "accept";
    // A node without room for it still passes on what others should store.
    const outcome = await this.#put(opening, source, true);
    return outcome === "stored" || outcome === "full" ? "accept" : "ignore";
  }

  /** Those that other nodes sent and this one would check and store: it has others already, or no room for them. */
  unknownOf(openings: readonly BoxOpening[], { party }: MailSource): readonly BoxOpening[] {
    const { boxes } = this.#dependencies.store;
    const nowSec = this.#nowSec();
    return openings.filter((opening) => {
      const known = boxes.find(opening.mailbox);
      if (known !== undefined && isSameOpening(opening, known)) return false;
      return boxes.isHeld(opening.mailbox, nowSec) || !this.#isFull(party, true, nowSec);
    });
  }

  /** Takes what another node has stored, or sent with mail, of any height up to the present one; false for a false proof. */
  async learn(openings: readonly BoxOpening[], source: MailSource): Promise<boolean> {
    const coming: BoxOpening[] = [];
    let isProven = true;
    for (const opening of this.unknownOf(openings, source)) {
      isProven = await this.isProven(opening);
      if (!isProven) break;
      if (this.#isPossible(opening) && this.#dependencies.isEnabled) coming.push(opening);
    }
    // All at once, so that each rejection is awaited when the disk fails.
    const outcomes = await Promise.all(coming.map((opening) => this.#put(opening, source, true)));
    for (const [at, { signature }] of coming.entries()) {
      if (outcomes[at] !== "stored") continue;
      // Its room is made with the first: over PostgreSQL there is an object of this class for each piece of work.
      this.#unforwarded ??= new LRUCache({ max: MAX_UNFORWARDED });
      this.#unforwarded.set(signature, true);
    }
    return isProven;
  }

  /**
   * What a client's envelope is admitted by; undefined for a mailbox that takes everything.
   * @throws CodedError FORBIDDEN, NOT_FOUND or ENVELOPE_INVALID; an envelope of another time than the present is FORBIDDEN
   */
  async checkFirstHand(envelope: Envelope, admit: string | undefined): Promise<Admission | undefined> {
    const box = this.find(envelope.recipient_pub);
    if (box === undefined && admit === undefined) return undefined;
    if (box === undefined)
      throw new CodedError(
        "NOT_FOUND",
        "This node knows no opening of the mailbox, which admit is for: use another mailbox of the recipient",
      );
    if (admit === undefined) throw admitMissing();
    if (!isAuthenticEnvelope(envelope))
      throw new CodedError("ENVELOPE_INVALID", "id is the hash of nonce and ciphertext in a mailbox that its owner has opened");
    const { writeKey } = box.opening;
    if (!(await this.isAdmitted(envelope, { admit, writeKey })))
      throw new CodedError("FORBIDDEN", "admit is not the signature of the mailbox's write key over the envelope");
    if (!this.isOfPresent(envelope))
      throw new CodedError("FORBIDDEN", "sent_at is older than mail is kept, or more than a day ahead: seal the message again");
    return { admit, writeKey };
  }

  /** What another node's envelope is admitted by; undefined for one that this mailbox does not take. */
  async checkReceived(envelope: Envelope, admission: Admission | undefined): Promise<Admission | "none" | undefined> {
    const box = this.find(envelope.recipient_pub);
    if (admission !== undefined && !this.isOfPresent(envelope)) return undefined;
    if (box === undefined) return admission ?? "none";
    const { writeKey } = box.opening;
    if (admission === undefined || !isAuthenticEnvelope(envelope)) return undefined;
    if (admission.writeKey === writeKey) return admission;
    const checked = { admit: admission.admit, writeKey };
    return (await this.isAdmitted(envelope, checked)) ? checked : undefined;
  }

  /** True when the key has signed the envelope for its mailbox. */
  isAdmitted(envelope: Envelope, by: AdmittedBy): Promise<boolean> {
    const { chainId, verify } = this.#dependencies;
    return isAdmitted(chainId, envelope, by, verify);
  }

  /** True for an envelope whose deletion, were there one, would still be remembered: what is older may be a recorded one that was read. */
  isOfPresent({ sent_at: sentAtSec }: Envelope): boolean {
    const nowSec = this.#nowSec();
    return sentAtSec >= nowSec - this.#dependencies.limits.retentionMs / 1000 && sentAtSec <= nowSec + MAX_AHEAD_S;
  }

  /** Calls back for openings that other nodes should know; returns the way to stop that. */
  onOpening(listener: (opening: BoxOpening) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Commits what waits. */
  close(): void {
    this.#commits.flush();
  }

  /** Forgets boxes whose time is long over. */
  prune(): void {
    this.#dependencies.store.boxes.prune(this.#nowSec() - KNOWN_AFTER_S);
  }

  /** True once for the very opening that came another way and was checked then. */
  #isUnforwarded(opening: BoxOpening, known: BoxOpening): boolean {
    const isChecked = isSameOpening(opening, known) && opening.signature === known.signature;
    return isChecked && isTimely(opening.height, this.#dependencies) && this.#unforwarded?.delete(opening.signature) === true;
  }

  /** Resolves once it is durable. `busy`: more wait than can be stored. */
  async #put(opening: BoxOpening, { party }: MailSource, isForeign: boolean): Promise<Outcome | "busy"> {
    if (this.#commits.size >= this.#dependencies.limits.waitingEnvelopes) return "busy";
    return await this.#commits.add({ opening, party, isForeign });
  }

  #putNow(opening: BoxOpening, { party }: MailSource, isForeign: boolean): Outcome {
    const [outcome] = this.#commitBatch([{ opening, party, isForeign }]);
    assertInvariant(outcome !== undefined, "each opening has an outcome");
    return outcome;
  }

  #commitBatch(coming: readonly Coming[]): readonly Outcome[] {
    const { store, onChanged } = this.#dependencies;
    const nowSec = this.#nowSec();
    const outcomes = store.inTransaction(() => coming.map((each) => this.#putOne(each, nowSec)));
    for (const [index, { opening }] of coming.entries()) if (outcomes[index] === "stored") onChanged(opening.mailbox);
    return outcomes;
  }

  #putOne({ opening, party, isForeign }: Coming, nowSec: number): Outcome {
    const { store } = this.#dependencies;
    const known = store.boxes.find(opening.mailbox);
    if (known !== undefined && isSameOpening(opening, known)) return "known";
    if (known !== undefined && isLaterOpening(known, opening)) return "stale";
    if (!store.boxes.isHeld(opening.mailbox, nowSec) && this.#isFull(party, isForeign, nowSec)) return "full";
    store.boxes.put(opening, { party, isForeign }, nowSec);
    return "stored";
  }

  /**
   * What is open is never displaced. Other nodes leave room for those who open boxes here, carriers for nodes that are seen, and all others for
   * the node's own programs.
   */
  #isFull(party: string, isForeign: boolean, nowSec: number): boolean {
    const { store, limits } = this.#dependencies;
    const { all, foreign, carried, ofParty } = store.boxes.counts(party, nowSec);
    const { sourceBoxes, relayBoxes, foreignPercent, carriedBoxes, carriedPercent } = limits;
    if (party === OWN_PARTY) return ofParty >= sourceBoxes;
    const mostForeign = Math.floor((relayBoxes * foreignPercent) / 100);
    if (ofParty >= sourceBoxes || all >= relayBoxes || (isForeign && foreign >= mostForeign)) return true;
    return isCarriedParty(party) && (ofParty >= carriedBoxes || carried >= Math.floor((mostForeign * carriedPercent) / 100));
  }

  #fullError({ party }: MailSource): CodedError {
    const { store, limits } = this.#dependencies;
    const { sourceBoxes, relayBoxes } = limits;
    const isOwnPart = store.boxes.counts(party, this.#nowSec()).ofParty >= sourceBoxes;
    return noRoom(
      isOwnPart
        ? `More than ${sourceBoxes} boxes are open from this network: let some of them end`
        : `${relayBoxes} boxes are open at this node: use another node`,
    );
  }

  #requireEnabled(): void {
    if (!this.#dependencies.isEnabled) throw new CodedError("RELAY_FULL", "The mailbox of this node is switched off: use another node");
  }

  /** A node that does not know the height yet could not tell an opening that nothing would ever replace. */
  #requireHeight(): void {
    const { height } = this.#dependencies;
    if (height === undefined || height() !== undefined) return;
    throw new CodedError("UNAVAILABLE", "This node does not know the height of the chain yet: open the box in a moment");
  }

  /** False for one of a height that the chain has not reached, for longer than openings are by any clock near this one, or of long ago. */
  #isPossible({ untilSec, height }: BoxOpening): boolean {
    const known = this.#dependencies.height;
    if (known !== undefined && height > (known() ?? Number.NEGATIVE_INFINITY) + PROOF_HEIGHTS) return false;
    const nowSec = this.#nowSec();
    return untilSec <= nowSec + MAX_OPEN_S + CLOCK_SKEW_S && untilSec + KNOWN_AFTER_S > nowSec;
  }

  #nowSec(): number {
    return Math.floor(this.#dependencies.clock.nowMs() / 1000);
  }
}
