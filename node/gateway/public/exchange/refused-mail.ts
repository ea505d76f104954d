// What nodes refused although this service had acknowledged it. It is tried again; and the next mail for such a mailbox is handed to a node before
// it is acknowledged, so that its sender hears what the node says.
import {
  hurryRefused,
  type LostNotice,
  RETRIES_A_ROUND,
  type RefusedMail as Refused,
  readRefused,
  retryRefused,
} from "#node/storage/mailbox/sharing/postgres/mail/refused-notices.ts";
import type { PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { HttpError } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { RETRY_PAUSE_MS } from "../gateway-limits.ts";
import type { NodeLinks } from "../node-links.ts";
import { repeatRounds } from "../rounds.ts";
import { errorOf, isRefusal, NOTICE_PATHS, post, sendNotices } from "./notice-sender.ts";

export interface RefusedMailDependencies {
  readonly database: PostgresDatabase;
  readonly links: Pick<NodeLinks, "request">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly timers: Timers;
  readonly onError: (error: unknown, what: string) => void;
}

/** Knows of it. {@link RefusedMail.start} begins. */
export class RefusedMail {
  /** Notices that this process gave up since its start. */
  lost = 0;
  readonly #dependencies: RefusedMailDependencies;
  #known: Refused = { mailboxes: new Set(), count: 0 };

  constructor(dependencies: RefusedMailDependencies) {
    this.#dependencies = dependencies;
  }

  /** Notices that wait to be tried again, as it was a moment ago. */
  get count(): number {
    return this.#known.count;
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
    const retried = await retryRefused(database, { nowSec }, async (notices) => {
      const { done, refused, stuck } = await sendNotices(links, notices, new Set());
      isStuck = stuck.size > 0;
      return { done, refused };
    });
    for (const lost of retried?.lost ?? []) this.#noteLost(lost);
    this.#known = await readRefused(database);
    return retried !== undefined && retried.due === RETRIES_A_ROUND && !isStuck;
  }

  /**
   * Hands an envelope for a mailbox of refused mail to a node at once. Nothing while no node can be reached: it waits like all other mail.
   * @throws HttpError what the node answered when it refused it
   */
  async ask(envelope: Envelope, admit: string | undefined): Promise<void> {
    const { recipient_pub: mailbox } = envelope;
    if (!this.#known.mailboxes.has(mailbox)) return;
    const { database, links, onError } = this.#dependencies;
    const response = await post(links, NOTICE_PATHS.envelope, JSON.stringify({ envelope, ...(admit !== undefined && { admit }) }));
    if (response === undefined) return;
    if (isRefusal(response)) throw new HttpError(response.status, `The network of nodes refuses this envelope: ${errorOf(response)}`);
    if (response.status === 200)
      await hurryRefused(database, mailbox).catch((error: unknown) => onError(error, "Refused mail could not be hurried"));
  }

  #noteLost({ n, kind, status, error }: LostNotice): void {
    this.lost += 1;
    const cause = new CodedError("UPSTREAM_FAILED", error, { details: { status } });
    this.#dependencies.onError(cause, `Nodes refused ${kind} ${n} until it was given up`);
  }
}
