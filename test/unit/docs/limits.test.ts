// docs/limits.md names every limit with the value that the code has.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { API_LIMITS } from "#node/api/limits.ts";
import { HOLDER_LIMITS } from "#node/composition/history/holder-proofs.ts";
import { NAMING_RETRY_MS } from "#node/composition/history/own-accounts.ts";
import { CONTRACT_PROCESS_LIMITS, READ_THREAD_LIMITS } from "#node/composition/reads/read-thread.ts";
import { MOST_OWN_ACCOUNTS } from "#node/config/retention.ts";
import { ACCEPTABLE_KEYS } from "#node/crypto/acceptable-key-cache.ts";
import {
  LARGE_BYTES_BURST,
  LARGE_BYTES_DEBT,
  LARGE_BYTES_PER_S,
  ORDINARY_TRANSACTION_BYTES,
} from "#node/engine/execution/selection/payload-budget.ts";
import { BLOCK_GROWTH_BYTES, LEAST_BLOCK_BYTES } from "#node/engine/inbound/block-budget.ts";
import { INBOUND_LIMITS } from "#node/engine/inbound/inbound-limits.ts";
import { GATEWAY_LIMITS } from "#node/gateway/gateway-limits.ts";
import { WORK_BYTES } from "#node/gossip/waiting-work.ts";
import { KEPT_INTERFACES } from "#node/ledger/contracts/contract-interface.ts";
import { ARCHIVE_LIMITS } from "#node/light/archive/archive-limits.ts";
import { FIND_TIMEOUT_MS } from "#node/light/chain/block-finder.ts";
import { HEADERS_PER_PEER } from "#node/light/chain/header-queue.ts";
import { STALL_MS } from "#node/light/chain/height-claims.ts";
import { SKIPPING_TIMEOUT_MS } from "#node/light/chain/trusted-chain.ts";
import { MOST_IN_MEMORY } from "#node/light/chain/verified-blocks.ts";
import { MOST_STEPS } from "#node/light/chain/verify-skipping.ts";
import { WITNESS_RETRY_MS, WITNESS_TIMEOUT_MS } from "#node/light/chain/witnesses.ts";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import { MEMPOOL_LIMITS } from "#node/mempool/mempool-limits.ts";
import { CALL_RELAY_LIMITS } from "#node/network/calls/rules/call-relay-limits.ts";
import { MAX_PROPOSED_BYTES } from "#node/network/traffic/parts/part-codec.ts";
import { LARGEST_PART_BYTES, MAX_PARTS, SMALLEST_PART_BYTES, WHOLE_UPLOAD_BYTES } from "#node/network/traffic/parts/part-layout.ts";
import { PARTS_LIMITS } from "#node/network/traffic/parts/parts-limits.ts";
import { MEMORY_HEIGHTS } from "#node/network/traffic/parts/relay-choice.ts";
import { MAX_LEFT_MARKS } from "#node/observability/run-mark-files.ts";
import { CARRY_LIMITS } from "#node/relay/keepers/carry/carry-limits.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { SIGNER_LIMITS } from "#node/signer/signer-limits.ts";
import { PAGE_CACHE_BYTES } from "#node/state/page-cache.ts";
import { STATE_CACHE_BYTES } from "#node/state/state-cache.ts";
import { LONGEST_SEAL_RETRY_MS, LOOK_BLOCKS, MAX_UNSEALED, SEAL_RETRY_MS } from "#node/storage/chain/sealing/history-sealer.ts";
import { SEEN_FILTER_BITS } from "#node/storage/chain/seen-ids/seen-id-filter.ts";
import { HISTORY_END_CACHE_BYTES } from "#node/storage/explorer/account-history-repository.ts";
import { MAX_READ_BYTES, MAX_READ_LINES } from "#node/storage/explorer/log-bounds.ts";
import { GAS_PER_EVENT_ENTRY } from "#node/storage/explorer/log-index.ts";
import { LOOKED_UP_AT_ONCE } from "#node/storage/history/records/logged-transactions.ts";
import { MOST_NAMED_ACCOUNTS } from "#node/storage/history/records/own-repository.ts";
import { ROWS_AT_ONCE } from "#node/storage/history/sealing/dropped-rows.ts";
import { MERGED_RUNS } from "#node/storage/history/sealing/index-segments.ts";
import { KEPT_AT_ONCE, KEPT_BYTES_AT_ONCE } from "#node/storage/history/sealing/kept-rows.ts";
import { HEADER_MARGIN, KEPT_HEADERS, LEAST_BLOCKS, RUN_SHARE } from "#node/storage/history/sealing/retention-border.ts";
import { KEPT_DEPTH } from "#node/storage/history/sealing/row-sweep.ts";
import { SEAL_LIMITS } from "#node/storage/history/sealing/seal-segment.ts";
import { REMOVED_ROWS, REMOVED_ROWS_PER_TRANSACTION } from "#node/storage/history/sealing/sealed-history.ts";
import { MAX_OPEN_SEGMENTS } from "#node/storage/history/segments/open-segments.ts";
import { KEPT_EVERY, MOST_KEPT, NEWEST_KEPT } from "#node/storage/light-database.ts";
import { FILLED_ROWS_AT_ONCE } from "#node/storage/snapshots/backfill/segment-fill.ts";
import { MOST_WALLETS } from "#node/storage/snapshots/backfill/stored-wallets.ts";
import { BACKFILL_LIMITS } from "#node/sync/backfill/backfill-limits.ts";
import { LONGEST_REPAIR_PAUSE_MS, REPAIR_LOOK_MS } from "#node/sync/history-repair.ts";
import { OWN_HISTORY_LIMITS } from "#node/sync/own-history/own-history-limits.ts";
import { SNAPSHOT_LIMITS } from "#node/sync/snapshots/snapshot-limits.ts";
import { STACK_RESERVE } from "#node/vm/native-stack.ts";
import * as apps from "#shared/apps/app-limits.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { CLOCK_DRIFT_MS, TRUSTING_PERIOD_MS } from "#shared/protocol/light/verify-light-block.ts";
import * as protocol from "#shared/protocol/primitives/limits.ts";

const MEMORY = { STATE_CACHE_BYTES, PAGE_CACHE_BYTES, HISTORY_END_CACHE_BYTES, SEEN_FILTER_BITS, ACCEPTABLE_KEYS };
const REPAIR = { REPAIR_LOOK_MS, LONGEST_REPAIR_PAUSE_MS };
const SEALED = {
  ...SEAL_LIMITS,
  ...REPAIR,
  ...HOLDER_LIMITS,
  MAX_UNSEALED,
  SEAL_RETRY_MS,
  LONGEST_SEAL_RETRY_MS,
  REMOVED_ROWS,
  REMOVED_ROWS_PER_TRANSACTION,
  MERGED_RUNS,
  KEPT_DEPTH,
  LEAST_BLOCKS,
  KEPT_HEADERS,
  HEADER_MARGIN,
  RUN_SHARE,
  LOOK_BLOCKS,
  ROWS_AT_ONCE,
  MOST_OWN_ACCOUNTS,
  MOST_NAMED_ACCOUNTS,
  NAMING_RETRY_MS,
  KEPT_AT_ONCE,
  KEPT_BYTES_AT_ONCE,
  MAX_OPEN_SEGMENTS,
};
const TRUST = { TRUSTING_PERIOD_MS, CLOCK_DRIFT_MS };
const WALKS = {
  MOST_STEPS,
  HEADERS_PER_PEER,
  SKIPPING_TIMEOUT_MS,
  FIND_TIMEOUT_MS,
  MOST_IN_MEMORY,
  STALL_MS,
};
const HEADERS = { ...TRUST, ...WALKS, WITNESS_TIMEOUT_MS, WITNESS_RETRY_MS, NEWEST_KEPT, KEPT_EVERY, MOST_KEPT };
const LAYOUT = { WHOLE_UPLOAD_BYTES, SMALLEST_PART_BYTES, LARGEST_PART_BYTES, MAX_PARTS, MAX_PROPOSED_BYTES, MEMORY_HEIGHTS };
const LARGE = { ORDINARY_TRANSACTION_BYTES, LARGE_BYTES_PER_S, LARGE_BYTES_BURST, LARGE_BYTES_DEBT, WORK_BYTES };
const PROPOSED = { ...LAYOUT, ...PARTS_LIMITS, LEAST_BLOCK_BYTES, BLOCK_GROWTH_BYTES };
/** Of a rate, what it is a second. */
const CALLS = Object.fromEntries(
  Object.entries(CALL_RELAY_LIMITS).map(([name, limit]) => [name, typeof limit === "number" ? limit : limit.perSecond]),
);
const page = readFileSync(fileURLToPath(new URL("../../../docs/limits.md", import.meta.url)), "utf8");
const sections = page.split("\n## ").slice(1);

describe("docs/limits.md", () => {
  it.each([
    ["Protocol", protocol],
    ["Pool of pending transactions", { ...MEMPOOL_LIMITS, ...LARGE }],
    ["Memory that saves work", MEMORY],
    ["Files of old blocks", SEALED],
    ["Events of contracts", { GAS_PER_EVENT_ENTRY, LOOKED_UP_AT_ONCE, MAX_READ_BYTES, MAX_READ_LINES }],
    ["Contracts at run time", { KEPT_INTERFACES, STACK_RESERVE, MAX_LEFT_MARKS }],
    ["Messages of validators", INBOUND_LIMITS],
    ["Proposed blocks", PROPOSED],
    ["HTTP and WebSocket", API_LIMITS],
    ["Gateway for programs", GATEWAY_LIMITS],
    ["Relay of calls", CALLS],
    ["Signer", SIGNER_LIMITS],
    ["Thread for large reads", READ_THREAD_LIMITS],
    ["Process for contracts", CONTRACT_PROCESS_LIMITS],
    ["Light nodes", LIGHT_LIMITS],
    ["Blocks of other nodes", ARCHIVE_LIMITS],
    ["Headers of light nodes", HEADERS],
    ["Snapshots", SNAPSHOT_LIMITS],
    ["Older blocks of a node that joined", { ...BACKFILL_LIMITS, FILLED_ROWS_AT_ONCE, MOST_WALLETS }],
    ["Older history of own accounts", OWN_HISTORY_LIMITS],
    ["Mailbox", MAILBOX_LIMITS],
    ["Keepers", { ...KEEPER_RULES, ...KEEPER_LIMITS }],
    ["Carriers of mail", CARRY_LIMITS],
    ["Connections of programs", apps],
  ])("%s: exactly the limits of the code", (title, limits) => {
    const section = sections.find((text) => text.startsWith(title)) ?? "";
    const rows = [...section.matchAll(/^\| `(\w+)` \| ([\d,.]+) \|/gm)].map(([, name, value]) => `${name} ${value}`);
    const expected = Object.entries(limits).map(([name, value]) => `${name} ${value.toLocaleString("en-US")}`);
    expect([...rows].sort()).toEqual([...expected].sort());
  });
});
