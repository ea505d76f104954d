// Bonds of relays and where these stand, on a light node whose peer says what it likes: proven by the state.
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RequestContext } from "#node/api/handler-types.ts";
import { createNodeHandlers } from "#node/api/routes/node/nodes.ts";
import type { ApiServices } from "#node/api/services.ts";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import { readDirectory, readDirectoryHeads } from "#node/ledger/records/directory-epochs.ts";
import type { StateKey } from "#node/light/light-source.ts";
import { ProvenReads } from "#node/light/reads/proven-reads.ts";
import type { NodeQueries } from "#node/queries/read-queries.ts";
import type { RegisteredRelay } from "#shared/api/schemas/nodes.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { contradictionOf, digestVersion, type SignedDigest, signDigest } from "#shared/protocol/keepers/kept-digest.ts";
import { KEEPERS_VERSION, SUSPENSION_S, SUSPENSION_VERSION } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, CHAIN_ID, deviceKey, GENESIS, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";
import { lightQueriesHere } from "#test/support/worlds/light-calls.ts";
import { createMemoryLightSource, type MemoryLightSource } from "#test/support/worlds/memory-light-source.ts";

const clock = { nowMs: (): number => START_MS, monotonicMs: (): number => 0 };
const HOUR_MS = 3_600_000;
const PAGE = { limit: 10 };

let folder: TemporaryFolder;
let chain: TestChain;
let source: MemoryLightSource;
let asked: Set<string>;
let light: NodeQueries;
let full: NodeQueries;
let proven: ProvenReads;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(async () => {
  chain.close();
  await folder.remove();
});

function open(version: number): Genesis {
  const genesis: Genesis = { ...GENESIS, params: { ...GENESIS.params, version } };
  chain = openTestChain(folder.path, { genesis });
  source = createMemoryLightSource(chain.database, clock);
  asked = new Set();
  const records = (keys: readonly StateKey[]): ReturnType<MemoryLightSource["records"]> => {
    for (const { namespace } of keys) asked.add(namespace);
    return source.records(keys);
  };
  light = lightQueriesHere({ ...source, records }, genesis, clock).nodes;
  proven = new ProvenReads({ ...source, records });
  full = createReadQueries(chain.database, clock).nodes;
  return genesis;
}

function registration(sender: typeof alice, bond_ut: number | undefined, nowMs = START_MS): Transaction {
  const payload = { x25519_pub_key: deviceKey(1), fee_per_msg_ut: 0, multiaddr: "/ip4/81.2.69.142/tcp/1" };
  return signed(sender, { type: "REGISTER_RELAY", payload: bond_ut === undefined ? payload : { ...payload, bond_ut }, nowMs });
}

async function keepersOf(queries: NodeQueries): Promise<ReadonlyMap<string, RegisteredRelay["keeper"]>> {
  return new Map((await queries.relays(PAGE)).map(({ pub_key, keeper }) => [pub_key, keeper]));
}

it("are shown as a full node shows them, whatever a peer says", async () => {
  const genesis = open(KEEPERS_VERSION);
  chain.commit([registration(alice, 170_000), registration(bob, undefined)], START_MS + 1_000);
  chain.commit([], START_MS + HOUR_MS + 1_000);
  source.tell = (operation, response): unknown =>
    operation === "listRelays"
      ? (response as RegisteredRelay[]).map((relay) => ({ ...relay, keeper: { bond_ut: 9_000_000, standing: "in", weight: 8 } }))
      : undefined;
  const expected = new Map([
    [alice.pub, { bond_ut: 170_000, standing: "waiting" }],
    [bob.pub, undefined],
  ]);
  expect(await keepersOf(full)).toEqual(expected);
  expect(await keepersOf(light)).toEqual(expected);
  expect(asked).not.toContain("suspension");
  const withdrawnAtMs = START_MS + HOUR_MS + 2_000;
  chain.commit([registration(alice, 0, withdrawnAtMs)], withdrawnAtMs);
  const available_at = withdrawnAtMs / 1_000 + 1_814_400;
  const withdrawn = { bond_ut: 0, withdrawn_ut: 170_000, available_at, standing: "waiting" };
  expect((await keepersOf(light)).get(alice.pub)).toEqual(withdrawn);
  const node = { genesis } as ApiServices["node"];
  const handlers = createNodeHandlers({ node, nodes: light });
  const keeper = async (): Promise<RegisteredRelay["keeper"]> => {
    const relays = (await handlers.listRelays({}, {} as RequestContext)) as readonly RegisteredRelay[];
    return relays.find(({ pub_key }) => pub_key === alice.pub)?.keeper;
  };
  expect(await keeper()).toEqual({ ...withdrawn, weight: 0 });
  chain.commit([registration(alice, 170_000, withdrawnAtMs + 1_000)], withdrawnAtMs + 1_000);
  expect(await keeper()).toMatchObject({ bond_ut: 170_000, weight: 3 });
});

it("come with directories that a light node reads from proven records alone", async () => {
  open(KEEPERS_VERSION);
  chain.commit([registration(alice, 170_000)], START_MS + 1_000);
  chain.commit([], START_MS + HOUR_MS + 1_000);
  const { state } = chain.database;
  const epoch = START_MS / HOUR_MS + 1;
  const heads = await proven.read((reads) => readDirectoryHeads(reads.state));
  expect(heads).toEqual(readDirectoryHeads(state));
  expect(heads.map((head) => head.epoch)).toEqual([epoch, epoch - 1]);
  for (const of of [epoch, epoch - 1, epoch - 2])
    expect(await proven.read((reads) => readDirectory(reads.state, of))).toEqual(readDirectory(state, of));
  expect(asked).toEqual(new Set(["directory"]));
});

it("come with a suspension, and votes for one, from version 6 on", async () => {
  open(SUSPENSION_VERSION);
  chain.commit([registration(alice, 170_000), registration(bob, 170_000)], START_MS + 1_000);
  const nowMs = START_MS + 2_000;
  const place = { slot: 1, version: digestVersion(nowMs / 1_000), fingerprint: "ab".repeat(32) };
  const [first, second] = [1, 2].map((count) =>
    signDigest(CHAIN_ID, { ...place, count }, { publicKey: alice.pub, secret: alice.seed }),
  ) as [SignedDigest, SignedDigest];
  const evidence = contradictionOf(first, second);
  if (evidence === undefined) throw new Error("Both digests are the same");
  chain.commit([signed(validator, { type: "SUSPEND_RELAY", fee: 0, payload: { evidence }, nowMs })], nowMs);
  const expected = new Map<string, RegisteredRelay["keeper"]>([
    [alice.pub, { bond_ut: 170_000, standing: "none", suspended_until: nowMs / 1_000 + SUSPENSION_S }],
    [bob.pub, { bond_ut: 170_000, standing: "none" }],
  ]);
  source.tell = (operation, response): unknown =>
    operation === "listRelays" ? (response as RegisteredRelay[]).map(({ keeper: _keeper, ...relay }) => relay) : undefined;
  expect(await keepersOf(full)).toEqual(expected);
  expect(await keepersOf(light)).toEqual(expected);
  expect(asked).toContain("suspension");
});

it("are asked of no peer before there are any", async () => {
  open(KEEPERS_VERSION - 1);
  chain.commit([registration(alice, undefined)]);
  expect(await keepersOf(light)).toEqual(new Map([[alice.pub, undefined]]));
  expect([asked.has("relay"), asked.has("keeper")]).toEqual([true, false]);
});
