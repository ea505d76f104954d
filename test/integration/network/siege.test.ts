// Some attacks of `npm run siege`, few messages of each, on a network of two validators: what must hold of them at any speed.

import { afterAll, beforeAll, expect, it } from "vitest";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import type { Topic } from "#node/network/protocol-names.ts";
import { carryResponseCodec } from "#node/network/wire/carry-codec.ts";
import { mailRequestCodec, mailResponseCodec } from "#node/network/wire/mail-codec.ts";
import { transactionsMessageCodec } from "#node/network/wire/wire-codec.ts";
import { snapshotRequestCodec, snapshotResponseCodec } from "#node/sync/snapshots/wire/snapshot-messages.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { type Codec, encode, tryDecode } from "#shared/codec/codec.ts";
import { sortValidators, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { concatBytes } from "#shared/util/bytes.ts";
import { createAccount, signedTransfer } from "#test/bench/load/accounts.ts";
import { fundAccounts } from "#test/bench/load/closed-loop.ts";
import { createForger } from "#test/siege/attacks/false-blocks.ts";
import { forgedTransactions } from "#test/siege/attacks/forged-transactions.ts";
import { StrangersMail } from "#test/siege/attacks/mail-flood.ts";
import { carryFrames, digestFrames, KEPT_NETWORK, mailFrames } from "#test/siege/attacks/mail-requests.ts";
import { malformedMessages } from "#test/siege/attacks/malformed.ts";
import { ask } from "#test/siege/attacks/requests.ts";
import { freshPeer, subnetAddress } from "#test/siege/attacks/swarm.ts";
import { startContactMail } from "#test/siege/contact-mail.ts";
import { startSiegeNetwork, targetOf } from "#test/siege/siege-network.ts";
import { DAY_LEFT_BYTES } from "#test/siege/used-days.ts";
import { serverErrors } from "#test/siege/victim-figures.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import type { ProcessNetwork } from "#test/support/nodes/process-network.ts";
import type { RudePeer } from "#test/support/nodes/rude-peer.ts";

const SHAPE = { validators: 2 };
const TRANSFERS = 10;
const FORGED = 64;
const WAIT = { timeoutMs: 60_000, intervalMs: 50 };
/** Two bad messages end a connection; more may be on their way by then. */
const MOST_MESSAGES = 40;
/** Nine offences close an address: five peers with two each, and one that is heard in spite of it. */
const MOST_IDENTITIES = 8;
/** Networks that flood a keeper. */
const FLOODING = 2;
const WHOLE_MS = 300_000;

let network: ProcessNetwork;

beforeAll(async () => {
  network = await startSiegeNetwork(SHAPE);
});
afterAll(() => network[Symbol.asyncDispose]());

/** Publishes messages, none of them twice, until the node hangs up. */
async function untilSentAway(topic: Topic, messageOf: (n: number) => Uint8Array): Promise<void> {
  await using peer = await freshPeer(targetOf(network, SHAPE));
  for (let n = 0; n < MOST_MESSAGES && peer.isConnected; n += 1) await peer.shout(topic, messageOf(n)).catch(() => undefined);
  await pollUntil(() => !peer.isConnected, { ...WAIT, what: `a peer that misuses ${topic} to be sent away` });
}

/** Honest payments, each of which waits for its block. */
async function pay(): Promise<void> {
  const { client } = network.node(0);
  const [account] = await fundAccounts(network.node(0), 1);
  const to = createAccount().publicKey;
  if (account === undefined) throw new Error("An account was funded");
  for (let paid = 1; paid <= TRANSFERS; paid += 1) {
    const { id: txid } = await client.submitTransaction({ body: signedTransfer(account, { to, chainId: network.genesis.chain_id }) });
    const found = network.nodes.map((node) =>
      pollUntil(() => readCommitted(node.client, txid), { ...WAIT, what: `payment ${paid} on node ${node.index}` }),
    );
    const [here, there] = await Promise.all(found);
    expect(here).toMatchObject({ status: "ok", block_hash: there?.block_hash });
  }
  expect(await client.getAddress({ addr: to })).toMatchObject({ balance_ut: TRANSFERS });
}

it("peers that send false blocks, forged transactions and nonsense are sent away, and leave nothing behind", async () => {
  const { chain_id: chainId, validators, accounts } = network.genesis;
  const set = sortValidators(validators.map(({ pub_key: publicKey, bond_ut: bondUt }) => ({ publicKey, bondUt })));
  const forge = createForger(chainId, { count: FORGED, validatorsHash: validatorsHash(set) });
  const forged = forgedTransactions(chainId, FORGED, accounts[0]?.pub_key);
  const unfunded = forgedTransactions(chainId, FORGED);
  const attacks = [
    untilSentAway("blocks", (n) => forge(1_000 + n)),
    untilSentAway("tx", (n) => encode(transactionsMessageCodec, { transactions: [...forged.slice(n), ...unfunded], repeatedAtSec: null })),
    ...(["blocks", "tx", "relay", "consensus"] as const).map((topic) => {
      const shapes = malformedMessages(topic, 65_536);
      return untilSentAway(topic, (n) => concatBytes(shapes[n % shapes.length] ?? new Uint8Array(), Uint8Array.of(n)));
    }),
  ];
  await Promise.all([pay(), ...attacks]);

  expect(await serverErrors(network)).toBe(0);
  for (const { client, hasDied } of network.nodes) {
    expect(hasDied).toBe(false);
    await pollUntil(async () => (await client.getStatus({})).pending_txs === 0, { ...WAIT, what: "an empty pool" });
    expect((await client.getStatus({})).sync.state).toBe("live");
    for (const { id: txid } of [...forged.slice(-2), ...unfunded.slice(-2)])
      await expect(client.getTransaction({ txid })).rejects.toMatchObject({ httpStatus: 404 });
  }
  const { client } = network.node(0);
  await pollUntil(async () => (await client.listPeers({})).count === 1, { ...WAIT, what: "the other validator to be the only peer" });
});

it("strangers without a right get nothing of mail and snapshots, at no cost, and are sent away for nonsense", async () => {
  const target = targetOf(network, SHAPE);
  await using peer = await freshPeer(target);
  const { mail, cards, carry, digests, watches, snapshot } = peer.names;
  const answers = async <T>(protocol: string, frames: readonly Uint8Array[], codec: Codec<T>): Promise<readonly (T | undefined)[]> =>
    await Promise.all(
      frames.map(async (frame) => {
        let answer: T | undefined;
        await ask(peer, { protocol, frame }, (bytes) => {
          answer = tryDecode(codec, bytes);
        });
        return answer;
      }),
    );
  const typesOf = (some: readonly ({ readonly type: string } | undefined)[]): readonly string[] =>
    [...new Set(some.map((each) => each?.type ?? "none"))].toSorted();
  const asked = mailFrames(1).slice(0, NETWORK_LIMITS.requestStreams);
  expect(typesOf(await answers(mail, asked, mailResponseCodec))).toEqual(["wrongKeeper"]);
  expect(typesOf(await answers(digests, digestFrames(target).slice(0, 1), mailResponseCodec))).toEqual(["wrongKeeper"]);
  const renewal = encode(mailRequestCodec, { type: "renew", count: 9, fingerprint: "ab".repeat(16) });
  expect(typesOf(await answers(watches, [renewal], mailResponseCodec))).toEqual(["wrongKeeper"]);
  const small = carryFrames(target).filter(({ length }) => length < 65_536);
  expect(typesOf(await answers(carry, small.slice(0, NETWORK_LIMITS.carryItems.streams), carryResponseCodec))).toEqual(["refused"]);
  const chunk = encode(snapshotRequestCodec, { kind: "chunk", height: 1_000, place: { depth: 0, prefix: new Uint8Array() } });
  expect(await answers(snapshot, [chunk], snapshotResponseCodec)).toEqual([{ kind: "unknown" }]);
  expect(peer.isConnected).toBe(true);

  const nonsense = async (protocol: string, n: number): Promise<void> => {
    await using rude = await freshPeer(target);
    const frame = [new Uint8Array(64).fill(0x81), new Uint8Array(2 * NETWORK_LIMITS.carry.requestBytes)][n % 2] ?? new Uint8Array();
    for (let sent = 0; sent < MOST_MESSAGES && rude.isConnected; sent += 1) await ask(rude, { protocol, frame }).catch(() => undefined);
    await pollUntil(() => !rude.isConnected, { ...WAIT, what: `a peer that misuses ${protocol} to be sent away` });
  };
  await Promise.all([pay(), ...[mail, cards, carry, digests, watches, snapshot].map(nonsense)]);
  expect([await serverErrors(network), peer.isConnected]).toEqual([0, true]);
  for (const { client } of network.nodes) expect((await client.getStatus({})).mailbox_envelopes).toBe(0);
});

it("peers that claim heights without blocks do not make a node look as if it were behind", async () => {
  await pay();
  const { client } = network.node(0);
  const target = targetOf(network, SHAPE);
  const status = { height: 1_000_000, tipHash: "00".repeat(32), firstHeight: 1 };
  for (let identity = 0; identity < 3; identity += 1) {
    await using peer = await freshPeer(target, { status });
    const isKnown = async (): Promise<boolean> => (await client.listPeers({})).peers.some(({ height }) => height === status.height);
    await pollUntil(async () => !peer.isConnected || (await isKnown()), { ...WAIT, what: "the claim to arrive" });
    await pay();
    const { sync } = await client.getStatus({});
    expect(sync).toMatchObject({ state: "live", target_height: sync.height });
  }
});

it("an address pays for its peers, under whatever ids they come", async () => {
  const { chain_id: chainId } = network.genesis;
  const target = targetOf(network, SHAPE);
  const forge = createForger(chainId, { count: 1 });
  const { height: tip } = await network.node(0).client.getNetstats({});
  const from = "127.64.0.1";
  let identities = 0;
  for (;;) {
    const met = await freshPeer(target, { from }).catch(() => undefined);
    if (met === undefined) break;
    await using peer = met;
    identities += 1;
    for (let n = 0; n < MOST_MESSAGES && peer.isConnected; n += 1) await peer.shout("blocks", forge(tip + 1)).catch(() => undefined);
    await pollUntil(() => !peer.isConnected, { ...WAIT, what: "a forger to be sent away" });
    expect(identities).toBeLessThan(MOST_IDENTITIES);
  }
  expect(identities).toBeGreaterThan(0);
  // Others are as welcome as before.
  await using honest = await freshPeer(target);
  expect(honest.isConnected).toBe(true);
  await pay();
});

it("strangers bring a keeper what each of their networks may on a day and no more, under whatever ids; a contact's mail arrives", {
  ...WHOLE_ONLY,
  timeout: WHOLE_MS,
}, async () => {
  const shape = { ...KEPT_NETWORK, nearlyUsedDays: FLOODING };
  await using kept = await startSiegeNetwork(shape);
  const target = targetOf(kept, shape);
  const work = await startContactMail(kept);
  try {
    work.mail?.begin("flood");
    for (let n = 0; n < FLOODING; n += 1) {
      const mail = new StrangersMail(target.floodedBoxes ?? []);
      const put = async (peer: RudePeer): Promise<void> => {
        const { onFrame, ...shot } = mail.next(peer.names.mail);
        await ask(peer, shot, onFrame);
      };
      await using peer = await freshPeer(target, { from: subnetAddress(n) });
      while (mail.refused === 0) {
        await put(peer);
        expect(mail.takenBytes).toBeLessThanOrEqual(DAY_LEFT_BYTES);
      }
      const { taken, takenBytes } = mail;
      // Another envelope would have been too much.
      expect(takenBytes).toBeGreaterThan(DAY_LEFT_BYTES - (2 * takenBytes) / taken);
      await using other = await freshPeer(target, { from: subnetAddress(n) });
      await put(other);
      expect([mail.taken, other.isConnected]).toEqual([taken, true]);
    }
    const figures = await work.mail?.figures("flood");
    expect(figures).toMatchObject({ lost: 0, doubled: 0 });
    expect(figures?.sent).toBeGreaterThan(0);
  } finally {
    await work.stop();
  }
  expect([await serverErrors(kept), kept.node(0).hasDied]).toEqual([0, false]);
});
