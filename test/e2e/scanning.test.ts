// A recipient from a QR code: out of a picture file, and filmed by the camera.
import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { qrFilm, qrPicture } from "./support/qr-pictures.ts";
import { goTo, restoreRobin } from "./support/robin.ts";
import { SMALL_RECIPE } from "./support/seeded-chain.ts";
import { seededPerson } from "./support/seeded-people.ts";

const PICTURED = formatAddress(seededPerson(5).account.publicKey);
const FILMED = formatAddress(seededPerson(6).account.publicKey);

describe("scanning", () => {
  let world: BrowserWorld;
  let person: BrowserProfile;
  let page: Page;

  beforeAll(async () => {
    world = await startWorld("scanning", SMALL_RECIPE);
    const film = `${world.folder}/code.y4m`;
    writeFileSync(film, qrFilm(`parley:pay?to=${FILMED}&amount=2.5`));
    person = await world.enter("robin", { film });
    page = person.page;
    await restoreRobin(page, world.node.baseUrl);
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  it("fills the recipient out of a picture, and says so when a picture holds no code", async () => {
    await openScanner(page);
    await page.locator('input[type="file"]').setInputFiles({ name: "page.gif", mimeType: "image/gif", buffer: EMPTY_GIF });
    await page.getByText("No readable QR code found in this picture.").waitFor();
    await page.locator('input[type="file"]').setInputFiles({ name: "code.gif", mimeType: "image/gif", buffer: qrPicture(PICTURED) });
    await expectRecipient(page, PICTURED);
    await page.keyboard.press("Escape");
  });

  it("fills recipient and amount out of a payment link that the camera sees", async () => {
    await openScanner(page);
    await page.getByRole("button", { name: "Use the camera" }).click();
    await expectRecipient(page, FILMED);
    await page.getByRole("button", { name: "Continue", disabled: false }).click();
    await expect.poll(() => page.getByRole("textbox", { name: "Amount" }).inputValue()).toBe("2.5");
    expect(person.errors).toEqual([]);
  });
});

/** One dark pixel. */
const EMPTY_GIF = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=", "base64");

async function openScanner(page: Page): Promise<void> {
  await goTo(page, "/wallet/send");
  await page.getByRole("button", { name: "Scan a QR code" }).click();
  await page.getByRole("heading", { name: "Scan a QR code" }).waitFor();
}

/** The whole address, as it is shown for comparing. */
async function expectRecipient(page: Page, address: string): Promise<void> {
  await page.getByRole("heading", { name: "Scan a QR code" }).waitFor({ state: "detached" });
  const shown = page.getByRole("dialog", { name: "Send" }).getByText(address.slice(0, 8), { exact: false }).first();
  await shown.waitFor();
  expect((await page.getByRole("dialog", { name: "Send" }).textContent())?.replaceAll(/\s/g, "")).toContain(address);
}
