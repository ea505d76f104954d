// Whole blocks, and what the state then holds of bonds and directories, against vectors that another program made: `make_keeper_state.py`.
import { expect, it } from "vitest";
import { type BlockFrame, executeTransactions } from "#node/engine/execution/block-execution.ts";
import { createGenesisBlock } from "#node/engine/execution/genesis-block.ts";
import { writeKeeper } from "#node/ledger/records/keeper-records.ts";
import { writeNodeCounters, writeRelay } from "#node/ledger/records/node-records.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { leafChanges, updateStateTree } from "#node/state/state-tree.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { buildTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { DigestContradiction } from "#shared/protocol/transactions/payload.ts";
import type { Transaction, UnsignedTransaction } from "#shared/protocol/transactions/transaction.ts";
import { concatBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { entriesOf, heldUt } from "#test/support/chain/held-ut.ts";
import { genesisWith } from "#test/support/chain/ledger-payloads.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";
import { CHAIN_ID, START_MS, TEST_VM, validator } from "#test/support/worlds/ledger-world.ts";

type Row = readonly (string | number | null)[];

interface Story {
  readonly name: string;
  readonly keys: readonly string[];
  /** Those that are keepers at the start. */
  readonly begin: readonly number[];
  /** Those that are validators, beside one that never votes. */
  readonly voters: readonly number[];
  /** Version, unix seconds, and transactions with the codes of their receipts at the end. */
  readonly blocks: readonly (readonly [version: number, timeS: number, events: readonly Row[]])[];
  /** Height, and the root of both namespaces; heights between have the one before. */
  readonly samples: readonly (readonly [height: number, root: string])[];
  /** Records at the end, long ones by their hash. */
  readonly last: Readonly<Record<Space, Readonly<Record<string, string>>>>;
}

const SPACES = ["keeper", "directory", "suspension"] as const;
type Space = (typeof SPACES)[number];

const { stories } = readVectors<{ readonly stories: readonly Story[] }>("keeper-state.json");
const SIGNATURE = `${"A".repeat(86)}==`;
const UNIT = 50_000;

let salt = 0;

function transactionOf({ keys }: Story, [kind, who, first, address]: Row, timeMs: number): Transaction {
  salt += 1;
  const random = (length: number): Uint8Array => new Uint8Array(length).fill(salt & 255).fill(salt >> 8, 1);
  const context = { chainId: CHAIN_ID, nowMs: timeMs, random };
  const from = keys[Number(who)] ?? "";
  const unsigned = (): UnsignedTransaction => {
    if (kind === "beat") return buildTransaction({ type: "HEARTBEAT", from, payload: {} }, context);
    if (kind === "bind")
      return buildTransaction(
        { type: "BIND_WALLET", from, payload: { wallet_pub: keys[Number(first)] ?? "", wallet_sig: SIGNATURE } },
        context,
      );
    if (kind === "accuse")
      return buildTransaction(
        { type: "SUSPEND_RELAY", from, payload: { evidence: liesOf(keys[Number(first)] ?? "", Number(address)) } },
        context,
      );
    const payload = { x25519_pub_key: boxOf(from), fee_per_msg_ut: 0, multiaddr: String(address) };
    return buildTransaction(
      { type: "REGISTER_RELAY", from, payload: first === null ? payload : { ...payload, bond_ut: Number(first) } },
      context,
    );
  };
  return { ...unsigned(), signature: SIGNATURE };
}

/** No signature is looked at here. */
function liesOf(relay_pub: string, version: number): DigestContradiction {
  const statement = (count: number): DigestContradiction["first"] => ({ count, fingerprint: "ab".repeat(32), signature: SIGNATURE });
  return { relay_pub, slot: 7, version, first: statement(1), second: statement(2) };
}

function boxOf(key: string): string {
  const bytes = nativeSha256(concatBytes(utf8("x"), fromHex(key)));
  return toHex(bytes.with(31, (bytes[31] ?? 0) & 127));
}

function begin(store: MemoryStateStore, { keys, begin: keepers }: Story): void {
  const view = new OverlayStateView(store);
  for (const n of keepers) {
    const publicKey = keys[n] ?? "";
    writeRelay(view, { publicKey, x25519Pub: boxOf(publicKey), feePerMessageUt: 0, multiaddr: `/ip4/81.9.${n}.1/tcp/1` });
    writeNodeCounters(view, publicKey, { heartbeats: 50, lastHeartbeatAt: START_MS / 1_000, relayProofs: 0, slashCount: 0 });
    const standing = { is: "in", salt: toHex(nativeSha256(concatBytes(utf8("salt"), fromHex(publicKey)))) } as const;
    writeKeeper(view, publicKey, { bondUt: UNIT, withdrawnUt: 0, availableAt: 0, standing });
  }
  const changes = view.changes();
  store.apply(changes, updateStateTree(store, leafChanges(changes)).pages);
}

function rootOf(store: MemoryStateStore): string {
  const changes = SPACES.flatMap((namespace) => entriesOf(store, namespace).map((entry) => ({ namespace, ...entry })));
  return toHex(updateStateTree({ getPage: () => undefined }, leafChanges(changes)).root);
}

function shownRecord(value: Uint8Array): string {
  return toHex(value.length < 200 ? value : nativeSha256(value));
}

it.each(stories)("the state has bonds and directories as another program does: $name", (story) => {
  const accounts = story.keys.map((pub_key) => ({ pub_key, balance_ut: 10_000_000 }));
  const voters = story.voters.map((n) => ({ pub: story.keys[n] ?? "" }));
  const genesis = { ...genesisWith([validator, ...voters]), accounts };
  const store = new MemoryStateStore();
  const first = createGenesisBlock(genesis, { store, stateFile: undefined });
  store.apply(first.changes, first.pages);
  begin(store, story);
  const heldBefore = heldUt(store);
  const expected = new Map(story.samples);
  let rewardsUt = 0;
  let parentTimeMs = START_MS;
  let root = "";
  for (const [index, [version, timeS, events]] of story.blocks.entries()) {
    const height = index + 1;
    const timeMs = timeS * 1_000;
    const chain = {
      chainId: CHAIN_ID,
      first: firstParams({ ...genesis.params, version }),
      state: store,
      pages: store,
      vm: TEST_VM,
      hasSeenId: () => false,
    };
    const number = new Uint8Array(4);
    new DataView(number.buffer).setUint32(0, height);
    const frame: BlockFrame = {
      height,
      timeMs,
      proposer: validator.pub,
      parentHash: toHex(nativeSha256(concatBytes(utf8("block before"), utf8(story.name), number))),
      parentTimeMs,
      lastCommit: null,
      evidence: [],
      validators: first.nextValidators,
      parentValidators: first.nextValidators,
    };
    const executed = executeTransactions(
      chain,
      frame,
      events.map((event) => transactionOf(story, event, timeMs)),
    );
    if (typeof executed === "string") throw new Error(executed);
    expect(executed.receipts.map(({ code }) => code)).toEqual(events.map((event) => event.at(-1)));
    store.apply(executed.changes, executed.pages);
    rewardsUt += executed.reward?.subsidyUt ?? 0;
    parentTimeMs = timeMs;
    const hasChanged = executed.changes.some(({ namespace }) => SPACES.some((space) => space === namespace));
    root = expected.get(height) ?? root;
    if (hasChanged || expected.has(height)) expect({ height, root: rootOf(store) }).toEqual({ height, root });
  }
  const last = SPACES.map((space) => [
    space,
    Object.fromEntries(entriesOf(store, space).map(({ key, value }) => [toHex(key), shownRecord(value)])),
  ]);
  expect(Object.fromEntries(last)).toEqual(story.last);
  expect(heldUt(store)).toBe(heldBefore + rewardsUt);
});
