// A real Chromium with a profile folder of its own: one person at the desk.
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { ensureChromium } from "#build/scripts/test/chromium.ts";
import { createTemporaryFolder } from "../../support/host/temporary-folder.ts";
import { watchShifts } from "./layout-shift.ts";

/** How the profile looks at the interface. */
export interface ProfileOptions {
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  /** File of a film (YUV4MPEG2) that replaces the camera; without it there is none. */
  readonly film?: string;
  /** The screen takes fingers. */
  readonly hasTouch?: boolean;
  /** Simulates a microphone, which beeps once a second; without it there is none. */
  readonly hasMicrophone?: boolean;
  /** Lets the page use the camera that is simulated beside the microphone: its picture moves. */
  readonly hasCamera?: boolean;
}

/** An open browser profile. What went wrong in the page is collected, so that a test can insist on nothing. */
export interface BrowserProfile extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts and of the console so far, without failed requests while a node is down. */
  readonly errors: readonly string[];
}

/** How long a step of a person may take: blocks, messages and keys come when a machine under load gets to them. */
export const STEP_LIMIT_MS = 60_000;

const ARGUMENTS = [
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--disable-gpu",
];
/** A request that fails while the node is down is no defect of the page. */
const NETWORK_NOISE = /Failed to load resource|WebSocket connection to|net::ERR_/;

function deviceArguments({ film, hasMicrophone = false }: ProfileOptions): readonly string[] {
  if (film === undefined && !hasMicrophone) return [];
  const devices = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"];
  return film === undefined ? devices : [...devices, `--use-file-for-fake-video-capture=${film}`];
}

/** Opens a fresh profile. */
export async function openProfile(options: ProfileOptions = {}): Promise<BrowserProfile> {
  const folder = await createTemporaryFolder("parley-profile-");
  const isRoot = process.getuid?.() === 0;
  const context = await chromium.launchPersistentContext(folder.path, {
    executablePath: await ensureChromium(),
    headless: true,
    args: [...ARGUMENTS, ...(isRoot ? ["--no-sandbox"] : []), ...deviceArguments(options)],
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.colorScheme ?? "light",
    hasTouch: options.hasTouch ?? false,
    // What moves is drawn again and again, and is in the way of the next click.
    reducedMotion: "reduce",
    permissions: [
      "clipboard-read",
      "clipboard-write",
      ...(options.film === undefined && options.hasCamera !== true ? [] : ["camera"]),
      ...(options.hasMicrophone === true ? ["microphone"] : []),
    ],
    locale: "en-GB",
  });
  context.setDefaultTimeout(STEP_LIMIT_MS);
  await watchShifts(context);
  const errors: string[] = [];
  const page = context.pages()[0] ?? (await context.newPage());
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !NETWORK_NOISE.test(message.text())) errors.push(message.text());
  });
  const close = async (): Promise<void> => {
    await context.close();
    await folder.remove();
  };
  return { page, context, errors, [Symbol.asyncDispose]: close };
}
