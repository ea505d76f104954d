// Every view on a seeded chain: no violation that axe-core finds in either theme and at any size, nothing that moves by itself, and nothing
// that forced colours hide; money, names and contracts by hand and
// by keyboard; and an interface that stays of use while its node is slow, away or restarted.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PSEUDO_LANGUAGE } from "#renderer/lib/messages/languages.ts";
import { formatAddress, parseAccount } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { isWhole, spread, WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { startNode } from "../support/nodes/start-node.ts";
import { axeViolations, colourViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { deployPublished } from "./support/contracts/published-source.ts";
import { deployTill } from "./support/contracts/till.ts";
import { unseenInForcedColours } from "./support/forced-colours.ts";
import { imitationOf } from "./support/imitation.ts";
import { expectFocus } from "./support/keyboard.ts";
import { takeShifts, waitPatiently } from "./support/layout-shift.ts";
import { unreachableInLowWindow } from "./support/low-window.ts";
import { openView, unlock, untilPaid } from "./support/person.ts";
import { nameOfPicture, photograph, photographFailure } from "./support/pictures.ts";
import { goTo, restoreRobin, speak, visit } from "./support/robin.ts";
import { recipeOfRun } from "./support/seeded-chain.ts";
import { robin, seededPerson, usernameOf } from "./support/seeded-people.ts";
import { CHAT, TRANSACTION, VIEWS } from "./support/views.ts";

const PERSON = seededPerson(2).account.publicKey;

/** The window in both themes, the second of which changes nothing but colours, and the window at 200 % zoom. */
const VIEWPORTS = [
  { width: 1280, height: 800, colorScheme: "light", find: axeViolations },
  { width: 1280, height: 800, colorScheme: "dark", find: colourViolations },
  { width: 640, height: 400, colorScheme: "light", find: axeViolations },
] as const;

/** Of these, each view has one where not everything runs: one after the other by turns, with both themes and both sizes. */
const TURNS = [VIEWPORTS[0], { ...VIEWPORTS[2], colorScheme: "dark" }] as const;

/** What opens above a view, with the button that opens it. */
const DIALOGS = [
  ["/wallet/channels", "Open a channel"],
  ["/wallet/channels", "Create a voucher"],
  ["/wallet/assets", "Issue a token"],
  ["/wallet/assets", "Use an allowance"],
  ["/wallet/escrow", "Open a deal"],
  ["/wallet/escrow", "Find a deal"],
  ["/wallet/multisig", "Find a multisig"],
  ["/settings/account", "Show phrase"],
] as const;

/** Making the full chain takes its time, once. */
const SETUP_MS = 900_000;

describe("the views", () => {
  let world: BrowserWorld;
  let person: BrowserProfile;
  let page: Page;
  let places: readonly string[] = [];

  beforeAll(async () => {
    world = await startWorld("views", recipeOfRun());
    person = await world.enter("robin");
    page = person.page;
    await page.emulateMedia({ reducedMotion: "reduce" });
    await restoreRobin(page, world.node.baseUrl);
    const { transactions } = await world.node.client.getAddress({ addr: robin().account.publicKey, limit: 1 });
    places = VIEWS.map((view) => view.replace(TRANSACTION, transactions[0]?.id ?? ""));
    // The chat is opened again after the reload, with what was written before.
    await goTo(page, CHAT);
    await page.getByRole("textbox", { name: /^Message to / }).fill("The basil is up: two pots are yours.");
    await page.keyboard.press("Enter");
    await page.getByRole("article").filter({ hasText: "The basil is up" }).waitFor();
    // Elsewhere, and as in a new session: the inbox would lead back to the chat.
    await visit(page, "/wallet");
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await unlock(page);
    await waitPatiently(page);
  }, SETUP_MS);

  afterAll(() => world?.[Symbol.asyncDispose]());

  it.each(VIEWS)("%s comes without a move, has no violation in either theme, and no sideways scroll at twice the zoom", async (view) => {
    const path = places[VIEWS.indexOf(view)] ?? view;
    await takeShifts(page);
    await visit(page, path);
    expect(await takeShifts(page), "what moved by itself").toEqual([]);
    const turn = VIEWS.indexOf(view) % TURNS.length;
    for (const { width, height, colorScheme, find } of isWhole ? VIEWPORTS : TURNS.slice(turn, turn + 1)) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await find(page), `${width} × ${height} ${colorScheme}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), "sideways scroll").toBeLessThanOrEqual(0);
    }
    if ((await openDialog(page).count()) > 0) expect(await unreachableInLowWindow(page), "out of reach at twice the zoom").toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: "light", forcedColors: "active" });
    expect(await unseenInForcedColours(page), "unseen in forced colours").toEqual([]);
    await photograph(page, `forced${nameOfPicture(path)}`);
    await page.emulateMedia({ forcedColors: "none" });
    await photograph(page, `view${nameOfPicture(path)}`);
  });

  it("/explorer moves nothing when names and numbers come after the rest", async () => {
    const late = Promise.withResolvers<void>();
    await page.route(/\/api\/(identit(y\/\w+|ies)|netstats)$/, async (route) => {
      await late.promise;
      await route.continue();
    });
    const row = page
      .getByRole("main")
      .getByRole("link", { name: /^Payment/ })
      .first();
    try {
      await page.reload();
      await unlock(page);
      await visit(page, "/explorer");
      // Names that were asked for before the page was loaded again may be here already.
      await row.waitFor();
      await takeShifts(page, true);
    } finally {
      late.resolve();
    }
    await row.filter({ hasNotText: "pl1" }).waitFor();
    await page.getByText("Total supply").locator("..").getByText("T", { exact: true }).waitFor();
    expect(await takeShifts(page, true), "what moved when they came").toEqual([]);
    const distance = await row.evaluate((link) => {
      const arrow = link.querySelector(":scope > span > svg[role=img]");
      return (arrow?.nextElementSibling?.getBoundingClientRect().left ?? Number.NaN) - (arrow?.getBoundingClientRect().right ?? Number.NaN);
    });
    expect(distance, "from the arrow to whom it points to").toBeLessThan(16);
    await page.unrouteAll({ behavior: "wait" });
  });

  it.each(DIALOGS)("%s › %s is within reach at twice the zoom, and gives the focus back", async (path, name) => {
    await goTo(page, path);
    const button = page.getByRole("button", { name }).first();
    await button.press("Enter");
    await openDialog(page).getByRole("button", { name: "Close", exact: true }).waitFor();
    expect(await unreachableInLowWindow(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await openDialog(page).waitFor({ state: "detached" });
    await expectFocus(button);
  });

  it("lets a user pay a @name by keyboard alone", async () => {
    await goTo(page, "/wallet");
    await openPalette(page);
    // A screen reader is at the field before anything is typed or chosen, and then at the row.
    const combobox = page.getByRole("combobox", { name: "Search or run a command" });
    await page.getByRole("option").first().waitFor();
    expect(await combobox.getAttribute("aria-activedescendant")).toBeNull();
    await page.keyboard.type(`pay @${usernameOf(3)} 1.5`);
    await page.getByRole("option", { name: `Pay 1.5 T to @${usernameOf(3)}` }).waitFor();
    await expect.poll(() => combobox.getAttribute("aria-activedescendant")).not.toBeNull();
    await page.keyboard.press("Enter");
    const dialog = openDialog(page);
    // Who was paid before needs no look: the amount follows at once.
    await page.getByRole("textbox", { name: "Amount" }).waitFor();
    expect(await dialog.getByRole("button", { name: "Continue" }).count()).toBe(0);
    await tabTo(page, "Review");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Sign and send" }).waitFor();
    await tabTo(page, "Sign and send");
    await page.keyboard.press("Enter");
    await untilPaid(page);
    const { transactions } = await world.node.client.getAddress({ addr: seededPerson(3).account.publicKey, limit: 5 });
    expect(transactions[0]).toMatchObject({ type: "TRANSFER", amount_ut: 1_500_000, from: robin().account.publicKey });
  });

  it("pays the smallest fee that the network has by now", async () => {
    await page.route("**/api/params", async (route) => {
      const response = await route.fetch();
      const { params, ...rest } = (await response.json()) as { readonly params: object };
      await route.fulfill({ response, json: { ...rest, params: { ...params, min_fee_ut: 3_000 } } });
    });
    await page.reload();
    await unlock(page);
    await goTo(page, "/wallet/send");
    const dialog = openDialog(page);
    const payee = seededPerson(3).account.publicKey;
    await dialog.getByRole("textbox", { name: "To" }).fill(formatAddress(payee));
    await dialog.getByRole("button", { name: "Continue", disabled: false }).click();
    await dialog.getByRole("textbox", { name: "Amount" }).fill("0.25");
    await dialog.getByText("Fee · 0.003 T").waitFor();
    await dialog.getByRole("button", { name: "Review" }).click();
    await dialog.getByText("0.253 T").first().waitFor();
    await dialog.getByRole("button", { name: "Sign and send" }).click();
    await untilPaid(page);
    const { transactions } = await world.node.client.getAddress({ addr: payee, limit: 1 });
    expect(transactions[0]).toMatchObject({ amount_ut: 250_000, fee_ut: 3_000 });
    await page.unrouteAll({ behavior: "wait" });
  });

  it("shows the block to come, and what each of the newest blocks held", async () => {
    await goTo(page, "/explorer");
    const next = page.getByRole("region", { name: "Next block" });
    await next.getByText(/^(In \d+:\d\d at the latest|Any moment now)$/).waitFor();
    const { sync } = await world.node.client.getStatus({});
    expect(Number(((await next.locator("span").first().textContent()) ?? "").replaceAll(",", ""))).toBeGreaterThan(sync.height);
    await page.getByRole("radio", { name: "Block", exact: true }).click();
    await page.getByRole("img", { name: /^Transactions: 48 values/ }).waitFor();
    await photograph(page, "view-explorer-by-block");
    await page.getByRole("radio", { name: "Table" }).click();
    const rows = page.getByRole("region", { name: "Charts" }).getByRole("row");
    await rows.nth(48).waitFor();
    const [newest] = await world.node.client.listBlocks({ limit: 1 });
    await rows
      .filter({ hasText: new Intl.NumberFormat("en").format(newest?.index ?? 0) })
      .first()
      .waitFor();
  });

  it("shows block by block which votes of a validator are missing", async () => {
    const [validator] = (await world.node.client.listValidators({})).validators;
    const bars = page.getByRole("region", { name: "Votes", exact: true }).getByRole("img");
    await goTo(page, "/explorer/validators");
    await page.getByRole("img", { name: /^(\d+) of \1 blocks include its vote\.$/ }).waitFor();
    const marks = `${"1".repeat(10)}0000001${"1".repeat(60)}--------`;
    await page.route(`**/api/node/${validator?.pub_key}`, async (route) => {
      const response = await route.fetch();
      const stats = (await response.json()) as { readonly validator: object };
      await route.fulfill({ response, json: { ...stats, validator: { ...stats.validator, recent_commits: { height: 5_000, marks } } } });
    });
    await page.reload();
    await unlock(page);
    await page
      .getByRole("img", { name: "71 of 77 blocks include its vote. Missing: 4,990, 4,989, 4,988, 4,987, 4,986 and 1 more", exact: true })
      .waitFor();
    expect(await bars.count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "explorer-votes");
    await page.unrouteAll({ behavior: "wait" });
  });

  it("finds people, names, blocks, transactions and contracts from one field", async () => {
    await goTo(page, "/contacts");
    const { transactions } = await world.node.client.getAddress({ addr: PERSON, limit: 1 });
    for (const [text, option] of [
      ["@ada", "@ada.0"],
      ["7", "Block 7"],
      [transactions[0]?.id ?? "", /^Transaction/],
      ["username_reg", /^Contract username_registry/],
      ["seeds", /^Token Seed bank/],
    ] as const) {
      await openPalette(page);
      await page.keyboard.type(text);
      await page.getByRole("option", { name: option }).first().waitFor();
      if (text === "seeds") await photograph(page, "palette");
      await closePalette(page);
    }
  });

  it.each([
    ["tokens and", "Tokens and NFTs", "/wallet/assets"],
    ["escrow", "Escrow", "/wallet/escrow"],
    ["multisig", "Multisig", "/wallet/multisig"],
    ["payment chan", "Payment channels", "/wallet/channels"],
    ["deploy", "Deploy a contract", "/explorer/deploy"],
  ])("leads from the palette, where %s is typed, to %s", async (text, option, path) => {
    await goTo(page, "/contacts");
    await openPalette(page);
    await page.keyboard.type(text);
    await page.getByRole("option", { name: option, exact: true }).click();
    await page.waitForURL(`**${path}`);
  });

  it("shows a transaction that waits for a block, and its block once it has one", async () => {
    const { transactions } = await world.node.client.getAddress({ addr: PERSON, limit: 1 });
    const id = transactions[0]?.id ?? "";
    // As the node sends it in the moment before the block, which no test can hit.
    let isWaiting = true;
    await page.route(`**/api/tx/${id}`, async (route) => {
      if (!isWaiting) return await route.continue();
      const response = await route.fetch();
      const { block_index: _index, block_hash: _hash, block_time: _time, ...tx } = (await response.json()) as Record<string, unknown>;
      await route.fulfill({ response, json: { ...tx, status: "pending" } });
    });
    await goTo(page, `/explorer/tx/${id}`);
    await page.getByText("Waiting for a block").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "view-explorer-tx-waiting");
    isWaiting = false;
    await page.getByRole("region", { name: "Details" }).waitFor();
    await photograph(page, "view-explorer-tx");
  });

  it("shows events of a contract by name, and the arguments of a call by theirs", async () => {
    const { contractId } = await deployTill(world.node);
    const choose = async (name: string): Promise<void> => {
      await page.getByRole("combobox", { name: "Show" }).click();
      await page.getByRole("option", { name }).click();
    };
    await goTo(page, `/explorer/contract/${contractId}`);
    await page.getByRole("tab", { name: "Logs" }).click();
    const rows = page.getByRole("table").getByRole("row");
    await rows.nth(3).waitFor();
    await page.getByRole("table").getByText("the till is open").waitFor();
    await choose("Closed");
    await page.getByText("This contract hasn't logged any Closed events yet.").waitFor();
    await choose("Paid");
    await rows.nth(2).waitFor({ state: "detached" });
    const paid = rows.nth(1);
    for (const text of ["Paid", "amount", "18446744073709551615", "two pots of basil"])
      await paid.getByText(text, { exact: true }).first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "view-explorer-contract-events");
    await page.setViewportSize({ width: 640, height: 400 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), "sideways scroll").toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await paid.getByRole("link", { name: /^tx1/ }).click();
    const call = page.getByRole("region", { name: "Call" });
    for (const text of ["till", "pay", "to", "amount", "18446744073709551615"])
      await call.getByText(text, { exact: true }).first().waitFor();
    await call.scrollIntoViewIfNeeded();
    await photograph(page, "view-explorer-contract-call");
  });

  it("shows the source that a deployer published, what was checked of it, and the line where a call would fail", async () => {
    const contractId = await deployPublished(world.node);
    await goTo(page, `/explorer/contract/${contractId}`);
    await page.getByText("fail", { exact: true }).click();
    await page.getByRole("button", { name: "Query" }).click();
    await page.getByText("According to the lines the deployer published: fail (contract.ts:3:32)").waitFor();
    await page.getByRole("tab", { name: "Source" }).click();
    await page.getByText("Published by the deployer, not verified").waitFor();
    await page.getByText(`parley contract verify ${contractId} --published`).waitFor();
    await page.getByText("assemblyscript 0.28.20").waitFor();
    const files = page.getByRole("list", { name: "Files" });
    expect(await files.locator("pre").count(), "files are drawn when they are opened").toBe(0);
    await page.getByText("contract.ts", { exact: true }).click();
    await page.getByText("// <img src=x onerror=alert(1)> ‹U+202E› hidden").waitFor();
    await page.getByText("1 invisible character is shown as its code point.", { exact: false }).waitFor();
    await page.getByText("lib/sums.ts", { exact: true }).click();
    await page.getByText("export const ROWS").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "view-explorer-contract-source");
    await page.setViewportSize({ width: 640, height: 400 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), "sideways scroll").toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await goTo(page, `/explorer/contract/${await deployPublished(world.node, true)}`);
    await page.getByRole("tab", { name: "Source" }).click();
    await page.getByText("It doesn't match the hashes that the deployed module names for it.").waitFor();
    expect(await page.getByText("another one").count()).toBe(0);
    await goTo(page, `/explorer/contract/${nativeContractId("tokens")}`);
    await page.getByRole("tab", { name: "State" }).waitFor();
    expect(await page.getByRole("tab", { name: "Source" }).count()).toBe(0);
  });

  it("stops a payment to an address that imitates a known one until it is overridden, and marks a first payment", async () => {
    await goTo(page, "/wallet/send");
    const dialog = openDialog(page);
    const goOn = (disabled: boolean): Promise<void> => dialog.getByRole("button", { name: "Continue", disabled }).waitFor();
    const known = seededPerson(3).account.publicKey;
    await dialog.getByRole("textbox", { name: "To" }).fill(imitationOf(known));
    await dialog.getByText("This is not the address you used before").waitFor();
    expect(await dialog.locator("mark").count(), "characters that differ").toBeGreaterThan(10);
    await goOn(true);
    await photograph(page, "look-alike");
    await dialog.getByRole("checkbox", { name: /^I compared both/ }).check();
    await goOn(false);
    await dialog.getByRole("textbox", { name: "To" }).fill(formatAddress(known));
    await dialog.getByText(/^Paid /).waitFor();
    await goOn(false);
    const { validators } = await world.node.client.listValidators({});
    await dialog.getByRole("textbox", { name: "To" }).fill(validators[0]?.address ?? "");
    await dialog.getByText("First payment to this address").waitFor();
    await goOn(false);
    await page.keyboard.press("Escape");
  });

  it("sends a token, and the chain has it", async () => {
    await goTo(page, "/wallet/tokens/seeds");
    await page.getByRole("textbox", { name: "To" }).fill(`@${usernameOf(4)}`);
    await page
      .getByText(/pl1[a-z0-9]+/)
      .first()
      .waitFor();
    await page.getByRole("textbox", { name: "Amount" }).fill("12.25");
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByRole("button", { name: "Sign and send" }).click();
    await page.getByText(/Contract call: in block/).waitFor();
    const balance = await world.node.client.getTokenBalance({ id: "seeds", pubkey: seededPerson(4).account.publicKey });
    expect(balance.balance).toBe(1_225);
  });

  it("registers a username whose availability is shown while it is typed", async () => {
    await goTo(page, "/settings/profile");
    const field = page.getByRole("textbox", { name: "Username" });
    await field.fill(usernameOf(0));
    await page.getByText("is taken").waitFor();
    await field.fill("robin-of-plot-17");
    await page.getByText("@robin-of-plot-17 is available").waitFor();
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await page.getByRole("button", { name: "Sign and register" }).click();
    await page.getByText("@robin-of-plot-17", { exact: true }).waitFor();
  });

  it("answers the highest request first, and declines with a way back", async () => {
    await openView(page, "Contacts");
    await page.getByRole("radio", { name: /^Requests/ }).click();
    await page.getByRole("list", { name: "Requests" }).getByText(/\+0/).nth(3).waitFor();
    const amounts = await page.getByRole("list", { name: "Requests" }).getByText(/\+0/).allTextContents();
    const numbers = amounts.map((text) => Number.parseFloat(text.replace("+", "")));
    expect(numbers.length).toBeGreaterThan(3);
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    const rows = page.getByRole("list", { name: "Requests" }).getByRole("link");
    const [first, second] = (await rows.allTextContents()).map((text) => text.slice(0, 12));
    await page
      .getByRole("list", { name: "Requests" })
      .getByRole("button", { name: /^Decline/ })
      .first()
      .press("Enter");
    await expect.poll(() => rows.first().textContent()).toContain(second);
    // The focus is on the next one, where a key that is pressed twice answers nothing.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain(second);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => rows.first().textContent()).toContain(first);
    await rows.first().click();
    await page.getByRole("button", { name: "Decline", exact: true }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Decline", exact: true }).waitFor();
    await page.getByRole("radio", { name: "People" }).click();
  });

  it("opens a menu by keyboard, moves in it and gives the focus back", async () => {
    await goTo(page, `/contacts/${PERSON}`);
    const button = page.getByRole("button", { name: "More actions" });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "menuitem");
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Escape");
    await openPalette(page);
    await page.keyboard.type("ada");
    expect(await page.getByRole("combobox").inputValue(), "typed while the menu fades away").toBe("ada");
    await closePalette(page);
  });

  it("shows a hint on keyboard focus, and hides it on Escape", async () => {
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "More actions" }).focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    const hint = page.locator("body > [aria-hidden=true]").getByText("More actions");
    await hint.waitFor();
    await page.keyboard.press("Escape");
    await hint.waitFor({ state: "detached" });
  });

  it("moves nothing for those who asked for less motion", async () => {
    const longest = async (reducedMotion: "reduce" | "no-preference"): Promise<number> => {
      await page.emulateMedia({ reducedMotion });
      await goTo(page, "/wallet/receive");
      await page.getByRole("dialog", { name: "Receive" }).waitFor();
      const seconds = await page.evaluate(() =>
        [...document.querySelectorAll("*")].flatMap((element) => {
          const { transitionDuration, animationDuration } = getComputedStyle(element);
          return `${transitionDuration}, ${animationDuration}`.split(", ").map(Number.parseFloat);
        }),
      );
      return Math.max(...seconds.filter((value) => !Number.isNaN(value)));
    };
    expect(await longest("no-preference")).toBeGreaterThan(0.05);
    expect(await longest("reduce")).toBeLessThan(0.01);
    await page.keyboard.press("Escape");
  });

  it("saves the history as a file that a spreadsheet opens", async () => {
    await openView(page, "Wallet");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export as CSV" }).click()]);
    const bytes = readFileSync(await download.path());
    const lines = bytes.toString("utf8").trimEnd().split("\r\n");
    const { tx_count: count } = await world.node.client.getAddress({ addr: robin().account.publicKey, limit: 1 });
    expect(lines).toHaveLength(count + 1);
    expect([...bytes.subarray(0, 3)], "mark of UTF-8").toEqual([0xef, 0xbb, 0xbf]);
    expect(lines[0]).toContain('"Time (UTC)"');
    // All people with a public name have it, also those whose rows were never drawn.
    const unnamed = lines.flatMap((line) => /^(?:"[^"]*",){2}"([^"]+)",""/.exec(line)?.[1] ?? []);
    const nameless = await Promise.all(
      [...new Set(unnamed)].map(async (address) => {
        const { nickname } = await world.node.client.getIdentity({ pubkey: parseAccount(address) }).catch(() => ({ nickname: "" }));
        return nickname === "" ? address : `${address} is ${nickname}`;
      }),
    );
    expect(nameless).toEqual([...new Set(unnamed)]);
  });

  it("speaks German from one choice on, and English again", async () => {
    await goTo(page, "/settings/appearance");
    await page.getByRole("combobox", { name: "Language" }).click();
    await page.getByRole("option", { name: "Deutsch" }).click();
    await page.getByRole("heading", { level: 1, name: "Aussehen und Sprache" }).waitFor();
    await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("de");
    await goTo(page, "/wallet");
    await page.getByRole("heading", { level: 1, name: "Wallet" }).waitFor();
    await photograph(page, "wallet-german");
    await expect
      .poll(() =>
        page
          .getByRole("region", { name: "Guthaben" })
          .getByText(/\d,\d+ T/)
          .count(),
      )
      .toBeGreaterThan(0);
    await goTo(page, "/wallet/receive");
    const amount = page.getByRole("textbox", { name: /^Betrag/ });
    await amount.fill("1.000");
    await page.getByText("Das kann 1 oder 1000 bedeuten").waitFor();
    await amount.fill("2,5");
    await page.getByText("Das kann 1 oder 1000 bedeuten").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Zahlungslink kopieren" }).click({ trial: true });
    // Where it is low, the dialog opens at its top: with the code, not past it.
    await page.setViewportSize({ width: 640, height: 400 });
    await goTo(page, "/wallet");
    await goTo(page, "/wallet/receive");
    const code = page.getByRole("dialog").getByRole("img");
    await code.waitFor();
    await photograph(page, "receive-low");
    const { y = 0, height = 400 } = (await code.boundingBox()) ?? {};
    expect([y >= 0, y + height <= 400]).toEqual([true, true]);
    await page.setViewportSize({ width: 1_280, height: 800 });
    await goTo(page, "/settings/appearance");
    await page.getByRole("combobox", { name: "Sprache" }).click();
    await page.getByRole("option", { name: "English" }).click();
    await page.getByRole("heading", { level: 1, name: "Appearance" }).waitFor();
  });

  it("shows the same numbers as charts and as a table", async () => {
    await goTo(page, "/explorer");
    await page.getByRole("img", { name: /^Transactions: \d+ values/ }).waitFor();
    await page.getByRole("radio", { name: "Table" }).click();
    await expect.poll(() => page.getByRole("region", { name: "Charts" }).getByRole("row").count()).toBeGreaterThan(10);
    await page.getByRole("radio", { name: "Chart", exact: true }).click();
  });

  it("keeps working on a slow network", async () => {
    const session = await person.context.newCDPSession(page);
    const slow = { offline: false, latency: 400, downloadThroughput: 64_000, uploadThroughput: 32_000 };
    await session.send("Network.emulateNetworkConditions", slow);
    await goTo(page, "/explorer/block/33");
    await page.getByRole("heading", { level: 1, name: "Block 33" }).waitFor();
    await page.getByText("Proposed by").waitFor();
    await session.send("Network.emulateNetworkConditions", { ...slow, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
    await session.detach();
  });

  it("shows what follows a part that loads after two seconds, though that part has not come", async () => {
    const held = Promise.withResolvers<void>();
    await page.route(/\/api\/(identit|devices)/, async (route) => {
      await held.promise;
      await route.continue();
    });
    // A machine under load may need more than two seconds to look at what is held back.
    await waitPatiently(page);
    await goTo(page, `/explorer/address/${formatAddress(seededPerson(7).account.publicKey)}`);
    const history = page.locator("section", { has: page.getByRole("heading", { name: /transactions?$/i, includeHidden: true }) });
    await history.waitFor({ state: "attached" });
    expect(await history.evaluate((element) => getComputedStyle(element).visibility)).toBe("hidden");
    await page.evaluate(() => document.documentElement.style.removeProperty("--delay-patience"));
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--delay-patience"))).toBe("2s");
    await history.waitFor();
    expect(await page.locator("[data-in-order] > [data-loading]").count()).toBeGreaterThan(0);
    held.resolve();
    await page.getByRole("region", { name: "Published identity" }).waitFor();
    await page.unrouteAll({ behavior: "wait" });
  });

  it("works on another node by its address and token, and on the own one again", WHOLE_ONLY, async () => {
    const token = "token-of-the-other-node";
    await using other = await startNode({
      dataDir: `${world.folder}/other`,
      token,
      env: { SVC_API_TOKEN: token, SVC_API_PRIVATE: "true", SVC_ALLOWED_ORIGINS: world.node.baseUrl },
    });
    const { chain_id: chain } = await other.client.getNetworkInfo({});
    await goTo(page, "/node/diagnostics");
    await page.getByRole("textbox", { name: /^Address/ }).fill(other.baseUrl);
    await page.getByRole("textbox", { name: /^Access token/ }).fill("not-the-token");
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByText("Access token required").waitFor();
    await page.getByRole("textbox", { name: /^Access token/ }).fill(token);
    await page.getByRole("button", { name: "Connect" }).click();
    await unlock(page);
    await goTo(page, "/settings/network");
    await page.getByText(chain, { exact: true }).waitFor();
    await page.getByText(/· live/).waitFor();
    await goTo(page, "/node/diagnostics");
    await page.getByRole("button", { name: "Use my own node again" }).click();
    await unlock(page);
    await goTo(page, "/wallet");
    await page.getByRole("region", { name: "Tokens and NFTs" }).waitFor();
  });

  it("shows how far joining is, and a validator's key in a signer", WHOLE_ONLY, async () => {
    const changed = { sync: {}, key: {} };
    await page.route("**/api/status", async (route) => {
      const response = await route.fetch();
      const status = (await response.json()) as { readonly sync: object };
      await route.fulfill({ response, json: { ...status, ...changed.key, sync: { ...status.sync, ...changed.sync } } });
    });
    const amounts = { height: 123_000, bytes: 48_234_496, share: 0.42 };
    const step = { name: "records", bytes: 48_234_496, eta_seconds: 37 };
    const snapshot = { stage: "state", ...amounts, eta_seconds: 37, step };
    changed.sync = { state: "syncing", target_height: 123_456, snapshot };
    await goTo(page, "/node");
    await page.getByText(/^State of block 123,000: .* · 42%/).waitFor();
    await photograph(page, "node-joining");
    await page.getByText(/^About 37 secs? left\.$/).waitFor();
    const section = page.getByRole("region", { name: "Sync" });
    const before = (await section.boundingBox())?.height;
    const around = { name: "headers", done: 3_072, total: 10_000, bytes: 1_075_200 };
    changed.sync = { ...changed.sync, snapshot: { stage: "history", ...amounts, share: 1, step: around } };
    await page.getByText(/^Headers below block 123,000: 3,072 of about 10,000/).waitFor();
    await page.getByText("Time left not known yet.").waitFor();
    await photograph(page, "node-joining-around");
    expect(before).toBeGreaterThan(0);
    expect((await section.boundingBox())?.height).toBe(before);
    changed.sync = {};
    const pub = robin().account.publicKey;
    changed.key = { validator_key: { pub_key: pub, place: "remote", is_ready: false } };
    const validator = { bond_ut: 1_000_000, set_aside: true, commits_signed: 12, commits_expected: 1_000 };
    await page.route(`**/api/node/${pub}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), validator } });
    });
    await goTo(page, "/node/validator");
    await page.reload();
    await unlock(page);
    await page.getByText(formatAddress(pub).slice(0, 8)).first().waitFor();
    await page.getByText(/^It missed too many blocks\. The bond is safe\./).waitFor();
    // The key of the node itself is not the validator's.
    await page
      .getByText(/ --key signer\/validator-key\.json --node URL/)
      .first()
      .waitFor();
    expect(await page.getByText("keys/node-key.json").count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "node-validator-remote");
    await page.unrouteAll({ behavior: "wait" });
  });

  it("says from when blocks are here, and what of one's own stays", WHOLE_ONLY, async () => {
    const own = { pub_key: robin().account.publicKey, complete: true, from_height: 0, from_time: "2026-01-01T00:00:00Z", kept: 12 };
    const older = { state: "running", entries: 1_234, eta_seconds: 90 };
    const kept = { retain: "30d", dropping: "on", accounts: [{ ...own, complete: false, from_height: 1_050, older }] as object[] };
    await page.route("**/api/status", async (route) => {
      const response = await route.fetch();
      const status = (await response.json()) as { readonly sync: object };
      const history = { from_height: 100, from_time: "2026-02-01T00:00:00Z", complete: false };
      await route.fulfill({ response, json: { ...status, sync: { ...status.sync, height: 1_233 }, history } });
    });
    await page.route("**/api/node/history", (route) => route.fulfill({ json: kept }));
    await goTo(page, "/node");
    await page.reload();
    await unlock(page);
    const storage = page.getByRole("region", { name: "Storage", exact: true });
    await storage.getByText(/^Since .*2026.* \(block 100\)$/).waitFor();
    await storage.getByText("1,134", { exact: true }).waitFor();
    await storage.getByText("Removed after 30 days", { exact: true }).waitFor();
    await storage.getByText(/ \(block 1,050\)\. Entries older than block 1,050 \(1,234\) are being fetched\. About .* left\.$/).waitFor();
    await storage.scrollIntoViewIfNeeded();
    await photograph(page, "node-storage-older");
    kept.accounts = [own];
    await page.reload();
    await unlock(page);
    await storage.getByText("Complete", { exact: true }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "node-storage-dropped");
    await page.unrouteAll({ behavior: "wait" });
  });

  it("warns before the network changes to rules that the node lacks", WHOLE_ONLY, async () => {
    await page.route("**/api/status", async (route) => {
      const response = await route.fetch();
      const upgrade = { version: 2, at_height: 123_456, not_before: 1_800_000_000, is_known: false };
      await route.fulfill({ response, json: { ...((await response.json()) as object), upgrade } });
    });
    await goTo(page, "/node");
    const warning = page.getByRole("alert").filter({ hasText: "Update needed" });
    await warning.getByText(/at block 123,456, not before .*, and this version doesn't support them/).waitFor();
    await page.getByText(/^From block 123,456, not before/).waitFor();
    // A sentence longer than its row would push the page aside, or be cut off.
    const overflows = await page.evaluate(() => [...document.querySelectorAll("dd")].some((row) => row.scrollWidth > row.clientWidth + 1));
    expect(overflows).toBe(false);
    await photograph(page, "node-upgrade");
    await page.unrouteAll({ behavior: "wait" });
  });

  it("mirrors every view from right to left: nothing is pushed aside, addresses and amounts keep their order", async () => {
    await speak(page, PSEUDO_LANGUAGE);
    for (const path of spread(places, 15)) {
      await goTo(page, path);
      await page.waitForLoadState("networkidle");
      for (const viewport of [
        { width: 640, height: 400 },
        { width: 1280, height: 800 },
      ]) {
        await page.setViewportSize(viewport);
        expect(await page.evaluate(mirroredFaults), `${path} at ${viewport.width}`).toEqual([]);
        expect(await page.evaluate(cutBeginnings), `beginnings at ${path} at ${viewport.width}`).toEqual([]);
      }
      await photograph(page, `right-to-left${nameOfPicture(path)}`);
    }
    await speak(page, "system");
  }, 300_000);

  it("says calmly that the node is away, keeps what it knows, and continues when the node is back", async () => {
    await openView(page, "Wallet");
    const balance = await page.getByRole("region", { name: "Balance" }).getByText(/ T$/).first().textContent();
    await world.node.kill();
    await page.getByText(/^(Node unreachable|Connecting)$/).waitFor();
    await page.getByText(/As of block/).waitFor();
    expect(await page.getByRole("region", { name: "Balance" }).getByText(/ T$/).first().textContent()).toBe(balance);
    await openView(page, "Contacts");
    await page.getByRole("list", { name: "People" }).getByRole("link").first().waitFor();
    await photograph(page, "node-away");
    await openView(page, "Explorer");
    await page.getByText("Not connected to the node.").waitFor();
    await photograph(page, "node-away-explorer");
    await openView(page, "Node");
    await page.getByText(/^Not connected\. Block \d+ was the newest/).waitFor();
    expect(await page.getByText(/Up to date at block/).count()).toBe(0);
    await photograph(page, "node-away-node");
    world.node = await startNode({ dataDir: world.node.dataDir, port: world.node.port });
    await page.getByText(/· live/).waitFor();
  });

  it("leaves no error in the console", async () => {
    if (person.errors.length > 0) await photographFailure(page, "views");
    expect(person.errors).toEqual([]);
  });
});

/** What does not stand where a mirrored page has it. Runs in the page. */
function mirroredFaults(): readonly string[] {
  const faults: string[] = [];
  const name = (element: Element): string => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40) ?? ""}`;
  if (document.documentElement.dir !== "rtl") faults.push("the document reads from left to right");
  if (document.documentElement.scrollWidth > innerWidth) faults.push("sideways scroll");
  const rail = document.querySelector("nav")?.getBoundingClientRect();
  if (rail === undefined || rail.left < innerWidth / 2) faults.push("the rail is not at the right");
  for (const element of document.querySelectorAll("main, main *, [role=dialog], [role=dialog] *")) {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const isSeen = box.width > 1 && box.height > 1 && style.visibility === "visible" && element.closest("svg") === null;
    if (!isSeen) continue;
    if (/Parley Mono/.test(style.fontFamily) && style.direction !== "ltr")
      faults.push(`an address or code from right to left: ${name(element)}`);
    if (style.textOverflow !== "ellipsis" && style.overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1)
      faults.push(`cut off: ${name(element)}`);
  }
  return faults;
}

/** Words that end in an ellipsis and do not begin where one can see it. Runs in the page. */
function cutBeginnings(): readonly string[] {
  /** Where the first letter of an element is drawn. */
  const beginningOf = (element: Element): DOMRect | undefined => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      for (const { index } of (text.textContent ?? "").matchAll(/[\p{L}\p{N}]/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        const box = range.getBoundingClientRect();
        if (box.width > 0) return box;
      }
    }
    return undefined;
  };
  return [...document.querySelectorAll("main *")].flatMap((element) => {
    const { textOverflow, overflowX } = getComputedStyle(element);
    const [box, begin] = [element.getBoundingClientRect(), beginningOf(element)];
    if (textOverflow !== "ellipsis" || overflowX !== "hidden" || begin === undefined) return [];
    return begin.left < box.left - 1 || begin.right > box.right + 1 ? [element.textContent ?? ""] : [];
  });
}

/** Opens the palette; what is typed is seen from now on. */
async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "combobox");
}

/** Closes the palette, and waits until it is gone: what is typed goes to the next one. */
async function closePalette(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("combobox").waitFor({ state: "detached" });
}

/** The dialog in front, whatever its step is called; toasts are dialogs too. */
function openDialog(page: Page): Locator {
  return page.locator('[role="dialog"][data-open]:not([data-type])');
}

/** Presses Tab until a button with the name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    const focused = await page.evaluate(() => (document.activeElement as HTMLElement | null)?.textContent ?? "");
    if (focused === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached "${name}"`);
}
