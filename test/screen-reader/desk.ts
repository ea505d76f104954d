// A display and buses of their own, on which Orca reads a Chromium: real keys go in, what Orca says comes out.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium, type Page } from "playwright-core";
import { pollUntil } from "../support/host/poll-until.ts";
import { findFreePort } from "../support/nodes/free-port.ts";
import { spokenIn } from "./spoken.ts";

const START_LIMIT_MS = 60_000;
/** Nothing is said for so long: it has finished. */
const SILENCE_MS = 1_500;
const LAUNCHER = ["/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher"].find(existsSync);
/** Orca's own file of settings: it waits for no voice, and does not repeat each key, which would hide what the page says. */
const CUSTOMIZATIONS = `import orca.settings
import orca.speech
orca.speech.init = lambda: None
orca.settings.enableKeyEcho = False
`;

/** A desk with a screen reader. Disposing ends all of its programs. */
export interface Desk extends AsyncDisposable {
  /** The page in the Chromium: to look at and to wait for, not to press on, which no screen reader would hear. */
  readonly page: Page;
  /** Presses keys by their X names, as "Tab" and "shift+Tab". */
  press(...keys: readonly string[]): Promise<void>;
  /** Types a text. */
  type(text: string): Promise<void>;
  /** What was said since the last call, once there is silence. */
  heard(): Promise<readonly string[]>;
}

/** Starts display, buses, window manager, Orca and a Chromium. The folder is empty and gets their files. */
export async function openDesk(folder: string, url: string): Promise<Desk> {
  await using opened = new AsyncDisposableStack();
  const run = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "ignore"] });
    child.once("error", (error) => process.stderr.write(`${command}: ${error.message}; docs/screen-reader.md says what is needed\n`));
    opened.defer(() => end(child));
    return child;
  };
  const display = `:${(await firstLine(run("Xvfb", ["-displayfd", "1", "-screen", "0", "1280x900x24"]))).trim()}`;
  const bus = await firstLine(run("dbus-daemon", ["--session", "--nofork", "--print-address=1"]));
  const environment = {
    ...process.env,
    DISPLAY: display,
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    DBUS_SESSION_BUS_ADDRESS: bus.trim(),
    ACCESSIBILITY_ENABLED: "1",
    NO_AT_BRIDGE: "0",
  };
  run(LAUNCHER ?? "at-spi-bus-launcher", ["--launch-immediately"], environment);
  // Without a manager of windows none of them is the active one, and Orca says nothing.
  run("openbox", [], environment);
  const log = join(folder, "orca.out");
  await mkdir(join(folder, "prefs"));
  await writeFile(join(folder, "prefs", "orca-customizations.py"), CUSTOMIZATIONS);
  run("orca", ["--replace", "--debug-file", log, "--user-prefs", join(folder, "prefs")], environment);
  const spoken = async (): Promise<readonly string[]> => spokenIn(await readFile(log, "utf8").catch(() => ""));
  await pollUntil(async () => (await spoken()).length > 0, { timeoutMs: START_LIMIT_MS, what: "the first words of Orca" });
  const page = await openPage(run, folder, url, environment);
  opened.defer(() => page.context().browser()?.close());
  let known = 0;
  const heard = async (): Promise<readonly string[]> => {
    let last = { count: -1, at: Date.now() };
    await pollUntil(
      async () => {
        const { length } = await spoken();
        if (length !== last.count) last = { count: length, at: Date.now() };
        return Date.now() - last.at > SILENCE_MS;
      },
      { timeoutMs: START_LIMIT_MS, intervalMs: 100, what: "the end of what Orca says" },
    );
    const said = (await spoken()).slice(known);
    known += said.length;
    return said;
  };
  const xdotool = async (...args: readonly string[]): Promise<void> =>
    void (await promisify(execFile)("xdotool", args, { env: environment }));
  const all = opened.move();
  return {
    page,
    heard,
    press: (...keys) => xdotool("key", "--delay", "120", ...keys),
    type: (text) => xdotool("type", "--delay", "40", text),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** A whole Chromium with a window: the headless shell of the browser tests is on no bus of accessibility. */
async function openPage(
  run: (command: string, args: readonly string[], env: NodeJS.ProcessEnv) => ChildProcess,
  folder: string,
  url: string,
  environment: NodeJS.ProcessEnv,
): Promise<Page> {
  const port = await findFreePort();
  // The question whether to keep a password would be read between the words of the page.
  await mkdir(join(folder, "profile", "Default"), { recursive: true });
  await writeFile(join(folder, "profile", "Default", "Preferences"), '{"credentials_enable_service":false}');
  const isRoot = process.getuid?.() === 0;
  run(
    process.env.PARLEY_CHROMIUM ?? "chromium",
    [
      "--force-renderer-accessibility",
      "--force-prefers-reduced-motion",
      "--no-first-run",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--use-fake-device-for-media-stream",
      "--use-fake-ui-for-media-stream",
      "--password-store=basic",
      "--lang=en-GB",
      "--window-size=1280,900",
      `--remote-debugging-port=${port}`,
      `--user-data-dir=${join(folder, "profile")}`,
      ...(isRoot ? ["--no-sandbox", "--test-type"] : []),
      `--app=${url}`,
    ],
    environment,
  );
  const browser = await pollUntil(() => chromium.connectOverCDP(`http://127.0.0.1:${port}`), {
    timeoutMs: START_LIMIT_MS,
    what: "Chromium",
  });
  const page = browser.contexts()[0]?.pages()[0];
  if (page === undefined) throw new Error("Chromium has no page");
  return page;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("The program has no output");
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return String(line);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill("SIGTERM");
  await Promise.race([once(child, "exit"), new Promise((resolve) => setTimeout(resolve, 3_000, undefined))]);
  child.kill("SIGKILL");
}
