// Settings › Apps: why there are none in a browser, and in the desktop app the switch, what waits, what each program may do, its end, and the
// log. The shell is played; the keyring's own judgement of programs has tests of its own.
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ConnectionEntry } from "#shared/apps/messages/approval-api.ts";
import { APPS_PORT_MESSAGE } from "#shared/desktop/channels.ts";
import type { DesktopAppsState } from "#shared/desktop/desktop-apps.ts";
import { formatAddress, parseAccount } from "#shared/protocol/primitives/address.ts";
import { violationsInBothThemes } from "./support/axe.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { unreachableInLowWindow } from "./support/low-window.ts";
import { createIdentity, openView, signPayment } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { callsOf, NO_APPS, playShell, reportApps } from "./support/played-shell.ts";
import { goTo } from "./support/robin.ts";
import { seededPerson } from "./support/seeded-people.ts";

const CAROL = seededPerson(3).account.publicKey;
const DAY = 86_400_000;
const NOW = Date.now();

const TILL: ConnectionEntry = {
  ...{ id: "a1b2c3d4", name: "Till", chosen: [], isResting: false, silencedUntilMs: null },
  scopes: ["read", "wallet", "invoices", `pay:each=2T,total=10T/day,to=${formatAddress(CAROL)},ask=over`],
  left: [{ scope: `pay:each=2T,total=10T/day,to=${formatAddress(CAROL)},ask=over`, leftUt: 4_000_000 }],
  ...{ createdAtMs: NOW - 3 * DAY, lastUsedMs: NOW - 120_000, expiresAtMs: NOW + 27 * DAY },
};
const ROBOT: ConnectionEntry = {
  ...{ id: "00ff00ff", name: "Garden robot", chosen: [CAROL], isResting: true, silencedUntilMs: NOW + 1_800_000 },
  scopes: ["contacts.read", "messages.send:to=chosen,rate=50/day"],
  left: [],
  ...{ createdAtMs: NOW - 20 * DAY, lastUsedMs: null, expiresAtMs: NOW + 10 * DAY },
};
const SOME: DesktopAppsState = {
  ...NO_APPS,
  request: { name: "Payouts", expiresAtMs: NOW + 600_000 },
  approvals: [{ name: "Till", expiresAtMs: NOW + 300_000 }],
  connections: [TILL, ROBOT],
  ended: [{ id: "deadbeef", name: "Old shop", endedAtMs: NOW - DAY, wasCopied: false }],
};
const LINE = { prev: "", height: 7, keyHash: "", txId: "" } as const;
const LOG = {
  firstN: 1,
  hasMore: false,
  lines: [
    {
      ...LINE,
      n: 3,
      atMs: NOW - 120_000,
      connection: "a1b2c3d4",
      action: "pay",
      subject: CAROL,
      amountUt: 2_000_000,
      outcome: "committed",
    },
    { ...LINE, n: 2, atMs: NOW - DAY, connection: "deadbeef", action: "end", subject: "", amountUt: 0, outcome: "done" },
    { ...LINE, n: 1, atMs: NOW - 3 * DAY, connection: "a1b2c3d4", action: "connect", subject: "", amountUt: 0, outcome: "done" },
  ],
};

let world: BrowserWorld;
let page: Page;
let address = "";
beforeAll(async () => {
  world = await startWorld("apps");
  page = (await world.enter("ada")).page;
  ({ address } = await createIdentity(page, world.node.baseUrl, "Ada"));
});
afterAll(() => world?.[Symbol.asyncDispose]());

it("a browser has no programs, and says why", async () => {
  await goTo(page, "/settings/apps");
  await page.getByText(/only through the Parley desktop app/).waitFor();
  expect(await page.getByRole("switch").count()).toBe(0);
});

it("is off at first; switched on, it says that nothing has asked yet", async () => {
  await openView(page, "Wallet");
  await playShell(page, { apps: NO_APPS, answers: { appsLog: { lines: [], firstN: 1, hasMore: false } } });
  await goTo(page, "/settings/apps");
  const mayAsk = page.getByRole("switch", { name: "Programs may ask" });
  expect(await mayAsk.getAttribute("aria-checked")).toBe("false");
  await mayAsk.click();
  await page.getByText("No programs yet").waitFor();
  await photograph(page, "apps-empty");
  expect(await callsOf(page, "changeSettings")).toEqual([{ programsMayAsk: true }]);
  expect(await violationsInBothThemes(page)).toEqual([]);
});

it("shows what waits here and at the rail, and opens the shell's window by a click alone", async () => {
  await page.evaluate((log) => {
    const shell = (globalThis as unknown as { parleyDesktop: { call: (name: string, input: unknown) => Promise<unknown> } }).parleyDesktop;
    const before = shell.call;
    shell.call = (name, input): Promise<unknown> =>
      name === "appsLog"
        ? before(name, input).then(() => log)
        : name === "openApprovals"
          ? before(name, input).then(() => true)
          : before(name, input);
  }, LOG);
  await reportApps(page, SOME);
  await page.getByText("“Payouts” asks to connect").waitFor();
  await page.getByText("“Till” is waiting for your decision").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByText("2 programs are waiting for you").waitFor({ state: "attached" });
  expect(await callsOf(page, "openApprovals")).toEqual([]);
  await page.getByRole("button", { name: "Open", exact: true }).first().click();
  await expect.poll(() => callsOf(page, "openApprovals")).toEqual([{ people: [] }]);
});

it("says in words what each program may do and what is left", async () => {
  const till = page.getByRole("article", { name: "Till" });
  await till.getByText(/^Pay .+: 2\sT at a time, 10\sT per day, fees included; asks you above that$/).waitFor();
  await till.getByText(/4\sT of 10\sT per day/).waitFor();
  const robot = page.getByRole("article", { name: "Garden robot" });
  await robot.getByText("Write to the people you chose, 50 messages a day").waitFor();
  await robot.getByText("Confirm this program").waitFor();
  await robot.getByText("Never").waitFor();
  const log = page.getByRole("group", { name: "Activity" });
  await log.getByRole("cell", { name: "Old shop" }).waitFor();
  await log.getByRole("cell", { name: "In a block" }).waitFor();
  await photograph(page, "apps");
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 800, height: 800 });
  await log.scrollIntoViewIfNeeded();
  await photograph(page, "apps-log");
  await page.setViewportSize({ width: 640, height: 400 });
  expect(await violationsInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
});

it("serves the messenger to the gateway on a port, and says beside a message which program wrote it", async () => {
  await expect.poll(() => callsOf(page, "connectAppMessages")).not.toEqual([]);
  const key = parseAccount(address);
  const order = { connection: "a1b2c3d4", idempotencyKey: "message-00000001", to: key, text: "Sold two", mode: "open" };
  const answers = await page.evaluate(
    async ({ message, input }) => {
      const { port1, port2 } = new MessageChannel();
      window.postMessage(message, window.location.origin, [port2]);
      const ask = (id: number, method: string, given: unknown): Promise<unknown> =>
        new Promise((resolve) => {
          port1.addEventListener("message", ({ data }) => {
            if (data.id === id) resolve(data);
          });
          port1.postMessage({ id, method, input: given });
        });
      port1.start();
      return [
        await ask(1, "send", input),
        await ask(2, "send", input),
        await ask(3, "search", "x"),
        await ask(4, "send", { ...input, mode: "any" }),
      ];
    },
    { message: APPS_PORT_MESSAGE, input: order },
  );
  expect(answers).toMatchObject([
    { value: { text: "Sold two", isReplayed: false } },
    { value: { text: "Sold two", isReplayed: true } },
    { error: { code: "NOT_FOUND" } },
    { error: { code: "BAD_REQUEST" } },
  ]);
  await goTo(page, `/inbox/${key}`);
  await page.getByText("Sold two").first().waitFor();
  await page.getByText("by Till").waitFor();
  await photograph(page, "apps-message");
  expect(await violationsInBothThemes(page)).toEqual([]);
  await goTo(page, "/settings/apps");
});

it("says in the wallet which program ordered a payment", async () => {
  await goTo(page, `/wallet/send?${new URLSearchParams({ to: formatAddress(CAROL), amount: "1" }).toString()}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await signPayment(page);
  const row = page.getByRole("link").filter({ hasText: /^Paid/ }).first();
  expect(await row.getByText("by Till").count()).toBe(0);
  const id = decodeURIComponent((await row.getAttribute("href"))?.split("/").at(-1) ?? "");
  expect(id).toMatch(/^tx1/);
  const log = { ...LOG, lines: LOG.lines.map((line) => ({ ...line, txId: line.action === "pay" ? id : "" })) };
  await page.evaluate((given) => {
    const shell = (globalThis as unknown as { parleyDesktop: { call: (name: string, input: unknown) => Promise<unknown> } }).parleyDesktop;
    const before = shell.call;
    shell.call = (name, input): Promise<unknown> => (name === "appsLog" ? Promise.resolve(given) : before(name, input));
  }, log);
  await reportApps(page, { ...SOME, connections: [{ ...TILL, lastUsedMs: NOW }, ROBOT] });
  await row.getByText("by Till").waitFor();
  expect(await violationsInBothThemes(page)).toEqual([]);
  await goTo(page, "/settings/apps");
});

it("saves the log as a file", async () => {
  await page.evaluate(() => {
    const shell = (globalThis as unknown as { parleyDesktop: { call: (name: string, input: unknown) => Promise<unknown> } }).parleyDesktop;
    const before = shell.call;
    shell.call = (name, input): Promise<unknown> => (name === "appsLogCsv" ? Promise.resolve("n,time\r\n1,now\r\n") : before(name, input));
  });
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe("parley-programs.csv");
  expect(readFileSync(await download.path(), "utf8")).toBe("n,time\r\n1,now\r\n");
});

it("ends a program after one question, and not before", async () => {
  await page.getByRole("article", { name: "Till" }).getByRole("button", { name: "Disconnect" }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByText("Disconnect “Till”?").waitFor();
  expect(await callsOf(page, "endConnection")).toEqual([]);
  await sheet.getByRole("button", { name: "Disconnect" }).click();
  await expect.poll(() => callsOf(page, "endConnection")).toEqual([{ connection: "a1b2c3d4" }]);
  await reportApps(page, { ...SOME, connections: [ROBOT] });
  await page.getByRole("article", { name: "Till" }).waitFor({ state: "detached" });
});

it("asks the shell for what needs the node's own key: money of the node to this wallet, and where its earnings go", async () => {
  const key = parseAccount(address);
  // The wallet is bound already.
  await page.route(/\/api\/node\/[0-9a-z]{60,}/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), wallet_binding_address: address } });
  });
  await goTo(page, "/node/validator");
  const earnings = page.getByRole("region", { name: "Earnings" });
  await earnings.getByRole("button", { name: "Pay them to the node's account" }).waitFor();
  expect(await earnings.getByRole("button", { name: "Pay them to my wallet" }).count()).toBe(0);
  const amount = earnings.getByRole("textbox", { name: "From the node's account to my wallet" });
  await amount.fill("5000000");
  const transfer = earnings.getByRole("button", { name: "Transfer to my wallet" });
  await earnings.getByRole("button", { name: "Transfer to my wallet", disabled: true }).waitFor();
  await amount.fill("0.0025");
  await amount.scrollIntoViewIfNeeded();
  expect(await violationsInBothThemes(page)).toEqual([]);
  expect(await unreachableInLowWindow(page)).toEqual([]);
  await photograph(page, "node-funds");
  await transfer.click();
  await expect.poll(() => callsOf(page, "nodeDuty")).toEqual([{ duty: "pay_wallet", wallet_pub: key, amount_ut: 2_500 }]);
  await expect.poll(() => amount.inputValue()).toBe("");
  await earnings.getByRole("button", { name: "Pay them to the node's account" }).click();
  await expect.poll(() => callsOf(page, "nodeDuty")).toHaveLength(2);
  expect((await callsOf(page, "nodeDuty"))[1]).toEqual({ duty: "unbind_wallet" });
  await page.unrouteAll({ behavior: "ignoreErrors" });
});
