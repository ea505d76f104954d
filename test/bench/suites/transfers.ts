// Transfers a second over HTTP until they are in a block: on an empty and on a long chain, beside anvil.
import { createAccount, numberedAccount } from "../load/accounts.ts";
import { type BlastResult, blast } from "../load/blast.ts";
import { closedLoop, fundAccounts } from "../load/closed-loop.ts";
import { parleyBlast } from "../load/parley-load.ts";
import { noise, sample } from "../measure/sampling.ts";
import { median, round, table } from "../measure/statistics.ts";
import { blastAnvil, signEthereumLoad } from "../peers/anvil.ts";
import { type Bench, startEmpty, startOnChain } from "./bench.ts";

const CONNECTIONS = 32;
const TOTAL = 12_800;

/** One sample of every load. */
type Sample = Readonly<Record<"empty" | "long" | "spread", BlastResult>> & { readonly anvil: BlastResult | undefined };

/** Blasts, interleaved, and a closed loop. */
export async function transfersSuite(bench: Bench): Promise<void> {
  const { options, peers } = bench;
  const ethereum = peers.hasPackages ? signEthereumLoad(CONNECTIONS, TOTAL) : undefined;
  await using empty = await startEmpty(bench, "transfers-empty");
  await using long = await startOnChain(bench, "transfers-long");
  const { chain_id: emptyId } = await empty.client.getNetworkInfo({});
  const { chainId: longId, recipe } = bench.chain();
  const senders = await fundAccounts(empty, CONNECTIONS);
  const known = Array.from({ length: Math.min(recipe.accounts, TOTAL) }, (_, n) => numberedAccount(n));
  const recipients = known.map((account) => account.publicKey).reverse();
  const same = { total: TOTAL, connections: CONNECTIONS };
  const samples = await sample(options.repeats, async (): Promise<Sample> => {
    const paid = createAccount().publicKey;
    const onEmpty = await blast(parleyBlast({ ...same, port: empty.port, chainId: emptyId, senders }));
    const onLong = await blast(
      parleyBlast({ ...same, port: long.port, chainId: longId, senders: known.slice(0, CONNECTIONS), recipients: [paid] }),
    );
    const { balance_ut: received } = await long.client.getAddress({ addr: paid, limit: 1 });
    if (received !== TOTAL) throw new Error(`The node moved ${received} of ${TOTAL} transfers`);
    const spread = await blast(parleyBlast({ ...same, port: long.port, chainId: longId, senders: known, recipients }));
    return { empty: onEmpty, long: onLong, spread, anvil: ethereum === undefined ? undefined : await blastAnvil(ethereum) };
  });
  const loop = {
    one: await closedLoop(empty, senders.slice(0, 1), 100),
    many: await closedLoop(empty, senders, 40),
  };
  await Promise.all([empty.stop(), long.stop()]);
  const transactions = recipe.transactions.toLocaleString("en");
  const values = (name: keyof Sample): readonly BlastResult[] => samples.values.flatMap((value) => value[name] ?? []);
  const row = (title: string, results: readonly BlastResult[]): readonly string[] => [
    title,
    round(median(results.map((result) => result.perSecond))),
    `${round(Math.min(...results.map((result) => result.perSecond)))} – ${round(Math.max(...results.map((result) => result.perSecond)))}`,
    round(median(results.map((result) => result.submittedPerSecond))),
    round(median(results.map((result) => result.retries))),
  ];
  const anvil = peers.hasPackages ? [row("anvil, in memory, blocks of 1 s: 32 senders, one recipient", values("anvil"))] : [];
  bench.print(
    table(
      `Blast: ${TOTAL.toLocaleString("en")} signed transfers over ${CONNECTIONS} connections until the last is in a block (${noise(samples)})`,
      ["chain and load", "transfers/s", "range", "taken/s", "sent again"],
      [
        row("empty: 32 senders, one recipient", values("empty")),
        row(`${transactions} transactions: 32 senders, one recipient`, values("long")),
        row(`${transactions} transactions: ${known.length.toLocaleString("en")} senders and recipients`, values("spread")),
        ...anvil,
      ],
    ),
  );
  bench.print(closedLoopTable(loop));
  if (peers.hasPackages) addGoals(bench, samples.values, { transactions, isNoisy: samples.isNoisy });
}

function addGoals(
  bench: Bench,
  values: readonly Sample[],
  { transactions, isNoisy }: { readonly transactions: string; readonly isNoisy: boolean },
): void {
  for (const [name, what, atLeast] of [
    ["empty", "transfers/s, empty chain", 1],
    ["long", `transfers/s, ${transactions} transactions`, 1],
    ["spread", `transfers/s, ${transactions} transactions, many senders`, 0.8],
  ] as const) {
    const ratios = values.map((value) => value[name].perSecond / (value.anvil?.perSecond ?? Number.NaN));
    bench.goals.push({ what, value: median(ratios), unit: "× anvil", bound: { atLeast }, isNoisy });
  }
}

function closedLoopTable({ one, many }: Readonly<Record<"one" | "many", Awaited<ReturnType<typeof closedLoop>>>>): string {
  const row = (name: string, result: typeof one): readonly string[] => [
    name,
    round(result.perSecond),
    round(result.p50),
    round(result.p99),
  ];
  return table(
    "Closed loop: a client submits a transfer, waits for its WebSocket push and continues (shortest block interval 50 ms)",
    ["load", "transfers/s", "p50 ms", "p99 ms"],
    [row("1 client", one), row("32 clients", many)],
  );
}
