// A node without a chain among others, over real libp2p: it asks, carries mailboxes, and is neither sent transactions and blocks nor asked.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NETWORK_LIMITS, SCORE_LIMITS } from "#node/network/network-limits.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  GENESIS_HASH,
  mailboxPage,
  sampleBlock,
  sampleEnvelope,
  sampleVote,
  startNetwork,
  type TestNetwork,
  untilGossiping,
} from "#test/support/nodes/test-network.ts";
import { actor, alice, bob, signed } from "#test/support/worlds/ledger-world.ts";

const transfer = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {} });
const { frameBytes, requestBytes } = NETWORK_LIMITS.light;

let full: TestNetwork;
let other: TestNetwork;
let light: TestNetwork;

/** Answers with as many bytes as the request says, and takes an empty request for nonsense. */
function readLight(request: Uint8Array): Promise<Uint8Array | undefined> {
  if (request.length === 0) return Promise.resolve(undefined);
  const length = new DataView(request.buffer, request.byteOffset).getUint32(0);
  return Promise.resolve(new Uint8Array(length).map((_, at) => at & 255));
}

function asking(length: number): Uint8Array {
  const request = new Uint8Array(4);
  new DataView(request.buffer).setUint32(0, length);
  return request;
}

beforeAll(async () => {
  full = await startNetwork(1, { handlers: { light: readLight } });
  other = await startNetwork(2, { bootstrap: [full.address], handlers: { light: readLight } });
  light = await startNetwork(3, { role: "light", bootstrap: [full.address, other.address], handlers: { light: readLight } });
  light.status = { height: 9, tipHash: GENESIS_HASH, firstHeight: 10 };
  light.network.publishStatus(light.status);
  await Promise.all([untilGossiping(full, light), untilGossiping(full, other), untilGossiping(other, light)]);
});

afterAll(async () => {
  for (const node of [light, other, full]) await node?.network.stop();
});

describe("a light node", () => {
  it("receives envelopes, and no transactions, blocks and votes", async () => {
    const keys = [actor(1).pub, actor(4).pub].sort();
    other.network.setValidators(keys);
    full.network.setValidators(keys);
    full.network.publishTransactions([transfer]);
    full.network.publishBlock(sampleBlock(9, [transfer]));
    full.network.sendConsensus(sampleVote(1, keys.indexOf(actor(1).pub), 3));
    await pollUntil(() => other.received.transactions.length > 0 && other.received.blocks.length > 0, { what: "all at the full node" });
    full.network.publishEnvelopes([sampleEnvelope(1)]);
    await pollUntil(() => light.received.envelopes.length > 0, { what: "an envelope at the light node" });
    expect(light.received).toMatchObject({ transactions: [], blocks: [], consensus: [] });
    light.network.publishEnvelopes([sampleEnvelope(2)]);
    await pollUntil(() => full.received.envelopes.length > 0, { what: "an envelope at the full node" });
  });

  it("says that it has no blocks, and learns how far the others are", async () => {
    await pollUntil(() => full.received.statuses.some(({ status }) => status.firstHeight === 10));
    full.status = { height: 12, tipHash: GENESIS_HASH, firstHeight: 1 };
    full.network.publishStatus(full.status);
    await pollUntil(() => light.received.statuses.some(({ status }) => status.height === 12));
  });

  it("is answered, in as many pieces as it takes", async () => {
    const signal = AbortSignal.timeout(20_000);
    for (const length of [1, 70_000, frameBytes, 3 * frameBytes + 5]) {
      const response = await light.network.requestLight(full.network.name, { bytes: asking(length) }, signal);
      expect([response.length, response.every((byte, at) => byte === (at & 255))]).toEqual([length, true]);
    }
  });

  it("receives no more of a response than it may have", async () => {
    const signal = AbortSignal.timeout(20_000);
    const ask = (length: number, responseBytes: number): Promise<Uint8Array> =>
      light.network.requestLight(full.network.name, { bytes: asking(length), responseBytes }, signal);
    expect(await ask(frameBytes + 7, frameBytes + 7)).toHaveLength(frameBytes + 7);
    await expect(ask(frameBytes + 7, frameBytes + 6)).rejects.toSatisfy((error) => isCodedError(error, "UPSTREAM_FAILED"));
    const score = (): number => light.network.peers().find(({ name }) => name === full.network.name)?.score ?? 0;
    expect(Math.abs(score() + SCORE_LIMITS.costs.malformed)).toBeLessThan(1);
  });

  it("serves mailboxes, but neither blocks nor proofs", async () => {
    const signal = AbortSignal.timeout(20_000);
    const request = { recipients: [sampleEnvelope(1).recipient_pub], since: 5, cursor: null };
    expect(await other.network.requestMailbox(light.network.name, request, signal)).toEqual(mailboxPage());
    const asked = [
      other.network.requestBlocks(light.network.name, 1, 1, signal),
      other.network.requestLight(light.network.name, { bytes: asking(1) }, signal),
    ];
    // All at once: a request that fails while another one is waited for would be an error that no one handles.
    await Promise.all(asked.map((request) => expect(request).rejects.toSatisfy((error) => isCodedError(error, "UPSTREAM_FAILED"))));
  });

  it("pays for requests that are nonsense or too long", async () => {
    const score = (): number => full.network.peers().find(({ name }) => name === other.network.name)?.score ?? -1;
    const signal = AbortSignal.timeout(20_000);
    expect(score()).toBe(0);
    await expect(other.network.requestLight(full.network.name, { bytes: new Uint8Array() }, signal)).rejects.toThrow();
    await pollUntil(() => Math.abs(score() + SCORE_LIMITS.costs.malformed) < 1, { what: "nonsense to cost score" });
    await expect(other.network.requestLight(full.network.name, { bytes: new Uint8Array(requestBytes + 1) }, signal)).rejects.toThrow();
    await pollUntil(
      () => score() < -1.5 * SCORE_LIMITS.costs.malformed || !full.network.peers().some(({ name }) => name === other.network.name),
      {
        what: "a question that is too long to cost score",
      },
    );
  });
});
