import { EventEmitter } from "node:events";
import type { BrowserWindow } from "electron";
import { beforeEach, describe, expect, it } from "vitest";
import { type ConfirmationCaller, ConfirmationDesk } from "#electron/main/confirmation/confirmation-desk.ts";
import { CONFIRMATION_ORIGIN, isConfirmationUrl, serveConfirmation } from "#electron/main/confirmation/confirmation-page.ts";
import type { Decision, WindowLanguage } from "#electron/main/confirmation/confirmation-types.ts";
import { confirmationContent } from "#electron/main/confirmation/confirmation-words.ts";
import { FREE_REFUSALS } from "#electron/main/confirmation/question-pauses.ts";
import { isAppUrl } from "#electron/main/security/trusted-url.ts";
import { ManualTime } from "#test/support/worlds/keyring-world.ts";

const LINK: Decision = {
  kind: "linkDevice",
  account: "pl1account",
  chainId: "parley-test",
  feeUt: 1_500,
  deviceName: "Mallory's",
  devicePub: "0a".repeat(32),
};
const NODE_SIGNED = { account: "pl1node", chainId: "parley-test", feeUt: 1_000 } as const;
const WORK = { relayFeeUt: null, heartbeatMinutes: null, nodeRetain: null, apiPrivate: false, updateSource: null } as const;
const ALL: readonly Decision[] = [
  LINK,
  { kind: "certifyDevice", chainId: "parley-test", devicePub: "0a".repeat(32) },
  { kind: "addValidator", account: "pl1account", chainId: "parley-test", feeUt: 1_000, validator: "pl1validator" },
  { kind: "removeValidator", account: "pl1account", chainId: "parley-test", feeUt: 1_000, validator: "pl1validator" },
  { kind: "autoLock", before: { walletIdleMs: 60_000, fullIdleMs: 900_000 }, after: { walletIdleMs: null, fullIdleMs: 900_000 } },
  { kind: "revealPhrase" },
  {
    kind: "nodeMode",
    before: { nodeMode: "full", nodeCheckpoint: null },
    after: { nodeMode: "light", nodeCheckpoint: `7:${"4f".repeat(32)}` },
  },
  { kind: "takeNode", dataFolder: "/data/node" },
  { kind: "nodeApplies", ...NODE_SIGNED, bondUt: 1_000_000_000 },
  { kind: "nodeLeaves", ...NODE_SIGNED },
  { kind: "nodeApproves", ...NODE_SIGNED, validator: "pl1validator" },
  { kind: "nodeApprovesRemoval", ...NODE_SIGNED, validator: "pl1validator" },
  { kind: "nodeBindsWallet", ...NODE_SIGNED, wallet: "pl1wallet" },
  { kind: "nodeUnbindsWallet", ...NODE_SIGNED },
  { kind: "nodePaysWallet", ...NODE_SIGNED, wallet: "pl1wallet", amountUt: 1_500_000 },
  {
    kind: "nodeWork",
    before: WORK,
    after: { relayFeeUt: 500, heartbeatMinutes: 0, nodeRetain: "7d", apiPrivate: true, updateSource: "https://a.example/" },
  },
  { kind: "updatesOff" },
];

/** The parts of a window that the desk uses; its page is tried in test/electron. */
class TestWindow extends EventEmitter {
  readonly webContents = {};
  isClosed = false;
  isDestroyed(): boolean {
    return this.isClosed;
  }
  close(): void {
    this.isClosed = true;
    this.emit("closed");
  }
}

let time: ManualTime;
let windows: TestWindow[];
let desk: ConfirmationDesk;

beforeEach(() => {
  time = new ManualTime();
  windows = [];
  const openWindow = (): BrowserWindow => {
    const window = new TestWindow();
    windows.push(window);
    return window as unknown as BrowserWindow;
  };
  desk = new ConfirmationDesk({ openWindow, language: () => "en", clock: time });
});

function callerOf(window: TestWindow | undefined, url = `${CONFIRMATION_ORIGIN}/`, parent: unknown = null): ConfirmationCaller {
  return { sender: window?.webContents, senderFrame: { url, parent } } as unknown as ConfirmationCaller;
}

describe("the confirmation window", () => {
  it("shows the exact values and gives the person's answer, from its own document alone", async () => {
    const asked = desk.ask(LINK);
    const [window] = windows;
    const strangers = [callerOf(new TestWindow()), callerOf(window, "app://parley/"), callerOf(window, `${CONFIRMATION_ORIGIN}/`, {})];
    for (const stranger of [...strangers, { ...callerOf(window), senderFrame: null }]) {
      expect(desk.content(stranger)).toBeNull();
      desk.answer(stranger, true);
    }
    expect(desk.content(callerOf(window))).toMatchObject({ title: "Link another device?", language: "en" });
    expect(desk.content(callerOf(window))?.rows.map(({ value }) => value)).toEqual([
      "Mallory's",
      "0a".repeat(32),
      "pl1account",
      "parley-test",
      "0.0015 T",
    ]);
    desk.answer(callerOf(window), true);
    expect(await asked).toBe(true);
    expect(window?.isClosed).toBe(true);
    expect(desk.content(callerOf(window))).toBeNull();
  });

  it("takes anything but an agreement for a refusal", async () => {
    for (const answer of [false, 1, "true", undefined, {}]) {
      time.advance(3_600_000);
      const asked = desk.ask(LINK);
      desk.answer(callerOf(windows.at(-1)), answer);
      expect(await asked).toBe(false);
    }
    time.advance(3_600_000);
    const closed = desk.ask(LINK);
    windows.at(-1)?.close();
    expect(await closed).toBe(false);
  });

  it("is one at a time, and not opened again and again for a page that insists", async () => {
    const first = desk.ask(LINK);
    expect(await desk.ask({ kind: "updatesOff" })).toBe(false);
    desk.answer(callerOf(windows[0]), true);
    expect(await first).toBe(true);
    for (let asked = 0; asked < 1_000; asked += 1) {
      const answer = desk.ask(LINK);
      desk.answer(callerOf(windows.at(-1)), false);
      expect(await answer).toBe(false);
      time.advance(1_000);
    }
    // Within these 17 minutes.
    expect(windows.length - 1).toBeGreaterThan(FREE_REFUSALS);
    expect(windows.length - 1).toBeLessThan(12);
    time.advance(600_000);
    const later = desk.ask(LINK);
    desk.answer(callerOf(windows.at(-1)), true);
    expect(await later).toBe(true);
  });

  it.each(["en", "de"] as const)("has words for every decision (%s)", (language: WindowLanguage) => {
    for (const decision of ALL) {
      const { title, text, agree, cancel, rows } = confirmationContent(decision, language);
      for (const words of [title, text, agree, cancel, ...rows.flatMap(({ label, value }) => [label, value])]) expect(words).toMatch(/\S/);
    }
    expect(confirmationContent(ALL[4] as Decision, language).rows[0]?.value).toMatch(/1 Minute|1 minute/);
  });

  it("has an origin of its own, without scripts and without a network", async () => {
    expect(isConfirmationUrl(`${CONFIRMATION_ORIGIN}/`)).toBe(true);
    for (const url of ["app://parley/", "app://confirmation.evil/", "https://confirmation/", "no address"])
      expect(isConfirmationUrl(url)).toBe(false);
    expect(isAppUrl(`${CONFIRMATION_ORIGIN}/`)).toBe(false);
    const page = serveConfirmation(`${CONFIRMATION_ORIGIN}/`);
    const policy = page.headers.get("content-security-policy");
    expect(policy).toMatch(/^default-src 'none'; style-src 'self';/);
    expect(policy).not.toContain("script-src");
    expect(await page.text()).not.toContain("<script");
    expect(serveConfirmation(`${CONFIRMATION_ORIGIN}/index.js`).status).toBe(404);
  });
});
