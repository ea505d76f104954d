// A node that runs says so on the chain now and then, while its account can pay for it: that counts for its reputation.
import { readNodeCounters } from "#node/ledger/records/node-records.ts";
import { HEARTBEAT_INTERVAL_S } from "#shared/protocol/primitives/limits.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import { canPayFee, type DutyContext, ownTransaction } from "./duty-context.ts";

/** Shortest time between two heartbeats: more often they count for nothing. */
export const MIN_HEARTBEAT_MS = HEARTBEAT_INTERVAL_S * 1_000;
/** How often a heartbeat that is due is tried again. */
const RETRY_MS = 60_000;

/** What heartbeats need beside the node's account. */
export interface HeartbeatOptions extends DutyContext {
  readonly timers: Timers;
  /** Time between two heartbeats, at least {@link MIN_HEARTBEAT_MS}. */
  readonly intervalMs: number;
}

/** Sends heartbeats, the first one when the node has run for {@link MIN_HEARTBEAT_MS}. Returns the way to stop. */
export function sendHeartbeats(options: HeartbeatOptions): () => void {
  const { timers, clock, state, key, intervalMs, log, submit, isPending } = options;
  const firstAtMs = clock.monotonicMs() + MIN_HEARTBEAT_MS;
  let submittedId: string | undefined;
  let cancel: CancelTimer = () => undefined;
  const waitMs = (): number => {
    const { lastHeartbeatAt } = readNodeCounters(state, key.publicKey);
    const untilNextMs = lastHeartbeatAt === 0 ? 0 : lastHeartbeatAt * 1_000 + intervalMs - clock.nowMs();
    // A clock that went back must not silence the node for longer than an interval.
    return Math.max(firstAtMs - clock.monotonicMs(), Math.min(untilNextMs, intervalMs));
  };
  const beat = (): void => {
    if (submittedId !== undefined && isPending(submittedId)) return;
    if (!canPayFee(options)) return;
    const tx = ownTransaction(options, { type: "HEARTBEAT", payload: {} });
    submittedId = tx.id;
    submit(tx).catch((error: unknown) => log.debug({ err: error }, "A heartbeat was rejected; it is retried later"));
  };
  const plan = (leastMs: number): void => {
    cancel = timers.setTimer(Math.max(leastMs, waitMs()), () => {
      if (waitMs() <= 0) beat();
      plan(RETRY_MS);
    });
  };
  plan(0);
  return () => cancel();
}
