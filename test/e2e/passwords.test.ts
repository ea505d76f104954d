// Choosing a password: judged by the keyring, in words that a screen reader hears, and refused below the floor whatever the page says.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violationsInBothThemes } from "./support/axe.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { createIdentity, givePassword, openView, PASSWORD } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";
import { startRawKeyring } from "./support/raw-keyring.ts";

const PHRASE = `${"abandon ".repeat(23)}art`;

/** What a screen reader says of a field: its description. */
async function describedBy(page: Page, name: string): Promise<string> {
  return await page
    .getByRole("textbox", { name, exact: true })
    .evaluate((field) => document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent ?? "");
}

describe("a password that is chosen", () => {
  let world: BrowserWorld;
  let page: Page;
  let lists: string[];

  beforeAll(async () => {
    world = await startWorld("passwords");
    const person = await world.enter("xanthippe");
    page = person.page;
    lists = [];
    person.context.on("request", (request) => {
      if (request.url().includes("guess-password")) lists.push(request.url());
    });
    await page.goto(world.node.baseUrl);
    await page.getByRole("button", { name: "Create a new identity" }).click();
    await page.getByRole("textbox", { name: /^Name/ }).fill("Xanthippe Brzoska");
    await page.getByRole("button", { name: "Continue" }).click();
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("loads the word lists with its first characters, not before", async () => {
    const field = page.getByRole("textbox", { name: "Password", exact: true });
    await field.waitFor();
    expect(await describedBy(page, "Password")).toBe("Three or four unrelated words work well.");
    expect(lists).toEqual([]);
    await page.keyboard.type("Sommer2024!");
    await page.getByText(/^Too weak: ten graphics cards need about \d+ minutes to guess it\.$/).waitFor();
    expect(lists).toHaveLength(1);
    for (const advice of ["Common names are easy to guess.", "Add one or two uncommon words."])
      expect(await describedBy(page, "Password")).toContain(advice);
    await photograph(page, "password-weak");
    expect(await violationsInBothThemes(page)).toEqual([]);
  });

  it("is refused by keyboard alone when it is weak, with the reason beside it", async () => {
    const field = page.getByRole("textbox", { name: "Password", exact: true });
    await page.getByRole("textbox", { name: "Repeat the password" }).fill("Sommer2024!");
    await page.keyboard.press("Enter");
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    expect(await describedBy(page, "Password")).toContain("Too weak");
    expect(await page.getByRole("button", { name: "Create my keys" }).count()).toBe(1);
  });

  it("counts the person's own name for little", async () => {
    await page.getByRole("textbox", { name: "Password", exact: true }).fill("Brzoska-Xanthippe");
    await page.getByText("It contains your name, or what it is for.").first().waitFor();
    await page.getByRole("textbox", { name: "Password", exact: true }).fill("violet kettle harbour march");
    await page.getByText("Strong: ten graphics cards need centuries to guess it.").first().waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: "Password", exact: true }).getAttribute("aria-invalid")).toBe("false");
    await photograph(page, "password-strong");
    expect(await violationsInBothThemes(page)).toEqual([]);
  });

  it("is refused by the keyring when the page does not judge it", async () => {
    const keyring = await startRawKeyring(page);
    const weak = { error: { code: "PASSWORD_WEAK" } };
    for (const password of ["short", "Sommer2024!", "12345678901234567890"]) {
      expect(await keyring.call("create", { password })).toEqual(weak);
      expect(await keyring.call("importPhrase", { phrase: PHRASE, password })).toEqual(weak);
    }
    expect(await keyring.call("status")).toMatchObject({ value: { state: "empty" } });
  });

  it("is judged in the settings too, and a weak one changes nothing", async () => {
    await createIdentity(page, world.node.baseUrl, "Xanthippe Brzoska");
    await openView(page, "Settings");
    await page.getByRole("link", { name: "Security" }).click();
    await page.getByRole("textbox", { name: "Current password" }).fill(PASSWORD);
    await page.getByRole("textbox", { name: "New password" }).fill("Xanthippe2024");
    await page.getByRole("textbox", { name: "Repeat the password" }).fill("Xanthippe2024");
    await page.keyboard.press("Enter");
    await page.getByText("It contains your name, or what it is for.").first().waitFor();
    const keyring = await startRawKeyring(page, "settings");
    expect(await keyring.call("changePassword", { current: PASSWORD, next: "Sommer2024!" })).toEqual({ error: { code: "PASSWORD_WEAK" } });
    expect(await keyring.call("unlock", { password: PASSWORD })).toMatchObject({ value: { state: "unlocked" } });
    await page.getByRole("textbox", { name: "New password" }).fill("seven other words sleep at sea");
    await page.getByRole("textbox", { name: "Repeat the password" }).fill("seven other words sleep at sea");
    await page.keyboard.press("Enter");
    await page.getByText("Password changed").first().waitFor();
  });

  it("is asked for beside name and picture only where the person allowed that", async () => {
    const lock = async (): Promise<void> => {
      await page.getByRole("button", { name: "Lock now" }).press("Enter");
      await page.getByRole("heading", { name: "Welcome back" }).waitFor();
    };
    const stored = (): Promise<string | null> => page.evaluate(() => localStorage.getItem("parley.lockFace"));
    const allowed = page.getByRole("switch", { name: "Show my name and picture" });
    await lock();
    await page.getByText(/^pl1/).waitFor();
    expect(await page.getByText("Xanthippe").count()).toBe(0);
    await givePassword(page, "seven other words sleep at sea");
    await allowed.press("Space");
    await expect.poll(stored).toContain("Xanthippe Brzoska");
    await lock();
    await page.getByText("Xanthippe Brzoska", { exact: true }).waitFor();
    await photograph(page, "lock-face");
    expect(await violationsInBothThemes(page)).toEqual([]);
    await givePassword(page, "seven other words sleep at sea");
    await allowed.press("Space");
    expect(await stored()).toBeNull();
    await lock();
    expect(await page.getByText("Xanthippe").count()).toBe(0);
  });
});
