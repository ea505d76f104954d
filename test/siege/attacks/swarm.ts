// Hostile peers with identities of their own, which come back under another one as soon as they are sent away.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { ChainStatus } from "#node/network/peer-network.ts";
import type { Topic } from "#node/network/protocol-names.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { connectRudePeer, type RudePeer } from "../../support/nodes/rude-peer.ts";
import { type Target, type Turn, victimOf } from "../attack.ts";

/** How many come, from where, and what they say of themselves. */
export interface Swarm {
  readonly peers: number;
  /** Address of this machine that all of them dial from; else each one comes from a subnet of its own. */
  readonly from?: string;
  readonly status?: ChainStatus;
  /** What each does until it is sent away or the attack ends; then the next one comes. */
  readonly assault: (peer: RudePeer) => Promise<void>;
}

const REFUSED_PAUSE_MS = 100;
/** Second byte of the attackers' addresses: they share no subnet with honest programs, nor with each other. */
const FIRST_SUBNET = 66;
const SUBNETS = 128;

/** The one address of attackers that have no other. */
export const ONE_ADDRESS: string = subnetAddress(0);

/** An address of this machine in attackers' subnet number n. */
export function subnetAddress(n: number): string {
  return `127.${FIRST_SUBNET + (n % SUBNETS)}.0.1`;
}

let identities = 0;

/** A peer that never was there before. */
export async function freshPeer(target: Target, { from, status }: Pick<Swarm, "from" | "status"> = {}): Promise<RudePeer> {
  const { chainId, genesisHash } = target;
  return await connectRudePeer(0, victimOf(target).p2pAddress, {
    network: chainId,
    genesisHash,
    status: status ?? { height: 0, tipHash: genesisHash, firstHeight: 0 },
    seed: new Uint8Array(randomBytes(32)),
    from: from ?? subnetAddress(identities++),
  });
}

/** Keeps so many peers attacking until the turn is over. */
export async function besiege(target: Target, turn: Turn, swarm: Swarm): Promise<void> {
  const one = async (): Promise<void> => {
    while (!turn.signal.aborted) {
      try {
        const peer = await freshPeer(target, swarm);
        turn.count("identities");
        await swarm.assault(peer).finally(() => peer[Symbol.asyncDispose]());
      } catch {
        turn.count("refusals");
        await delay(REFUSED_PAUSE_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: swarm.peers }, one));
}

/** Publishes messages one after the other until the peer is sent away. */
export async function shoutAll(peer: RudePeer, turn: Turn, { topic, messages, pauseMs }: Shouting): Promise<void> {
  for (let n = 0; peer.isConnected && !turn.signal.aborted; n += 1) {
    const message = await messages(n);
    await peer.shout(topic, message);
    turn.count("messages");
    turn.count("KiB", Math.round(message.length / 1_024));
    // The host has to write them, and to hear that it was sent away.
    await delay(pauseMs);
  }
}

interface Shouting {
  readonly topic: Topic;
  readonly messages: (n: number) => Uint8Array | Promise<Uint8Array>;
  /** Between two messages: what an attacker sends costs this machine too. */
  readonly pauseMs: number;
}

/** Stays as long as it may. */
export async function untilSentAway(peer: RudePeer, turn: Turn): Promise<void> {
  await pollUntil(() => !peer.isConnected || turn.signal.aborted, { intervalMs: 50, timeoutMs: 3_600_000 });
}
