// Peers that ask for all of a snapshot again and again, and for the headers and receipts before it.
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { SNAPSHOT_RULE } from "#node/sync/snapshots/snapshot-heights.ts";
import { SNAPSHOT_LIMITS } from "#node/sync/snapshots/snapshot-limits.ts";
import { type SnapshotRequest, snapshotRequestCodec, snapshotResponseCodec } from "#node/sync/snapshots/wire/snapshot-messages.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import type { RudePeer } from "../../support/nodes/rude-peer.ts";
import type { Attack, Target, Turn } from "../attack.ts";
import { ask, askAll } from "./requests.ts";
import { besiege, freshPeer } from "./swarm.ts";

const PEERS = 24;
const AT_ONCE = 8;
const PLACES = 32;
const DEPTH = 5;
const SNAPSHOT_MS = 60_000;

const { every } = SNAPSHOT_RULE;
const { headersPerRequest, blocksPerRequest } = SNAPSHOT_LIMITS;

/** Chunks of a state, and of one that there is not; headers and receipts, and those of blocks to come. */
const REQUESTS: readonly SnapshotRequest[] = [
  ...Array.from({ length: PLACES }, (_, n): SnapshotRequest => {
    const place = { depth: DEPTH, prefix: Uint8Array.of(n << (8 - DEPTH)) };
    return { kind: "chunk", height: every, place };
  }),
  { kind: "chunk", height: every, place: { depth: 0, prefix: new Uint8Array() } },
  { kind: "chunk", height: every - 1, place: { depth: 0, prefix: new Uint8Array() } },
  { kind: "headers", from: 1, count: headersPerRequest },
  { kind: "receipts", from: 1, count: blocksPerRequest },
  { kind: "receipts", from: every * every, count: blocksPerRequest },
  { kind: "heights" },
];

async function heightsOf(peer: RudePeer): Promise<readonly number[]> {
  let heights: readonly number[] = [];
  await ask(peer, { protocol: peer.names.snapshot, frame: encode(snapshotRequestCodec, { kind: "heights" }) }, (frame) => {
    const response = tryDecode(snapshotResponseCodec, frame);
    if (response?.kind === "heights") heights = response.heights;
  });
  return heights;
}

async function takeSnapshots(target: Target, turn: Turn): Promise<void> {
  {
    await using peer = await freshPeer(target);
    const what = "a snapshot to ask for";
    await pollUntil(async () => (await heightsOf(peer)).includes(every), { what, timeoutMs: SNAPSHOT_MS, intervalMs: 2_000 });
  }
  const frames = REQUESTS.map((request) => encode(snapshotRequestCodec, request));
  await turn.begin();
  let next = 0;
  await besiege(target, turn, {
    peers: PEERS,
    assault: (peer) =>
      askAll(peer, turn, {
        shots: () => ({ protocol: peer.names.snapshot, frame: frames[next++ % frames.length] ?? new Uint8Array() }),
        atOnce: AT_ONCE,
        rate: NETWORK_LIMITS.snapshot.requests,
        onBytes: (bytes) => turn.count("KiB taken", Math.round(bytes / 1_024)),
      }),
  });
}

export const SNAPSHOT_ATTACKS: readonly Attack[] = [
  {
    name: "snapshot-chunks",
    title: `${PEERS} peers that take a snapshot again and again`,
    work: "transfers",
    history: "transfers",
    network: { validators: 1, hasSnapshot: true },
    attack: takeSnapshots,
  },
];
