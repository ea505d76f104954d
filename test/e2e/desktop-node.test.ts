// What the desktop app says of its node: how many old blocks it keeps (Settings › Desktop), and how far it is with an older data folder.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pollUntil } from "../support/host/poll-until.ts";
import { violationsInBothThemes } from "./support/axe.ts";
import { STEP_LIMIT_MS } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { createIdentity, openView, unlock } from "./support/person.ts";
import { callsOf, playShell, reportEvent } from "./support/played-shell.ts";
import { goTo } from "./support/robin.ts";

const NO_PROGRAMS = { gateway: { kind: "ready" }, lock: "unlocked", request: null, approvals: [], connections: [], ended: [] } as const;

let world: BrowserWorld;
let page: Page;

beforeAll(async () => {
  world = await startWorld("desktop-node");
  page = (await world.enter("ada")).page;
  await createIdentity(page, world.node.baseUrl, "Ada");
  await openView(page, "Wallet");
  await playShell(page, { apps: NO_PROGRAMS });
});
afterAll(() => world?.[Symbol.asyncDispose]());

it("the choice of old blocks says what it means, and is handed to the shell, which asks", async () => {
  await goTo(page, "/settings/desktop");
  const retain = page.getByRole("combobox", { name: "Old blocks to keep" });
  await retain.waitFor();
  await page.getByText(/Other people's older blocks are removed here for good/).waitFor();
  expect(await retain.textContent()).toContain("Default (30 days)");
  await retain.click();
  await page.getByRole("option", { name: "All" }).click();
  await page.getByRole("button", { name: "Save and restart the node" }).click();
  await page.getByText("Saved; the node was restarted").waitFor();
  expect(await callsOf(page, "changeSettings")).toEqual([{ nodeRetain: "all" }]);
  expect(await callsOf(page, "restartNode")).toHaveLength(1);
  expect(await violationsInBothThemes(page)).toEqual([]);
});

it("the state of the node says how far it is with an older data folder, until it serves", async () => {
  const status = page.getByText(/^Updating your data for this version: 30/);
  await reportEvent(page, { type: "node", state: { kind: "starting", updating: { done: 300, total: 1_000 } } });
  await status.waitFor();
  await reportEvent(page, { type: "node", state: { kind: "starting", updating: { done: 999, total: 1_000 } } });
  await page.getByText(/for this version: 100/).waitFor();
  await reportEvent(page, { type: "node", state: { kind: "ready", port: 1 } });
  await page.getByText(/^Updating your data/).waitFor({ state: "detached" });
});

it("a banner above every view says so too, with what becomes of the data, and goes once the node serves", async () => {
  // The shell was put around a page that was there: its notices come with the next opening.
  await page.getByRole("button", { name: "Lock now", includeHidden: true }).evaluate((button: HTMLElement) => button.click());
  await unlock(page);
  await openView(page, "Wallet");
  const banner = page.getByRole("status").filter({ hasText: /^Updating your data for this version: 42/ });
  // A real shell is asked for its state once notices listen; this one only reports, so it does until they do.
  const isShown = async (): Promise<boolean> => {
    await reportEvent(page, { type: "node", state: { kind: "starting", updating: { done: 420, total: 1_000 } } });
    return (await banner.count()) > 0;
  };
  await pollUntil(isShown, { timeoutMs: STEP_LIMIT_MS, intervalMs: 200, what: "the banner" });
  await banner.getByText(/If you quit before then, it starts over next time\./).waitFor();
  await openView(page, "Contacts");
  await banner.waitFor();
  await reportEvent(page, { type: "node", state: { kind: "starting", updating: { done: 0, total: 0 } } });
  await page
    .getByRole("status")
    .filter({ hasText: /for this version: 0/ })
    .waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await reportEvent(page, { type: "node", state: { kind: "ready", port: 1 } });
  await page.getByText(/^Updating your data/).waitFor({ state: "detached" });
});
