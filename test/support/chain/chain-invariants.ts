// What must hold on every stored chain, whatever happened to it.
import { expect } from "vitest";
import { replayFromGenesis } from "#node/engine/execution/replay-from-genesis.ts";
import { readExistingAccount, readSupply } from "#node/ledger/records/records.ts";
import { NAMESPACES } from "#node/ledger/state-view.ts";
import { leafChanges, stateRoot, updateStateTree } from "#node/state/state-tree.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { PROPOSED_VERSION } from "#shared/protocol/primitives/limits.ts";
import { toHex } from "#shared/util/bytes.ts";
import { heldUt } from "#test/support/chain/held-ut.ts";
import { miniCbor } from "#test/support/codec/mini-cbor.ts";

/** Everything in the state, as text that can be compared. */
export function dumpState({ state }: ChainDatabase): readonly string[] {
  return NAMESPACES.flatMap((namespace) => state.scan(namespace).map(({ key, value }) => `${namespace} ${toHex(key)} ${toHex(value)}`));
}

/** Balances of accounts and contracts, bonds and deposits make up the supply; no µT is lost or made outside the rewards. */
export function expectSupplyConserved({ state }: ChainDatabase): void {
  expect(heldUt(state)).toBe(readSupply(state));
}

/** Pages, records and the tip's header belong together, down to a tree built from the records alone. */
export function expectStateConsistent(database: ChainDatabase): void {
  const { state, blocks } = database;
  const changes = NAMESPACES.flatMap((namespace) => state.scan(namespace).map(({ key, value }) => ({ namespace, key, value })));
  const rebuilt = updateStateTree({ getPage: () => undefined }, leafChanges(changes));
  expect(toHex(stateRoot(state))).toBe(toHex(rebuilt.root));
  expect(blocks.summary(blocks.tipHeight() ?? -1)?.stateRoot).toBe(toHex(rebuilt.root));
  for (const { prefix, after } of rebuilt.pages)
    expect(toHex(state.getPage(prefix) ?? new Uint8Array(0))).toBe(toHex(after ?? new Uint8Array(0)));
}

/** Re-execution from genesis gives every stored block again. */
export function expectReplayable(database: ChainDatabase, genesis: Genesis): void {
  let height = 0;
  for (const { isSame, executed } of replayFromGenesis(database, genesis)) {
    expect(isSame, `block ${height}`).toBe(true);
    expect(executed.receipts).toEqual(database.blocks.get(height)?.receipts);
    height += 1;
  }
  expect(height).toBe((database.blocks.tipHeight() ?? -1) + 1);
}

/** The index holds as many entries of every account as the state counts, and the totals of its types are those of the blocks. */
export function expectIndexComplete(database: ChainDatabase): void {
  const { state, explorer, blocks } = database;
  for (const { key } of state.scan("account")) {
    const count = readExistingAccount(state, toHex(key))?.historyCount ?? -1;
    expect(explorer.historyPage(toHex(key), 1_000_000, 0)).toHaveLength(count);
  }
  const counts = new Map<string, number>();
  const count = (type: string): void => void counts.set(type, (counts.get(type) ?? 0) + 1);
  for (let height = 0; height <= (blocks.tipHeight() ?? -1); height += 1) {
    const transactions = blocks.get(height)?.block.transactions ?? [];
    for (const tx of transactions) count(tx.type);
    if (transactions.length > 0) count("BLOCK_REWARD");
    expect(explorer.transactionsOf(height).map((entry) => entry.id)).toEqual(transactions.map((tx) => tx.id));
  }
  expect(new Map([...explorer.typeTotals()].filter(([, total]) => total !== 0))).toEqual(counts);
}

/** The index counts the proposers of all blocks, the state those since version 4 of the rules and holds nothing else about them. */
export function expectProposersCounted({ state, explorer, blocks }: ChainDatabase): void {
  const indexed = new Map<string, number>();
  const counted = new Map<string, number>();
  let since = 0;
  for (let height = 1; height <= (blocks.tipHeight() ?? -1); height += 1) {
    const { proposer = "", version = 0 } = blocks.header(height) ?? {};
    indexed.set(proposer, (indexed.get(proposer) ?? 0) + 1);
    if (version < PROPOSED_VERSION) continue;
    if (since === 0) since = height;
    counted.set(proposer, (counted.get(proposer) ?? 0) + 1);
  }
  for (const [proposer, count] of indexed) expect(explorer.blocksProposedBy(proposer)).toBe(count);
  const records = new Map(state.scan("proposed").map(({ key, value }) => [toHex(key), toHex(value)]));
  const own = new Map([...counted].map(([proposer, count]) => [proposer, toHex(miniCbor([count]))]));
  if (since > 0) own.set(Buffer.from("since").toString("hex"), toHex(miniCbor([since])));
  expect(records).toEqual(own);
}
