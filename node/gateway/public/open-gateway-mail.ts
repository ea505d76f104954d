// Opens the mailboxes of a database: brings it up to date, shares its key, forgets what is too old.
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { readTotals } from "#node/storage/mailbox/sharing/postgres/mail/mail-loader.ts";
import { forgetOld } from "#node/storage/mailbox/sharing/postgres/mail/mail-reads.ts";
import { prepareMail } from "#node/storage/mailbox/sharing/postgres/mail/mail-settings.ts";
import { dropWeeks, makeWeeks } from "#node/storage/mailbox/sharing/postgres/mail/mail-weeks.ts";
import type { PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { INBOX_PROOF_WINDOW_SECONDS } from "#shared/api/inbox-proof.ts";
import { KNOWN_AFTER_S } from "#shared/protocol/mail/box-opening.ts";
import type { Timers } from "#shared/util/clock.ts";
import { MAINTENANCE_INTERVAL_MS, WAKE_KEPT_S } from "./gateway-limits.ts";
import { GatewayMail, type GatewayMailDependencies } from "./gateway-mail.ts";
import { WakePoller } from "./wake-poller.ts";

const SECRET_BYTES = 32;

export interface OpenMailOptions extends Omit<GatewayMailDependencies, "secretKey" | "poller" | "envelopeCount" | "limits"> {
  readonly database: PostgresDatabase;
  readonly timers: Timers;
  readonly limits?: GatewayMailDependencies["limits"];
  /** Clients may have missed what arrived: they are to list again. */
  readonly onGap: () => void;
}

/** Mailboxes that are open. */
export interface OpenedMail {
  readonly mail: GatewayMail;
  /** Forgets what is too old now. */
  maintain(): Promise<void>;
  /** Commits what waits, and stops. The database stays open. */
  close(): Promise<void>;
}

/** Opens them. @throws CodedError as {@link prepareMail} */
export async function openGatewayMail(options: OpenMailOptions): Promise<OpenedMail> {
  const { database, chainId, clock, timers, random, limits = MAILBOX_LIMITS, onGap, onError } = options;
  const secretKey = await prepareMail(database, chainId, random(SECRET_BYTES));
  const poller = new WakePoller({ database, clock, timers, onError, onGap });
  let envelopeCount = (await readTotals(database)).count;
  const mail = new GatewayMail({ ...options, secretKey, limits, poller, envelopeCount: (): number => envelopeCount });
  const nowSec = (): number => Math.floor(clock.nowMs() / 1000);
  const maintain = async (): Promise<void> => {
    const now = nowSec();
    const retentionSec = limits.retentionMs / 1_000;
    await makeWeeks(database, now);
    await mail.prune();
    const deletedBeforeSec = now - retentionSec - limits.tombstoneMs / 1_000;
    await dropWeeks(database, { envelopesBeforeSec: now - retentionSec, deletedBeforeSec });
    await forgetOld(database, {
      wakeSec: now - WAKE_KEPT_S,
      proofsSec: now - 2 * INBOX_PROOF_WINDOW_SECONDS,
      boxesSec: now - KNOWN_AFTER_S,
      readersSec: now - retentionSec,
    });
    envelopeCount = (await readTotals(database)).count;
  };
  const stop = repeat(timers, () => maintain().catch(onError));
  return {
    mail,
    maintain,
    async close(): Promise<void> {
      stop();
      poller.close();
      await mail.close();
    },
  };
}

function repeat(timers: Timers, work: () => Promise<void>): () => void {
  let isStopped = false;
  let cancel = timers.setTimer(MAINTENANCE_INTERVAL_MS, run);
  function run(): void {
    void work().finally(() => {
      if (!isStopped) cancel = timers.setTimer(MAINTENANCE_INTERVAL_MS, run);
    });
  }
  return (): void => {
    isStopped = true;
    cancel();
  };
}
