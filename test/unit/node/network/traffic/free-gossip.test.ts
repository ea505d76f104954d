// Gossip that costs its sender nothing: what a node passes on stays within what its own peers take of it.
import { describe, expect, it } from "vitest";
import { Gossip, type GossipMessage } from "#node/network/libp2p/gossip.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import type { NetworkHandlers, PeerName } from "#node/network/peer-network.ts";
import { ValidatorDirectory } from "#node/network/peers/validator-directory.ts";
import { VersionRegistry } from "#node/network/peers/version-registry.ts";
import { protocolNames, TOPICS, type Topic } from "#node/network/protocol-names.ts";
import { TopicTraffic } from "#node/network/traffic/topic-traffic.ts";
import { relayMessageCodec } from "#node/network/wire/relay-codec.ts";
import { encodeAnnouncement } from "#node/network/wire/version-announcement.ts";
import { gossipedConsensusCodec } from "#node/network/wire/wire-codec.ts";
import { createLog } from "#node/observability/log.ts";
import { encode } from "#shared/codec/codec.ts";
import type { Vote } from "#shared/protocol/chain/vote.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const CHAIN_ID = "free-1";
const NAMES = protocolNames(CHAIN_ID);
const LOG = createLog("json", { write: () => undefined });
const START_MS = 1_800_000_000_000;
const VALIDATOR = actor(1);
const HEIGHT = 7;
/** First byte of a signature that does not verify. */
const FORGED = 1;

interface PassingNode {
  readonly floods: readonly PeerName[];
  readonly accepted: readonly Uint8Array[];
  readonly versions: VersionRegistry;
  readonly directory: ValidatorDirectory;
  /** Signatures that were checked. */
  readonly checks: number;
  receive(topic: Topic, data: Uint8Array, from: PeerName): void;
  /** All messages have been looked at. */
  idle(): Promise<unknown>;
}

/** A node as gossip sees it: what it passes on goes to the next one, if there is one. */
function nodeOf(clock: { ms: number }, next?: (topic: Topic, data: Uint8Array) => void): PassingNode {
  const floods: PeerName[] = [];
  const accepted: Uint8Array[] = [];
  const waiting = new Map<string, { readonly topic: Topic; readonly data: Uint8Array }>();
  const time = { nowMs: (): number => START_MS + clock.ms, monotonicMs: (): number => clock.ms };
  const versions = new VersionRegistry((key) => key === VALIDATOR.pub);
  const directory = new ValidatorDirectory(actor(9).pub);
  directory.replace([VALIDATOR.pub]);
  let checks = 0;
  const traffic = new TopicTraffic({
    chainId: CHAIN_ID,
    directory,
    onSeat: (): void => undefined,
    handlers: {
      typing: (): void => undefined,
      consensus: (): void => undefined,
      ownStatus: () => ({ height: HEIGHT }),
    } as unknown as NetworkHandlers,
    versions,
    verify: (signature): boolean => {
      checks += 1;
      return signature[0] !== FORGED;
    },
    clock: time,
    log: LOG,
    publish: (): void => undefined,
  });
  const bus = new EventTarget();
  const pubsub = Object.assign(bus, {
    subscribe: (): void => undefined,
    getSubscribers: (): never[] => [],
    publish: (): Promise<void> => Promise.resolve(),
    streamsOutbound: new Map(),
    safeDispatchEvent: (): boolean => true,
    reportMessageValidationResult: (id: string, _source: PeerName, result: string): void => {
      const message = waiting.get(id);
      waiting.delete(id);
      if (result !== "accept" || message === undefined) return;
      accepted.push(message.data);
      next?.(message.topic, message.data);
    },
  });
  const gossip = new Gossip({
    pubsub: pubsub as never,
    names: NAMES,
    topicValidators: traffic.topicValidators,
    topics: TOPICS,
    clock: time,
    log: LOG,
    report: (peer, offence): void => void (offence === "flood" && floods.push(peer)),
    onReceived: (): void => undefined,
    onAccepted: (): void => undefined,
  });
  gossip.start();
  let ids = 0;
  const receive = (topic: Topic, data: Uint8Array, from: PeerName): void => {
    ids += 1;
    const msgId = `${ids}`;
    waiting.set(msgId, { topic, data });
    const detail: GossipMessage = { propagationSource: from, msgId, msg: { topic: NAMES.topics[topic], data } };
    bus.dispatchEvent(new CustomEvent("gossipsub:message", { detail }));
  };
  return {
    floods,
    accepted,
    versions,
    directory,
    get checks(): number {
      return checks;
    },
    receive,
    idle: (): Promise<unknown> => pollUntil(() => waiting.size === 0, { what: "all messages to be looked at" }),
  };
}

const keyOf = (n: number): string => n.toString(16).padStart(64, "0");
const signed = Buffer.from(
  encodeAnnouncement(CHAIN_ID, { nodeKey: VALIDATOR.pub, version: "1", apiVersion: "1", atSec: START_MS / 1_000 }, VALIDATOR.seed),
);
/** Of another node; signatures are not looked at here. */
function announcement(nodeKey: string): Uint8Array {
  const bytes = Buffer.from(signed);
  bytes.set(Buffer.from(nodeKey, "hex"), signed.indexOf(Buffer.from(VALIDATOR.pub, "hex")));
  return bytes;
}
const typing = (n: number): Uint8Array =>
  encode(relayMessageCodec, { type: "typing", notice: { to: keyOf(n), from: keyOf(n + 1), atSec: START_MS / 1_000 } });

/** A vote of the validator, each of another round. */
function vote(height: number, round: number, firstByte: number): Uint8Array {
  const signature = new Uint8Array(64).fill(9);
  signature[0] = firstByte;
  const content: Vote = { type: "prevote", height, round, blockHash: null, validatorIndex: 0, signature };
  return encode(gossipedConsensusCodec, { atSec: START_MS / 1_000, message: { type: "vote", vote: content } });
}

/** Announcements of a node that acts for the validator since a second. */
function seated(node: ReturnType<typeof actor>, sinceSec: number, firstByte: number): Uint8Array {
  const announced = { nodeKey: node.pub, version: "1", apiVersion: "1", atSec: START_MS / 1_000 };
  const signature = new Uint8Array(64).fill(firstByte);
  return encodeAnnouncement(CHAIN_ID, announced, node.seed, { validator: VALIDATOR.pub, sinceSec, signature });
}

describe("gossip that anyone has as much of as he likes", () => {
  it("lets a validator's seat through a flood of strangers, and a false one not at all", async () => {
    const node = nodeOf({ ms: 0 });
    const acting = actor(5);
    for (const stranger of ["a", "b", "c"]) for (let n = 0; n < 400; n += 1) node.receive("version", announcement(keyOf(n)), stranger);
    await node.idle();
    const before = node.accepted.length;
    node.receive("version", seated(acting, START_MS / 1_000 - 5, FORGED), "liar");
    await node.idle();
    expect(node.accepted).toHaveLength(before);
    // Too old, and of a time to come: announcements like those of any other node.
    node.receive("version", seated(actor(6), START_MS / 1_000 - 700_000, 9), "a");
    node.receive("version", seated(actor(7), START_MS / 1_000 + 7_200, 9), "a");
    await node.idle();
    expect(node.directory.nodeOf(VALIDATOR.pub)).toBe(VALIDATOR.pub);
    const floods = node.accepted.length;
    node.receive("version", seated(acting, START_MS / 1_000 - 5, 9), "a");
    await node.idle();
    expect(node.accepted).toHaveLength(floods + 1);
    expect(node.directory.nodeOf(VALIDATOR.pub)).toBe(acting.pub);
  });

  it("passes no false seat on, whether it would be news or not: the next node would blame this one", async () => {
    const node = nodeOf({ ms: 0 });
    node.receive("version", seated(actor(5), START_MS / 1_000 - 5, 9), "a");
    await node.idle();
    expect(node.accepted).toHaveLength(1);
    // Earlier than the known one, of a time to come, and too old: none of them would change anything here.
    for (const [index, agoSec] of [50, -7_200, 700_000].entries())
      node.receive("version", seated(actor(6 + index), START_MS / 1_000 - agoSec, FORGED), "liar");
    await node.idle();
    expect(node.accepted).toHaveLength(1);
  });

  it.each([
    ["version", (n: number): Uint8Array => announcement(keyOf(n))],
    ["relay", typing],
  ] as const)("makes no honest node a flood of %s to its peers, however many strangers send it", async (topic, messageOf) => {
    const clock = { ms: 0 };
    const behind = nodeOf(clock);
    const honest = nodeOf(clock, (passed, data) => behind.receive(passed, data, "honest"));
    let sent = 0;
    const send = (stranger: PeerName): void => {
      sent += 1;
      honest.receive(topic, messageOf(sent), stranger);
    };
    for (let second = 0; second < 20; second += 1, clock.ms += 1_000) {
      // Each of them keeps to its rate.
      for (const stranger of ["a", "b", "c", "d"]) for (let n = 0; n < 100; n += 1) send(stranger);
      await honest.idle();
      await behind.idle();
    }
    expect([honest.floods, behind.floods]).toEqual([[], []]);
    const { total } = topic === "version" ? NETWORK_LIMITS.announcements : NETWORK_LIMITS.typing;
    expect(honest.accepted.length).toBeLessThanOrEqual(total.burst + 20 * total.perSecond);
    expect(honest.accepted.length).toBeGreaterThan(100);
  });

  it("neither keeps the announcements of validators out nor makes a node forget them", async () => {
    const clock = { ms: 0 };
    const node = nodeOf(clock);
    node.receive("version", announcement(VALIDATOR.pub), "honest");
    for (let second = 0; second < 60; second += 1, clock.ms += 1_000) {
      for (const stranger of ["a", "b", "c"])
        for (let n = 0; n < 100; n += 1)
          node.receive("version", announcement(keyOf(1_000 * second + 300 * stranger.charCodeAt(0) + n)), stranger);
      await node.idle();
    }
    const later = encodeAnnouncement(
      CHAIN_ID,
      { nodeKey: VALIDATOR.pub, version: "2", apiVersion: "1", atSec: START_MS / 1_000 + 60 },
      VALIDATOR.seed,
    );
    expect(node.versions.get(VALIDATOR.pub)).toMatchObject({ version: "1" });
    node.receive("version", later, "a");
    await node.idle();
    expect(node.versions.get(VALIDATOR.pub)).toMatchObject({ version: "2" });
    expect(node.accepted.at(-1)).toBe(later);
  });

  it("costs few signatures where it speaks of a height whose validators are not known yet, and keeps nothing else out", async () => {
    const clock = { ms: 0 };
    const node = nodeOf(clock);
    let round = 0;
    for (let second = 0; second < 20; second += 1, clock.ms += 1_000) {
      for (const stranger of ["a", "b", "c", "d", "e", "f"])
        for (let n = 0; n < 100; n += 1, round += 1) node.receive("consensus", vote(HEIGHT + 2, round, FORGED), `${stranger}${second}`);
      await node.idle();
    }
    const { total } = NETWORK_LIMITS.consensus.early;
    expect(node.checks).toBeLessThanOrEqual(total.burst + 20 * total.perSecond);
    expect([node.checks > 100, node.floods, node.accepted]).toEqual([true, [], []]);
    node.receive("consensus", vote(HEIGHT + 1, 0, 2), "honest");
    await node.idle();
    expect(node.accepted).toHaveLength(1);
  });
});
