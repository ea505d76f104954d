// What nodes refused although this service had acknowledged it. It is tried again; and the next mail for such a mailbox, or of a network of which
// nodes take no more, is handed to a node before it is acknowledged, so that its sender hears what the node says. Once there is little room for
// more of it, as where a node refuses everything, this holds for all mail.

import { partyOf } from "#node/api/security/mail-input.ts";
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
import type { Notice } from "#node/storage/mailbox/sharing/postgres/view/view-changes.ts";
import { HttpError } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { FULL_NOTICE_MS, NEARLY_FULL, RETRY_AFTER_S, RETRY_PAUSE_MS } from "../gateway-limits.ts";
import type { NodeLinks } from "../node-links.ts";
import { repeatRounds } from "../rounds.ts";
import { type NoticeRefusal, sendNotice, sendNotices } from "./notice-sender.ts";

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
  #known: Refused = { mailboxes: new Set(), clients: [], count: 0, bytes: 0 };
  /** Networks of clients of whom nodes took no more, as nodes count them. */
  #parties: ReadonlySet<string> = new Set();
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
    this.#parties = new Set(this.#known.clients.map(partyOf));
    this.#sayWhenNearlyFull();
    return retried !== undefined && retried.due === RETRIES_A_ROUND && !isStuck;
  }

  /**
   * Hands a notice to a node at once where nodes refused mail for its mailbox, took no more of its client's network, or refused so much that
   * there is little room for more. Nothing while no node can be reached: it waits like all others.
   * @throws HttpError what the node answered when all refused it @throws CodedError RELAY_FULL where it is the first one for its mailbox and of
   *   its network; UNAVAILABLE where only some could be asked
   */
  async ask(notice: Notice, mailbox: X25519KeyHex): Promise<void> {
    const isWaiting = this.#known.mailboxes.has(mailbox);
    const isKnown = isWaiting || (notice.client !== null && this.#parties.has(partyOf(notice.client)));
    if (!(isKnown || this.isNearlyFull)) return;
    const { database, links, onError } = this.#dependencies;
    const outcome = await sendNotice(links, notice);
    if (outcome === "later") return;
    if (outcome !== "taken") throw refusalOf(outcome, isKnown);
    if (isWaiting) await hurryRefused(database, mailbox).catch((error: unknown) => onError(error, "Refused mail could not be hurried"));
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

/** What its sender hears; `isKnown`: nodes refused mail for its mailbox, or of its network, before. */
function refusalOf({ status, error, isUncertain, retryAfterS }: NoticeRefusal, isKnown: boolean): CodedError {
  const soon = { details: { retryAfterS: RETRY_AFTER_S } };
  if (isUncertain) return new CodedError("UNAVAILABLE", `A node refuses this, and others do not respond: ${error}`, soon);
  const text = `The network of nodes refuses this: ${error}`;
  if (isKnown) return new HttpError(status, text, retryAfterS === undefined ? undefined : String(retryAfterS));
  // It may be that the node refuses everything, so this is not for good.
  return new CodedError("RELAY_FULL", text, soon);
}
