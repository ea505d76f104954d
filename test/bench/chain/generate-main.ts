// Program that makes a chain: folder, transactions, accounts. SIGINT and SIGTERM end it with what was made by then, and it exits with 130.
import { generateChain } from "./generate-chain.ts";

const INTERRUPTED = 130;

const [path = "", transactions = "", accounts = ""] = process.argv.slice(2);
const controller = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());
await generateChain(
  path,
  { transactions: Number(transactions), accounts: Number(accounts) },
  { say: (text) => void process.stderr.write(`${new Date().toISOString()} ${text}\n`), signal: controller.signal },
);
if (controller.signal.aborted) process.exitCode = INTERRUPTED;
