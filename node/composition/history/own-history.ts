// The older history of the person's accounts, from other nodes, in the words of the interface.
import { systemClock, systemTimers } from "#node/config/system-clock.ts";
import type { Log } from "#node/observability/log.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { requireRoom } from "#node/storage/snapshots/backfill/disk-room.ts";
import { OwnHistory, type OwnHistoryDependencies } from "#node/sync/own-history/own-history.ts";
import { OWN_HISTORY_LIMITS } from "#node/sync/own-history/own-history-limits.ts";
import type { Output } from "#shared/api/api.ts";

type OlderHistory = NonNullable<Output<"getKeptHistory">["accounts"][number]["older"]>;

/** What is missing of an account, and what becomes of it; undefined where nothing is. */
export type OlderReads = (publicKey: string) => OlderHistory | undefined;

export interface OwnHistoryOptions
  extends Pick<OwnHistoryDependencies, "source" | "stepTo" | "first" | "isBusy" | "hasPeers" | "receivedBytes"> {
  readonly database: ChainDatabase;
  readonly directory: string;
  /** Own accounts of the configuration; programs may name more. */
  readonly configured: readonly string[];
  readonly log: Log;
}

/** Starts it. Ends with `opened`. */
export function openOwnHistory(
  { directory, configured, log, ...options }: OwnHistoryOptions,
  opened: Pick<AsyncDisposableStack, "adopt">,
): OlderReads {
  const { own } = options.database;
  const history = opened.adopt(
    new OwnHistory({
      ...options,
      accounts: () => [...new Set([...configured, ...own.all().map(({ publicKey }) => publicKey)])],
      requireRoom: () => requireRoom(directory, OWN_HISTORY_LIMITS.reservedBytes),
      clock: systemClock,
      timers: systemTimers,
      log: log.child("history"),
    }),
    (running) => running.stop(),
  );
  history.start();
  return (publicKey) => {
    const view = history.view(publicKey);
    if (view === undefined) return undefined;
    const { state, left, headersLeft, etaSeconds } = view;
    return {
      ...{ state, entries: left },
      ...(headersLeft === undefined ? {} : { headers: headersLeft }),
      ...(etaSeconds === undefined ? {} : { eta_seconds: etaSeconds }),
    };
  };
}
