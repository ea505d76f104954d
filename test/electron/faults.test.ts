// Bad input at the desktop: each leads to words and a way out, and nothing is lost.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { violationsInBothThemes } from "../e2e/support/axe.ts";
import { openView, pay, unlock } from "../e2e/support/person.ts";
import { makeReadOnly } from "../support/host/read-only-folder.ts";
import { findFreePort } from "../support/nodes/free-port.ts";
import {
  createProfile,
  type DesktopProfile,
  type DesktopWorld,
  nodePid,
  startDesktop,
  startFailing,
  startWithIdentity,
} from "./desktop-world.ts";

let profile: DesktopProfile;
let world: DesktopWorld;
let address = "";

beforeAll(async () => {
  profile = await createProfile();
  const started = await startWithIdentity(profile);
  world = started.world;
  address = started.identity.address;
  await pay(world.page, address, "1", "Before");
  expect(await world.quit()).toBe(0);
});
afterAll(() => profile.remove());

function file(...parts: readonly string[]): string {
  return join(profile.folder, ...parts);
}

async function startUnlocked(): Promise<Page> {
  world = await startDesktop(profile);
  await unlock(world.page);
  return world.page;
}

function modeCard(page: Page, name: "Full" | "Validator" | "Light"): Locator {
  return page.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
}

async function untilMode(page: Page, name: "Full" | "Validator" | "Light"): Promise<void> {
  await modeCard(page, name).getByText("Active").waitFor();
}

/** Makes the page believe that its node is a light one that was away for too long. Returns the way to end that. */
async function pretendExpired(page: Page): Promise<() => Promise<void>> {
  const light = {
    state: "expired",
    verified_height: 7,
    witnessed_height: 7,
    trusting_period_seconds: 1_209_600,
    told: [],
    told_lists: [],
  };
  const seen = await page.waitForResponse((response) => response.url().endsWith("/api/status"));
  const status = (await seen.json()) as object;
  const { "content-length": _length, ...headers } = await seen.allHeaders();
  await page.route("**/api/status", (route) => route.fulfill({ headers, json: { ...status, mode: "light", light } }));
  return () => page.unroute("**/api/status");
}

/** A light node that needs a checkpoint gets one: nonsense is refused in words, a good one is kept, and the node restarts. */
async function giveCheckpoint(page: Page): Promise<void> {
  const before = nodePid(await world.state());
  const end = await pretendExpired(page);
  await page.getByRole("button", { name: "Enter checkpoint" }).click();
  const dialog = page.getByRole("dialog", { name: "Checkpoint" });
  await dialog.getByLabel("Checkpoint").fill("12:34");
  await dialog.getByRole("button", { name: "Trust and restart" }).click();
  await dialog.getByText("Not a checkpoint:", { exact: false }).waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  const checkpoint = `1200:${"4f".repeat(32)}`;
  await dialog.getByLabel("Checkpoint").fill(` ${checkpoint.toUpperCase()} `);
  await dialog.getByRole("button", { name: "Trust and restart" }).click();
  expect(await world.confirm()).toContain(checkpoint);
  await dialog.waitFor({ state: "detached" });
  await end();
  expect(JSON.parse(readFileSync(file("settings.json"), "utf8"))).toMatchObject({ nodeCheckpoint: checkpoint });
  await world.until((state) => nodePid(state) !== undefined && nodePid(state) !== before, "the restarted node");
  await world.untilNodeRuns();
}

describe("a start", () => {
  it("on a taken port serves on a free one, and says so", async () => {
    const taken = await findFreePort();
    const other = createServer().listen(taken, "127.0.0.1");
    writeFileSync(file("settings.json"), JSON.stringify({ apiPort: taken }));
    try {
      const page = await startUnlocked();
      await page.getByText(`Port ${taken} is in use by another program. The node uses a free port until the next start.`).waitFor();
      await pay(page, address, "1", "On another port");
      expect(JSON.parse(readFileSync(file("settings.json"), "utf8"))).toMatchObject({ apiPort: taken });
    } finally {
      other.close();
      await world.quit();
      rmSync(file("settings.json"));
    }
  });

  it("on a disk that cannot be written says so, and continues from there once it can", WHOLE_ONLY, async () => {
    const release = makeReadOnly(file("node"));
    try {
      const page = await startUnlocked();
      await page.getByText("The node on this computer failed to start.").waitFor();
      await page.getByText(/cannot be used .*: check that the folder exists and is writable/).waitFor();
      release();
      await page.getByRole("link", { name: "Show details" }).click();
      await page.getByRole("button", { name: "Restart node" }).click();
      await page.getByText(/Running on port \d+/).waitFor();
      await pay(page, address, "1", "Writable again");
    } finally {
      release();
      await world.quit();
    }
  });

  it("from a vault of which both copies are damaged asks for the words and overwrites nothing", async () => {
    const copies = ["vault-a", "vault-b"].map((name) => file("keyring", name));
    for (const copy of copies) {
      copyFileSync(copy, `${copy}.kept`);
      writeFileSync(copy, "damaged");
    }
    world = await startDesktop(profile);
    await world.page.getByText("The key file in this browser is damaged").waitFor();
    await world.quit();
    for (const copy of copies) {
      expect(readFileSync(copy, "utf8")).toBe("damaged");
      copyFileSync(`${copy}.kept`, copy);
    }
  });

  it("without settings that can be read says why in a window of the system, and ends with an error", async () => {
    mkdirSync(file("settings.json"));
    expect(await startFailing(profile)).toEqual({
      code: 1,
      said: expect.stringContaining(`Parley cannot start: ${file("settings.json")} cannot be read: check its permissions`),
    });
    rmSync(file("settings.json"), { recursive: true });
  });
});

describe("a validator", () => {
  it("whose sign guard is gone does not start, and follows without a vote when asked to", async () => {
    const guard = file("node", "consensus", "sign-guard");
    copyFileSync(guard, file("guard.kept"));
    rmSync(guard);
    const page = await startUnlocked();
    await page.getByText("The node didn't start: voting from its data folder isn't safe.").waitFor();
    await page.getByText(/carries a signature of this key that its sign guard does not know/).waitFor();
    await page.getByRole("button", { name: "Start without voting" }).click();
    await world.confirm();
    await world.untilNodeRuns();
    await openView(page, "Node");
    await untilMode(page, "Full");
    await world.quit();
    copyFileSync(file("guard.kept"), guard);
    rmSync(file("settings.json"));
  });

  it("that was copied from another computer does not vote until its owner says that it is the only copy", async () => {
    writeFileSync(file("node", "machine.json"), JSON.stringify({ machine: "another" }));
    const page = await startUnlocked();
    await world.untilNodeRuns();
    await openView(page, "Node");
    await page.getByText("This node is not voting.").waitFor();
    await untilMode(page, "Full");
    expect(await page.getByRole("button", { name: "Run as validator" }).count()).toBe(0);
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "It is the only copy…" }).click();
    await page.locator("[data-confirmation]").getByRole("button", { name: "It is the only copy, vote here" }).click();
    expect(await world.confirm()).toContain(file("node"));
    await page.getByText("This node is not voting.").waitFor({ state: "detached" });
    await untilMode(page, "Validator");
    await pay(page, address, "1", "The only copy");
    await world.quit();
  });

  it("is explained before it is chosen, and left as easily", WHOLE_ONLY, async () => {
    const page = await startUnlocked();
    await world.untilNodeRuns();
    await openView(page, "Node");
    await modeCard(page, "Full").getByRole("button", { name: "Run as full node" }).click();
    await page.locator("[data-confirmation]").getByText("stops voting", { exact: false }).waitFor();
    await page.locator("[data-confirmation]").getByRole("button", { name: "Restart the node" }).click();
    await world.confirm();
    await untilMode(page, "Full");
    await modeCard(page, "Validator").getByRole("button", { name: "Run as validator" }).click();
    const dialog = page.locator("[data-confirmation]");
    for (const term of ["Bond.", "Uptime.", "Sign guard.", "One copy."]) await dialog.getByText(term).waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Restart the node" }).click();
    await world.confirm();
    await untilMode(page, "Validator");
    // Its network has no other node that a light one could ask.
    await modeCard(page, "Light").getByRole("button", { name: "Run as light node" }).click();
    await page.locator("[data-confirmation]").getByText("It doesn't vote", { exact: false }).waitFor();
    await page.locator("[data-confirmation]").getByRole("button", { name: "Restart the node" }).click();
    await world.confirm();
    await page.getByText("The node can't start as a light node.").waitFor();
    await page.getByText(/A light node asks other nodes for everything/).waitFor();
    await page.getByRole("button", { name: "Start without light mode" }).click();
    await world.confirm();
    await world.untilNodeRuns();
    await untilMode(page, "Validator");
    await modeCard(page, "Full").getByRole("button", { name: "Run as full node" }).click();
    await page.locator("[data-confirmation]").getByRole("button", { name: "Restart the node" }).click();
    await world.confirm();
    await untilMode(page, "Full");
    await giveCheckpoint(page);
    const before = nodePid(await world.state());
    await page.getByRole("button", { name: "Choose automatically" }).click();
    await world.confirm();
    await page.getByText("Automatic: the node votes while its key is in the validator set.").waitFor();
    await world.until((state) => nodePid(state) !== undefined && nodePid(state) !== before, "the restarted node");
    await world.untilNodeRuns();
    expect(JSON.parse(readFileSync(file("settings.json"), "utf8"))).toMatchObject({ nodeMode: "automatic", nodeCheckpoint: null });
    await page.getByRole("region", { name: "Status" }).getByText("live").waitFor();
    await pay(page, address, "1", "After all");
    await world.quit();
  });
});
