// Another node instead of the one of this machine: asked about by the shell, reached by the page after its next load, and left again.
import { afterAll, beforeAll, expect, it } from "vitest";
import { openView } from "../e2e/support/person.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../support/host/temporary-folder.ts";
import { type RunningNode, startNode } from "../support/nodes/start-node.ts";
import { createProfile, type DesktopProfile, type DesktopWorld, startWithIdentity } from "./desktop-world.ts";

const TOKEN = "token-of-the-other-node";
let profile: DesktopProfile;
let world: DesktopWorld;
let folder: TemporaryFolder;
let other: RunningNode;

beforeAll(async () => {
  profile = await createProfile();
  folder = await createTemporaryFolder();
  ({ world } = await startWithIdentity(profile));
  const origin = new URL("/", world.page.url()).href.replace(/\/$/, "");
  const env = { SVC_ALLOWED_ORIGINS: `app://parley,${origin}`, SVC_API_TOKEN: TOKEN, SVC_API_PRIVATE: "true" };
  other = await startNode({ dataDir: folder.path, env, token: TOKEN });
});
afterAll(async () => {
  await world.quit();
  await other.stop();
  await folder.remove();
  profile.remove();
});

async function choose(token: string, isAgreed: boolean): Promise<void> {
  const { page } = world;
  await openView(page, "Node");
  await page.getByRole("link", { name: "Diagnostics" }).click();
  await page.getByRole("textbox", { name: "Address" }).fill(other.baseUrl);
  await page.getByRole("textbox", { name: "Access token" }).fill(token);
  await world.order({ type: "answerDialog", answer: { response: isAgreed ? 0 : 1 } });
  await page.getByRole("button", { name: "Connect" }).click();
}

it("is not reached by a page that asks without permission", async () => {
  const reached = await world.page.evaluate(
    async (url) =>
      await fetch(`${url}/api/netstats`).then(
        () => true,
        () => false,
      ),
    other.baseUrl,
  );
  expect(reached).toBe(false);
  await expect(world.page.evaluate(async () => await callDesktop("changeSettings", { otherNode: "https://evil.example" }))).rejects.toThrow(
    "wrong shape",
  );
});

it("is not used when the person declines, or when it refuses the token", async () => {
  const { page } = world;
  await choose(TOKEN, false);
  await world.until(({ dialogCount }) => dialogCount === 1, "the question");
  await choose("another token", true);
  await page.getByRole("alert").waitFor();
  await openView(page, "Wallet");
  await page.getByRole("region", { name: "Status" }).getByText("live").waitFor();
});

it("serves the page after its next load, and the own node serves it again when chosen", async () => {
  const { page } = world;
  const { chain_id: chainId } = await other.client.getNetworkInfo({});
  await choose(TOKEN, true);
  await page.getByText(other.baseUrl, { exact: true }).waitFor();
  await page.getByRole("region", { name: "Status" }).getByText("live").waitFor();
  await openView(page, "Node");
  await page.getByText(chainId).first().waitFor();
  await page.getByRole("link", { name: "Diagnostics" }).click();
  await page.getByRole("button", { name: "Use my own node again" }).click();
  await page.getByText(new URL("/", page.url()).href.replace(/\/$/, ""), { exact: true }).waitFor();
  await page.getByRole("region", { name: "Status" }).getByText("live").waitFor();
});

/** In the page: a call of the shell. */
declare function callDesktop(name: string, input: unknown): Promise<unknown>;
