// A validator of the set that takes part as it should, and beside that sends the others what it likes over its own streams.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createNode } from "#node/composition/node.ts";
import { readEnvironment } from "#node/config/environment.ts";
import { loadNodeConfig } from "#node/config/node-config.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { ConsensusStreams } from "#node/network/traffic/consensus-streams.ts";
import { createLog } from "#node/observability/log.ts";
import { createNodeClient } from "#shared/api/client.ts";
import type { Vote } from "#shared/protocol/chain/vote.ts";
import { toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { plainFetch } from "../../support/nodes/connect-to-node.ts";
import type { Attack, Target, Turn } from "../attack.ts";

const VALIDATORS = 4;
const TICK_MS = 10;
const { perSecond: ALLOWED, burst: BURST } = NETWORK_LIMITS.consensus.messages;
const OLD_VOTES_PER_SECOND = 50;
const LOOK_MS = 50;
const START_MS = 60_000;

/** Runs the last validator of the network in this process; gives a way to speak in its name. */
async function startHostileValidator({ nodes }: Target): Promise<{ say(message: ConsensusMessage): void; height(): Promise<number> }> {
  const own = nodes[VALIDATORS - 1];
  if (own === undefined) throw new Error(`The network has ${VALIDATORS} validators`);
  const captured = Promise.withResolvers<ConsensusStreams>();
  const { send } = ConsensusStreams.prototype;
  ConsensusStreams.prototype.send = function (message): ReturnType<typeof send> {
    captured.resolve(this);
    return send.call(this, message);
  };
  const config = loadNodeConfig({ flags: { dataDir: own.dataDir }, environment: readEnvironment({}), defaultDataDir: own.dataDir });
  const node = createNode(config, { log: createLog("json", { write: () => undefined }), onFatal: () => process.exit(1) });
  await node.start();
  const client = createNodeClient({ baseUrl: `http://127.0.0.1:${own.port}`, fetch: plainFetch });
  await pollUntil(async () => (await client.listPeers({})).count >= VALIDATORS - 1, { timeoutMs: START_MS, what: "the other validators" });
  // It sends something as soon as there is work or a round begins.
  await client.requestFaucet({ body: { to: toHex(randomBytes(32)), amount_ut: 1_000_000 } }).catch(() => undefined);
  const streams = await captured.promise;
  return {
    say: (message) => void send.call(streams, message),
    height: async () => (await client.getNetstats({})).height,
  };
}

/** Sends votes at an even rate, made for the newest height that is known. */
async function sendVotes(target: Target, turn: Turn, { perSecond, vote }: Votes): Promise<void> {
  const validator = await startHostileValidator(target);
  let tip = await validator.height();
  const look = async (): Promise<void> => {
    tip = await validator.height().catch(() => tip);
  };
  await turn.begin();
  const looking = setInterval(() => void look(), LOOK_MS);
  turn.signal.addEventListener("abort", () => clearInterval(looking));
  const startedMs = performance.now();
  for (let sent = 0; !turn.signal.aborted; ) {
    const due = Math.floor(((performance.now() - startedMs) * perSecond) / 1_000);
    for (const last = Math.min(due, sent + BURST); sent < last; sent += 1) {
      validator.say({ type: "vote", vote: vote(tip, sent) });
      turn.count("votes");
    }
    await delay(TICK_MS);
  }
}

interface Votes {
  readonly perSecond: number;
  readonly vote: (tip: number, n: number) => Vote;
}

export const VALIDATOR_ATTACKS: readonly Attack[] = [
  {
    name: "bad-votes",
    title: "votes with invalid signatures of one of four validators, at the allowed rate",
    work: "blocks",
    network: { validators: VALIDATORS, hostile: 1 },
    attack: (target, turn) =>
      sendVotes(target, turn, {
        perSecond: ALLOWED,
        vote: (tip, n) => ({
          type: n % 2 === 0 ? "prevote" : "precommit",
          height: tip + 1 + (n % 2),
          round: n & 1,
          blockHash: toHex(randomBytes(32)),
          validatorIndex: n % VALIDATORS,
          signature: new Uint8Array(randomBytes(64)),
        }),
      }),
  },
  {
    name: "old-votes",
    title: "unsigned votes of decided heights, of one of four validators",
    work: "blocks",
    network: { validators: VALIDATORS, hostile: 1 },
    attack: (target, turn) =>
      sendVotes(target, turn, {
        perSecond: OLD_VOTES_PER_SECOND,
        vote: (tip, n) => ({
          type: "prevote",
          height: Math.max(1, tip - (n % 2)),
          round: 0,
          blockHash: null,
          validatorIndex: n % VALIDATORS,
          signature: new Uint8Array(64),
        }),
      }),
  },
];
