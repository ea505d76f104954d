// A person makes the node of the desktop app a validator, beside three others that run as real processes: funds, application, approvals,
// votes, missed votes, an approval of its own, leaving, and the bond that came back three weeks later.

import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatAddress, parseAccount } from "#shared/protocol/primitives/address.ts";
import { UNBONDING_S } from "#shared/protocol/primitives/limits.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { knownPid } from "#test/support/nodes/known-pid.ts";
import { violationsInBothThemes } from "../e2e/support/axe.ts";
import { createIdentity, openView, signPayment, unlock } from "../e2e/support/person.ts";
import { photograph } from "../e2e/support/pictures.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { ProcessNetwork, type ProcessNode } from "../support/nodes/process-network.ts";
import { approve, fund, keyOf, membersOf } from "../support/nodes/set-changes.ts";
import { createProfile, type DesktopProfile, type DesktopWorld, nodePid, startDesktop } from "./desktop-world.ts";
import { ELECTRON } from "./electron-world.ts";

const OTHERS = [0, 1, 2];
const OWN = 3;
const BOND_UT = 1_000_000_000;
const SIZE = { width: 1_280, height: 1_100 };
const SHIFTED_CLOCK = new URL("../support/host/shifted-clock.ts", import.meta.url).href;
/** The waiting time of a bond, and an hour. */
const LATER_MS = (UNBONDING_S + 3_600) * 1_000;
const WAIT = { timeoutMs: 60_000, intervalMs: 100 };

let network: ProcessNetwork;
let profile: DesktopProfile;
let world: DesktopWorld;
let wallet = "";

const others = (): readonly ProcessNode[] => OTHERS.map((index) => network.node(index));
const own = (): string => formatAddress(keyOf(network.node(OWN)).publicKey);
const part = (page: Page, name: string): ReturnType<Page["getByRole"]> => page.getByRole("region", { name, exact: true });

async function openValidator(): Promise<void> {
  await openView(world.page, "Node");
  await world.page.getByRole("link", { name: "Validator", exact: true }).click();
  await part(world.page, "This node").waitFor();
}

/** The step that a person is at. */
async function isAt(title: string): Promise<void> {
  const step = part(world.page, "This node").locator('li[aria-current="step"]');
  await step.getByRole("heading", { name: title }).waitFor({ timeout: 60_000 });
}

/** Presses a button that the shell asks about, and agrees; resolves with what its window showed. */
async function agreeTo(page: Page, button: string): Promise<string> {
  await page.getByRole("button", { name: button, exact: true }).click();
  return await world.confirm();
}

/** Blocks while the own node can or cannot vote: each gift is one. */
async function makeBlocks(count: number): Promise<void> {
  const { client } = network.node(0);
  for (let made = 0; made < count; made += 1) {
    const { sync } = await client.getStatus({});
    await client.requestFaucet({ body: { to: keyOf(network.node(1)).publicKey, amount_ut: 1 } });
    await pollUntil(async () => (await client.getStatus({})).sync.height > sync.height, { ...WAIT, what: "a block" });
  }
}

beforeAll(async () => {
  network = await ProcessNetwork.create({ validators: OTHERS.length, nodes: 1, isDirect: true });
  await Promise.all(others().map((node) => node.start()));
  for (const node of others()) await fund(network, node, 1);
  profile = await createProfile();
  await cp(network.node(OWN).dataDir, join(profile.folder, "node"), { recursive: true });
  world = await startDesktop(profile);
  await world.untilNodeRuns();
  const { page } = world;
  wallet = (await createIdentity(page, new URL("/", page.url()).href, "Vera")).address;
  await page.setViewportSize(SIZE);
  for (let gift = 0; gift < 2; gift += 1)
    await network.node(0).client.requestFaucet({ body: { to: parseAccount(wallet), amount_ut: BOND_UT } });
  const balance = async (): Promise<number> => (await network.node(0).client.getAddress({ addr: wallet })).balance_ut;
  await pollUntil(async () => (await balance()) > 2 * BOND_UT, { ...WAIT, what: "the money of the wallet" });
});
afterAll(async () => {
  await world?.quit();
  await network?.[Symbol.asyncDispose]();
  profile?.remove();
});

it("is funded out of the wallet, one click from the form that has everything filled in", async () => {
  const { page } = world;
  await openValidator();
  await isAt("Fund the node");
  await part(page, "This node")
    .getByText(/needs the bond of 1000\sT/)
    .waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await photograph(page, "validator-fund");
  await page.getByRole("link", { name: /^Send 1001\sT to the node/ }).click();
  await page.getByRole("textbox", { name: "To" }).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await signPayment(page);
  await openValidator();
  await isAt("Apply");
});

it("applies with the node's own key, and only after the person agreed in the shell's window", async () => {
  const { page } = world;
  await page.getByRole("button", { name: "Apply to validate" }).click();
  const shown = await world.confirm(false);
  for (const text of ["Apply as a validator with this node?", own(), "1000 T", network.genesis.chain_id]) expect(shown).toContain(text);
  expect((await network.node(0).client.listValidatorProposals({})).proposals).toEqual([]);
  await agreeTo(page, "Apply to validate");
  await isAt("Collect approvals");
  await part(page, "This node").getByText("0 of 3 approvals").waitFor();
  const { proposals } = await network.node(0).client.listValidatorProposals({});
  expect(proposals).toMatchObject([{ address: own(), action: "add", has_consent: true }]);
});

it("gains approvals one by one, then votes", async () => {
  const { page } = world;
  const target = network.node(OWN);
  const [first, second, third] = others() as [ProcessNode, ProcessNode, ProcessNode];
  for (const node of [first, second]) await approve(network, { node, type: "ADD_VALIDATOR", target });
  await part(page, "This node").getByText("2 of 3 approvals").waitFor();
  await photograph(page, "validator-approvals");
  await approve(network, { node: third, type: "ADD_VALIDATOR", target });
  await isAt("Vote");
  await part(page, "This node").getByText("This node votes.").waitFor();
  const stats = async (): Promise<number> =>
    (await first.client.getNodeStats({ pubkey: keyOf(target).publicKey })).validator?.commits_signed ?? 0;
  // A commit holds the votes of those who were quick enough: one of the next blocks has the node's.
  const isCounted = async (): Promise<boolean> => {
    await makeBlocks(1);
    return (await stats()) > 0;
  };
  await pollUntil(isCounted, { ...WAIT, what: "votes of the node" });
});

it("shows the votes that it missed while it was away", WHOLE_ONLY, async () => {
  const pid = knownPid(nodePid(await world.state()), "Parley node");
  process.kill(pid, "SIGSTOP");
  try {
    await makeBlocks(4);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  // The page reads its node's votes with each block, and the next one by itself is a minute away.
  await makeBlocks(1);
  await part(world.page, "This node")
    .getByText(/[1-9]\d* votes? missed in the last \d+ blocks/)
    .waitFor({ timeout: 60_000 });
  await photograph(world.page, "validator-votes");
});

it("approves of others in the explorer, with the same key", WHOLE_ONLY, async () => {
  const { page } = world;
  const [first, second] = others() as [ProcessNode, ProcessNode];
  await approve(network, { node: first, type: "REMOVE_VALIDATOR", target: second });
  await page.getByRole("link", { name: "Pending changes" }).click();
  await page.getByRole("cell", { name: "1 of 3", exact: true }).waitFor();
  const shown = await agreeTo(page, "Approve");
  for (const text of ["Approve removing this validator with your node?", own(), formatAddress(keyOf(second).publicKey)])
    expect(shown).toContain(text);
  await page.getByRole("cell", { name: "2 of 3", exact: true }).waitFor();
  await page.getByText("Approved", { exact: true }).waitFor();
});

it("pays its earnings to the wallet that agreed", async () => {
  const { page } = world;
  await openValidator();
  const shown = await agreeTo(page, "Pay them to my wallet");
  for (const text of [own(), wallet]) expect(shown).toContain(text);
  const bound = async (): Promise<string> =>
    (await network.node(0).client.getNodeStats({ pubkey: keyOf(network.node(OWN)).publicKey })).wallet_binding_address;
  await pollUntil(async () => (await bound()) === wallet, { ...WAIT, what: "the binding" });
  await page.getByRole("button", { name: "Pay them to my wallet" }).waitFor({ state: "detached" });
});

it("keeps its earnings again, and pays of its account to the wallet what the person typed", WHOLE_ONLY, async () => {
  const { page } = world;
  const { client } = network.node(0);
  const earnings = part(page, "Earnings");
  expect(await agreeTo(page, "Pay them to the node's account")).toContain(own());
  await earnings.getByText("The node's account", { exact: true }).waitFor();
  await earnings.getByRole("button", { name: "Pay them to my wallet" }).waitFor();
  const amount = earnings.getByRole("textbox", { name: "From the node's account to my wallet" });
  await amount.fill("100000");
  expect(await earnings.getByRole("button", { name: "Transfer to my wallet" }).isDisabled()).toBe(true);
  await amount.fill("0.25");
  expect(await violationsInBothThemes(page)).toEqual([]);
  await photograph(page, "validator-funds");
  const balance = async (): Promise<number> => (await client.getAddress({ addr: wallet })).balance_ut;
  const before = await balance();
  const shown = await agreeTo(page, "Transfer to my wallet");
  for (const text of ["Pay from the node's account?", "0.25 T", wallet, own()]) expect(shown).toContain(text);
  await pollUntil(async () => (await balance()) === before + 250_000, { ...WAIT, what: "the money of the node" });
  await expect.poll(() => amount.inputValue()).toBe("");
});

it("relays messages for the fee that the person set, and keeps the setting", WHOLE_ONLY, async () => {
  const { page } = world;
  await openView(page, "Settings");
  await page.getByRole("link", { name: "Desktop app" }).click();
  const work = part(page, "What the node does");
  await work.getByRole("switch", { name: "Work as a relay" }).click();
  await work.getByRole("textbox", { name: "Fee per message" }).fill("0.0005");
  await work.getByRole("textbox", { name: /^Update source/ }).fill("http://releases.example/latest.json");
  await work.getByText("Enter an address that starts with https://.").waitFor();
  expect(await work.getByRole("button", { name: "Save and restart the node" }).isDisabled()).toBe(true);
  await work.getByRole("textbox", { name: /^Update source/ }).fill("");
  expect(await violationsInBothThemes(page)).toEqual([]);
  await photograph(page, "node-work");
  const shown = await agreeTo(page, "Save and restart the node");
  for (const text of ["Change what the node does automatically?", "0.0005 T"]) expect(shown).toContain(text);
  const fees = async (): Promise<readonly number[]> =>
    (await network.node(0).client.listRelays({})).filter(({ address }) => address === own()).map(({ relay }) => relay.fee_per_msg_ut);
  await pollUntil(async () => (await fees())[0] === 500, { ...WAIT, what: "the relay on the chain" });
  expect(JSON.parse(readFileSync(join(profile.folder, "settings.json"), "utf8"))).toMatchObject({ relayFeeUt: 500 });
  await openValidator();
  await isAt("Vote");
});

it("leaves when the person says so, and its bond waits", async () => {
  const { page } = world;
  expect(await agreeTo(page, "Stop validating")).toContain("Stop validating?");
  await part(page, "This node")
    .getByText(/A bond of 1000\sT is locked until/)
    .waitFor({ timeout: 60_000 });
  expect(await membersOf(network.node(0))).toHaveLength(OTHERS.length);
  await expect.poll(() => page.getByRole("button", { name: "Withdraw bond" }).count()).toBe(0);
  await photograph(page, "validator-left");
});

// The clock of the node can be set ahead on the stand-in alone.
it.runIf(ELECTRON === undefined)("takes the bond back three weeks later", WHOLE_ONLY, async () => {
  await world.quit();
  await Promise.all(others().map((node) => node.end("SIGTERM")));
  const environment = { NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`, TEST_CLOCK_AHEAD_MS: String(LATER_MS) };
  await Promise.all(others().map((node) => node.start([], environment)));
  profile.nodeClockAheadMs = LATER_MS;
  world = await startDesktop(profile);
  await world.untilNodeRuns();
  const { page } = world;
  await page.setViewportSize(SIZE);
  await unlock(page);
  await openValidator();
  await makeBlocks(1);
  await part(page, "This node")
    .getByText(/A bond of 1000\sT can be withdrawn/)
    .waitFor({ timeout: 60_000 });
  await photograph(page, "validator-bond");
  await page.getByRole("button", { name: "Withdraw bond" }).click();
  const balance = async (): Promise<number> => (await network.node(0).client.getAddress({ addr: own() })).balance_ut;
  await pollUntil(async () => (await balance()) > BOND_UT, { ...WAIT, what: "the bond on the node's account" });
  await page.getByRole("button", { name: "Withdraw bond" }).waitFor({ state: "detached" });
  await isAt("Apply");
});
