// A program and the person: it asks over the socket, the shell's own window shows it, and nothing is paid above a limit without a click there.

import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { DesktopAppsState } from "#shared/desktop/desktop-apps.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { knownPid } from "#test/support/nodes/known-pid.ts";
import { violationsInBothThemes } from "../e2e/support/axe.ts";
import { openView, PASSWORD, unlock } from "../e2e/support/person.ts";
import { photograph } from "../e2e/support/pictures.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { runParley } from "../support/nodes/run-program.ts";
import { BOB, T } from "../support/worlds/app-world.ts";
import { createProfile, type DesktopProfile, type DesktopWorld, startDesktop, startWithIdentity } from "./desktop-world.ts";
import { type Asked, findApps, Program, type ProgramResponse, readApps } from "./program.ts";

/** Of the window, for pictures. */
const SIZE = { width: 560, height: 680 };
const TO = formatAddress(BOB);

let profile: DesktopProfile;
let world: DesktopWorld;
let till: Program;
let socket = "";
/** Files of connections. */
const APPS_FILES = ["apps-a", "apps-b", "apps-journal"];

beforeAll(async () => {
  profile = await createProfile();
  ({ world } = await startWithIdentity(profile));
  till = new Program(profile.folder);
});
afterAll(async () => {
  await world.quit();
  profile.remove();
});

/** In the page: a call of the shell. */
declare function callDesktop(name: string, input: unknown): Promise<unknown>;

const call = (name: string, input: unknown): Promise<unknown> =>
  world.page.evaluate(async ([given, argument]) => await callDesktop(String(given), argument), [name, input]);

async function state(): Promise<DesktopAppsState> {
  return (await call("appsState", null)) as DesktopAppsState;
}

/** The person's click in the settings: the window for what waits. */
async function openApprovals(): Promise<Page> {
  expect(await call("openApprovals", { people: [] })).toBe(true);
  const window = await world.approvals();
  await window.setViewportSize(SIZE);
  await window.bringToFront();
  return window;
}

/** Presses a button of the window, once it is awake, after which the window closes. */
async function decide(window: Page, name: string): Promise<void> {
  const closed = window.waitForEvent("close");
  const clicked = window
    .getByRole("button", { name, disabled: false })
    .click()
    .catch((error: unknown) => {
      if (!(error instanceof Error && error.message.includes("has been closed"))) throw error;
    });
  await Promise.all([closed, clicked]);
}

/** Copies the files of connections from one folder into another. */
function copyAppsFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const file of APPS_FILES) copyFileSync(join(from, file), join(to, file));
}

/** Folders of these files, and of an older copy. */
const placesOf = ({ folder }: DesktopProfile): { readonly now: string; readonly older: string } => ({
  now: join(folder, "keyring"),
  older: join(folder, "older"),
});

function gatewayPid({ processes }: Awaited<ReturnType<DesktopWorld["state"]>>): number | undefined {
  return processes.find(({ name }) => name === "Parley gateway")?.pid;
}

it("serves no program until the person lets programs ask", async () => {
  expect(gatewayPid(await world.state())).toBeUndefined();
  expect(readApps(profile.folder)).toBeUndefined();
  await call("changeSettings", { programsMayAsk: true });
  ({ socket } = await findApps(profile.folder));
  expect(statSync(socket).isSocket()).toBe(true);
  expect(statSync(join(socket, "..")).mode & 0o077).toBe(0);
  expect(gatewayPid(await world.state())).toBeGreaterThan(0);
  expect((await till.send("GET", "/apps/v1/me")).status).toBe(401);
});

it("lets a program in with the number that it shows, narrowed, for the password, and by nothing that the page does", async () => {
  const asked = await pollUntil(
    async () =>
      await till.ask("Till", ["wallet", `pay:each=2T,total=10T/day,to=${TO}`], "Pays the milkman").catch((error: Error) => {
        // The first look at the chain comes a moment after the start.
        if (error.message.includes("503")) return undefined;
        throw error;
      }),
    { what: "the request" },
  );
  await world.until(({ notifications }) => notifications.some(({ body }) => body === "“Till” asks to connect."), "the notice");
  expect(world.hasApprovals()).toBe(false);
  expect(await state()).toMatchObject({ gateway: { kind: "ready" }, lock: "unlocked", request: { name: "Till" }, connections: [] });
  expect(JSON.stringify(await state())).not.toContain(asked.code);
  for (const name of ["grant", "approve", "confirm", "parley:approval-ready"])
    await expect(call(name, { id: asked.id, code: asked.code, grant: ["wallet"], chosen: [], days: 30 })).rejects.toThrow("no such call");
  expect(await till.fetch(asked)).toBe("waiting");

  const window = await openApprovals();
  await window.getByRole("heading", { name: "A program asks to connect." }).waitFor();
  const shown = (await window.getByRole("main").textContent()) ?? "";
  for (const part of ["It calls itself “Till”", "Pays the milkman", TO]) expect(shown).toContain(part);
  expect(shown).not.toContain(asked.code);
  expect(
    await window.evaluate(() => [...document.scripts].length + Object.keys(globalThis).filter((key) => /parley/i.test(key)).length),
  ).toBe(0);
  expect(await violationsInBothThemes(window)).toEqual([]);
  await photograph(window, "program-asks");
  await fillAndConnect(window, asked);
  expect(await till.fetch(asked)).toBe("granted");
  expect(await till.fetch(asked)).toBe("fetched");
  const { connections } = await state();
  expect(connections).toMatchObject([{ name: "Till", scopes: ["wallet", `pay:each=1T,total=5T/day,to=${TO},ask=over`] }]);
  expect((await till.send("GET", "/apps/v1/me")).body).toMatchObject({ name: "Till", resting: false });
  await world.until(({ notifications }) => notifications.every(({ body }) => !body.includes("asks to connect")), "the notice is gone");
  copyAppsFiles(placesOf(profile).now, placesOf(profile).older);
});

async function fillAndConnect(window: Page, { code }: Asked): Promise<void> {
  const alert = window.getByRole("alert");
  const connect = window.getByRole("button", { name: "Connect", disabled: false });
  const number = window.getByRole("textbox", { name: "Number the program shows" });
  await connect.click();
  await alert.getByText("Enter the six digits").waitFor();
  await number.fill(code === "000000" ? "000001" : "000000");
  await window.getByRole("textbox", { name: "At most at a time, T" }).fill("3");
  await connect.click();
  await alert.getByText("no more than it asked for").waitFor();
  await window.getByRole("textbox", { name: "At most at a time, T" }).fill("1");
  await window.getByRole("textbox", { name: "At most in any day, T" }).fill("5");
  await connect.click();
  await alert.getByText("This needs your password.").waitFor();
  await window.getByRole("textbox", { name: "Password of this wallet" }).fill(PASSWORD);
  await connect.click();
  await alert.getByText("This isn't the number").waitFor();
  await number.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await decide(window, "Connect");
}

it("pays within the limits without a question, and above them once, by a click in that window alone", async () => {
  await pollUntil(
    async () => {
      const { status } = await till.pay(TO, 0.5 * T, "within");
      return status === 200 ? status : undefined;
    },
    { what: "the payment within the limits" },
  );
  const over = await till.pay(TO, 3 * T, "above");
  expect(over).toMatchObject({ status: 202, body: { state: "approval" } });
  await world.until(({ notifications }) => notifications.some(({ body }) => body === "“Till” wants to spend 3 T."), "the notice");
  expect(world.hasApprovals()).toBe(false);
  const window = await openApprovals();
  await window.getByRole("heading", { name: "“Till” wants to pay" }).waitFor();
  const shown = (await window.getByRole("main").textContent()) ?? "";
  for (const part of [TO, "3 T", "3.001 T", "Its limit is 1 T at a time", "of 5 T left"]) expect(shown).toContain(part);
  const pay = window.getByRole("button", { name: "Pay once" });
  await window.getByRole("button", { name: "Pay once", disabled: false }).waitFor();
  await world.order({ type: "moveLastWindow" });
  await expect.poll(() => pay.isDisabled()).toBe(true);
  // A script's click presses nothing, also of an awake button.
  await window.getByRole("button", { name: "Pay once", disabled: false }).evaluate((button) => (button as HTMLElement).click());
  expect(world.hasApprovals()).toBe(true);
  expect(await violationsInBothThemes(window)).toEqual([]);
  await photograph(window, "program-pays");
  await decide(window, "Pay once");
  await pollUntil(
    async () => {
      const { status, body } = await till.send("GET", `/apps/v1/payments/${"above".padEnd(16, ".")}`);
      return status === 200 && body.state === "committed" ? body : undefined;
    },
    { what: "the payment in a block" },
  );
});

it("refuses for good what the person refuses, and closing the window decides nothing", async () => {
  expect(await till.pay(TO, 3 * T, "refused")).toMatchObject({ status: 202 });
  const first = await openApprovals();
  await first.getByRole("heading", { name: "“Till” wants to pay" }).waitFor();
  const closed = first.waitForEvent("close");
  await first.keyboard.press("Escape").catch(() => undefined);
  await closed;
  expect(await till.pay(TO, 3 * T, "refused")).toMatchObject({ status: 202, body: { state: "approval" } });
  await decide(await openApprovals(), "Refuse");
  expect(await till.pay(TO, 3 * T, "refused")).toMatchObject({ status: 403, body: { code: "APP_DENIED" } });
  expect(await call("openApprovals", { people: [] })).toBe(false);
});

it("calls a contract once, by a click that shows contract and method", WHOLE_ONLY, async () => {
  const contract = await deployCounter();
  const minter = new Program(profile.folder);
  const asked = await minter.ask("Minter", [`call:contract=${contract},methods=add,each=1T,total=5T/day,ask=always`]);
  const asks = await openApprovals();
  await asks.getByRole("textbox", { name: "Number the program shows" }).fill(asked.code);
  await asks.getByRole("textbox", { name: "Password of this wallet" }).fill(PASSWORD);
  await decide(asks, "Connect");
  expect(await minter.fetch(asked)).toBe("granted");
  expect(await minter.call(contract, "get", "[]", "another")).toMatchObject({ status: 403, body: { code: "APP_SCOPE" } });
  const order = (): Promise<ProgramResponse> => minter.call(contract, "add", "[5]", "by-five");
  await pollUntil(async () => ((await order()).status === 202 ? true : undefined), { what: "the question" });
  const window = await openApprovals();
  await window.getByRole("heading", { name: "“Minter” wants to call a contract" }).waitFor();
  const shown = (await window.getByRole("main").textContent()) ?? "";
  for (const part of [`${contract}.add`, "Its limit is 1 T at a time", "5 T of 5 T left"]) expect(shown).toContain(part);
  expect(await violationsInBothThemes(window)).toEqual([]);
  await photograph(window, "program-calls");
  expect(await countOf(contract)).toBe("0");
  await decide(window, "Call once");
  await pollUntil(async () => ((await order()).body.state === "committed" ? true : undefined), { what: "the call in a block" });
  expect(await countOf(contract)).toBe("5");
  expect((await state()).approvals).toEqual([]);
  expect((await minter.send("DELETE", "/apps/v1/me")).status).toBe(200);
});

/** A counter of another key on the app's chain. */
async function deployCounter(): Promise<string> {
  const key = join(profile.folder, "author.json");
  expect(await runParley(["keygen", "--out", key, "--plain"])).toMatchObject({ code: 0 });
  expect(await runParley(["contract", "new", join(profile.folder, "counter")])).toMatchObject({ code: 0 });
  await onChain("faucet", "--key", key, "--amount", "100T", "--wait");
  const names = ["--names", join(profile.folder, "names.json")];
  return String((await onChain("contract", "deploy", join(profile.folder, "counter"), "--key", key, ...names)).contract_id);
}

async function countOf(contract: string): Promise<unknown> {
  return (await onChain("contract", "view", contract, "get")).result_text;
}

/** The command line of the same user. */
async function onChain(...args: readonly string[]): Promise<Record<string, unknown>> {
  const result = await runParley([...args, "--endpoint", join(profile.folder, "endpoint.json"), "--json"]);
  expect(result).toMatchObject({ code: 0 });
  return JSON.parse(result.stdout) as Record<string, unknown>;
}

it("ends what waits when programs are switched off, so that nothing is paid once they are on again", async () => {
  expect(await till.pay(TO, 3 * T, "switched-off")).toMatchObject({ status: 202 });
  const window = await openApprovals();
  await window.getByRole("heading", { name: "“Till” wants to pay" }).waitFor();
  await call("changeSettings", { programsMayAsk: false });
  expect(gatewayPid(await world.state())).toBeUndefined();
  expect((await state()).approvals).toEqual([]);
  await window.getByRole("heading", { name: "No longer waiting" }).waitFor();
  await decide(window, "Close");
  expect(await call("openApprovals", { people: [] })).toBe(false);
  await call("changeSettings", { programsMayAsk: true });
  const again = await pollUntil(
    async () => {
      const response = await till.pay(TO, 3 * T, "switched-off").catch(() => undefined);
      return response?.status === 503 ? undefined : response;
    },
    { what: "a response of the gateway" },
  );
  expect(again).toMatchObject({ status: 403, body: { code: "APP_DENIED" } });
  const [line] = ((await call("appsLog", { before: null, limit: 1 })) as { readonly lines: readonly object[] }).lines;
  expect(line).toMatchObject({ action: "pay", outcome: "lapsed" });
});

it("starts the gateway again when it is killed, at the same socket", async () => {
  const before = knownPid(gatewayPid(await world.state()), "Parley gateway");
  process.kill(before, "SIGKILL");
  await world.until((current) => ![undefined, before].includes(gatewayPid(current)), "another gateway");
  await pollUntil(async () => ((await state()).gateway.kind === "ready" ? true : undefined), { what: "the gateway" });
  expect(readApps(profile.folder)?.socket).toBe(socket);
  expect((await till.send("GET", "/apps/v1/me")).status).toBe(200);
});

it("pays nothing while the wallet is locked", async () => {
  await world.order({ type: "power", event: "lock-screen" });
  await pollUntil(async () => ((await state()).lock === "walletLocked" ? true : undefined), { what: "the lock" });
  expect(await till.pay(TO, 0.5 * T, "locked")).toMatchObject({ status: 423, body: { code: "APP_LOCKED", details: { wallet: true } } });
});

it("ends in order, and after a start serves nothing before the keyring is open", async () => {
  expect(await world.quit()).toBe(0);
  expect(existsSync(join(profile.folder, "endpoint.json"))).toBe(false);
  expect(existsSync(socket)).toBe(false);
  copyAppsFiles(placesOf(profile).older, placesOf(profile).now);
  world = await startDesktop(profile);
  await world.untilNodeRuns();
  const locked = await pollUntil(
    async () => {
      const response = await till.send("GET", "/apps/v1/me").catch(() => undefined);
      return response === undefined || response.status === 503 ? undefined : response;
    },
    { what: "a response of the gateway" },
  );
  expect(locked).toMatchObject({ status: 423, body: { code: "APP_LOCKED", details: { keyring: true } } });
  expect(await state()).toMatchObject({ lock: "locked", connections: [], request: null });
  await unlock(world.page);
});

it("rests after older files were put back, until the person lets it continue, from the settings", async () => {
  const { page } = world;
  await pollUntil(async () => ((await state()).connections[0]?.isResting === true ? true : undefined), { what: "the rest" });
  expect(await till.pay(TO, 0.5 * T, "resting")).toMatchObject({ status: 423, body: { code: "APP_LOCKED", details: { rest: true } } });
  await openView(page, "Settings");
  await page.getByRole("link", { name: "Apps" }).click();
  await page.getByRole("article", { name: "Till" }).getByText("Confirm this program").waitFor();
  await page.getByRole("article", { name: "Till" }).getByRole("button", { name: "Open" }).click();
  const window = await world.approvals();
  await window.setViewportSize(SIZE);
  await window.bringToFront();
  await window.getByRole("heading", { name: "“Till” is paused" }).waitFor();
  expect(await violationsInBothThemes(window)).toEqual([]);
  await photograph(window, "program-rests");
  const goOn = window.getByRole("button", { name: "Let it continue", disabled: false });
  await goOn.click();
  await window.getByRole("alert").getByText("This needs your password.").waitFor();
  await window.getByRole("textbox", { name: "Password of this wallet" }).fill("not the password");
  await goOn.click();
  await window.getByRole("alert").getByText("Wrong password.").waitFor();
  await window.getByRole("textbox", { name: "Password of this wallet" }).fill(PASSWORD);
  await decide(window, "Let it continue");
  await page.getByRole("article", { name: "Till" }).getByText("Confirm this program").waitFor({ state: "detached" });
  expect((await till.send("GET", "/apps/v1/me")).body).toMatchObject({ name: "Till", resting: false });
});

it("is refused after three wrong numbers, and one that asks for messages gets the people that the person ticks", async () => {
  const [robot, people] = [new Program(profile.folder), [TO, BOB, "ab".repeat(16)]];
  const first = await robot.ask("Robot", ["read"]);
  const window = await openApprovals();
  for (let tries = 1; tries <= 3; tries += 1) {
    await window.getByRole("textbox", { name: "Number the program shows" }).fill(first.code === "111111" ? "222222" : "111111");
    await window.getByRole("button", { name: "Connect", disabled: false }).click();
    if (tries < 3) await window.getByRole("alert").getByText("This isn't the number").waitFor();
  }
  await window.getByRole("heading", { name: "No longer waiting" }).waitFor();
  await decide(window, "Close");
  expect(await robot.fetch(first)).toBe("refused");

  const second = await robot.ask("Robot", ["contacts.read", "messages.send:to=chosen,rate=50/day"]);
  const offered = people.slice(1).map((id, index) => ({ id, name: `Person ${index}\u202e\nspoofed` }));
  expect(await call("openApprovals", { people: offered })).toBe(true);
  const asks = await world.approvals();
  await asks.setViewportSize(SIZE);
  await asks.bringToFront();
  await asks.getByRole("checkbox", { name: `Person 1\ufffd\ufffdspoofed – …${"ab".repeat(6)}` }).check();
  await asks.getByRole("textbox", { name: "Maximum messages per day" }).fill("5");
  await asks.getByRole("textbox", { name: "Number the program shows" }).fill(second.code);
  await asks.getByRole("textbox", { name: "Password of this wallet" }).fill(PASSWORD);
  await decide(asks, "Connect");
  const granted = (await state()).connections.find(({ name }) => name === "Robot");
  expect(granted).toMatchObject({ chosen: ["ab".repeat(16)], scopes: ["contacts.read", "messages.send:to=chosen,rate=5/day"] });
  await call("endConnection", { connection: granted?.id });
});

it("gets an error at once while the keyring's process is away, and waits for its person again when that is back", WHOLE_ONLY, async () => {
  const pid = knownPid((await world.state()).processes.find(({ name }) => name === "Parley keyring")?.pid, "Parley keyring");
  process.kill(pid, "SIGKILL");
  await world.until(({ processes }) => processes.every((one) => one.pid !== pid), "the end of the keyring");
  expect([423, 503]).toContain((await till.send("GET", "/apps/v1/me")).status);
  expect(await state()).toMatchObject({ lock: "locked", connections: [] });
  await pollUntil(async () => ((await till.send("GET", "/apps/v1/me")).status === 423 ? true : undefined), { what: "the locked keyring" });
  await world.page.reload();
  await unlock(world.page);
  expect((await till.send("GET", "/apps/v1/me")).status).toBe(200);
});

it("is cut off before the button returns, and the log says what happened", async () => {
  const [connection] = (await state()).connections;
  await call("endConnection", { connection: connection?.id });
  expect(await till.send("GET", "/apps/v1/me")).toMatchObject({ status: 401, body: { code: "APP_ENDED" } });
  expect(await state()).toMatchObject({ connections: [], ended: [{ id: connection?.id, name: "Till" }, { name: "Robot" }] });
  const csv = String(await call("appsLogCsv", null))
    .trimEnd()
    .split("\r\n");
  const actions = csv.slice(1).map((line) => line.split(",").slice(4, 6).join(" "));
  expect(actions[0]).toBe('"Till" "connect"');
  expect(actions.at(-1)).toBe('"Till" "end"');
  expect(actions).toContain('"Till" "confirm"');
  expect(readFileSync(join(profile.folder, "logs", "parley.log"), "utf8")).not.toContain(till.token);
});

it("serves nothing any more once it is switched off", async () => {
  await call("changeSettings", { programsMayAsk: false });
  expect(gatewayPid(await world.state())).toBeUndefined();
  expect(readApps(profile.folder)).toBeUndefined();
  expect(existsSync(socket)).toBe(false);
});
