// The mailboxes of gateways over a PostgreSQL of their own, with a node behind them, as the mailbox load sees them.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pollUntil } from "../../support/host/poll-until.ts";
import { type RunningGateway, startGateway } from "../../support/nodes/running-gateway.ts";
import { startNode } from "../../support/nodes/start-node.ts";
import { runStatement, startTestPostgres } from "../../support/postgres/test-postgres.ts";
import { processorTreeMs } from "../measure/process-figures.ts";
import { NODE_ENVIRONMENT } from "../suites/bench.ts";
import type { ServedMailboxes } from "./parley-mailbox.ts";

const TOKEN = "a-token-of-the-benchmark";

/** Starts as many gateways in a folder of theirs; what is pushed is published at the first and listened to at the last. */
export async function startGateways(folder: string, count: number): Promise<ServedMailboxes> {
  const env = { ...NODE_ENVIRONMENT, SVC_API_TOKEN: TOKEN };
  const [postgres, node] = await Promise.all([
    startTestPostgres({ isDurable: true }),
    startNode({ dataDir: join(folder, "node"), args: ["--dev", "--log", "json"], env, token: TOKEN }),
  ]);
  const tokenFile = join(folder, "token");
  await writeFile(tokenFile, `${TOKEN}\n`);
  const database = await postgres.createDatabase();
  const options = { databases: [database], nodes: [node.baseUrl], tokenFile };
  const gateways: RunningGateway[] = [];
  for (let n = 0; n < count; n += 1) gateways.push(await startGateway(options));
  const ports = gateways.map(({ port }) => port);
  return {
    ports,
    subscribedAt: ports.at(-1) as number,
    processorMs: () => ({
      gateways: gateways.reduce((sum, { child }) => sum + processorTreeMs(child.pid ?? 0), 0),
      PostgreSQL: processorTreeMs(postgres.child.pid ?? 0),
      node: processorTreeMs(node.child.pid ?? 0),
    }),
    async settled(): Promise<void> {
      await pollUntil(async () => (await runStatement(database, "SELECT 1 FROM outgoing LIMIT 1")).length === 0, {
        what: "the node to have the mail",
        timeoutMs: 120_000,
      });
    },
    async stop(): Promise<void> {
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      await node.stop();
      await postgres.stop();
    },
  };
}
