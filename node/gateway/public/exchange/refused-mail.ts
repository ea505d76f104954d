// What nodes refused although this service had acknowledged it. It is tried again; and the next mail for such a mailbox is handed to a node before
// it is acknowledged, so that its sender hears what the node says. Once there is little room for more of it, as where a node refuses everything,
// this holds for all mail.
import {
  hurryRefused,
  type LostNotice,
  REFUSED_BYTES,
  REFUSED_NOTICES,
  RETRIES_A_ROUND,
  type RefusedMail as Refused,
  type RoomAside,
  readRefused,
  retryRefused,
} from "#node/storage/mailbox/sharing/postgres/mail/refused-notices.ts";
import type { PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { HttpError } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { FULL_NOTICE_MS, NEARLY_FULL, RETRY_AFTER_S, RETRY_PAUSE_MS } from "../gateway-limits.ts";
import type { NodeLinks } from "../node-links.ts";
import { repeatRounds } from "../rounds.ts";
import { errorOf, isRefusal, NOTICE_PATHS, post, sendNotices } from "./notice-sender.ts";

export interface RefusedMailDependencies {
  readonly database: PostgresDatabase;
  readonly links: Pick<NodeLinks, "request">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly timers: Timers;
  readonly onError: (error: unknown, what: string) => void;
  /** For what waits aside; REFUSED_NOTICES and REFUSED_BYTES where it is left out. */
  readonly room?: RoomAside | undefined;
}

/** Knows of it. {@link RefusedMail.start} begins. */
export class RefusedMail {
  /** Notices that this process gave up since its start. */
  lost = 0;
  readonly #dependencies: RefusedMailDependencies;
  #known: Refused = { mailboxes: new Set(), count: 0, bytes: 0 };
  /** When the log said last that there is little room; undefined while there is enough. */
  #saidAtMs: number | undefined;

  constructor(dependencies: RefusedMailDependencies) {
    this.#dependencies = dependencies;
  }

  /** Notices that wait to be tried again, as it was a moment ago. */
  get count(): number {
    return this.#known.count;
  }

  /** There is little room for more of it. */
  get isNearlyFull(): boolean {
    const { count, bytes } = this.#dependencies.room ?? { count: REFUSED_NOTICES, bytes: REFUSED_BYTES };
    return this.#known.count >= count * NEARLY_FULL || this.#known.bytes >= bytes * NEARLY_FULL;
  }

  /** Returns the way to stop. */
  start(): () => Promise<void> {
    const { timers, onError } = this.#dependencies;
    return repeatRounds({
      timers,
      idlePauseMs: RETRY_PAUSE_MS,
      work: () => this.round(),
      onError: (error) => onError(error, "What nodes refused could not be tried again: it waits"),
    });
  }

  /** Tries what is due; true when there may be more at once. */
  async round(): Promise<boolean> {
    const { database, links, clock } = this.#dependencies;
    const nowSec = Math.floor(clock.nowMs() / 1_000);
    let isStuck = false;
    const retried = await retryRefused(database, nowSec, async (notices) => {
      const { done, refused, stuck } = await sendNotices(links, notices, new Set());
      isStuck = stuck.size > 0;
      return { done, refused };
    });
    for (const lost of retried?.lost ?? []) this.#noteLost(lost);
    this.#known = await readRefused(database);
    this.#sayWhenNearlyFull();
    return retried !== undefined && retried.due === RETRIES_A_ROUND && !isStuck;
  }

  /**
   * Hands an envelope to a node at once where nodes refused mail for this mailbox, or so much that there is little room for more. Nothing while
   * no node can be reached: it waits like all other mail.
   * @throws HttpError what the node answered when all refused it @throws CodedError RELAY_FULL where it is the first one for its mailbox;
   *   UNAVAILABLE where only some could be asked
   */
  async ask(envelope: Envelope, admit: string | undefined): Promise<void> {
    const { recipient_pub: mailbox } = envelope;
    const isKnown = this.#known.mailboxes.has(mailbox);
    if (!(isKnown || this.isNearlyFull)) return;
    const { database, links, onError } = this.#dependencies;
    const response = await post(links, NOTICE_PATHS.envelope, JSON.stringify({ envelope, ...(admit !== undefined && { admit }) }));
    if (response === undefined) return;
    if (isRefusal(response)) {
      if (response.isUncertain === true)
        throw new CodedError("UNAVAILABLE", `A node refuses this envelope, and others do not respond: ${errorOf(response)}`, {
          details: { retryAfterS: RETRY_AFTER_S },
        });
      const text = `The network of nodes refuses this envelope: ${errorOf(response)}`;
      if (isKnown) throw new HttpError(response.status, text);
      // It may be that the node refuses everything, so this is not for good.
      throw new CodedError("RELAY_FULL", text, { details: { retryAfterS: RETRY_AFTER_S } });
    }
    if (response.status === 200 && isKnown)
      await hurryRefused(database, mailbox).catch((error: unknown) => onError(error, "Refused mail could not be hurried"));
  }

  /** Loud, and again at times: an operator has to look at it before all mail is refused. */
  #sayWhenNearlyFull(): void {
    const { clock, onError } = this.#dependencies;
    if (!this.isNearlyFull) {
      this.#saidAtMs = undefined;
      return;
    }
    const nowMs = clock.nowMs();
    if (this.#saidAtMs !== undefined && Math.abs(nowMs - this.#saidAtMs) < FULL_NOTICE_MS) return;
    this.#saidAtMs = nowMs;
    onError(
      new CodedError("RELAY_FULL", `${this.#known.count} notices wait aside`),
      "Nodes refuse much of what clients handed in: see that --node names the right ones. Until then a node is asked before mail is acknowledged",
    );
  }

  #noteLost({ n, kind, status, error }: LostNotice): void {
    this.lost += 1;
    const cause = new CodedError("UPSTREAM_FAILED", error, { details: { status } });
    this.#dependencies.onError(cause, `Nodes refused ${kind} ${n} until it was given up`);
  }
}
