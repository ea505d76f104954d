// `npm run siege -- [--only NAME,NAME] [--seconds 10] [--json FILE] [--contracts]`: every attack against real nodes over real sockets of this machine,
// with the rate of honest work without and with it. Each attack has a network of its own; the exit code is 1 when one was not withstood.
// With `--contracts` those that contracts make from inside, which are paid: what they cost the chain, and the attacker.
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ATTACKS, attackNamed } from "./attacks.ts";
import { attackByContracts } from "./contracts/attack-by-contracts.ts";
import { contractTable, problemsOf } from "./contracts/contract-report.ts";
import { detailsOf, failuresOf, isNoisy, ratioOf, siegeTable } from "./report.ts";
import { type Figures, runAttack } from "./run-attack.ts";
import { endAllNetworks } from "./siege-network.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seconds: { type: "string", default: "10" },
    json: { type: "string" },
    contracts: { type: "boolean", default: false },
  },
});

const attacks = values.only === undefined ? ATTACKS : values.only.split(",").map((name) => attackNamed(name.trim()));
const seconds = Number(values.seconds);
if (!(seconds > 0)) throw new Error(`--seconds is "${values.seconds}": write a number above 0`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void endAllNetworks().finally(() => process.exit(130)));

if (values.contracts) {
  const figures = await attackByContracts(seconds);
  console.log(contractTable(figures));
  process.exit(figures.some((row) => problemsOf(row).length > 0) ? 1 : 0);
}

const rows: Figures[] = [];
for (const attack of attacks) {
  console.log(`${attack.name}: ${attack.title}`);
  try {
    const figures = await runAttack(attack, seconds);
    rows.push(figures);
    console.log(`  ${(ratioOf(figures) * 100).toFixed(0)} % — ${failuresOf(figures).join("; ") || "withstood"}; ${detailsOf(figures)}`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`  not measured: ${error instanceof Error ? error.message : String(error)}`);
  }
}
console.log(siegeTable(rows));
if (values.json !== undefined) {
  const plain = rows.map(({ attack: { name, title, work }, ...figures }) => ({
    ...{ name, title, work, ...figures },
    ratio: ratioOf({ attack: attackNamed(name), ...figures }),
    failures: failuresOf({ attack: attackNamed(name), ...figures }),
    isNoisy: isNoisy({ attack: attackNamed(name), ...figures }),
  }));
  await writeFile(values.json, `${JSON.stringify(plain, null, 2)}\n`);
}
if (rows.some((figures) => failuresOf(figures).length > 0)) process.exitCode = 1;
process.exit();
