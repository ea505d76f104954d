// What the interface says where a node does not hold older blocks: lists that end early say so, sums and files of them too, and nothing that
// is missing passes for nothing.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { violationsInBothThemes } from "./support/axe.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { unlock } from "./support/person.ts";
import { goTo, restoreRobinsKeys } from "./support/robin.ts";
import { robin } from "./support/seeded-people.ts";

const BELOW = 120;
const ADDRESS = /\/api\/address\//;

let world: BrowserWorld;
let page: Page;

beforeAll(async () => {
  world = await startWorld("old-blocks");
  page = (await world.enter("robin")).page;
  await restoreRobinsKeys(page, world.node.baseUrl);
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** Has the node's responses to some requests say that blocks below are missing. */
async function missAt(url: RegExp, changes: object = {}): Promise<void> {
  await page.route(url, async (route) => {
    const response = await route.fetch();
    if (!response.ok()) return await route.fulfill({ response });
    await route.fulfill({ response, json: { ...((await response.json()) as object), missing_below: BELOW, ...changes } });
  });
}

/** Nothing of what was read before is known. */
async function openAgain(): Promise<void> {
  await page.reload();
  await unlock(page);
}

it("closed channels that the node lacks are named", WHOLE_ONLY, async () => {
  await missAt(/\/api\/channels/);
  await goTo(page, "/wallet/channels");
  await page.route(/\/api\/status/, async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as { readonly history?: object };
    await route.fulfill({ response, json: { ...status, history: { ...status.history, complete: false, older_nodes: 0 } } });
  });
  await openAgain();
  await goTo(page, "/wallet/channels");
  await page.getByText(`Channels closed before block ${BELOW} aren't on this node. No connected node has them.`).waitFor();
  await page.unroute(/\/api\/status/);
  expect(await violationsInBothThemes(page)).toEqual([]);
});

it("a history that ends early is not taken for an empty or a whole one, nor is the file that is made of it", WHOLE_ONLY, async () => {
  const { publicKey } = robin().account;
  const { client } = world.node;
  await client.requestFaucet({ body: { to: publicKey, amount_ut: 5_000_000 } });
  await pollUntil(async () => (await client.getAddress({ addr: publicKey }).catch(() => undefined))?.tx_count);
  const inWallet = page.getByText(`Entries in blocks below ${BELOW} aren't on this node.`);
  await missAt(ADDRESS, { has_more: false, transactions: [] });
  await openAgain();
  await goTo(page, `/explorer/address/${formatAddress(publicKey)}`);
  await page.getByText(`Transactions from blocks below ${BELOW} aren't on this node.`).waitFor();
  await goTo(page, "/wallet");
  await inWallet.waitFor();
  await page.unroute(ADDRESS);
  await missAt(ADDRESS, { has_more: false });
  await openAgain();
  await goTo(page, "/wallet");
  await inWallet.waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as CSV" }).click();
  expect((await readFile(await (await download).path(), "utf8")).trim().split("\n").length).toBeGreaterThan(1);
  await page.getByText(`Entries in blocks below ${BELOW} aren't on this node and aren't in the file.`).waitFor();
  await page.unroute(ADDRESS);
  await openAgain();
  await goTo(page, "/wallet");
  await page.getByRole("button", { name: "Export as CSV" }).waitFor();
  expect(await inWallet.count()).toBe(0);
});

it("events of a contract that the node may lack are not said to be none", WHOLE_ONLY, async () => {
  const id = nativeContractId("tokens");
  const { abi_json: text } = await world.node.client.getContract({ contractID: id });
  const abi = JSON.stringify({ ...(JSON.parse(text) as object), events: [{ name: "sold", fields: [{ name: "amount", type: "u64" }] }] });
  await missAt(new RegExp(`/api/contracts/${id}/logs`), { logs: [], count: 0 });
  await page.route(new RegExp(`/api/contracts/${id}$`), async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), abi_json: abi } });
  });
  await goTo(page, `/explorer/contract/${id}`);
  await page.getByRole("tab", { name: "Logs" }).click();
  const missing = page.getByText(`Lines from blocks below ${BELOW} aren't on this node.`);
  await missing.waitFor();
  await page.getByRole("combobox", { name: "Show" }).click();
  await page.getByRole("option", { name: "sold" }).click();
  await page.getByText("No such events").waitFor();
  await missing.waitFor();
});
