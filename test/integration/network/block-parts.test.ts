// Large proposals between validators over real streams: they travel in parts, also past a validator that is gone or passes nothing on.
import { afterEach, describe, expect, it } from "vitest";
import { encodeConsensusMessage } from "#node/engine/consensus-message-codec.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import { rootHex } from "#shared/protocol/chain/block.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { proposalSignBytes } from "#shared/protocol/chain/vote.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { wholeUnless } from "#test/support/host/test-extent.ts";
import { GENESIS_HASH, sampleBlock, startNetwork, type TestNetwork, untilConnected } from "#test/support/nodes/test-network.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const HEIGHT = 10;
const BLOCK_BYTES = 1_500_000;

let nodes: TestNetwork[] = [];

afterEach(async () => {
  await Promise.all(nodes.map((node) => node.network.stop()));
  nodes = [];
});

/** Validators 1 to `size`, each connected to each. Those of `deaf` take no proposal, so they pass nothing on. */
async function startValidators(size: number, deaf: readonly number[] = []): Promise<void> {
  const keys = Array.from({ length: size }, (_, at) => actor(at + 1).pub);
  for (let n = 1; n <= size; n += 1) {
    const handlers = deaf.includes(n) ? { proposalUse: (): "none" => "none" } : {};
    const bootstrap = nodes.map(({ address }) => address);
    nodes.push(await startNetwork(n, { bootstrap, handlers }));
  }
  for (const node of nodes) {
    node.status = { height: HEIGHT, tipHash: GENESIS_HASH, firstHeight: 0 };
    node.network.setValidators(keys);
  }
  for (const [at, node] of nodes.entries()) for (const other of nodes.slice(at + 1)) await untilConnected(node, other);
}

/** A proposal of validator n with a large block. */
function proposalOf(n: number, size: number): ConsensusMessage {
  const keys = Array.from({ length: size }, (_, at) => actor(at + 1).pub).sort();
  const evidence = [Uint8Array.from({ length: BLOCK_BYTES }, (_, at) => (at * 7 + (at >> 8)) & 255)];
  const { block } = sampleBlock(HEIGHT + 1);
  const header = { ...block.header, evidenceRoot: rootHex(evidence), proposer: actor(n).pub };
  const unsigned = {
    height: HEIGHT + 1,
    round: 0,
    validRound: -1,
    blockHash: headerHash(header),
    validatorIndex: keys.indexOf(actor(n).pub),
  };
  const signature = signEd25519(proposalSignBytes(CHAIN_ID, unsigned), actor(n).seed);
  return { type: "proposal", proposal: { ...unsigned, signature }, block: { ...block, header, evidence } };
}

function hasReceived({ received }: TestNetwork, message: ConsensusMessage, proposer: TestNetwork | undefined): boolean {
  const encoded = encodeConsensusMessage(message);
  return received.consensus.some(
    ({ message: got, from }) => from === proposer?.network.name && Buffer.from(encodeConsensusMessage(got)).equals(encoded),
  );
}

for (const size of [4, 7])
  describe(`a block of 1.5 MB among ${size} validators`, wholeUnless(size === 4), () => {
    it("reaches all others in parts, as the proposer's own message", async () => {
      await startValidators(size);
      const message = proposalOf(2, size);
      nodes[1]?.network.sendConsensus(message);
      const others = nodes.filter((_, at) => at !== 1);
      await pollUntil(() => others.every((node) => hasReceived(node, message, nodes[1])), {
        timeoutMs: 30_000,
        what: "the block everywhere",
      });
      for (const { received } of others) expect(received.consensus).toHaveLength(1);
    });

    it("reaches the rest while one validator takes part in nothing", async () => {
      await startValidators(size, [3]);
      const message = proposalOf(1, size);
      nodes[0]?.network.sendConsensus(message);
      const others = nodes.filter((_, at) => at !== 0 && at !== 2);
      await pollUntil(() => others.every((node) => hasReceived(node, message, nodes[0])), {
        timeoutMs: 30_000,
        what: "the block everywhere",
      });
      expect(nodes[2]?.received.consensus).toEqual([]);
    });
  });
