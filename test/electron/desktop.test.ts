// The desktop app as a person uses it: the built shell, real processes for node and keyring, a real Chromium. Here Electron itself is
// stood in for; what only its binary can show is not claimed.

import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { knownPid } from "#test/support/nodes/known-pid.ts";
import { violationsInBothThemes } from "../e2e/support/axe.ts";
import { acceptContact, createIdentity, givePassword, openView, PASSWORD, pay, payWithPassword, unlock } from "../e2e/support/person.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { connectToNode } from "../support/nodes/connect-to-node.ts";
import { enterLink, takeEverything } from "../support/nodes/enter-link.ts";
import { runParley } from "../support/nodes/run-program.ts";
import { createTestKeyring, ManualTime } from "../support/worlds/keyring-world.ts";
import { createProfile, type DesktopProfile, type DesktopWorld, nodePid, startDesktop, startSecondInstance } from "./desktop-world.ts";

const LINK_CODE = /[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}/;

let profile: DesktopProfile;
let world: DesktopWorld;

/** Address and secret of the node, which the shell tells its page alone. */
async function nodeOf(page: Page): Promise<{ readonly url: string; readonly token: string }> {
  const { live_url: live } = (await page.evaluate(async () => await (await fetch("/shell/connection")).json())) as { live_url: string };
  const url = new URL(live);
  return { url: `http://${url.host}`, token: url.searchParams.get("token") ?? "" };
}

/** Another key on the same network, at the command line of the same user, which finds the app by its file. */
async function bob(command: string, ...args: readonly string[]): Promise<Record<string, unknown>> {
  const key = join(profile.folder, "bob.json");
  const access = command === "keygen" ? ["--out", key] : ["--key", key, "--endpoint", join(profile.folder, "endpoint.json")];
  const result = await runParley([command, ...access, "--json", ...args], { env: { PARLEY_KEY_PASSWORD: "bob" } });
  expect(result).toMatchObject({ code: 0 });
  return JSON.parse(result.stdout) as Record<string, unknown>;
}

describe("a person at the desktop", () => {
  let aliceAddress = "";

  beforeAll(async () => {
    profile = await createProfile();
    world = await startDesktop(profile);
    await world.untilNodeRuns();
  });
  afterAll(async () => {
    await world.quit();
    profile.remove();
  });

  it("makes an identity whose keys lie in files of the keyring's process, not in the browser", async () => {
    const { page } = world;
    aliceAddress = (await createIdentity(page, new URL("/", page.url()).href, "Alice")).address;
    // A lock lies beside them while the vault is written.
    await expect.poll(() => readdirSync(join(profile.folder, "keyring")).sort()).toEqual(["apps-journal", "vault-a", "vault-b"]);
    const databases = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
    expect(databases).not.toContain("parley-vault");
    expect((await world.state()).processes.map(({ name }) => name).sort()).toEqual(["Parley keyring", "Parley node"]);
  });

  it("pays", async () => {
    const { address } = await bob("keygen");
    await pay(world.page, String(address), "12.5", "Lunch");
    expect(await bob("balance")).toMatchObject({ balance_ut: 12_500_000 });
  });

  it("is notified of a message while the window is hidden, and a click opens the chat", async () => {
    const { page } = world;
    await bob("register-key", "--nickname", "Bob", "--wait");
    await bob("request-contact", "--to", aliceAddress, "--fee", "6000", "--intro", "Bob from chess", "--wait");
    await acceptContact(page, "Bob");
    await world.order({ type: "closeWindow" });
    await world.until(({ isWindowVisible }) => isWindowVisible === false, "the hidden window");
    await bob("send-msg", "--to", aliceAddress, "--msg", "Eight o'clock?");
    const notified = await world.until(({ notifications, badge }) => notifications.length === 1 && badge === 1, "the notification");
    expect(notified.notifications).toEqual([{ title: "Bob", body: "New message" }]);
    expect(notified.tooltip).toBe("Parley – 1 unread message");
    await world.order({ type: "clickNotification", index: 0 });
    await page.getByRole("article").filter({ hasText: "Eight o'clock?" }).waitFor();
    await world.until(
      ({ isWindowVisible, badge, notifications }) => isWindowVisible === true && badge === 0 && notifications.length === 0,
      "all read",
    );
  });

  it(
    "leaves what comes into an open chat unread until the window is looked at, though its page goes on behind it",
    WHOLE_ONLY,
    async () => {
      const { page } = world;
      const said = (text: string): Promise<void> => page.getByRole("article").filter({ hasText: text }).waitFor();
      // The page itself sees no difference.
      const looksVisible = (): Promise<boolean> => page.evaluate(() => document.visibilityState === "visible" && document.hasFocus());
      await world.order({ type: "blurWindow" });
      await bob("send-msg", "--to", aliceAddress, "--msg", "Behind another window");
      await said("Behind another window");
      expect(await looksVisible()).toBe(true);
      await world.until(({ badge, notifications }) => badge === 1 && notifications.length === 1, "the message behind another window");
      await world.order({ type: "closeWindow" });
      await bob("send-msg", "--to", aliceAddress, "--msg", "Behind no window");
      await said("Behind no window");
      expect(await looksVisible()).toBe(true);
      await world.until(({ badge }) => badge === 2, "the message behind no window");
      await world.order({ type: "clickTray", label: "Open Parley" });
      await world.until(({ badge, notifications }) => badge === 0 && notifications.length === 0, "all read");
    },
  );

  it("lets another device in, for which the keyring's process vouches, and hands the messages over", WHOLE_ONLY, async () => {
    const { page } = world;
    const { url, token } = await nodeOf(page);
    const access = connectToNode(url, token);
    const { chain_id: chainId } = await access.client.getNetworkInfo({});
    await openView(page, "Settings");
    await page.getByRole("link", { name: "Devices" }).click();
    await page.getByRole("button", { name: "Link a device" }).click();
    const code = (await page.getByRole("dialog").getByText(LINK_CODE).textContent()) ?? "";
    const { keyring } = createTestKeyring(undefined, new ManualTime(Date.now()));
    const entered = await enterLink(access, { keyring, chainId, code, name: "Tablet", password: PASSWORD });
    await page.getByRole("textbox", { name: "Digits shown on the new device" }).fill(entered.digits);
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Link this device" }).click();
    const shown = await world.confirm();
    for (const part of ["Let another device in?", chainId]) expect(shown).toContain(part);
    const { account, session } = await entered.finish();
    expect(formatAddress(account.masterPub)).toBe(aliceAddress);
    expect(await takeEverything(access, chainId, session)).toContain("Eight o'clock?");
    await page.getByText("History copied to Tablet").first().waitFor();
    access.live.close();
  });

  it("follows links from outside only as far as a filled form", async () => {
    const { page } = world;
    await world.order({ type: "openUrl", url: `parley:pay?to=${aliceAddress}&amount=3` });
    await page.getByRole("dialog", { name: "Send" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/wallet/send");
    const before = await bob("balance");
    expect(await startSecondInstance(profile, ["parley:tx?id=tx1abc"])).toBe(0);
    await page.waitForURL("**/explorer/tx/tx1abc");
    await world.order({ type: "openUrl", url: "parley:settings?id=1" });
    expect(new URL(page.url()).pathname).toBe("/explorer/tx/tx1abc");
    expect(await bob("balance")).toEqual(before);
  });

  it("sees the node recover from a crash, with the same chain", async () => {
    const { page } = world;
    const before = await bob("balance");
    const pid = knownPid(nodePid(await world.state()), "Parley node");
    process.kill(pid, "SIGKILL");
    await world.until((state) => nodePid(state) !== undefined && nodePid(state) !== pid, "a new node");
    await world.untilNodeRuns();
    expect(await bob("balance")).toEqual(before);
    await pay(page, String((await bob("address")).address), "1", "After the crash");
    // The command line found the new start's secret, too.
    await bob("transfer", "--to", aliceAddress, "--amount", "1T", "--wait");
  });

  it("finds the wallet locked after sleep, and pays again after the password", async () => {
    const { page } = world;
    await world.order({ type: "power", event: "suspend" });
    await world.order({ type: "power", event: "resume" });
    await openView(page, "Wallet");
    await page.getByRole("region", { name: "Status" }).getByText("live").waitFor();
    await payWithPassword(page, String((await bob("address")).address), "1");
  });

  it("finds everything again after quitting, for the password", async () => {
    const { url } = await nodeOf(world.page);
    expect(await world.quit()).toBe(0);
    world = await startDesktop(profile);
    const { page } = world;
    expect((await nodeOf(page)).url).toBe(url);
    await givePassword(page);
    await openView(page, "Inbox");
    await page.getByRole("link", { name: /Bob/ }).first().click();
    await page.getByRole("article").filter({ hasText: "Eight o'clock?" }).waitFor();
  });

  it("is let in by the second copy when one of the vault's files is damaged", WHOLE_ONLY, async () => {
    await world.quit();
    writeFileSync(join(profile.folder, "keyring", "vault-a"), "damaged");
    world = await startDesktop(profile);
    await unlock(world.page);
  });

  it("changes the shell by its settings", WHOLE_ONLY, async () => {
    const { page } = world;
    await openView(page, "Settings");
    await page.getByRole("link", { name: "Desktop app" }).click();
    await page.getByRole("switch", { name: "Start when I log in" }).click();
    await world.until(({ loginItem }) => loginItem, "the login item");
    expect((await world.state()).isSpellingChecked).toBe(true);
    await page.getByRole("switch", { name: "Check spelling" }).click();
    await world.until(({ isSpellingChecked }) => !isSpellingChecked, "no spelling checked");
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.getByText(/Running on port \d+/).waitFor();
    const hasShownStart = page.evaluate(
      (words) =>
        new Promise<void>((resolve) => {
          const look = (_: unknown, observer: MutationObserver): void => {
            if (!document.body.textContent.includes(words)) return;
            observer.disconnect();
            resolve();
          };
          new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
        }),
      "Starting…",
    );
    await page.getByRole("button", { name: "Restart node" }).click();
    await hasShownStart;
    await page.getByText(/Running on port \d+/).waitFor();
  });

  it("moves the data to another folder", async () => {
    const { page } = world;
    await world.untilNodeRuns();
    const before = await bob("balance");
    const target = join(profile.folder, "elsewhere");
    await world.order({ type: "answerDialog", answer: { canceled: false, filePaths: [target] } });
    expect(await page.evaluate(async () => await callDesktop("moveDataFolder", null))).toBe(target);
    await world.untilNodeRuns();
    await pollUntil(async () => (await page.evaluate(async () => (await fetch("/api/netstats")).status)) === 200, {
      what: "the moved node",
    });
    expect(await bob("balance")).toEqual(before);
    expect(existsSync(join(profile.folder, "node"))).toBe(false);
  });
});

describe("the window", () => {
  // One app for all: only the last test changes it, and ends it.
  beforeAll(async () => {
    profile = await createProfile();
    world = await startDesktop(profile);
  });
  afterAll(async () => {
    await world.quit();
    profile.remove();
  });

  it("holds nothing of Node or Electron but the few calls", async () => {
    const names = await world.page.evaluate(() => ({
      globals: ["require", "process", "module", "Buffer", "ipcRenderer", "electron", "global"].filter((name) => name in globalThis),
      calls: Object.keys((globalThis as unknown as { parleyDesktop: object }).parleyDesktop),
      isFrozen: Object.isFrozen((globalThis as unknown as { parleyDesktop: object }).parleyDesktop),
    }));
    expect(names).toEqual({ globals: [], calls: ["call", "onEvent"], isFrozen: true });
    await expect(world.page.evaluate(async () => await callDesktop("quit", null))).rejects.toThrow("Refused: no such call");
    await expect(world.page.evaluate(async () => await callDesktop("setUnread", { count: "1" }))).rejects.toThrow("wrong shape");
  });

  it("never leaves the interface, opens nothing, and asks before a link goes outside", async () => {
    const { page } = world;
    await page.getByRole("button", { name: "Create a new identity" }).waitFor();
    const before = page.url();
    await page.evaluate(() => {
      location.href = "https://example.org/";
    });
    await page.evaluate(() => void window.open("https://example.org/page"));
    await world.until(({ dialogCount }) => dialogCount === 1, "the question");
    expect((await world.state()).externals).toEqual([]);
    await world.order({ type: "answerDialog", answer: { response: 0 } });
    await page.evaluate(() => void window.open("https://example.org/page"));
    await world.until(({ externals }) => externals.length === 1, "the opened link");
    await page.evaluate(() => void window.open("file:///etc/passwd"));
    expect((await world.state()).externals).toEqual(["https://example.org/page"]);
    expect(page.url()).toBe(before);
  });

  it("is served with a policy that lets no foreign script, style or address in", async () => {
    const { page } = world;
    await page.getByRole("button", { name: "Create a new identity" }).waitFor();
    const violations = await page.evaluate(async () => {
      const seen: string[] = [];
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => seen.push(effectiveDirective));
      const refusals: string[] = [];
      const attempt = (what: string, action: () => void): void => {
        try {
          action();
        } catch {
          refusals.push(what);
        }
      };
      attempt("script", () => {
        const script = document.createElement("script");
        script.textContent = "globalThis.wasRun = true";
        document.head.append(script);
      });
      attempt("markup", () => document.body.insertAdjacentHTML("beforeend", "<b>x</b>"));
      attempt("worker", () => void new Worker("https://example.org/worker.js"));
      await fetch("https://example.org/").catch(() => undefined);
      const image = document.createElement("img");
      image.src = "https://example.org/a.png";
      image.setAttribute("style", "color:red");
      document.body.append(image);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { refusals, seen: [...new Set(seen)].sort(), wasRun: "wasRun" in globalThis };
    });
    expect(violations).toEqual({
      refusals: ["script", "markup", "worker"],
      seen: ["connect-src", "img-src", "require-trusted-types-for", "style-src-attr"],
      wasRun: false,
    });
  });

  it("grants no permission but copying, microphone and camera, to the interface alone", async () => {
    const ask = (permission: string, origin = "app://parley", mediaType?: string): Promise<unknown> =>
      world.order({ type: "checkPermission", permission, origin, ...(mediaType !== undefined && { mediaType }) });
    for (const type of ["audio", "video"]) {
      expect(await ask("media", "app://parley", type)).toBe(true);
      for (const origin of ["https://example.org", "app://parley.example"]) expect(await ask("media", origin, type)).toBe(false);
    }
    expect(await ask("media", "app://parley", "unknown")).toBe(false);
    expect(await ask("clipboard-sanitized-write")).toBe(true);
    for (const permission of ["media", "geolocation", "notifications", "clipboard-read", "hid", "usb"])
      expect(await ask(permission)).toBe(false);
    expect(await ask("clipboard-sanitized-write", "https://example.org")).toBe(false);
  });

  it("opens again from the tray, by a second start, and is gone when the tray is not wanted", async () => {
    await world.order({ type: "closeWindow" });
    await world.order({ type: "clickTray", label: "Open Parley" });
    await world.until(({ isWindowVisible }) => isWindowVisible === true, "the window");
    await world.order({ type: "closeWindow" });
    expect(await startSecondInstance(profile, [])).toBe(0);
    await world.until(({ isWindowVisible }) => isWindowVisible === true, "the window");
    await world.page.evaluate(async () => await callDesktop("changeSettings", { closeToTray: false, startAtLogin: true }));
    expect((await world.state()).loginItem).toBe(true);
    const ended = world.ended;
    await world.order({ type: "closeWindow" }).catch(() => undefined);
    expect(await ended).toBe(0);
  });
});

describe("a start with faults", () => {
  beforeEach(async () => {
    profile = await createProfile();
  });
  afterEach(() => profile.remove());

  it("sets damaged settings aside and continues", async () => {
    writeFileSync(join(profile.folder, "settings.json"), '{"closeToTray":');
    world = await startDesktop(profile);
    const state = (await world.page.evaluate(async () => await callDesktop("state", null))) as Record<string, unknown>;
    expect(state).toMatchObject({ settingsSetAside: join(profile.folder, "settings.json.damaged"), settings: { closeToTray: true } });
    expect(await world.quit()).toBe(0);
  });

  it("says why the node does not start, stops trying, and offers diagnostics", WHOLE_ONLY, async () => {
    writeFileSync(join(profile.folder, "node"), "a file where the folder should be");
    world = await startDesktop(profile);
    await world.until(({ trayLabels }) => trayLabels.includes("Node failed to start: open Parley for details"), "the tray's words");
    const state = (await world.page.evaluate(async () => await callDesktop("state", null))) as { node: { kind: string; reason: string } };
    expect(state.node.kind).toBe("failed");
    expect(state.node.reason).toMatch(/folder/);
    expect(await world.page.evaluate(async () => await callDesktop("diagnostics", null))).toContain("node: failed");
    expect(await world.quit()).toBe(0);
  });

  it("quits in order while the node is still starting, and leaves no process behind", async () => {
    world = await startDesktop(profile);
    const pids = (await world.state()).processes.map(({ name, pid }) => knownPid(pid, name));
    expect(pids.length).toBeGreaterThan(0);
    expect(await world.quit()).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
    expect(existsSync(join(profile.folder, "endpoint.json"))).toBe(false);
  });
});

/** In the page: a call of the shell. */
declare function callDesktop(name: string, input: unknown): Promise<unknown>;
