// Duties on real chains: blocks by real consensus, state on disk.
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemTimers } from "#node/config/system-clock.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { decidedChain, misconductOf } from "#node/duties/false-blocks.ts";
import { storeMisconduct } from "#node/duties/node-duties.ts";
import { collectRelayFees } from "#node/duties/relay-fees.ts";
import { maintainRelayRegistration } from "#node/duties/relay-registration.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import { readNodeCounters } from "#node/ledger/records/node-records.ts";
import { readAccount, readValidators } from "#node/ledger/records/records.ts";
import { readUnbonding } from "#node/ledger/records/validator-records.ts";
import { createRelay, type Relay } from "#node/relay/relay.ts";
import type { BlockRecord } from "#node/storage/chain/block-repository.ts";
import { type MailboxRepository, openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { sortValidators, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { boxKeyPair, feeSignBytes, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import type { TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { expectReplayable, expectSupplyConserved } from "#test/support/chain/chain-invariants.ts";
import { type ChainNetwork, type ChainNode, startChainNetwork } from "#test/support/chain/chain-network.ts";
import { bindingOf, cosignature, signatureOf } from "#test/support/chain/ledger-payloads.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type Actor, actor, alice, bob, CHAIN_ID, carol, type Draft, signed } from "#test/support/worlds/ledger-world.ts";

let folder: TemporaryFolder;
let network: ChainNetwork;

beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(async () => {
  network[Symbol.dispose]();
  await folder.remove();
});

const balance = ({ chain }: ChainNode, { pub }: Pick<Actor, "pub">): number => readAccount(chain.executor.state, pub).balanceUt;

/** Submits to the first node and waits until every node has it in a block. */
async function run<T extends TransactionType>(sender: Actor, draft: Draft<T>): Promise<void> {
  const nowMs = Date.now();
  const tx = signed(sender, { ...draft, nowMs });
  await network.nodes[0]?.chain.submit(tx, nowMs);
  await pollUntil(() => network.nodes.every(({ chain }) => chain.executor.hasSeenId(tx.id)), { what: `a ${draft.type} in a block` });
}

describe("four validators", () => {
  it("report one that contradicts itself, without money; it pays, leaves, and the others continue", async () => {
    const keys = [11, 12, 13, 14].map(actor);
    network = startChainNetwork(folder.path, keys);
    const offender = keys[3] as Actor;
    const vote = (blockHash: string): ConsensusMessage => network.vote(offender, { type: "prevote", height: 1, round: 0, blockHash });
    const [witness] = network.nodes;
    for (const hash of ["aa", "bb"]) witness?.receive(vote(hash.repeat(32)));
    await pollUntil(() => network.nodes.every(({ chain }) => readValidators(chain.executor.state).length === 3), {
      what: "a set of three",
    });
    for (const { chain, evidence, database } of network.nodes) {
      const { state } = chain.executor;
      expect(readUnbonding(state, offender.pub)?.amountUt).toBe(900_000);
      expect(readNodeCounters(state, offender.pub).slashCount).toBe(1);
      expect(evidence.all()).toEqual([]);
      expectSupplyConserved(database);
    }
    // A tenth of the tenth, and the subsidy of a block where it proposed one.
    expect(balance(witness as ChainNode, witness?.key as Actor)).toBeGreaterThanOrEqual(10_000);
    for (let payment = 1; payment <= 3; payment += 1) await run(alice, { type: "TRANSFER", to: carol.pub, amount: payment, payload: {} });
    const [first] = network.nodes;
    const types = Array.from({ length: first?.chain.executor.tip().height ?? 0 }, (_, at) => first?.database.blocks.get(at + 1))
      .flatMap((record) => record?.block.transactions ?? [])
      .map(({ type, fee }) => `${type} ${fee}`);
    expect(types).toEqual(["SLASH 0", "TRANSFER 1000", "TRANSFER 1000", "TRANSFER 1000"]);
    if (first !== undefined) expectReplayable(first.database, network.genesis);
  });
});

describe("a false header for light nodes", () => {
  it("costs those who signed it and build the chain: their votes of any later block prove it", async () => {
    const keys = [11, 12, 13, 14].map(actor);
    network = startChainNetwork(folder.path, keys);
    const offenders = keys.slice(2);
    for (let payment = 1; payment <= 3; payment += 1) await run(alice, { type: "TRANSFER", to: carol.pub, amount: payment, payload: {} });
    const [node] = network.nodes as [ChainNode];
    const own = node.database.blocks.header(1);
    assertInvariant(own !== undefined, "The chain has a first block");
    // Two of four are no quorum of the set, so they name another one; a light node that trusts the four believes it as a later block.
    const validators = sortValidators(offenders.map(({ pub }) => ({ publicKey: pub, bondUt: 1_000_000 })));
    const header = { ...own, parentHash: "ff".repeat(32), stateRoot: "ee".repeat(32), validatorsHash: validatorsHash(validators) };
    const vote = { type: "precommit", height: 1, round: 5, blockHash: headerHash(header) } as const;
    const signatures = validators.map(({ publicKey }) => {
      const signer = offenders.find(({ pub }) => pub === publicKey);
      assertInvariant(signer !== undefined, "The set is that of the offenders");
      return signEd25519(voteSignBytes(network.genesis.chain_id, vote), signer.seed);
    });
    const commit = { height: 1, round: 5, blockHash: vote.blockHash, bitmap: Uint8Array.of(0b11), signatures };
    const chain = decidedChain(network.genesis.chain_id, node.database, createNativeVerifier());
    let found = misconductOf({ header, commit, validators }, chain);
    // The votes of one that was slow may stand in no commit yet.
    for (let payment = 4; found.length < 2 && payment < 40; payment += 1) {
      await run(alice, { type: "TRANSFER", to: carol.pub, amount: payment, payload: {} });
      found = misconductOf({ header, commit, validators }, chain);
    }
    expect(found.map(({ validator_pub, step }) => [validator_pub, step]).sort()).toEqual(
      offenders.map(({ pub }) => [pub, "header"]).sort(),
    );
    storeMisconduct(node.evidence, found, Date.now());
    await pollUntil(() => network.nodes.every(({ chain }) => readValidators(chain.executor.state).length === 2), { what: "a set of two" });
    for (const { chain, database, evidence } of network.nodes) {
      for (const { pub } of offenders) expect(readUnbonding(chain.executor.state, pub)?.amountUt).toBe(900_000);
      expect(evidence.all()).toEqual([]);
      expectSupplyConserved(database);
    }
    expectReplayable(node.database, network.genesis);
  });
});

describe("a set that changes", () => {
  const bits = ({ bitmap }: { readonly bitmap: Uint8Array }): number =>
    bitmap.reduce((count, byte) => count + byte.toString(2).replaceAll("0", "").length, 0);
  const members = (node: ChainNode): readonly string[] => readValidators(node.chain.executor.state).map(({ publicKey }) => publicKey);

  it("lets a node in by approvals of several blocks and cosignatures, which then votes, and lets others leave", async () => {
    const keys = [11, 12, 13].map(actor) as [Actor, Actor, Actor];
    const candidate = actor(15);
    network = startChainNetwork(folder.path, keys, [candidate]);
    const [node] = network.nodes as [ChainNode];
    const payload = { pub_key: candidate.pub };
    for (const { pub } of [...keys, candidate]) await run(alice, { type: "TRANSFER", to: pub, amount: 1_100_000, payload: {} });
    await run(keys[0], { type: "ADD_VALIDATOR", payload });
    await run(candidate, { type: "ADD_VALIDATOR", payload });
    expect(members(node)).toHaveLength(3);
    const now = Math.floor(Date.now() / 1_000);
    const cosigs = [keys[1], keys[2]].map((signer) => cosignature(signer, "add", candidate, now));
    await run(bob, { type: "ADD_VALIDATOR", payload: { ...payload, cosigs } });
    expect(members(node)).toEqual([...keys, candidate].map(({ pub }) => pub).sort());
    expect(balance(node, candidate)).toBe(99_000);
    // Three of four are needed from now on, and before long it is the new one's turn to propose.
    const entered = node.chain.executor.tip().height;
    const records = (): readonly BlockRecord[] =>
      Array.from({ length: node.chain.executor.tip().height - entered }, (_, at) => node.database.blocks.get(entered + 1 + at)).filter(
        (record) => record !== undefined,
      );
    for (let payment = 1; !records().some(({ block }) => block.header.proposer === candidate.pub); payment += 1) {
      expect(payment).toBeLessThan(30);
      await run(alice, { type: "TRANSFER", to: carol.pub, amount: payment, payload: {} });
    }
    for (const { commit } of records()) expect(commit === null ? 0 : bits(commit)).toBeGreaterThanOrEqual(3);

    for (const leaving of [keys[0], keys[1]]) await run(leaving, { type: "REMOVE_VALIDATOR", payload: { pub_key: leaving.pub } });
    expect(members(node)).toEqual([keys[2], candidate].map(({ pub }) => pub).sort());
    await run(alice, { type: "TRANSFER", to: carol.pub, amount: 9, payload: {} });
    await run(candidate, { type: "REMOVE_VALIDATOR", payload });
    await run(alice, { type: "TRANSFER", to: carol.pub, amount: 10, payload: {} });
    for (const each of network.nodes) {
      expect(members(each)).toEqual([keys[2].pub]);
      expectSupplyConserved(each.database);
    }
    const nowMs = Date.now();
    const last = signed(keys[2], { type: "REMOVE_VALIDATOR", payload: { pub_key: keys[2].pub }, nowMs });
    await expect(node.chain.submit(last, nowMs)).rejects.toThrow("The last validator cannot leave");
    expectReplayable(node.database, network.genesis);
  });
});

describe("a node with a wallet", () => {
  let node: ChainNode;
  let mailbox: MailboxRepository;
  let relay: Relay;

  beforeEach(() => {
    network = startChainNetwork(folder.path, [actor(11)]);
    [node] = network.nodes as [ChainNode];
    mailbox = openMailbox(folder.path);
    relay = createRelay({
      chainId: CHAIN_ID,
      secretKey: new Uint8Array(32).fill(3),
      store: mailbox,
      clock: node.account.clock,
      random: node.account.random,
      verify: createNativeVerifier(),
    });
  });
  afterEach(() => {
    relay.close();
    mailbox.close();
  });

  async function deliver(sender: Actor, feeUt: number): Promise<void> {
    const nonce = new Uint8Array(randomBytes(24));
    const box = boxKeyPair(new Uint8Array(32).fill(5));
    const sealed = sealEnvelope({
      plaintext: utf8("hello"),
      recipientPub: toHex(box.publicKey),
      sender: box,
      senderMasterPub: "",
      nonce,
      sentAt: 1,
    });
    const fee_sig = signatureOf(sender, feeSignBytes(CHAIN_ID, sealed.id, feeUt));
    await relay.broadcast({ ...sealed, fee_ut: feeUt, sender_ed25519_pub: sender.pub, fee_sig });
    relay.delete(sealed.recipient_pub, sealed.id);
  }

  it("earns rewards and relay fees for the wallet, each envelope once, until the binding ends", async () => {
    await run(alice, { type: "TRANSFER", to: node.key.pub, amount: 100_000, payload: {} });
    const stopAnnouncing = maintainRelayRegistration({ ...node.account, relayPub: relay.publicKey, feePerMessageUt: 700 });
    await pollUntil(() => node.chain.mempool.size === 0 && node.chain.executor.tip().height >= 2, { what: "the announcement" });
    stopAnnouncing();
    await run(node.key, { type: "BIND_WALLET", payload: bindingOf(node.key, carol) });
    // The block of the binding pays the wallet already: fee and subsidy.
    expect(balance(node, carol)).toBe(51_000);
    await run(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {} });
    expect(balance(node, carol)).toBe(102_000);

    for (let n = 0; n < 3; n += 1) await deliver(bob, 700);
    const before = { node: balance(node, node.key), wallet: balance(node, carol), sender: balance(node, bob) };
    const onEnvelope = (listener: Parameters<Relay["onEnvelope"]>[0]): (() => void) => relay.onEnvelope(listener);
    const collect = (): (() => void) => collectRelayFees({ ...node.account, timers: systemTimers, claims: mailbox.claims, onEnvelope });
    collect()();
    await pollUntil(() => balance(node, bob) < before.sender, { what: "the fees" });
    expect(balance(node, bob)).toBe(before.sender - 2_100);
    // The node pays the fee of its claim, which comes back to the wallet with the subsidy.
    expect(balance(node, node.key)).toBe(before.node - 1_000);
    expect(balance(node, carol)).toBe(before.wallet + 2_100 + 51_000);
    collect()();
    expect({ pending: node.chain.mempool.size, claims: mailbox.claims.count }).toEqual({ pending: 0, claims: 0 });

    await run(node.key, { type: "BIND_WALLET", payload: bindingOf(node.key, node.key) });
    const ended = { node: balance(node, node.key), wallet: balance(node, carol) };
    await run(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {} });
    expect({ node: balance(node, node.key), wallet: balance(node, carol) }).toEqual({ node: ended.node + 51_000, wallet: ended.wallet });
    expectSupplyConserved(node.database);
    expectReplayable(node.database, network.genesis);
  });
});
