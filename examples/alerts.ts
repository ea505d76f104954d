// Says when a large payment comes, and when a contract logs something. Run: node --conditions=parley-source examples/alerts.ts 10000000 <contract> alerts.place
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { connect, isParleyError } from "parley/client";

interface LogPage {
  readonly logs: readonly { readonly position: string; readonly block_index: number; readonly message: string }[];
}

const LOOK_EVERY_MS = 2_000;
const [leastUt = "10000000", contract = "", file = "alerts.place"] = process.argv.slice(2);
const parley = await connect({ name: "Alerts", reason: "says when something happens", scopes: ["read", "wallet"] });
console.log("Alerts watches.");
await Promise.all([watchPayments(), contract === "" ? undefined : watchContract()]);

async function watchPayments(): Promise<void> {
  for await (const { type, id, height = 0 } of parley.events()) {
    if (type !== "payment.received") continue;
    const { entries } = await parley.history({ limit: 200, before: height + 1 });
    const payment = entries.find((entry) => entry.id === id);
    if (payment !== undefined && payment.amount_ut >= Number(leastUt)) console.log(`${payment.amount_ut} µT from ${payment.from}`);
  }
}

/** The log is public: it is read from the node, behind the place that was read last. */
async function watchContract(): Promise<void> {
  for (;;) {
    const after = existsSync(file) ? readFileSync(file, "utf8") : "";
    const query = { order: "asc", limit: 100, ...(after === "" ? {} : { after }) };
    try {
      const { logs } = (await parley.chain(`/api/contracts/${contract}/logs`, query)) as LogPage;
      for (const { position, block_index, message } of logs) {
        console.log(`Block ${block_index}: ${JSON.stringify(message)}`);
        writeFileSync(`${file}.new`, position);
        renameSync(`${file}.new`, file);
      }
    } catch (error) {
      const isMomentary = isParleyError(error) && (error.code === "UNREACHABLE" || [429, 502, 503].includes(error.status));
      if (!isMomentary) throw error;
    }
    await delay(LOOK_EVERY_MS);
  }
}
