// Pays the lines of a file, each once, however often it is ended and run again: to,amount,memo. Run: node --conditions=parley-source examples/payouts.ts payouts.csv
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { connect, isParleyError } from "parley/client";

/** One line, with the key and the time that belong to its order: kept before it is given, so that it can be given again. */
interface Payout {
  line: string;
  key: string;
  notAfter: string;
  state: string;
  id?: string;
}

const HOURS_12 = 43_200_000;
/** What is certain not to be paid under its key: it may be ordered again under a new one. */
const NOT_PAID = [
  "APP_DENIED",
  "APP_LIMIT",
  "APP_TOO_LATE",
  "APP_SCOPE",
  "APP_FUNDS",
  "APP_SILENCED",
  "NOT_PAID",
  "NOT_FOUND",
  "BAD_REQUEST",
];

const [file = "payouts.csv"] = process.argv.slice(2);
const stateFile = `${file}.state.json`;
// Two runs at once would order each line under a key of their own. The system drops the lock when this process ends in any way.
const lock = new DatabaseSync(`${file}.lock`);
try {
  lock.exec("BEGIN EXCLUSIVE");
} catch (cause) {
  throw new Error(`Another run pays ${file}`, { cause });
}
const isPayout = (line: string): boolean => line.trim() !== "" && !line.startsWith("to,");
const lines = readFileSync(file, "utf8").split(/\r?\n/).filter(isPayout);
const parley = await connect({ name: "Payouts", reason: `pays ${file}`, scopes: ["pay:each=50T,total=500T/day,to=any"] });
const { id: connection } = await parley.me();
const stored = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, "utf8")) : { connection, payouts: [] };
const payouts: Payout[] = stored.payouts;

if (payouts.some(({ line }, index) => line !== lines[index])) throw new Error(`${file} was changed: lines may only be added at its end`);
// Keys belong to a connection: under another one, what was ordered would be paid again.
if (stored.connection !== connection && payouts.some(({ state }) => state === "ordered"))
  throw new Error(`The connection is a new one: look in the history what came of the lines with "ordered" in ${stateFile}`);

function save(): void {
  writeFileSync(`${stateFile}.new`, JSON.stringify({ connection, payouts }, null, 2), { flush: true });
  renameSync(`${stateFile}.new`, stateFile);
}

for (const [index, line] of lines.entries()) {
  const payout = payouts[index] ?? { line, key: "", notAfter: "", state: "new" };
  if (payout.state === "paid") continue;
  if (payout.state !== "ordered") {
    Object.assign(payout, { key: randomUUID(), notAfter: new Date(Date.now() + HOURS_12).toISOString(), state: "ordered" });
    payouts[index] = payout;
    save();
  }
  const [to = "", amount = "", ...rest] = line.split(",").map((field) => field.trim());
  const memo = rest.join(", ");
  try {
    const { id } = await parley.pay({ to, amount, memo, key: payout.key, notAfter: new Date(payout.notAfter) });
    Object.assign(payout, { state: "paid", id });
  } catch (error) {
    // Whatever else went wrong, the order may stand: the next run gives the same one again.
    if (!isParleyError(error, ...NOT_PAID)) throw error;
    payout.state = `not paid: ${error.message}`;
  }
  save();
  console.log(`${index + 1}: ${payout.state}`);
}
lock.close();
process.exitCode = payouts.every(({ state }) => state === "paid") ? 0 : 1;
