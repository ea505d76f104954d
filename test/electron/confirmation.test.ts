// A page that was taken over, with the wallet open: it talks to the keyring and the shell past the interface, and gets no lasting power
// without a person's agreement in a window that it can neither draw nor reach.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { violationsInBothThemes } from "../e2e/support/axe.ts";
import { photograph } from "../e2e/support/pictures.ts";
import { createProfile, type DesktopProfile, type DesktopWorld, startWithIdentity } from "./desktop-world.ts";

const FOREIGN_DEVICE = "0a".repeat(32);
const CHAIN = "parley-test";
/** Of the window, for pictures. */
const SIZE = { width: 560, height: 480 };

let profile: DesktopProfile;
let world: DesktopWorld;
let address = "";

beforeAll(async () => {
  profile = await createProfile();
  const started = await startWithIdentity(profile);
  world = started.world;
  address = started.identity.address;
  await world.page.evaluate(takeKeyringPort);
});
afterAll(async () => {
  await world.quit();
  profile.remove();
});

interface Raw {
  readonly value?: unknown;
  readonly error?: { readonly code: string };
}

/** In the page: asks the shell for a port of its own and keeps it. */
async function takeKeyringPort(): Promise<void> {
  const scope = globalThis as unknown as {
    rawKeyring?: MessagePort;
    rawSeen: unknown[];
    callDesktop(name: string, input: unknown): Promise<unknown>;
  };
  const taken = new Promise<MessagePort>((resolve) => {
    addEventListener("message", ({ ports: [port] }) => {
      if (port !== undefined) resolve(port);
    });
  });
  await scope.callDesktop("connectKeyring", null);
  scope.rawKeyring = await taken;
  scope.rawSeen = [];
  scope.rawKeyring.addEventListener("message", ({ data }) => scope.rawSeen.push(data));
  scope.rawKeyring.start();
}

/** Posts raw messages and waits for the answers to as many ids. */
async function ask(messages: readonly object[], answers: number): Promise<readonly Raw[]> {
  return await world.page.evaluate(
    async ({ messages: posted, count }) => {
      const scope = globalThis as unknown as { rawKeyring: MessagePort; rawSeen: unknown[] };
      scope.rawSeen.length = 0;
      for (const message of posted) scope.rawKeyring.postMessage(message);
      const isAnswer = (seen: unknown): boolean => typeof seen === "object" && seen !== null && "id" in seen;
      while (scope.rawSeen.filter(isAnswer).length < count) await new Promise((resolve) => setTimeout(resolve, 10));
      const hasBytes = (value: unknown): boolean =>
        value instanceof Uint8Array || (typeof value === "object" && value !== null && Object.values(value).some(hasBytes));
      return scope.rawSeen
        .filter(isAnswer)
        .map((seen) => (hasBytes(seen) ? { value: "raw bytes" } : JSON.parse(JSON.stringify(seen)))) as Raw[];
    },
    { messages, count: answers },
  );
}

it("gets no raw key by asking for something else under the same number", async () => {
  const pairs = [1, 2, 3].flatMap((id) => [
    { id, method: "status" },
    { id, method: "storeKeys" },
  ]);
  const seen = await ask(pairs, pairs.length);
  expect(seen).not.toContainEqual({ value: "raw bytes" });
  expect(seen.filter(({ error }) => error?.code === "BAD_REQUEST")).toHaveLength(3);
});

it("links no device that the person does not let in, and the window says which one exactly", async () => {
  const intent = { kind: "linkDevice", deviceName: "Mallory's laptop", devicePub: FOREIGN_DEVICE };
  const signing = ask([{ id: 10, method: "sign", input: { intent, chainId: CHAIN } }], 1);
  const window = await world.confirmation();
  await window.setViewportSize(SIZE);
  await window.getByRole("heading", { name: "Link another device?" }).waitFor();
  for (const part of [FOREIGN_DEVICE, "Mallory's laptop", address, CHAIN]) await window.getByText(part, { exact: true }).waitFor();
  await expect.poll(() => window.evaluate(() => document.activeElement?.textContent)).toBe("Cancel");
  expect(
    await window.evaluate(() => [...document.scripts].length + Object.keys(globalThis).filter((key) => /parley/i.test(key)).length),
  ).toBe(0);
  expect(await violationsInBothThemes(window)).toEqual([]);
  await photograph(window, "confirm-link-device");
  await world.confirm(false);
  expect(await signing).toMatchObject([{ error: { code: "CONFIRMATION_DECLINED" } }]);
});

it("signs it once the person agreed", async () => {
  const intent = { kind: "linkDevice", deviceName: "Tablet", devicePub: FOREIGN_DEVICE };
  const signing = ask([{ id: 11, method: "sign", input: { intent, chainId: CHAIN } }], 1);
  expect(await world.confirm()).toContain("Tablet");
  expect(await signing).toMatchObject([{ value: { summary: { kind: "linkDevice" } } }]);
});

it("does not switch the lock off, become a validator or begin at another checkpoint by itself", async () => {
  const [, answers] = await Promise.all([
    world.confirm(false),
    ask([{ id: 20, method: "setAutoLock", input: { walletIdleMs: null, fullIdleMs: null } }], 1),
  ]);
  expect(answers).toMatchObject([{ error: { code: "CONFIRMATION_DECLINED" } }]);
  const change = { nodeMode: "light", nodeCheckpoint: `1200:${"4f".repeat(32)}` };
  const changing = world.page
    .evaluate(async (input) => await callDesktop("changeSettings", input), change)
    .catch(({ message }: Error) => message);
  expect(await world.confirm()).toContain(change.nodeCheckpoint);
  expect(await changing).toMatchObject(change);
  const back = world.page.evaluate(async () => await callDesktop("changeSettings", { nodeMode: "automatic", nodeCheckpoint: null }));
  const window = await world.confirmation();
  await window.setViewportSize(SIZE);
  await window.getByRole("heading", { name: "Change how the node works?" }).waitFor();
  await photograph(window, "confirm-node-mode");
  await world.confirm();
  await back;
  expect(JSON.parse(readFileSync(join(profile.folder, "settings.json"), "utf8"))).toMatchObject({
    nodeMode: "automatic",
    nodeCheckpoint: null,
  });
});

it("cannot name a data folder, reach the window's document, or answer in its place", async () => {
  await expect(world.page.evaluate(async () => await callDesktop("changeSettings", { dataFolder: "/tmp" }))).rejects.toThrow("wrong shape");
  const signing = ask(
    [{ id: 30, method: "sign", input: { intent: { kind: "addValidator", validator: parseAccount(address) }, chainId: CHAIN } }],
    1,
  );
  const window = await world.confirmation();
  const reached = await world.page.evaluate(
    async (url) =>
      await fetch(url).then(
        () => "fetched",
        () => "refused",
      ),
    window.url(),
  );
  expect(reached).toBe("refused");
  await expect(world.page.evaluate(async () => await callDesktop("parley:confirmation-answer", true))).rejects.toThrow("no such call");
  await world.confirm(false);
  expect(await signing).toMatchObject([{ error: { code: "CONFIRMATION_DECLINED" } }]);
});

/** In the page: a call of the shell. */
declare function callDesktop(name: string, input: unknown): Promise<unknown>;
