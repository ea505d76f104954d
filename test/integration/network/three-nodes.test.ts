// Three nodes in a row: what the ends say reaches each other through the middle.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  GENESIS_HASH,
  sampleBlock,
  sampleEnvelope,
  sampleVote,
  startNetwork,
  type TestNetwork,
  untilGossiping,
} from "#test/support/nodes/test-network.ts";
import { actor, alice, bob, signed } from "#test/support/worlds/ledger-world.ts";

const HEIGHT = 10;
const keys = [actor(1).pub, actor(3).pub].sort();

let left: TestNetwork;
let middle: TestNetwork;
let right: TestNetwork;

beforeAll(async () => {
  middle = await startNetwork(2);
  const port = /tcp\/(\d+)/.exec(middle.address)?.[1] ?? "";
  const onlyMiddle = {
    listen: undefined,
    bootstrap: [middle.address],
    mayDial: (address: string): boolean => address.includes(`/tcp/${port}`),
  };
  left = await startNetwork(1, onlyMiddle);
  right = await startNetwork(3, onlyMiddle);
  await Promise.all([untilGossiping(left, middle), untilGossiping(right, middle)]);
  for (const node of [left, middle, right]) {
    node.status = { height: HEIGHT, tipHash: GENESIS_HASH, firstHeight: 0 };
    node.network.setValidators(keys);
  }
});

afterAll(async () => {
  for (const node of [left, right, middle]) await node?.network.stop();
});

describe("three nodes in a row", () => {
  it("pass gossip on", async () => {
    const transaction = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {} });
    left.network.publishTransactions([transaction]);
    left.network.publishEnvelopes([sampleEnvelope(1)]);
    left.network.publishTyping({ to: "01".repeat(32), from: "02".repeat(32) });
    left.network.publishBlock(sampleBlock(HEIGHT + 1));
    await pollUntil(() => right.received.blocks.length > 0 && right.received.typing.length > 0 && right.received.envelopes.length > 0);
    await pollUntil(() => right.received.transactions.length > 0);
    expect(right.received.transactions).toEqual([transaction]);
    expect(right.network.peers().map(({ name }) => name)).toEqual([middle.network.name]);
  });

  it("carry messages between validators that no stream connects", async () => {
    // Known through the middle, though never connected.
    await pollUntil(
      () => {
        left.network.sendConsensus(sampleVote(1, keys.indexOf(actor(1).pub), HEIGHT + 1));
        return right.received.consensus.length > 0;
      },
      { intervalMs: 1_100, timeoutMs: 60_000 },
    );
    expect(right.received.consensus[0]?.message).toEqual(sampleVote(1, keys.indexOf(actor(1).pub), HEIGHT + 1));
    expect(middle.received.consensus.length).toBeGreaterThan(0);
  });
});
