// Whole blocks, and what the state then holds of their proposers, against vectors that another program made: `make_proposed.py`.
import { expect, it } from "vitest";
import { type BlockFrame, executeTransactions } from "#node/engine/execution/block-execution.ts";
import { createGenesisBlock } from "#node/engine/execution/genesis-block.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { leafChanges, updateStateTree } from "#node/state/state-tree.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { buildTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toHex } from "#shared/util/bytes.ts";
import { entriesOf } from "#test/support/chain/held-ut.ts";
import { genesisWith } from "#test/support/chain/ledger-payloads.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";
import { type Actor, CHAIN_ID, START_MS, TEST_VM } from "#test/support/worlds/ledger-world.ts";

interface Story {
  readonly name: string;
  /** The first three are validators. */
  readonly keys: readonly string[];
  /** Version, and the proposer by its place in `keys`. */
  readonly blocks: readonly (readonly [number, number])[];
  readonly events: readonly { readonly height: number; readonly kind: "rotate" | "bind"; readonly key: string; readonly other: string }[];
  readonly samples: readonly { readonly height: number; readonly records: Readonly<Record<string, string>>; readonly root: string }[];
}

const { stories } = readVectors<{ readonly stories: readonly Story[] }>("proposed.json");
const SIGNATURE = `${"A".repeat(86)}==`;
const ZERO = "00".repeat(32);

function transactionOf({ height, kind, key, other }: Story["events"][number]): Transaction {
  const context = { chainId: CHAIN_ID, nowMs: START_MS + 1_000 * height, random: (length: number): Uint8Array => new Uint8Array(length) };
  const tx =
    kind === "rotate"
      ? buildTransaction({ type: "ROTATE_KEY", from: key, payload: { new_pub: other, new_sig: SIGNATURE } }, context)
      : buildTransaction({ type: "BIND_WALLET", from: key, payload: { wallet_pub: other, wallet_sig: SIGNATURE } }, context);
  return { ...tx, signature: SIGNATURE };
}

it.each(stories)("the state counts proposed blocks as another program does: $name", ({ keys, blocks, events, samples }) => {
  const accounts = keys.map((pub_key) => ({ pub_key, balance_ut: 10_000_000 }));
  const genesis = { ...genesisWith(keys.slice(0, 3).map((pub) => ({ pub }) as Actor)), accounts };
  const store = new MemoryStateStore();
  const first = createGenesisBlock(genesis, { store, stateFile: undefined });
  store.apply(first.changes, first.pages);
  const expected = new Map(samples.map((sample) => [sample.height, sample]));
  let validators = first.nextValidators;
  for (const [index, [version, proposer]] of blocks.entries()) {
    const height = index + 1;
    const timeMs = START_MS + 1_000 * height;
    const params = firstParams({ ...genesis.params, version });
    const chain = { chainId: CHAIN_ID, first: params, state: store, pages: store, vm: TEST_VM, hasSeenId: () => false };
    const around = { parentHash: ZERO, parentTimeMs: timeMs - 1_000, lastCommit: null, evidence: [], parentValidators: validators };
    const frame: BlockFrame = { height, timeMs, proposer: keys[proposer] ?? "", validators, ...around };
    const executed = executeTransactions(chain, frame, events.filter((event) => event.height === height).map(transactionOf));
    if (typeof executed === "string") throw new Error(executed);
    for (const { isOk } of executed.receipts) expect(isOk).toBe(true);
    store.apply(executed.changes, executed.pages);
    validators = executed.nextValidators;
    const sample = expected.get(height);
    if (sample === undefined) continue;
    const records = entriesOf(store, "proposed");
    const tree = updateStateTree({ getPage: () => undefined }, leafChanges(records.map((entry) => ({ namespace: "proposed", ...entry }))));
    const shown = Object.fromEntries(records.map(({ key, value }) => [toHex(key), toHex(value)]));
    expect({ height, records: shown, root: toHex(tree.root) }).toEqual(sample);
  }
  expect(samples.at(-1)?.height).toBe(blocks.length);
});
