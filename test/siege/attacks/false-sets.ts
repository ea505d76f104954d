// A full node that answers a light one with light blocks of very many validators.

import { lightResponseCodec } from "#node/light/wire/light-responses.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { readFrames, writeFrame } from "#node/network/wire/frames.ts";
import { encode } from "#shared/codec/codec.ts";
import { concatBytes } from "#shared/util/bytes.ts";
import type { RudePeer } from "../../support/nodes/rude-peer.ts";
import { sampleBlock } from "../../support/nodes/test-network.ts";
import type { Attack, Target, Turn } from "../attack.ts";
import { besiege, untilSentAway } from "./swarm.ts";

const PEERS = 3;
const VALIDATORS = 300_000;
const CLAIMED_HEIGHT = 1_000_000;
const PIECE_BYTES = NETWORK_LIMITS.light.frameBytes - 1_024;
const EMPTY_ARRAY = 0x80;
const ARRAY_32 = 0x9a;

/** A response of one light block whose set of validators is the last thing in it. */
function hugeResponse(chainId: string): Uint8Array {
  const { block, commit } = sampleBlock(CLAIMED_HEIGHT);
  const light = { header: { ...block.header, chainId }, commit, validators: [] };
  const small = encode(lightResponseCodec, { kind: "blocks", blocks: [light] });
  if (small.at(-1) !== EMPTY_ARRAY) throw new Error("The set is expected to be the last item");
  const head = Uint8Array.of(ARRAY_32, 0, 0, 0, 0);
  new DataView(head.buffer).setUint32(1, VALIDATORS);
  const validator = new Uint8Array(36);
  validator.set([0x82, 0x58, 32]);
  const all = new Uint8Array(validator.length * VALIDATORS);
  for (let n = 0; n < VALIDATORS; n += 1) {
    new DataView(validator.buffer).setUint32(3, n);
    all.set(validator, n * validator.length);
  }
  return concatBytes(small.subarray(0, -1), head, all);
}

async function serveHugeSets(target: Target, turn: Turn): Promise<void> {
  const response = hugeResponse(target.chainId);
  await turn.begin();
  const assault = async (peer: RudePeer): Promise<void> => {
    await peer.libp2p.handle(peer.names.light, (stream) =>
      readFrames(stream, {
        maxBytes: NETWORK_LIMITS.light.requestBytes,
        onFrame: () => {
          turn.count("responses");
          for (let at = 0; at < response.length; at += PIECE_BYTES) writeFrame(stream, response.subarray(at, at + PIECE_BYTES));
          void stream.close().catch(() => undefined);
        },
        onEnd: () => undefined,
      }),
    );
    await untilSentAway(peer, turn);
  };
  const status = { height: CLAIMED_HEIGHT, tipHash: "00".repeat(32), firstHeight: 1 };
  await besiege(target, turn, { peers: PEERS, status, assault });
}

export const LIGHT_ATTACKS: readonly Attack[] = [
  {
    name: "huge-sets",
    title: "light blocks of 300,000 validators, to a light node",
    work: "reads",
    network: { validators: 1, followers: 1, isLight: true },
    attack: serveHugeSets,
  },
];
