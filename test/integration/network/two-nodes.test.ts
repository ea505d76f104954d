// Two nodes over real libp2p: everything that one says reaches the other, and nothing else does.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import {
  encodedFinal,
  finalOf,
  GENESIS_HASH,
  mailboxPage,
  sampleBlock,
  sampleEnvelope,
  sampleVote,
  startNetwork,
  type TestNetwork,
  untilGossiping,
} from "#test/support/nodes/test-network.ts";
import { actor, alice, bob, CHAIN_ID, signed } from "#test/support/worlds/ledger-world.ts";

const transfer = (amount: number): ReturnType<typeof signed> => signed(alice, { type: "TRANSFER", to: bob.pub, amount, payload: {} });
const blocks = [1, 2, 3, 4, 5].map((height) => sampleBlock(height, [transfer(height)]));

let first: TestNetwork;
let second: TestNetwork;

beforeAll(async () => {
  first = await startNetwork(1, {
    handlers: {
      blocks: (from, count) =>
        blocks
          .filter(({ block: { header } }) => header.height >= from)
          .slice(0, count)
          .map(encodedFinal),
      mailbox: ({ recipients, since, cursor }) => {
        const envelopes = [sampleEnvelope(since), sampleEnvelope(since + 1)].filter(({ recipient_pub }) =>
          recipients.includes(recipient_pub),
        );
        return cursor === null ? mailboxPage({ envelopes, cursor: "more" }) : mailboxPage();
      },
    },
  });
  second = await startNetwork(2, { bootstrap: [first.address] });
  await untilGossiping(first, second);
});

afterAll(async () => {
  await second?.network.stop();
  await first?.network.stop();
});

describe("two nodes", () => {
  it("know each other's key, status, version and direction", () => {
    const [peer] = first.network.peers();
    expect(peer).toMatchObject({
      name: second.network.name,
      nodeKey: actor(2).pub,
      direction: "inbound",
      isRelayed: false,
      version: "0.2.0",
      apiVersion: "0.4.0",
      status: { height: 2, tipHash: GENESIS_HASH, firstHeight: 0 },
      score: 0,
    });
    expect(second.network.peers()[0]).toMatchObject({ name: first.network.name, nodeKey: actor(1).pub, direction: "outbound" });
  });

  it("measure how long the other one takes to answer", async () => {
    for (const { network } of [first, second]) {
      const latency = (): number | null | undefined => network.peers()[0]?.latencyMs;
      await pollUntil(() => typeof latency() === "number");
      expect(latency()).toBeGreaterThanOrEqual(0);
    }
  });

  it("pass on transactions, blocks, envelopes and typing notices", async () => {
    const transactions = Array.from({ length: 70 }, (_, index) => transfer(index + 1));
    first.network.publishTransactions(transactions);
    first.network.publishBlock(sampleBlock(9, [transfer(1)]));
    first.network.publishEnvelopes([sampleEnvelope(1), sampleEnvelope(2)]);
    const notice = { to: "01".repeat(32), from: "02".repeat(32) };
    first.network.publishTyping(notice);
    first.network.publishTyping(notice);
    await pollUntil(
      () => second.received.transactions.length >= 70 && second.received.envelopes.length >= 2 && second.received.blocks.length > 0,
    );
    expect(second.received.transactions).toEqual(transactions);
    expect(second.received.blocks[0]).toMatchObject({ block: { header: { height: 9 } }, commit: { height: 9 } });
    expect(second.received.envelopes).toEqual([sampleEnvelope(1), sampleEnvelope(2)]);
    await pollUntil(() => second.received.typing.length > 0);
    expect(second.received.typing).toEqual([notice]);
    expect(first.received.transactions).toEqual([]);
  });

  it("tell each other how far they are", async () => {
    first.status = { height: 44, tipHash: "cd".repeat(32), firstHeight: 3, firstHeader: 2, snapshots: [40, 20], keepsFrom: 4 };
    first.network.publishStatus(first.status);
    await pollUntil(() => second.received.statuses.some(({ status }) => status.height === 44));
    expect(second.network.peers()[0]?.status).toEqual(first.status);
  });

  it("serve blocks, as many as there are", async () => {
    const signal = AbortSignal.timeout(20_000);
    const ask = async (from: number, count: number): Promise<unknown> =>
      (await second.network.requestBlocks(first.network.name, from, count, signal)).map(finalOf);
    expect(await ask(2, 3)).toEqual(blocks.slice(1, 4));
    expect(await ask(4, 10)).toEqual(blocks.slice(3));
    expect(await ask(6, 1)).toEqual([]);
  });

  it("serve what a mailbox missed, page by page", async () => {
    const signal = AbortSignal.timeout(20_000);
    const request = { recipients: [sampleEnvelope(1).recipient_pub], since: 5, cursor: null };
    const response = await second.network.requestMailbox(first.network.name, request, signal);
    expect(response).toEqual(mailboxPage({ envelopes: [sampleEnvelope(5), sampleEnvelope(6)], cursor: "more" }));
    expect(await second.network.requestMailbox(first.network.name, { ...request, cursor: "more" }, signal)).toEqual(mailboxPage());
  });

  it("pass deletions on, with a proof and without", async () => {
    const proof = { height: 5, signature: Buffer.alloc(64, 1).toString("base64") };
    const notices = [proof, null].map((each) => ({ mailbox: sampleEnvelope(1).recipient_pub, ids: ["a", "b"], proof: each }));
    for (const notice of notices) second.network.publishDeletion(notice);
    await pollUntil(() => first.received.deletions.length === 2);
    expect(first.received.deletions).toEqual(notices);
  });

  it("pass openings of boxes on, and what is admitted to them", async () => {
    const owner = mailboxOwner(CHAIN_ID, 7);
    const writer = boxWriter(CHAIN_ID, 9);
    const opening = owner.opening(writer.key, { untilSec: 1_900_000_000, height: 5, read: "owner" });
    const items = [1, 2, 3].map((n) => ({ opening, envelope: owner.envelope(n), admit: writer.admit(owner.envelope(n)) }));
    second.network.publishOpening(opening);
    second.network.publishAdmitted(items);
    await pollUntil(() => first.received.openings.length === 1 && first.received.admitted.length === 3);
    expect([first.received.openings, first.received.admitted]).toEqual([[opening], items]);
  });

  it("refuse to ask a peer that is not there", async () => {
    const asked = first.network.requestBlocks("12D3KooWGjkuqPpFqb1gRkuJzDpSVYCKQjkFBpHNJTkYLxYMDgVY", 1, 1, AbortSignal.timeout(5_000));
    await expect(asked).rejects.toSatisfy((error) => isCodedError(error, "UPSTREAM_FAILED"));
  });

  it("exchange consensus messages once both are validators", async () => {
    const keys = [actor(1).pub, actor(2).pub].sort();
    const vote = sampleVote(1, keys.indexOf(actor(1).pub), 45);
    first.network.setValidators(keys);
    second.network.setValidators(keys);
    first.network.sendConsensus(vote);
    await pollUntil(() => second.received.consensus.length > 0);
    expect(second.received.consensus[0]).toEqual({ message: vote, from: first.network.name });
  });

  it("receive again what waits for a block, also by a node that is no validator", async () => {
    for (const { network } of [first, second]) network.setValidators([actor(2).pub, actor(9).pub]);
    const waiting = transfer(1_000);
    const times = (): number => second.received.transactions.filter(({ id }) => id === waiting.id).length;
    first.network.publishTransactions([waiting]);
    await pollUntil(() => times() === 1);
    const tell = (): void => first.network.sendConsensus({ type: "work", height: 46, transactions: [waiting] });
    await pollUntil(
      () => {
        tell();
        return times() >= 3;
      },
      { intervalMs: 300, what: "the transaction to be sent twice more" },
    );
    expect(second.network.peers()[0]?.score).toBe(0);
  });

  it("send a block once, whichever has it", async () => {
    const block = sampleBlock(20);
    for (const { network } of [first, second]) network.setValidators([actor(1).pub, actor(9).pub]);
    for (const { network } of [second, first, first]) network.publishBlock(block);
    const at = (node: TestNetwork): number => node.received.blocks.filter(({ block }) => block.header.height === 20).length;
    await pollUntil(() => at(second) > 0);
    first.network.publishBlock(sampleBlock(21));
    await pollUntil(() => second.received.blocks.some(({ block }) => block.header.height === 21));
    expect([at(first), at(second)]).toEqual([0, 1]);
  });
});
