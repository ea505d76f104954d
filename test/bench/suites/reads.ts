// Reads on the long chain: requests a second and how long the slowest wait, alone, beside ganache and while transfers arrive.
import { createRandom } from "../../support/host/random.ts";
import type { GeneratedChain } from "../chain/chain-cache.ts";
import { numberedAccount } from "../load/accounts.ts";
import { type Blast, pacedLoad } from "../load/blast.ts";
import { parleyBlast } from "../load/parley-load.ts";
import { READ_CLIENT, type ReadRequest, type ReadResult, readLoad } from "../load/read-load.ts";
import { noise, type Samples, sample } from "../measure/sampling.ts";
import { median, round, table } from "../measure/statistics.ts";
import { type Ganache, startGanache } from "../peers/ganache.ts";
import { type Bench, startOnChain } from "./bench.ts";

const CONNECTIONS = [1, 32] as const;
const SECONDS = 2;
const SEED = 99;
const ASKED_ACCOUNTS = 2_000;
const DEEP_OFFSET = 10_000;
const TRANSFERS_PER_SECOND = 1_000;
const P99_GOAL_MS = 20;

interface Endpoint {
  readonly name: string;
  readonly requests: readonly ReadRequest[];
  readonly isPeer?: boolean;
}

/** Results by connections, in the order of the endpoints. */
type Round = readonly { readonly alone: readonly ReadResult[]; readonly loaded: readonly ReadResult[] }[];

/** Every endpoint in every round, so that a slow minute touches all of them. */
export async function readsSuite(bench: Bench): Promise<void> {
  const { options, peers } = bench;
  const chain = bench.chain();
  await using node = await startOnChain(bench, "reads");
  await using ganache = peers.hasPackages ? await startGanache() : undefined;
  const endpoints = [...ownEndpoints(chain), ...peerEndpoints(ganache)];
  const portOf = ({ isPeer = false }: Endpoint): number => (isPeer ? (ganache?.port ?? 0) : node.port);
  const ask = async (endpoint: Endpoint): Promise<readonly ReadResult[]> => {
    const results: ReadResult[] = [];
    for (const connections of CONNECTIONS)
      results.push(await readLoad({ port: portOf(endpoint), requests: endpoint.requests, connections, seconds: SECONDS }));
    return results;
  };
  const samples = await sample(options.repeats, async () => {
    const round: { alone: readonly ReadResult[]; loaded: readonly ReadResult[] }[] = [];
    for (const endpoint of endpoints) round.push({ alone: await ask(endpoint), loaded: [] });
    const own = endpoints.filter(({ isPeer }) => isPeer !== true);
    const stop = pacedLoad(transfersFor(node.port, chain, own.length), TRANSFERS_PER_SECOND);
    for (const [i, endpoint] of own.entries()) round[i] = { alone: round[i]?.alone ?? [], loaded: await ask(endpoint) };
    await stop();
    return round;
  });
  await node.stop();
  report(bench, endpoints, samples);
}

function ownEndpoints({ transactionIds, treasury, smallBlocks, recipe }: GeneratedChain): readonly Endpoint[] {
  const random = createRandom(SEED);
  const get = (path: string): ReadRequest => ({ method: "GET", path });
  const accounts = Array.from({ length: ASKED_ACCOUNTS }, () => numberedAccount(random.between(0, recipe.accounts - 1)).publicKey);
  const deep = Math.min(DEEP_OFFSET, Math.floor(recipe.accounts / 2));
  return [
    { name: "/api/tx/{id}", requests: transactionIds.map((id) => get(`/api/tx/${id}`)) },
    { name: "/api/address/{a}, page of 50 at 0", requests: accounts.map((account) => get(`/api/address/${account}?limit=50`)) },
    {
      name: `/api/address/{a}, page of 50 at ${deep.toLocaleString("en")}`,
      requests: [get(`/api/address/${treasury}?limit=50&offset=${deep}`)],
    },
    { name: "/api/blocks, 20 newest", requests: [get("/api/blocks")] },
    { name: "/api/block/{i}, 32 transactions", requests: smallBlocks.map((height) => get(`/api/block/${height}`)) },
  ];
}

function peerEndpoints(ganache: Ganache | undefined): readonly Endpoint[] {
  if (ganache === undefined) return [];
  return [
    { name: "ganache: eth_getTransactionByHash", requests: ganache.transactionRequests, isPeer: true },
    { name: "ganache: eth_getBlockByNumber, 32 transactions", requests: ganache.blockRequests, isPeer: true },
  ];
}

/** Enough transfers for the reads of one round. */
function transfersFor(port: number, { chainId, recipe }: GeneratedChain, endpoints: number): Blast {
  const senders = Array.from({ length: Math.min(1_000, recipe.accounts) }, (_, n) => numberedAccount(n));
  const recipients = senders.map((account) => account.publicKey).reverse();
  const seconds = endpoints * CONNECTIONS.length * (SECONDS + 1);
  return parleyBlast({ port, chainId, senders, recipients, total: seconds * TRANSFERS_PER_SECOND, connections: 8 });
}

function report(bench: Bench, endpoints: readonly Endpoint[], samples: Samples<Round>): void {
  const at = (endpoint: number, connections: number, kind: "alone" | "loaded"): readonly ReadResult[] =>
    samples.values.flatMap((value) => value[endpoint]?.[kind][connections] ?? []);
  const middle = (results: readonly ReadResult[], name: keyof ReadResult): string =>
    results.length === 0 ? "" : round(median(results.map((result) => result[name])));
  const row = ({ name }: Endpoint, i: number): readonly string[] => [
    name,
    middle(at(i, 0, "alone"), "perSecond"),
    middle(at(i, 0, "alone"), "p99"),
    middle(at(i, 1, "alone"), "perSecond"),
    middle(at(i, 1, "alone"), "p99"),
    middle(at(i, 0, "loaded"), "p99"),
    middle(at(i, 1, "loaded"), "p99"),
  ];
  const transactions = bench.chain().recipe.transactions.toLocaleString("en");
  bench.print(
    table(
      `Reads, ${transactions} transactions, by ${READ_CLIENT} (${noise(samples)}; the last two columns while ${TRANSFERS_PER_SECOND.toLocaleString("en")} transfers/s arrive)`,
      ["endpoint", "1 conn. req/s", "p99 ms", "32 conn. req/s", "p99 ms", "loaded, 1 conn. p99 ms", "loaded, 32 conn. p99 ms"],
      endpoints.map(row),
    ),
  );
  const { isNoisy } = samples;
  const p99 = median(at(0, 1, "alone").map((result) => result.p99));
  bench.goals.push({ what: "/api/tx/{id}, p99 at 32 connections", value: p99, unit: "ms", bound: { atMost: P99_GOAL_MS }, isNoisy });
  const loaded = median(at(0, 1, "loaded").map((result) => result.p99));
  bench.goals.push({
    what: "/api/tx/{id}, p99 at 32 connections and 1,000 transfers/s",
    value: loaded,
    unit: "ms",
    bound: { atMost: P99_GOAL_MS },
    isNoisy,
  });
  const peer = endpoints.findIndex(({ isPeer }) => isPeer === true);
  if (peer < 0) return;
  const ratios = samples.values.map((value) => (value[0]?.alone[1]?.perSecond ?? 0) / (value[peer]?.alone[1]?.perSecond ?? Number.NaN));
  bench.goals.push({ what: "/api/tx/{id}, 32 connections", value: median(ratios), unit: "× ganache", bound: { atLeast: 1 }, isNoisy });
}
