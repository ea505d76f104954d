// Entry of the agent's process for the network: gateway and messaging engine. It holds no key that signs or opens messages; those are in the
// process that started it, and with which it ends.
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { writeEndpointFile } from "#node/config/files/endpoint-file.ts";
import { NodeLink } from "#node/gateway/chain/node-link.ts";
import { GATEWAY_LIMITS } from "#node/gateway/gateway-limits.ts";
import { KeyringLink } from "#node/gateway/keyring-link.ts";
import { startGateway } from "#node/gateway/server.ts";
import { prepareSocket } from "#node/gateway/socket/socket-place.ts";
import { createLog, standardErrorSink } from "#node/observability/log.ts";
import { ENDPOINT_FILE, type NodeEndpoint } from "#shared/desktop/local-endpoint.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { messagesLink } from "#shared/messenger/serve-programs.ts";
import { hostClock, hostRandom, hostTimers } from "#shared/util/host.ts";
import { type FromNetwork, type NetworkStart, type ProcessChannel, rolePort, type ToNetwork } from "../process-messages.ts";
import { findNode, followingClient, followingConnection } from "./followed-node.ts";
import { loopbackEndpoint } from "./loopback.ts";
import { startMessenger } from "./run-messenger.ts";

const PLACES_FILE = "apps-events.json";
/** Programs on the port have places of their own: each gateway writes one file. */
const LISTEN_PLACES_FILE = "apps-events-port.json";
const LOOK_MS = 1_000;
/** How long closing may take. */
const END_MS = 5_000;
const UNLINKED = "This agent was unlinked by another device of its person: it gets no messages any more. To go on, link a new folder";

const log = createLog("json", standardErrorSink());
const channel: ProcessChannel = {
  send: (message) => void process.send?.(message),
  onMessage: (listener): (() => void) => {
    process.on("message", listener);
    return (): void => void process.off("message", listener);
  },
};
const post = (message: FromNetwork): void => channel.send(message);
let stop: () => Promise<void> = () => Promise.resolve();

channel.onMessage((received) => {
  const message = received as ToNetwork;
  if (message.type === "start") void run(message.start).catch(fail);
  else if (message.type === "stop") end(0);
});
// Without the process with the keys there is nothing to do, and nothing to keep open.
process.on("disconnect", () => end(0));

async function run(start: NetworkStart): Promise<void> {
  const { folder, runtimeDir, node: source, listen } = start;
  const { answerTimeoutMs } = GATEWAY_LIMITS;
  const client = followingClient(source);
  const live = followingConnection(source);
  const node = new NodeLink({ fetch, timers: hostTimers, answerTimeoutMs });
  followNode(node, source);
  const keyring = new KeyringLink(hostTimers, answerTimeoutMs);
  keyring.set(rolePort(channel, "apps"));
  const chainId = await chainOf(client);
  const messenger = await startMessenger({
    ...{ folder, client, live, port: rolePort(channel, "keyring"), chainId },
    onUnlinked: () => fail(new CodedError("FORBIDDEN", UNLINKED)),
  });
  warnOfStore(messenger);
  const apps = await prepareSocket({
    ...{ platform: process.platform, profile: folder, runtimeDir, temporaryDir: tmpdir() },
    ...{ uid: process.getuid?.(), random: hostRandom },
  });
  const services = { keyring, node, messages: messagesLink(messenger), log, clock: hostClock, timers: hostTimers, random: hostRandom };
  const placesFile = join(folder, PLACES_FILE);
  const gateway = await startGateway({ endpoint: apps, placesFile }, services);
  const port =
    listen && (await startGateway({ ...loopbackEndpoint(folder, listen), placesFile: join(folder, LISTEN_PLACES_FILE) }, services));
  const endpointFile = join(folder, ENDPOINT_FILE);
  writeEndpointFile(endpointFile, { chainId, apps, node: null, pid: process.pid });
  stop = async (): Promise<void> => {
    rmSync(endpointFile, { force: true });
    await Promise.all([gateway.close(), port?.close()]);
    await messenger.stop();
    live.close();
    node.close();
  };
  post({ type: "ready", apps, listening: listen === undefined ? null : `${listen.host}:${listen.port}` });
}

/** No person looks here: the log has what was found of the store. */
function warnOfStore(messenger: Messenger): void {
  let known = 0;
  const look = (): void => {
    const { storeFindings } = messenger.getSnapshot();
    if (storeFindings.length > known)
      log.warn({ findings: storeFindings }, "The message store or the vault is older than it was written last: someone put it there");
    known = storeFindings.length;
  };
  messenger.subscribe(look);
  look();
}

/** The gateway's own link is given the node whenever it is found elsewhere. */
function followNode(link: NodeLink, source: NetworkStart["node"]): void {
  let known: NodeEndpoint | undefined;
  const look = (): void => {
    const found = findNode(source);
    if (found?.url !== known?.url || found?.secret !== known?.secret) {
      known = found;
      link.set(found);
    }
    hostTimers.setTimer(LOOK_MS, look);
  };
  look();
}

/** The agent waits for its node. */
async function chainOf(client: ReturnType<typeof followingClient>): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    try {
      return (await client.getNetworkInfo({})).chain_id;
    } catch (error) {
      if (tries === 0) log.warn({ err: error }, "The agent waits for its node");
      await delay(LOOK_MS);
    }
  }
}

function fail(error: unknown): void {
  log.error({ err: error }, "The agent cannot serve");
  const code = isCodedError(error) && error.code === "FORBIDDEN" ? error.code : "UNAVAILABLE";
  post({ type: "failed", code, reason: error instanceof CodedError ? error.message : "The agent cannot serve: its log says why" });
}

let isEnding = false;

function end(code: number): void {
  if (isEnding) return;
  isEnding = true;
  // The lock of the folder went with the process that has the keys: the next agent must not meet this one.
  // biome-ignore lint/nursery/noProcessExit: something did not close in time
  hostTimers.setTimer(END_MS, () => process.exit(1));
  // biome-ignore lint/nursery/noProcessExit: the channel keeps the process alive, and everything is closed
  void stop().finally(() => process.exit(code));
}
