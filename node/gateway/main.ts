// Entry of the gateway's own process. The shell starts it while programs may ask, gives it the ways to the node and the keyring, and ends it.
// Arguments: the folder of the profile, and that of the session where the system has one.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog, standardErrorSink } from "#node/observability/log.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import { hostClock, hostRandom, hostTimers } from "#shared/util/host.ts";
import { NodeLink } from "./chain/node-link.ts";
import { GATEWAY_LIMITS } from "./gateway-limits.ts";
import { KeyringLink } from "./keyring-link.ts";
import { PageMessages } from "./page-messages.ts";
import { type ParentMessage, parseParentMessage } from "./parent-message.ts";
import { type Gateway, startGateway } from "./server.ts";
import { prepareSocket } from "./socket/socket-place.ts";

/** The part of the parent's port that is used here. */
interface ParentPort {
  on(event: "message", listener: (event: { readonly data: unknown; readonly ports: readonly ProcessPort[] }) => void): void;
  postMessage(message: unknown): void;
}

/** A port as it arrives in this process. */
interface ProcessPort {
  postMessage(message: unknown): void;
  on(event: "message", listener: (event: { readonly data: unknown }) => void): void;
  on(event: "close", listener: () => void): void;
  off(event: "message", listener: (event: { readonly data: unknown }) => void): void;
  start(): void;
  close(): void;
}

const PLACES_FILE = "apps-events.json";

const parent = (process as { readonly parentPort?: ParentPort }).parentPort;
const log = createLog("json", standardErrorSink());
const [profile = "", runtimeDir = ""] = process.argv.slice(2);
const { answerTimeoutMs } = GATEWAY_LIMITS;
const node = new NodeLink({ fetch, timers: hostTimers, answerTimeoutMs });
const keyring = new KeyringLink(hostTimers, answerTimeoutMs);
const messages = new PageMessages(hostTimers, GATEWAY_LIMITS);
/** The port of the page that is there now. */
let page: ProcessPort | undefined;

let gateway: Gateway | undefined;
let isStopping = false;
let hasFailed = false;

parent?.on("message", ({ data, ports }) => {
  const message = parseParentMessage(data);
  if (message !== undefined) obey(message, ports[0]);
});
await run().catch(fail);

async function run(): Promise<void> {
  const apps = await prepareSocket({
    platform: process.platform,
    profile,
    runtimeDir: runtimeDir === "" ? undefined : runtimeDir,
    temporaryDir: tmpdir(),
    uid: process.getuid?.(),
    random: hostRandom,
  });
  const services = { keyring, node, messages, log, clock: hostClock, timers: hostTimers, random: hostRandom };
  const started = await startGateway({ endpoint: apps, placesFile: join(profile, PLACES_FILE) }, services);
  gateway = started;
  if (isStopping) return stop();
  parent?.postMessage({ type: "ready", apps });
}

function obey(message: ParentMessage, port: ProcessPort | undefined): void {
  if (message.type === "node") node.set(message.node);
  else if (message.type === "keyring") connect(port);
  else if (message.type === "messages" && port !== undefined) connectPage(port);
  else if (message.type === "stop") stop();
}

/** Without a port the keyring is not there: nothing waits for it. */
function connect(port: ProcessPort | undefined): void {
  keyring.set(port === undefined ? undefined : open(port));
}

/** A page that reloads closes its port, and asks for another one. */
function connectPage(port: ProcessPort): void {
  page?.close();
  page = port;
  port.on("close", () => {
    if (page !== port) return;
    page = undefined;
    messages.set(undefined);
  });
  messages.set(open(port));
}

function open(port: ProcessPort): KeyringPort {
  port.start();
  return {
    post: (message) => port.postMessage(message),
    listen: (listener): (() => void) => {
      const onMessage = ({ data }: { readonly data: unknown }): void => listener(data);
      port.on("message", onMessage);
      return (): void => port.off("message", onMessage);
    },
  };
}

/** The reason goes to the shell in words. */
function fail(error: unknown): void {
  hasFailed = true;
  if (isStopping) end();
  log.error({ err: error }, "Programs cannot be served");
  parent?.postMessage({
    type: "failed",
    reason: error instanceof CodedError ? error.message : "Programs cannot be served: the log says why",
  });
}

/** A gateway that is starting is stopped once it has started: its socket is taken away. */
function stop(): void {
  isStopping = true;
  if (hasFailed) end();
  void gateway?.close().finally(end);
}

function end(): void {
  node.close();
  // biome-ignore lint/nursery/noProcessExit: the port to the shell keeps the process alive, and everything is closed
  process.exit(0);
}
