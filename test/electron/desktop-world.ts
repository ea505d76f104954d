// Starts the built shell and gives the test its page and its desktop: on the stand-in for Electron over a real Chromium, or on the real
// binary where `npm run test:electron` names one. The tests know no difference.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Browser, chromium, type Page } from "playwright-core";
import { ROOT } from "#build/scripts/process.ts";
import { ensureChromium } from "#build/scripts/test/chromium.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";
import { STEP_LIMIT_MS } from "../e2e/support/browser-profile.ts";
import { createIdentity, type Identity } from "../e2e/support/person.ts";
import { ELECTRON, spawnElectron, startElectron } from "./electron-world.ts";
import type { KeychainBackend } from "./keychains.ts";
import type { DesktopState, Order } from "./stand-in/control.ts";

const REGISTER = new URL("./stand-in/register.ts", import.meta.url).href;
/** A short name for the calls of the shell, for the functions that tests run in the page. */
const SHORT_CALL = "globalThis.callDesktop = (name, input) => globalThis.parleyDesktop.call(name, input)";
/** Starting a node five times with growing pauses is the longest that is waited for. */
const STATE_LIMIT_MS = 90_000;
const MAIN = join(ROOT, "dist/electron/main.mjs");

/** A profile on disk: what stays when the app ends. */
export interface DesktopProfile {
  readonly folder: string;
  readonly originPort: number;
  /** Keychain of the machine at the next start. */
  keychain: KeychainBackend;
  /** The app takes itself for an installed one; on the stand-in alone. */
  readonly isPackaged?: boolean;
  /** How far the node's clock is ahead at the next start, ms; on the stand-in alone. */
  nodeClockAheadMs?: number;
  remove(): void;
}

/** A fresh profile. */
export async function createProfile(): Promise<DesktopProfile> {
  const folder = mkdtempSync(join(tmpdir(), "parley-desktop-"));
  return {
    folder,
    originPort: await findFreePort(),
    keychain: "gnome_libsecret",
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The running app. */
export interface DesktopWorld {
  readonly page: Page;
  state(): Promise<DesktopState>;
  order(order: Order): Promise<unknown>;
  /** Polls the state until it fits. */
  until(fits: (state: DesktopState) => boolean, what: string): Promise<DesktopState>;
  /** Waits until the tray says that the node runs. */
  untilNodeRuns(): Promise<void>;
  /** The shell's own window, once it asks for a person's agreement. */
  confirmation(): Promise<Page>;
  /** The window for programs, once it is open. */
  approvals(): Promise<Page>;
  /** Whether it is open now. */
  hasApprovals(): boolean;
  /** Agrees, or refuses, in the shell's own window; resolves with what it showed. */
  confirm(isAgreed?: boolean): Promise<string>;
  /** What the page wrote to its console as errors, and what it threw. */
  readonly complaints: readonly string[];
  /** Quits in order and waits for the end; resolves with the exit code. */
  quit(): Promise<number | null>;
  /** Exit code once the app has ended. */
  readonly ended: Promise<number | null>;
}

/** What a way of starting the app gives. */
export interface StartedApp {
  readonly page: Page;
  /** All windows of the app. */
  readonly pages: () => readonly Page[];
  readonly order: (order: Order) => Promise<unknown>;
  readonly ended: Promise<number | null>;
  readonly hasEnded: () => boolean;
}

/** Starts the app of a profile. */
export async function startDesktop(profile: DesktopProfile, args: readonly string[] = []): Promise<DesktopWorld> {
  const { page, pages, order, ended, hasEnded } = await (ELECTRON === undefined ? startStandIn : startElectron)(profile, args);
  page.context().setDefaultTimeout(STEP_LIMIT_MS);
  await page.addInitScript(SHORT_CALL);
  await page.evaluate(SHORT_CALL);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  const state = async (): Promise<DesktopState> => (await order({ type: "state" })) as DesktopState;
  const until: DesktopWorld["until"] = (fits, what) =>
    pollUntil(
      async () => {
        const current = await state();
        return fits(current) ? current : undefined;
      },
      { what, timeoutMs: STATE_LIMIT_MS },
    );
  const confirmation = (): Promise<Page> =>
    pollUntil(async () => pages().find((candidate) => /^(?:app:\/\/confirmation|http:\/\/confirmation\.localhost)/.test(candidate.url())), {
      what: "the confirmation window",
    });
  const findApprovals = (): Page | undefined =>
    pages().find((candidate) => /^(?:app:\/\/approval|http:\/\/approval\.localhost)/.test(candidate.url()));
  return {
    page,
    confirmation,
    approvals: () => pollUntil(async () => findApprovals(), { what: "the window for programs" }),
    hasApprovals: () => findApprovals() !== undefined,
    confirm: async (isAgreed = true): Promise<string> => {
      const window = await confirmation();
      // Its button can be pressed once the window was in front for a moment; what it asks is there by then.
      await window.bringToFront();
      const button = isAgreed ? window.locator("button.agree:enabled") : window.locator("button:not(.agree)");
      await button.waitFor();
      const shown = (await window.getByRole("main").textContent()) ?? "";
      const closed = window.waitForEvent("close");
      // The window may be gone before the browser reports that it was clicked: that it closes is what counts.
      const clicked = button.click().catch((error: unknown) => {
        if (!(error instanceof Error && error.message.includes("has been closed"))) throw error;
      });
      await Promise.all([closed, clicked]);
      return shown;
    },
    complaints,
    order,
    state,
    until,
    untilNodeRuns: async () => void (await until(({ trayLabels }) => trayLabels.includes("Node is running"), "the node")),
    quit: async (): Promise<number | null> => {
      if (!hasEnded()) void order({ type: "quit" }).catch(() => undefined);
      return await ended;
    },
    ended,
  };
}

/** Starts the app of a fresh profile and makes an identity there once its node runs. */
export async function startWithIdentity(profile: DesktopProfile): Promise<{ readonly world: DesktopWorld; readonly identity: Identity }> {
  const world = await startDesktop(profile);
  await world.untilNodeRuns();
  return { world, identity: await createIdentity(world.page, new URL("/", world.page.url()).href, "Alice") };
}

/** Process of the node; undefined while there is none. */
export function nodePid({ processes }: DesktopState): number | undefined {
  return processes.find(({ name }) => name === "Parley node")?.pid;
}

async function startStandIn(profile: DesktopProfile, args: readonly string[]): Promise<StartedApp> {
  const debuggingPort = await findFreePort();
  const child = await launch(profile, args, debuggingPort);
  const errors: string[] = [];
  child.stderr?.on("data", (chunk: Buffer) => errors.push(chunk.toString("utf8")));
  const browser = await connect(debuggingPort, child, errors);
  // What a failed app wrote stands in the output of the test.
  const ended = endOf(child).then((code) => {
    if (code !== 0) process.stderr.write(errors.join(""));
    return code;
  });
  const findPage = (): Page | undefined =>
    browser
      .contexts()[0]
      ?.pages()
      .find((candidate) => candidate.url().includes("parley.localhost"));
  const page = await pollUntil(findPage, { what: "the window", timeoutMs: STATE_LIMIT_MS });
  const pages = (): readonly Page[] => browser.contexts()[0]?.pages() ?? [];
  return { page, pages, order: createOrders(child), ended, hasEnded: () => child.exitCode !== null };
}

/** Starts the app again while it runs: resolves with the exit code of the second process. */
export async function startSecondInstance(profile: DesktopProfile, args: readonly string[]): Promise<number | null> {
  return await endOf(ELECTRON === undefined ? await launch(profile, args, 0) : spawnElectron(profile, args));
}

/** Starts an app that cannot start: its exit code and what it showed to the user. */
export async function startFailing(profile: DesktopProfile): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = ELECTRON === undefined ? await launch(profile, [], await findFreePort()) : spawnElectron(profile, []);
  const ended = endOf(child);
  const said = child.stderr === null ? "" : await text(child.stderr);
  return { code: await ended, said };
}

async function launch(profile: DesktopProfile, args: readonly string[], debuggingPort: number): Promise<ChildProcess> {
  return spawn(process.execPath, ["--import", REGISTER, MAIN, ...args], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: {
      PATH: process.env.PATH,
      HOME: profile.folder,
      STANDIN_USER_DATA: profile.folder,
      // The compiled code of earlier starts, as the npm scripts use it: of the shell, and of what it starts.
      ...(process.env.NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      STANDIN_STORAGE_BACKEND: profile.keychain,
      STANDIN_CHROMIUM: await ensureChromium(),
      STANDIN_ORIGIN_PORT: String(profile.originPort),
      STANDIN_DEBUGGING_PORT: String(debuggingPort),
      ...(profile.nodeClockAheadMs !== undefined && { STANDIN_NODE_CLOCK_AHEAD_MS: String(profile.nodeClockAheadMs) }),
      ...(profile.isPackaged === true && { STANDIN_PACKAGED: "1" }),
    },
  });
}

async function connect(port: number, child: ChildProcess, errors: readonly string[]): Promise<Browser> {
  return await pollUntil(
    async () => {
      if (child.exitCode !== null) throw new Error(`The app ended with ${child.exitCode}: ${errors.join("")}`);
      return await chromium.connectOverCDP(`http://127.0.0.1:${port}`).catch(() => undefined);
    },
    { what: "the browser", timeoutMs: STATE_LIMIT_MS },
  );
}

function createOrders(child: ChildProcess): (order: Order) => Promise<unknown> {
  const waiting = new Map<number, (value: unknown) => void>();
  let lastId = 0;
  child.on("message", (message) => {
    const { id, value } = message as { readonly id: number; readonly value: unknown };
    waiting.get(id)?.(value);
    waiting.delete(id);
  });
  return (order) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      child.send({ id: lastId, order }, (error) => {
        if (error !== null) reject(error);
      });
    });
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", resolve));
}
