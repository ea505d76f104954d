// The real Chromium behind the windows, and the server that stands for the app:// scheme.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type * as Electron from "electron";
import { type BrowserContext, chromium } from "playwright-core";
import { APP_ORIGIN, CHROMIUM, DEBUGGING_PORT, ORIGIN_PORT, PAGE_ORIGIN, toAppUrl, USER_DATA } from "./settings.ts";

type SchemeHandler = (request: Request) => Response | Promise<Response>;

/** Header by which requests of a session of its own are known. */
export const PARTITION_HEADER = "x-standin-partition";
/** What serves the scheme in each session; the default one has no name. */
const handlers = new Map<string, SchemeHandler>();
let context: BrowserContext | undefined;

/** Stands for `protocol`: privileges are what the replacing http origin has anyway. */
export const protocol: Pick<Electron.Protocol, "handle" | "registerSchemesAsPrivileged"> = {
  registerSchemesAsPrivileged: () => undefined,
  ...protocolOf(""),
};

/** The scheme in a session. */
export function protocolOf(partition: string): Pick<Electron.Protocol, "handle"> {
  return {
    handle: (scheme, answer): void => {
      if (scheme !== "app") throw new Error(`The stand-in knows no scheme ${scheme}`);
      handlers.set(partition, answer as SchemeHandler);
    },
  };
}

/** Starts server and browser; both end with the process. */
export async function startBrowser(): Promise<void> {
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(ORIGIN_PORT, "127.0.0.1", resolve));
  server.unref();
  context = await chromium.launchPersistentContext(join(USER_DATA, "browser"), {
    executablePath: CHROMIUM,
    viewport: { width: 1280, height: 800 },
    // What moves is drawn again and again.
    reducedMotion: "reduce",
    args: [
      "--no-sandbox",
      `--remote-debugging-port=${DEBUGGING_PORT}`,
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** The browser, once the app is ready. */
export function browserContext(): BrowserContext {
  if (context === undefined) throw new Error("The app is not ready yet");
  return context;
}

/** Ends the browser. */
export async function stopBrowser(): Promise<void> {
  await context?.close();
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string") headers.set(name, value.replaceAll(PAGE_ORIGIN, APP_ORIGIN));
  }
  const init: RequestInit = { method: request.method ?? "GET", headers };
  if (hasBody) Object.assign(init, { body: Readable.toWeb(request), duplex: "half" });
  const handler = handlers.get(headers.get(PARTITION_HEADER) ?? "");
  headers.delete(PARTITION_HEADER);
  const answer =
    (await handler?.(new Request(toAppUrl(`http://${request.headers.host}${request.url ?? "/"}`), init))) ??
    new Response(null, { status: 404 });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) response.end();
  else Readable.fromWeb(answer.body as ReadableStream).pipe(response);
}
