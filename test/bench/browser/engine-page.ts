// Pages that run the messenger without the interface, on the origin of a node, and money for the people in them.
import type { JSHandle, Page } from "playwright-core";
import { readKey } from "#node/config/files/key-store.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import type { RunningNode } from "../../support/nodes/start-node.ts";
import { accountOfSeed, signedTransfer } from "../load/accounts.ts";
import { processorMs } from "../measure/process-figures.ts";
import { descendants, listProcesses } from "../measure/process-tree.ts";
import { bundle } from "./bundle.ts";

const FUNDS_UT = 100_000;

/** A page on the node's own origin, as the interface is; what an exported function of a module makes of the node's and the keyring's address. */
export async function openEngine<Person>(page: Page, origin: string, module: string, opener: string): Promise<JSHandle<Person>> {
  const scripts = new Map([
    [`${origin}/bench/page.js`, await bundle(module)],
    [`${origin}/bench/keyring.js`, await bundle("renderer/workers/keyring-worker.ts")],
  ]);
  await page.route(`${origin}/bench/**`, (route) => {
    const body = scripts.get(route.request().url());
    const contentType = body === undefined ? "text/html" : "text/javascript";
    return route.fulfill({ contentType, body: body ?? "<!doctype html><title>bench</title>" });
  });
  // A page that a test made has no address in the eyes of the browser, and would not reach the node's socket here.
  await page.context().grantPermissions(["local-network-access"], { origin });
  await page.goto(`${origin}/bench/`);
  const person = await page.evaluateHandle(`import("/bench/page.js").then(({ ${opener} }) => ${opener}(location.origin, "./keyring.js"))`);
  await page.unrouteAll();
  return person as JSHandle<Person>;
}

/** Gives each account what listing a device costs; done once they have it. */
export async function fund({ client, dataDir }: RunningNode, accounts: readonly string[]): Promise<void> {
  const { chain_id: chainId } = await client.getNetworkInfo({});
  const faucetKey = readKey(`${dataDir}/keys/faucet-key.json`, "ed25519");
  assertInvariant(faucetKey !== undefined, "A development network has a faucet");
  const treasury = accountOfSeed(faucetKey.secret);
  for (const to of accounts) await client.submitTransaction({ body: signedTransfer(treasury, { to, chainId, amountUt: FUNDS_UT }) });
  for (const to of [accounts[0] ?? "", accounts.at(-1) ?? ""])
    await pollUntil(async () => (await client.getAddress({ addr: to })).balance_ut > 0, { timeoutMs: 60_000 });
}

/** Processor time so far of everything that this process has started: browser and node. */
export function processorOfChildren(): number {
  return descendants(listProcesses(), process.pid).reduce((sum, pid) => sum + processorMs(pid), 0);
}
