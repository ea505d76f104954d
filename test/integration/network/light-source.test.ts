// A light node over real libp2p: a full node in a process of its own, a second one that passes its responses on and may bend them, and
// verified headers between them and what reads.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock, systemTimers } from "#node/config/system-clock.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { accountCodec } from "#node/ledger/records/records.ts";
import { TrustedChain } from "#node/light/chain/trusted-chain.ts";
import { createTrustedGenesis } from "#node/light/chain/trusted-genesis.ts";
import type { LightSource } from "#node/light/light-source.ts";
import { NetworkLightPeers } from "#node/light/peers/network-light-peers.ts";
import { VerifiedSource } from "#node/light/proofs/verified-source.ts";
import { type LightResponse, lightResponseCodec } from "#node/light/wire/light-responses.ts";
import { createLog } from "#node/observability/log.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { type LightDatabase, openLightDatabase } from "#node/storage/light-database.ts";
import type { Output } from "#shared/api/api.ts";
import { decode, encode, tryDecode } from "#shared/codec/codec.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { CLOCK_DRIFT_MS, TRUSTING_PERIOD_MS } from "#shared/protocol/light/verify-light-block.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";
import { type LoadAccount, loadAccount, signedTransfer } from "#test/support/nodes/node-load.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";
import { startNetwork, type TestNetwork } from "#test/support/nodes/test-network.ts";

const GIFT_UT = 5_000_000;
const [alice, bob] = [1, 2].map((seed) => loadAccount(new Uint8Array(32).fill(seed))) as [LoadAccount, LoadAccount];

const PARTS = { clock: systemClock, timers: systemTimers, log: createLog("json", { write: () => undefined }) };

let folder: TemporaryFolder;
let full: RunningNode;
/** Peer name of the first node. */
let firstName: string;
let relaying: TestNetwork;
let light: TestNetwork;
let store: LightDatabase;
let chain: TrustedChain;
let peers: NetworkLightPeers;
let source: LightSource;
let gift: Output<"requestFaucet">;
/** What the second node makes of the first one's answers. */
let bend: (response: LightResponse) => LightResponse = (response) => response;

function createSource(asked = new NetworkLightPeers({ network: light.network, ...PARTS })): LightSource {
  return new VerifiedSource({ chain, peers: asked, hash: nativeSha256, ...PARTS });
}

/** The second node says that it is as far as the first one: then both are asked, in turn. */
async function sayTheSameHeight(): Promise<void> {
  // A block may come at any time: then the second node has to say it once more.
  const areEven = async (): Promise<boolean> => {
    const { height } = await full.client.getNetstats({});
    if (relaying.status.height !== height) {
      relaying.status = { height, tipHash: "ab".repeat(32), firstHeight: 1 };
      relaying.network.publishStatus(relaying.status);
    }
    return peers.peers().filter((peer) => peer.height === height).length === 2;
  };
  await pollUntil(areEven, { what: "two full nodes of one height" });
}

const account = (publicKey: string): { readonly namespace: "account"; readonly key: Uint8Array } => ({
  namespace: "account",
  key: fromHex(publicKey),
});

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-light-");
  const p2p = `127.0.0.1:${await findFreePort()}`;
  full = await startNode({ dataDir: `${folder.path}/full`, args: ["--dev", "--p2p-addr", p2p] });
  const genesis = (await full.client.getGenesis({})) as unknown as Genesis;
  gift = await full.client.requestFaucet({ body: { to: alice.publicKey, amount_ut: GIFT_UT } });
  await pollUntil(async () => (await full.client.getNetstats({})).height > 0, { what: "a block" });
  const [address = ""] = (await full.client.getNetworkInfo({})).p2p_addresses ?? [];
  const network = { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) };
  firstName = address.split("/").at(-1) ?? "";
  relaying = await startNetwork(61, {
    ...network,
    bootstrap: [address],
    handlers: {
      light: async (request) => {
        const passedOn = relaying.network.requestLight(firstName, { bytes: request }, AbortSignal.timeout(20_000));
        const response = tryDecode(lightResponseCodec, await passedOn.catch(() => new Uint8Array()));
        return response && encode(lightResponseCodec, bend(response));
      },
    },
  });
  light = await startNetwork(62, { ...network, role: "light", bootstrap: [relaying.address, address] });
  light.status = { height: 0, tipHash: "ab".repeat(32), firstHeight: 1 };
  store = openLightDatabase(folder.path, network);
  peers = new NetworkLightPeers({ network: light.network, ...PARTS });
  const rules = {
    chainId: genesis.chain_id,
    verify: createNativeVerifier(),
    hash: nativeSha256,
    trustingPeriodMs: TRUSTING_PERIOD_MS,
    clockDriftMs: CLOCK_DRIFT_MS,
  };
  chain = new TrustedChain({ genesis: createTrustedGenesis(genesis), store, peers, rules, ...PARTS });
  source = createSource(peers);
  await sayTheSameHeight();
});

afterAll(async () => {
  chain?.stop();
  store?.close();
  await light?.network.stop();
  await relaying?.network.stop();
  await full?.stop();
  await folder?.remove();
});

describe("a light node", () => {
  it("reads records, bodies, transactions and histories by proof, and hands in transactions", async () => {
    const { at, values } = await source.records([account(alice.publicKey), account("99".repeat(32))]);
    expect(values.map((value) => value && decode(accountCodec, value).balanceUt)).toEqual([GIFT_UT, undefined]);
    expect([source.tip().hash, at.header.height]).toEqual([at.hash, at.header.height]);
    expect(at.header.height).toBeGreaterThan(0);

    const given = await source.transaction(gift.id);
    expect(given).toMatchObject({ transaction: { id: gift.id, to: alice.publicKey }, receipt: { isOk: true } });
    const body = await source.body(given?.at.header.height ?? -1);
    expect(body?.block.transactions.map(({ id }) => id)).toContain(gift.id);
    expect(await source.history(alice.publicKey, { limit: 5, offset: 0 })).toMatchObject({ count: 1, entryIds: [gift.id] });
    expect(await source.transaction("tx-unknown")).toBeUndefined();
    expect(await source.readUnverified("getNetstats", {})).toMatchObject({ validator_count: 1 });

    const { chainId } = source.tip().header;
    const payment = signedTransfer(alice, bob.publicKey, chainId);
    expect(await source.submit(payment)).toEqual({});
    await pollUntil(async () => (await source.transaction(payment.id)) !== undefined, { what: "the payment to be in a block" });
    expect((await source.history(alice.publicKey, { limit: 5, offset: 0 })).entryIds).toEqual([payment.id, gift.id]);
    const [paid] = (await source.records([account(bob.publicKey)])).values;
    expect(paid && decode(accountCodec, paid).balanceUt).toBe(1);
    expect(await source.submit(payment)).toEqual({});
    expect(light.network.peers().map(({ score }) => score)).toEqual([0, 0]);
  });

  it("finds out a node that lies, believes nothing of it and ends the connection", async () => {
    bend = (response): LightResponse =>
      response.kind === "records"
        ? { ...response, records: response.records.map((record) => ({ ...record, value: undefined })) }
        : response;
    await sayTheSameHeight();
    const known = (): number | undefined => light.network.peers().find(({ name }) => name === relaying.network.name)?.score;
    const history = async (reader: LightSource): Promise<number | undefined> => {
      const [value] = (await reader.records([account(alice.publicKey)])).values;
      return value && decode(accountCodec, value).historyCount;
    };
    for (let asked = 0; asked < 3; asked += 1) expect(await history(source)).toBe(2);
    expect(known()).toBeLessThan(0);
    expect(peers.peers().at(-1)?.name).toBe(relaying.network.name);
    // A node to which it has proven something first is lied to again.
    for (let asked = 0; known() !== undefined && asked < 5; asked += 1) {
      const trusting = new NetworkLightPeers({ network: light.network, ...PARTS });
      trusting.noteProven(relaying.network.name);
      for (let times = 0; times < 2; times += 1) expect(await history(createSource(trusting))).toBe(2);
    }
    expect(light.network.peers().map(({ name }) => name)).toEqual([firstName]);
  });
});
