// Every view in both themes: no violation that axe-core finds, readable in a small window; and the send flow by keyboard alone.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningNode, startNode } from "../support/start-node.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../support/temporary-folder.ts";
import { axeViolations } from "./support/axe.ts";
import { type BrowserProfile, openProfile } from "./support/browser-profile.ts";
import { createIdentity, openView } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";

const VIEWS = [
  "/inbox",
  "/inbox/new",
  "/wallet",
  "/wallet/send",
  "/wallet/receive",
  "/contacts",
  "/contacts/new",
  "/explorer",
  "/explorer/blocks",
  "/explorer/block/1",
  "/node",
  "/settings",
];

describe("the views", () => {
  let folder: TemporaryFolder;
  let node: RunningNode;
  let person: BrowserProfile;

  beforeAll(async () => {
    folder = await createTemporaryFolder();
    node = await startNode({ dataDir: `${folder.path}/node` });
    person = await openProfile();
    await createIdentity(person.page, node.baseUrl, "Robin");
    await openView(person.page, "Wallet");
    await person.page.getByRole("region", { name: "Balance" }).getByText("99.998 T").waitFor();
  });

  afterAll(async () => {
    await person?.[Symbol.asyncDispose]();
    await node?.stop();
    await folder?.remove();
  });

  it.each(VIEWS)("%s has no violation in either theme, at either size", async (path) => {
    const { page } = person;
    await goTo(page, path);
    await page.waitForLoadState("networkidle");
    for (const [width, height] of [
      [1280, 800],
      [900, 600],
      [640, 400],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect(await axeViolations(page), `${width} × ${height} ${colorScheme}`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), "sideways scroll").toBeLessThanOrEqual(0);
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await photograph(page, `view${path.replaceAll("/", "-")}`);
  });

  it("lets somebody pay by keyboard alone", async () => {
    const { page } = person;
    await goTo(page, "/wallet");
    await page.keyboard.press("Control+2");
    const { validators } = await node.client.listValidators({});
    await page.keyboard.press("Control+k");
    await page.keyboard.type(`pay ${validators[0]?.address} 1.5`);
    await page.getByRole("option", { name: /^Pay 1.5 T to/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Continue" }).waitFor();
    await tabTo(page, "Continue");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Amount" }).waitFor();
    await tabTo(page, "Review");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Sign and send" }).waitFor();
    await tabTo(page, "Sign and send");
    await page.keyboard.press("Enter");
    await page
      .getByText(/In block \d+ · final/)
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("region", { name: "Balance" }).getByText("98.497 T").waitFor();
  });

  it("leave no error in the console", () => expect(person.errors).toEqual([]));

  /** Goes to a view without loading the page anew: that would lock the keyring. */
  async function goTo(page: Page, path: string): Promise<void> {
    await page.keyboard.press("Escape");
    await page.evaluate((target) => {
      history.pushState(null, "", target);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
    await page.waitForURL(`**${path}`);
  }
});

/** Presses Tab until a button with the name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    const focused = await page.evaluate(() => (document.activeElement as HTMLElement | null)?.textContent ?? "");
    if (focused === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached "${name}"`);
}
