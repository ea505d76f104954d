// Sends envelopes at a time, for programs of the node's owner that may not run then. It reads nothing of them, and knows them by a name that
// only the program has.
import type { HeldBounds, HeldMailStore, LeavingRow } from "#node/storage/messages/held-mail-store.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { parseEnvelope } from "#shared/protocol/mail/envelope.ts";
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import type { MailClient, MailService } from "./mail-service.ts";

/** What is held at most. docs/limits.md lists it. */
export const HELD_BOUNDS: HeldBounds = { messages: 1_024, bytes: 67_108_864, left: 4_096 };
/** Bytes of the envelopes of one message, as JSON. */
const MAX_MESSAGE_BYTES = 524_288;
/** A time lies so far ahead at most, seconds. */
const MAX_AHEAD_S = 31 * 86_400;
/** Clocks are set and machines sleep: the time is looked at this often, ms. */
const LOOK_MS = 30_000;
/** What could not be sent for so long after its time is not tried any more, seconds. */
const GIVEN_UP_S = 86_400;

export interface HeldMailDependencies {
  readonly relay: Pick<MailService, "broadcast" | "publicKey">;
  /** Opens the file with the first envelopes. */
  readonly open: () => HeldMailStore;
  /** True where there were some before. */
  readonly isThere: boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onError: (error: unknown) => void;
}

/** Envelopes that wait for their time. */
export class HeldMail {
  readonly #dependencies: HeldMailDependencies;
  #store: HeldMailStore | undefined;
  #cancelTimer: CancelTimer | undefined;
  #isSending = false;
  #isClosed = false;

  constructor(dependencies: HeldMailDependencies) {
    this.#dependencies = dependencies;
    if (!dependencies.isThere) return;
    this.#store = dependencies.open();
    this.#later();
  }

  /** Key by which programs know this node again. */
  get relayPub(): string {
    return this.#dependencies.relay.publicKey;
  }

  /**
   * Holds envelopes of a message until a time, unix seconds, instead of those of the same name. Durable on return.
   * @throws CodedError ENVELOPE_INVALID, BAD_REQUEST for a time too far ahead, RELAY_FULL
   */
  hold(
    { name, notBefore, envelopes }: { readonly name: string; readonly notBefore: number; readonly envelopes: readonly unknown[] },
    { party, tag }: MailClient,
  ): "held" | "left" {
    if (notBefore > this.#nowS() + MAX_AHEAD_S) throw new CodedError("BAD_REQUEST", "not_before is at most 31 days from now");
    const content = JSON.stringify(envelopes.map((envelope) => parseEnvelope(envelope)));
    if (content.length > MAX_MESSAGE_BYTES)
      throw new CodedError("BAD_REQUEST", `The envelopes of one name have at most ${MAX_MESSAGE_BYTES} bytes as JSON`);
    this.#store ??= this.#dependencies.open();
    const outcome = this.#store.put({ name, notBefore, party, tag, content });
    if (outcome === "full") throw new CodedError("RELAY_FULL", "This node holds as many messages for later as it can");
    this.#later();
    return outcome;
  }

  /** Takes envelopes back: once this returns "withdrawn", none of them leaves. */
  withdraw(name: string): "withdrawn" | "left" | "unknown" {
    return this.#store?.withdraw(name) ?? "unknown";
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#store?.close();
    this.#store = undefined;
  }

  #later(delayMs = 0): void {
    this.#cancelTimer?.();
    const nextS = this.#isClosed || this.#isSending ? undefined : this.#store?.nextS;
    if (nextS === undefined) return;
    const waitMs = Math.max(delayMs, nextS * 1000 - this.#dependencies.clock.nowMs());
    this.#cancelTimer = this.#dependencies.timers.setTimer(Math.min(LOOK_MS, waitMs), () => void this.#send());
  }

  async #send(): Promise<void> {
    if (this.#isSending || this.#isClosed) return;
    this.#isSending = true;
    let delayMs = 0;
    try {
      for (let row = this.#store?.leaveNext(this.#nowS()); row !== undefined; row = this.#store?.leaveNext(this.#nowS())) {
        if ((await this.#isSent(row)) || this.#nowS() - row.leftAt > GIVEN_UP_S) this.#store?.clear(row.name);
        else this.#store?.postpone(row.name, this.#nowS() + LOOK_MS / 1000);
      }
    } catch (error) {
      delayMs = LOOK_MS;
      this.#dependencies.onError(error);
    } finally {
      this.#isSending = false;
      this.#later(delayMs);
    }
  }

  /** False where they are to be tried again, without holding up those of others. */
  async #isSent(row: LeavingRow): Promise<boolean> {
    try {
      await this.#sendAll(row);
      return true;
    } catch (error) {
      if (!isCodedError(error, "RELAY_FULL")) this.#dependencies.onError(error);
      return false;
    }
  }

  /** What no mailbox takes goes nowhere: the message itself follows when its program runs. @throws CodedError RELAY_FULL for all of a busy node */
  async #sendAll({ content, party, tag }: LeavingRow): Promise<void> {
    const envelopes = JSON.parse(content) as readonly unknown[];
    for (const envelope of envelopes)
      try {
        await this.#dependencies.relay.broadcast(envelope, { party, tag, isLimited: false });
      } catch (error) {
        if (!isCodedError(error) || isCodedError(error, "RELAY_FULL")) throw error;
      }
  }

  #nowS(): number {
    return Math.floor(this.#dependencies.clock.nowMs() / 1000);
  }
}
