// Turns pushes of the node into fresh caches: a block moves the height at once, a transaction renews the accounts that it touches.
import type { Query, QueryClient } from "@tanstack/react-query";
import type { Output } from "#shared/api/api.ts";
import type { PushFrame } from "#shared/api/socket/frames.ts";
import type { LiveConnection } from "#shared/api/socket/websocket-client.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { RECENT_LIMIT } from "./queries.ts";
import { isNamesKey, queryKeys } from "./query-keys.ts";

/** Types that change who validates, beside those that say so by their names. */
const VALIDATOR_TYPES: readonly string[] = ["SLASH", "ROTATE_KEY"];
/** Busy chains renew lists at most this often. */
const RENEW_INTERVAL_MS = 500;

/** Follows the chain until the returned function is called. */
export function followChain(live: Pick<LiveConnection, "subscribe" | "onState">, queries: QueryClient): () => void {
  const renew = createThrottle(RENEW_INTERVAL_MS, (keys) => {
    for (const key of keys) {
      const queryKey = JSON.parse(key) as unknown[];
      void queries.invalidateQueries(isNamesKey(queryKey) ? { predicate: (query) => holdsName(query, String(queryKey[1])) } : { queryKey });
    }
  });
  let wasLost = false;
  const stops = [
    live.subscribe("blocks", (frame) => onBlock(queries, renew.add, frame)),
    live.subscribe("txs", (frame) => onTransaction(renew.add, frame)),
    live.onState((state) => {
      if (state === "connecting" && !wasLost) {
        wasLost = true;
        // One request shows whether the node is away, or only this connection.
        void queries.invalidateQueries({ queryKey: queryKeys.status });
      }
      if (state === "open" && wasLost) {
        wasLost = false;
        void queries.invalidateQueries();
      }
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    renew.stop();
  };
}

type AddKey = (key: readonly unknown[]) => void;

function onBlock(queries: QueryClient, renew: AddKey, frame: PushFrame<"block">): void {
  const { index, hash, time, validator, tx_count, total_fees_ut } = frame;
  queries.setQueryData<Output<"getStatus">>(queryKeys.status, (status) => {
    if (status === undefined || status.sync.height >= index) return status;
    const target = Math.max(status.sync.target_height, index);
    return { ...status, sync: { ...status.sync, height: index, target_height: target, tip_time: time } };
  });
  queries.setQueryData<Output<"listBlocks">>(queryKeys.blockList, (blocks) => {
    if (blocks === undefined || blocks.some((block) => block.index === index)) return blocks;
    return [{ index, hash, time, validator, tx_count, total_fees_ut }, ...blocks].sort((a, b) => b.index - a.index).slice(0, RECENT_LIMIT);
  });
  for (const key of [queryKeys.status, queryKeys.blockList]) askAgainIfOnItsWay(queries, renew, key);
  renew(queryKeys.netstats);
  renew(queryKeys.chart("block"));
  if (tx_count > 0) renew(queryKeys.recentTransactions);
}

/** A response on its way may be older than the push and would undo it: it is dropped and requested again. */
function askAgainIfOnItsWay(queries: QueryClient, renew: AddKey, key: readonly unknown[]): void {
  if (queries.getQueryState(key)?.fetchStatus !== "fetching") return;
  void queries.cancelQueries({ queryKey: key }).then(() => renew(key));
}

function onTransaction(renew: AddKey, frame: PushFrame<"tx">): void {
  renew(queryKeys.transaction(frame.id));
  if (frame.tx_type.includes("CONTRACT")) renew(queryKeys.allContracts);
  if (frame.tx_type.includes("VALIDATOR") || VALIDATOR_TYPES.includes(frame.tx_type)) renew(queryKeys.validators);
  for (const account of [frame.from, frame.to]) if (account !== "") renew(queryKeys.nodeStats(account));
  if (frame.tx_type.includes("RELAY")) renew(queryKeys.relays);
  if (frame.tx_type === "REGISTER_KEY") renew(["names", frame.from]);
  for (const account of [frame.from, frame.to]) if (account !== "") renew(queryKeys.account(account));
}

/** True for lists of names with this person in them. */
function holdsName({ queryKey, state }: Query, publicKey: PublicKeyHex): boolean {
  return isNamesKey(queryKey) && typeof state.data === "string" && state.data.includes(publicKey);
}

interface Throttle {
  readonly add: AddKey;
  readonly stop: () => void;
}

/** Runs at once, then collects keys for an interval. */
function createThrottle(intervalMs: number, run: (keys: ReadonlySet<string>) => void): Throttle {
  let pending = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const flush = (): void => {
    timer = undefined;
    if (pending.size === 0) return;
    const keys = pending;
    pending = new Set();
    timer = setTimeout(flush, intervalMs);
    run(keys);
  };
  return {
    add: (key): void => {
      if (isStopped) return;
      pending.add(JSON.stringify(key));
      timer ??= setTimeout(flush, 0);
    },
    stop: (): void => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
