// A recipient from a QR code: out of a picture file, and filmed by the camera. Photos for messages, and codes that invite others.
import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatContactLink } from "#renderer/lib/people/parse-recipient.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { expectFocus } from "./support/keyboard.ts";
import { photograph } from "./support/pictures.ts";
import { qrFilm, qrPicture } from "./support/qr-pictures.ts";
import { goTo, restoreRobin } from "./support/robin.ts";
import { SMALL_RECIPE } from "./support/seeded-chain.ts";
import { robin, seededPerson } from "./support/seeded-people.ts";

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
    await page.keyboard.press("Escape");
  });

  it("takes a photo for a message, by a command behind a slash, and leaves the camera off", WHOLE_ONLY, async () => {
    await page.evaluate(collectStreams);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("note to self");
    await page.keyboard.press("Enter");
    const field = page.getByRole("textbox", { name: "Note to self" });
    const commands = page.getByRole("listbox", { name: "Commands" });
    await field.fill("/");
    await commands.getByRole("option", { name: "Take a photo" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "slash-commands");
    await page.keyboard.press("Escape");
    await commands.waitFor({ state: "detached" });
    await field.fill("");
    await field.fill("/ph");
    await commands.getByRole("option").waitFor();
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toBe("");
    const dialog = page.getByRole("dialog", { name: "Camera" });
    await dialog.getByRole("button", { name: "Take photo", disabled: false }).click();
    await dialog.getByRole("button", { name: "Retake" }).click();
    // The camera starts again a moment after the press.
    await expect.poll(() => areOff(page)).toEqual([true, false]);
    await dialog.getByRole("button", { name: "Take photo", disabled: false }).waitFor();
    await photograph(page, "camera");
    await dialog.getByRole("button", { name: "Take photo", disabled: false }).click();
    await dialog.getByRole("img", { name: "The photo you took" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "camera-taken");
    await dialog.getByRole("button", { name: "Use photo" }).click();
    await page.getByRole("list", { name: "Files to send" }).getByRole("listitem").locator("img").waitFor();
    await expectFocus(field);
    await page.getByRole("button", { name: "Remove photo.jpg" }).press("Enter");
    await page.getByRole("button", { name: "Attach", exact: true }).press("Enter");
    await page.getByRole("menuitem", { name: "Photos and videos" }).waitFor();
    await photograph(page, "attach-menu");
    await page.getByRole("menuitem", { name: "Camera" }).click();
    await dialog.getByRole("button", { name: "Take photo", disabled: false }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await areOff(page)).toEqual([true, true, true]);
  });

  it("invites others by a link and its code, which say what they give away", async () => {
    await goTo(page, "/contacts/new");
    const adding = page.getByRole("dialog", { name: "Add contact" });
    await adding.getByRole("link", { name: "Invite link" }).click();
    const dialog = page.getByRole("dialog", { name: "Invite link" });
    const link = formatContactLink(robin().account.publicKey);
    await dialog.getByText(link).waitFor();
    await expectFocus(dialog.getByRole("button", { name: "Copy link" }));
    await dialog.getByText("It contains your address and nothing else").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, "invite-link");
    await page.setViewportSize({ width: 400, height: 740 });
    await photograph(page, "invite-link-narrow");
    await page.keyboard.press("Escape");
    await adding.getByRole("textbox", { name: "Person" }).fill(link);
    await adding.getByText("This is your own address.").first().waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await goTo(page, "/wallet");
    const own = page.getByRole("button", { name: "Your address and profile" });
    await own.press("Enter");
    await page.getByRole("dialog", { name: "Your address and profile" }).getByRole("link", { name: "Invite link" }).press("Enter");
    await expectFocus(dialog.getByRole("button", { name: "Copy link" }));
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expectFocus(own);
    expect(person.errors).toEqual([]);
  });
});

/** Remembers what the page films with. */
function collectStreams(): void {
  const streams: MediaStream[] = [];
  const { mediaDevices } = navigator;
  const ask = mediaDevices.getUserMedia.bind(mediaDevices);
  Object.assign(globalThis, { streams });
  mediaDevices.getUserMedia = async (constraints): Promise<MediaStream> => {
    const stream = await ask(constraints);
    streams.push(stream);
    return stream;
  };
}

/** For each of them whether it has ended. */
function areOff(page: Page): Promise<readonly boolean[]> {
  return page.evaluate(() =>
    (globalThis as unknown as { readonly streams: readonly MediaStream[] }).streams.map((stream) =>
      stream.getTracks().every(({ readyState }) => readyState === "ended"),
    ),
  );
}

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
