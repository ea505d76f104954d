// Blocks that no validator signed: far above the tip, where they would wait, and as the next one, where they would be checked.
import { randomBytes } from "node:crypto";
import { encodedFinalBlockCodec } from "#node/network/wire/wire-codec.ts";
import { createNodeClient } from "#shared/api/client.ts";
import { encode } from "#shared/codec/codec.ts";
import { encodeBlock } from "#shared/protocol/chain/block.ts";
import { headerCodec } from "#shared/protocol/chain/header.ts";
import { commitCodec } from "#shared/protocol/chain/vote.ts";
import { concatBytes, toHex } from "#shared/util/bytes.ts";
import { plainFetch } from "../../support/nodes/connect-to-node.ts";
import { sampleBlock } from "../../support/nodes/test-network.ts";
import { type Attack, type Target, type Turn, victimOf } from "../attack.ts";
import { forgedTransactions } from "./forged-transactions.ts";
import { besiege, ONE_ADDRESS, shoutAll } from "./swarm.ts";

const PEERS = 4;
const TRANSACTIONS = 4_000;
const BLOCKS_AHEAD = 512;
const RECENT_BLOCKS = 8;
const UNKNOWN_SET = "ee".repeat(32);
/** About 40 MiB a second of all peers. */
const PAUSE_MS = 100;

/**
 * Messages of blocks with forged signatures of three validators; their transactions are encoded once. They name a set that no node knows,
 * which only the blocks before could disprove, unless another one is given.
 */
export function createForger(chainId: string, { count = TRANSACTIONS, validatorsHash = UNKNOWN_SET } = {}): (height: number) => Uint8Array {
  const { block } = sampleBlock(1);
  const whole = encodeBlock({ ...block, transactions: forgedTransactions(chainId, count) });
  const body = whole.subarray(1 + encode(headerCodec, block.header).length);
  return (height) => {
    const header = { ...block.header, chainId, height, validatorsHash, stateRoot: toHex(randomBytes(32)), timeMs: Date.now() };
    const signatures = Array.from({ length: 3 }, () => new Uint8Array(randomBytes(64)));
    const commit = { height, round: 0, blockHash: toHex(randomBytes(32)), bitmap: Uint8Array.of(7), signatures };
    const encoded = concatBytes(whole.subarray(0, 1), encode(headerCodec, header), body);
    return encode(encodedFinalBlockCodec, { block: encoded, commit: encode(commitCodec, commit) });
  };
}

async function shoutFalseBlocks(
  target: Target,
  turn: Turn,
  heightAbove: (tip: number, n: number) => number,
  from: string | undefined = undefined,
): Promise<void> {
  const client = createNodeClient({ baseUrl: `http://127.0.0.1:${victimOf(target).port}`, fetch: plainFetch });
  const forge = createForger(target.chainId);
  await turn.begin();
  await besiege(target, turn, {
    peers: PEERS,
    ...(from === undefined ? {} : { from }),
    assault: async (peer) => {
      let tip = 0;
      const messages = async (n: number): Promise<Uint8Array> => {
        if (n % 8 === 0) tip = (await client.getNetstats({})).height;
        return forge(heightAbove(tip, n));
      };
      await shoutAll(peer, turn, { topic: "blocks", messages, pauseMs: PAUSE_MS });
    },
  });
}

export const BLOCK_ATTACKS: readonly Attack[] = [
  {
    name: "blocks-ahead",
    title: "false blocks far above the tip",
    work: "transfers",
    network: { validators: 4 },
    attack: (target, turn) => shoutFalseBlocks(target, turn, (tip, n) => tip + 2 + (n % BLOCKS_AHEAD)),
  },
  {
    name: "next-block",
    title: "forged next blocks with 4,000 transactions",
    work: "transfers",
    network: { validators: 4 },
    attack: (target, turn) => shoutFalseBlocks(target, turn, (tip) => tip + 1),
  },
  {
    name: "next-block-address",
    title: "the same from one address, under fresh peer ids",
    work: "transfers",
    network: { validators: 4 },
    attack: (target, turn) => shoutFalseBlocks(target, turn, (tip) => tip + 1, ONE_ADDRESS),
  },
  {
    name: "old-blocks",
    title: "false blocks of recent heights",
    work: "transfers",
    network: { validators: 4 },
    attack: (target, turn) => shoutFalseBlocks(target, turn, (tip, n) => Math.max(1, tip - (n % RECENT_BLOCKS))),
  },
];
