// Bytes into values and back: what a hostile message costs, a large block, and a vote.
import { decodeConsensusMessage, encodeConsensusMessage } from "#node/engine/consensus-message-codec.ts";
import { decodePlaintext } from "#shared/content/content-codec.ts";
import { frameContent } from "#shared/content/content-frame.ts";
import { type Block, decodeBlock, encodeBlock } from "#shared/protocol/chain/block.ts";
import { concatBytes, fromHex, toBase64 } from "#shared/util/bytes.ts";
import { round, table } from "../measure/statistics.ts";
import type { Bench } from "./bench.ts";

const TRANSACTIONS = 3_600;
const SAMPLES = 20;
const VOTES = 1_000;
const HOSTILE_ITEMS = 0x3f_ff00;
const HOSTILE_CONTENT_ITEMS = 0x2_ee00;
const MIB = 1_048_576;
const hash = "5c".repeat(32);

/** Fastest of several times, ms. */
function fastest(work: () => void): number {
  const once = (): number => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  return Math.min(...Array.from({ length: SAMPLES }, once));
}

function largeBlock(): Block {
  const header = {
    version: 2,
    chainId: "parley",
    height: 5,
    timeMs: 1e12,
    parentHash: hash,
    lastCommitHash: hash,
    txRoot: hash,
    stateRoot: hash,
    receiptsRoot: hash,
    validatorsHash: hash,
    nextValidatorsHash: hash,
    paramsHash: hash,
    evidenceRoot: hash,
    proposer: hash,
    txCount: 4_096,
  };
  const transaction = {
    id: `tx1${"0".repeat(16)}${hash}`,
    type: "TRANSFER",
    from: hash,
    to: hash,
    amount: 5,
    fee: 1_000,
    payload: toBase64(new Uint8Array(20)),
    timestamp: "2026-01-01T00:00:00Z",
    signature: toBase64(new Uint8Array(64)),
  } as const;
  return { header, transactions: Array.from({ length: TRANSACTIONS }, () => ({ ...transaction })), evidence: [], lastCommit: null };
}

/** Costs of decoding and encoding. */
export function codecSuite({ goals, print }: Bench): void {
  const block = largeBlock();
  const bytes = encodeBlock(block);
  // A block whose list of transactions is four million empty byte strings.
  const front = encodeBlock({ ...block, transactions: [] });
  const hostile = concatBytes(front.subarray(0, -3), fromHex("9a003fff00"), new Uint8Array(HOSTILE_ITEMS).fill(0x40), fromHex("80f6"));
  const attempt = (): void => {
    try {
      decodeBlock(hostile);
    } catch {
      return;
    }
    throw new Error("The hostile block was taken");
  };
  const heap = process.memoryUsage().heapUsed;
  const hostileMs = fastest(attempt);
  const hostileMib = Math.max(0, process.memoryUsage().heapUsed - heap) / MIB;
  const vote = { type: "prevote", height: 1_000, round: 0, blockHash: hash, validatorIndex: 2, signature: new Uint8Array(64) } as const;
  const message = { type: "vote", vote } as const;
  const encodedVote = encodeConsensusMessage(message);
  const each = (work: () => void): number => (1_000 * fastest(() => Array.from({ length: VOTES }, work))) / VOTES;
  const plaintext = frameContent(concatBytes(fromHex("9a0002ee00"), new Uint8Array(HOSTILE_CONTENT_ITEMS).fill(0x80)));
  const rows = [
    ["hostile block of 4 MiB of empty items, refused", `${round(hostileMs)} ms, ${round(hostileMib)} MiB of heap`],
    ["hostile content of 188 KiB of empty lists, refused", `${round(fastest(() => void decodePlaintext(plaintext)))} ms`],
    [`block of ${round(bytes.length / MIB)} MiB, decode`, `${round(fastest(() => void decodeBlock(bytes)))} ms`],
    [
      "the same, encode",
      `${round(fastest(() => void encodeBlock({ ...block, transactions: block.transactions.map((tx) => ({ ...tx })) })))} ms`,
    ],
    ["vote, encode", `${round(each(() => void encodeConsensusMessage(message)))} µs`],
    ["vote, decode", `${round(each(() => void decodeConsensusMessage(encodedVote)))} µs`],
  ];
  print(table("Codecs", ["what", "figure"], rows));
  goals.push({ what: "a hostile block of 4 MiB is refused", value: hostileMs, unit: "ms", bound: { atMost: 10 } });
}
