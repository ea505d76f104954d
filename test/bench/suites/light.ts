// What a light node receives and sends to follow the chain: real headers of a hundred validators, real networks, all bytes of its connections.
import { setTimeout as delay } from "node:timers/promises";
import { systemTimers } from "#node/config/system-clock.ts";
import { LightFollower } from "#node/light/chain/light-follower.ts";
import { TrustedChain } from "#node/light/chain/trusted-chain.ts";
import { NetworkLightPeers } from "#node/light/peers/network-light-peers.ts";
import { lightRequestCodec } from "#node/light/wire/light-requests.ts";
import { type LightResponse, lightResponseCodec } from "#node/light/wire/light-responses.ts";
import { openLightDatabase } from "#node/storage/light-database.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { leastCommit } from "#shared/protocol/chain/vote.ts";
import { toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { LinkProxy } from "../../support/nodes/link-proxy.ts";
import { startNetwork, type TestNetwork } from "../../support/nodes/test-network.ts";
import {
  BEGIN_MS,
  blockOf,
  constantSets,
  LIGHT_CHAIN_ID,
  LIGHT_RULES,
  lightChain,
  STEP_MS,
  untrusted,
} from "../../support/worlds/light-world.ts";
import { round, table } from "../measure/statistics.ts";
import type { Bench } from "./bench.ts";

const VALIDATORS = 100;
const BLOCKS = 60;
const PER_SECOND = 2;
/** Full nodes that the light one is connected to. */
const PEERS = [2, 8];
/** Bytes a second at two blocks a second and 100 validators. */
const MOST_KB = 20;
const QUIET = { debug: (): void => undefined, info: (): void => undefined, warn: (): void => undefined, error: (): void => undefined };

interface Figures {
  readonly peers: number;
  readonly kbPerSecond: number;
  readonly bytesOfBlock: number;
  readonly requests: Readonly<Record<string, number>>;
}

/** Following headers at two blocks a second, with few and with many peers. */
export async function lightSuite(bench: Bench): Promise<void> {
  const indexes = Array.from({ length: VALIDATORS }, (_, index) => index);
  const chain = lightChain(constantSets(indexes, BLOCKS));
  const figures: Figures[] = [];
  for (const peers of PEERS) figures.push(await measure(chain, peers, `${bench.folder}/light-${peers}`));
  bench.print(
    table(
      `A light node that follows ${PER_SECOND} blocks a second of ${VALIDATORS} validators: bytes of all its connections, both ways`,
      ["peers", "kB/s", "bytes a block", "requests for a block / header, each block"],
      figures.map(({ peers, kbPerSecond, bytesOfBlock, requests }) => [
        String(peers),
        round(kbPerSecond),
        round(bytesOfBlock),
        `${round((requests.block ?? 0) / BLOCKS)} / ${round((requests.header ?? 0) / BLOCKS)}`,
      ]),
    ),
  );
  const value = Math.max(...figures.map(({ kbPerSecond }) => kbPerSecond));
  bench.goals.push({ what: `a light node at ${PER_SECOND} blocks a second`, value, unit: "kB/s", bound: { atMost: MOST_KB } });
}

async function measure(chain: readonly TrustedBlock[], count: number, folder: string): Promise<Figures> {
  await using opened = new AsyncDisposableStack();
  const requests: Record<string, number> = {};
  const servers: TestNetwork[] = [];
  const links: LinkProxy[] = [];
  for (let n = 0; n < count; n += 1) {
    const light = (bytes: Uint8Array): Promise<Uint8Array> => Promise.resolve(respond(chain, bytes, requests));
    const server = await startNetwork(n + 1, { handlers: { light } });
    opened.defer(() => server.network.stop());
    setHeight(server, chain, 0);
    servers.push(server);
    const link = new LinkProxy(Number(/\/tcp\/(\d+)/.exec(server.address)?.[1]));
    await link.listen();
    opened.defer(() => link.close());
    links.push(link);
  }
  const bootstrap = servers.map(({ address }, n) => address.replace(/\/tcp\/\d+/, `/tcp/${links[n]?.port}`));
  const follow = await startLight(chain, bootstrap, folder, opened);
  await pollUntil(() => follow.peers() === count, { what: "all peers of the light node" });
  const before = bytesOf(links);
  const startedMs = performance.now();
  for (let height = 1; height <= BLOCKS; height += 1) {
    for (const server of servers) setHeight(server, chain, height);
    await delay(1_000 / PER_SECOND);
  }
  await pollUntil(() => follow.height() === BLOCKS, { what: "the last block" });
  const seconds = (performance.now() - startedMs) / 1_000;
  const bytes = bytesOf(links) - before;
  return { peers: count, kbPerSecond: bytes / 1_000 / seconds, bytesOfBlock: bytes / BLOCKS, requests };
}

/** A light node on the links; what it needs is stopped with the stack. */
async function startLight(
  chain: readonly TrustedBlock[],
  bootstrap: readonly string[],
  folder: string,
  opened: AsyncDisposableStack,
): Promise<{ readonly height: () => number; readonly peers: () => number }> {
  const parts: { follower?: LightFollower } = {};
  const node = await startNetwork(99, { role: "light", bootstrap, handlers: { status: (_, from) => parts.follower?.poll(from) } });
  opened.defer(() => node.network.stop());
  const genesis = blockOf(chain, 0);
  const store = openLightDatabase(folder, { chainId: LIGHT_CHAIN_ID, genesisHash: genesis.hash });
  opened.defer(() => store.close());
  const clock = { nowMs: (): number => BEGIN_MS + STEP_MS * BLOCKS, monotonicMs: (): number => performance.now() };
  const common = { clock, timers: systemTimers, log: QUIET };
  const peers = new NetworkLightPeers({ network: node.network, ...common });
  const trusted = new TrustedChain({ genesis, store, peers, rules: LIGHT_RULES, ...common });
  opened.defer(() => trusted.stop());
  const follower = new LightFollower({ chain: trusted, peers, ...common });
  parts.follower = follower;
  opened.defer(() => follower.stop());
  return { height: () => trusted.tip().header.height, peers: () => peers.peers().length };
}

function respond(chain: readonly TrustedBlock[], bytes: Uint8Array, requests: Record<string, number>): Uint8Array {
  const request = tryDecode(lightRequestCodec, bytes);
  const response = request !== undefined && (request.kind === "block" || request.kind === "header") ? request : undefined;
  if (response === undefined) throw new Error(`A light node that only follows asks for ${request?.kind}`);
  requests[response.kind] = (requests[response.kind] ?? 0) + 1;
  const block = untrusted(blockOf(chain, response.height));
  return encode(lightResponseCodec, answer(block, response));
}

function answer(
  block: ReturnType<typeof untrusted>,
  request: { readonly kind: "header" } | { readonly kind: "block"; readonly knownSet: Uint8Array | null },
): LightResponse {
  if (request.kind === "header") return { kind: "header", header: block.header };
  const { header, commit, validators } = block;
  if (request.knownSet === null || toHex(request.knownSet) !== header.validatorsHash) return { kind: "block", ...block };
  return { kind: "block", header, commit: commit && leastCommit(commit, validators.length), validators: null };
}

function setHeight(server: TestNetwork, chain: readonly TrustedBlock[], height: number): void {
  server.status = { height, tipHash: blockOf(chain, height).hash, firstHeight: 0 };
  server.network.publishStatus(server.status);
}

function bytesOf(links: readonly LinkProxy[]): number {
  return links.reduce((sum, { bytes }) => sum + bytes, 0);
}
