// The table of attacks by contracts, and what counts as having stopped or held the chain.
import { round, table } from "../../bench/measure/statistics.ts";
import type { BlockWindow, ContractFigures } from "./attack-by-contracts.ts";

/** Longest time between two blocks: a full block of the worst takes a second, and consensus and a loaded machine some more. */
const MOST_BLOCK_MS = 5_000;
/** Part of the blocks that there are again when it is over. */
const LEAST_AFTER = 0.7;

/** Everything that an attack achieved; empty when the chain went on and the attacker paid. */
export function problemsOf(row: ContractFigures): readonly string[] {
  const { before, while: during, after } = row;
  return [
    ...(row.dead > 0 ? ["a validator ended"] : []),
    ...(row.agreeing < 4 ? ["validators disagree"] : []),
    ...(during.blocksPerSecond === 0 ? ["no blocks"] : []),
    ...(Math.max(during.longestMs, after.longestMs) > MOST_BLOCK_MS ? ["a block took too long"] : []),
    ...(after.blocksPerSecond < LEAST_AFTER * before.blocksPerSecond ? ["blocks are slow afterwards"] : []),
    ...(row.paidUt === 0 ? ["the attacker paid nothing"] : []),
  ];
}

/** All rows, in Markdown. */
export function contractTable(rows: readonly ContractFigures[]): string {
  const windows = (row: ContractFigures, text: (window: BlockWindow) => string): string =>
    [row.before, row.while, row.after].map(text).join(" → ");
  const title = "Attacks by contracts: before → while → after";
  const header = ["attack", "module, bytes", "blocks/s", "longest block, ms", "transfers/s", "transactions", "paid, T", "alive", "verdict"];
  return table(
    title,
    header,
    rows.map((row) => {
      const problems = problemsOf(row);
      const refused = Object.entries(row.refusals).map(([words, count]) => `${count} refused: ${words}`);
      return [
        row.title,
        String(row.moduleBytes),
        windows(row, ({ blocksPerSecond }) => round(blocksPerSecond)),
        windows(row, ({ longestMs }) => longestMs.toFixed(0)),
        windows(row, ({ transfersPerSecond }) => round(transfersPerSecond)),
        [String(row.transactions), ...refused].join("; "),
        round(row.paidUt / 1_000_000),
        `${4 - row.dead} of 4`,
        problems.length === 0 ? "withstood" : `fails: ${problems.join("; ")}`,
      ];
    }),
  );
}
