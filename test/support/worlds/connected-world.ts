// Programs on a real socket, the gateway, the keyring behind a real port, and a real chain: everything between a program and its money.
// Files of the keyring are in memory, so that a test can tear a write and put earlier ones back; clock and chain go on as the test says.
import { join } from "node:path";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { GATEWAY_LIMITS, type GatewayLimits } from "#node/gateway/gateway-limits.ts";
import { KeyringLink } from "#node/gateway/keyring-link.ts";
import { type Gateway, startGateway } from "#node/gateway/server.ts";
import type { GatewayServices } from "#node/gateway/services.ts";
import { createLog } from "#node/observability/log.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import type { AppsApi, AppsEvent } from "#shared/apps/messages/apps-api.ts";
import type { MessagesLink } from "#shared/apps/messages/messages-api.ts";
import { type MethodServer, serveMethods } from "#shared/apps/messages/method-port.ts";
import { APPS_METHODS } from "#shared/apps/messages/port-shapes.ts";
import type { AppsEndpoint } from "#shared/desktop/local-endpoint.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { hostRandom, hostTimers } from "#shared/util/host.ts";
import { injectFetch } from "../api/inject-fetch.ts";
import { pollUntil } from "../host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../host/temporary-folder.ts";
import { type ApiWorld, createApiWorld } from "./api-world.ts";
import { APP_PASSWORD, AppWorld, T } from "./app-world.ts";
import { type GatewayRequest, type GatewayResponse, sendOnSocket } from "./gateway-world.ts";
import { ManualTime } from "./keyring-world.ts";
import { GENESIS, START_MS } from "./ledger-world.ts";

/** What the wallet has at first. */
const FUNDS_UT = 1_000 * T;
/** Requests of programs are held to five an hour. */
const BETWEEN_REQUESTS_MS = 720_000;

/** What a test may choose. */
export interface ConnectedWorldOptions {
  readonly limits?: Partial<GatewayLimits>;
  /** The messaging engine behind the gateway. */
  readonly messages?: MessagesLink;
}

/** Everything of one profile on one computer. */
export class ConnectedWorld implements AsyncDisposable {
  readonly app: AppWorld;
  readonly chain: ApiWorld;
  readonly link: KeyringLink;
  readonly endpoint: AppsEndpoint;
  readonly logLines: string[] = [];
  readonly #folder: TemporaryFolder;
  readonly #services: GatewayServices;
  readonly #limits: Partial<GatewayLimits>;
  readonly #ports: MessagePort[] = [];
  #server: MethodServer<AppsEvent> | undefined;
  #gateway: Gateway | undefined;
  #keys = 0;

  private constructor(app: AppWorld, chain: ApiWorld, folder: TemporaryFolder, { limits, messages }: ConnectedWorldOptions) {
    this.app = app;
    this.chain = chain;
    this.#folder = folder;
    this.#limits = { closeTimeoutMs: 50, ...limits };
    this.endpoint = { socket: join(folder.path, "apps.sock"), secret: null };
    this.link = new KeyringLink(hostTimers, GATEWAY_LIMITS.answerTimeoutMs);
    this.#services = {
      keyring: this.link,
      node: {
        client: createNodeClient({ baseUrl: "", fetch: injectFetch(chain.server.app) }),
        onBlock: (listener): (() => void) => chain.executor.onCommit(() => queueMicrotask(listener)),
      },
      ...(messages !== undefined && { messages }),
      log: createLog("json", { write: (line) => this.logLines.push(line) }),
      clock: chain.clock,
      timers: hostTimers,
      random: hostRandom,
    };
    app.onEvent = (event): void => this.#server?.emit(event);
  }

  static async create(options: ConnectedWorldOptions = {}): Promise<ConnectedWorld> {
    const folder = await createTemporaryFolder("parley-connected-");
    const app = await AppWorld.create(new ManualTime(START_MS + 10_000));
    const wallet = { pub_key: app.keyring.apps.signer().masterPub, balance_ut: FUNDS_UT };
    const chain = await createApiWorld({ genesis: { ...GENESIS, accounts: [...GENESIS.accounts, wallet] } });
    const world = new ConnectedWorld(app, chain, folder, options);
    chain.commit();
    world.openKeyring();
    await world.startGateway();
    return world;
  }

  /** The person's own key. */
  get wallet(): PublicKeyHex {
    return this.app.keyring.apps.signer().masterPub;
  }

  /** The node. */
  get node(): NodeClient {
    return this.#services.node.client;
  }

  /** The person comes back: keyring and wallet lock by themselves. */
  async unlock(): Promise<void> {
    await this.app.keyring.unlock({ password: APP_PASSWORD });
  }

  /** Where events of the journal are read: the port of the gateway, without a socket in between. */
  get api(): AppsApi {
    return this.link.api;
  }

  send(path: string, request?: GatewayRequest): Promise<GatewayResponse> {
    return sendOnSocket(this.endpoint, path, request);
  }

  /** A program asks, and the person lets it in with what it asked for, or with less. Returns its token. */
  async connect(
    name: string,
    grant: readonly string[],
    { days = 30, chosen = [] }: { readonly days?: number; readonly chosen?: readonly string[] } = {},
  ): Promise<string> {
    await this.pass(BETWEEN_REQUESTS_MS);
    await this.unlock();
    const asked = await this.send("/apps/requests", { method: "POST", body: { name, reason: "a test", grant } });
    const { id, secret, code } = asked.body as { readonly id: string; readonly secret: string; readonly code: string };
    const scopes = (await this.app.approval.overview()).request?.scopes;
    if (scopes === undefined) throw new Error(`No request waits: ${JSON.stringify(asked.body)}`);
    await this.app.approval.grant({ id, code, grant: scopes, chosen, days, password: APP_PASSWORD });
    const fetched = await this.send(`/apps/requests/${id}`, { token: secret });
    await this.compared();
    const token = String(fetched.body.token);
    await this.api.authenticate({ token });
    return token;
  }

  /** A payment under a key of its own, unless the test says another. */
  pay(token: string, changes: Readonly<Record<string, unknown>> = {}): Promise<GatewayResponse> {
    return this.send("/apps/v1/payments", { method: "POST", token, body: this.paymentBody(changes) });
  }

  paymentBody(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    return { amount_ut: T, ...this.orderBase(), ...changes };
  }

  call(token: string, changes: Readonly<Record<string, unknown>>): Promise<GatewayResponse> {
    return this.send("/apps/v1/calls", { method: "POST", token, body: { gas_limit: 2_000_000, ...this.orderBase(), ...changes } });
  }

  orderBase(): { readonly idempotency_key: string; readonly not_after: number } {
    this.#keys += 1;
    return {
      idempotency_key: `key-${String(this.#keys).padStart(16, "0")}`,
      not_after: Math.floor(this.chain.executor.tip().timeMs / 1_000) + 3_600,
    };
  }

  /** Commits what was submitted. What is missing in the wallet then. */
  async spentUt(): Promise<AmountUt> {
    this.chain.commit();
    const { balance_ut: balance } = await this.#services.node.client.getAddress({ addr: this.wallet, limit: 1 });
    return FUNDS_UT - balance;
  }

  /** Both clocks go on, and a block says so. */
  async pass(ms: number): Promise<void> {
    this.app.time.sleep(ms);
    await this.block(ms);
  }

  /** The chain's time goes on, or what a node says of it. The gateway's rates follow it. */
  async block(ms: number): Promise<void> {
    this.chain.clock.advance(ms);
    this.chain.commit();
    await this.observed();
  }

  /** The keyring has the newest block from the gateway. */
  async observed(): Promise<void> {
    const { height, timeMs } = this.chain.executor.tip();
    [this.app.height, this.app.blockTimeMs] = [height, timeMs];
    await this.api.observe({ chainId: GENESIS.chain_id, height, blockTimeMs: timeMs }).catch(() => undefined);
  }

  /** The keyring has compared the journal with the chain. */
  async compared(): Promise<void> {
    const isCompared = async (): Promise<boolean> => {
      await this.api.pendingOrders();
      return (await this.api.state()).historyFromMs === null;
    };
    await pollUntil(isCompared, { what: "the comparison with the chain" });
  }

  /** The keyring's process has ended: nothing answers. */
  cutKeyring(): void {
    this.link.set(undefined);
    this.#server?.close();
    this.#server = undefined;
    for (const port of this.#ports.splice(0)) port.close();
  }

  /** The gateway gets a port to the keyring that runs now. */
  openKeyring(): void {
    this.cutKeyring();
    const { port1, port2 } = new MessageChannel();
    this.#ports.push(port1, port2);
    this.#server = serveMethods<AppsApi, AppsEvent>(portOf(port2), APPS_METHODS, this.app.apps);
    this.link.set(portOf(port1));
  }

  /** The keyring's process was killed and is started over what is stored. */
  async restartKeyring(): Promise<void> {
    this.cutKeyring();
    await this.app.restartWithoutHistory();
    this.openKeyring();
    await this.observed();
    await this.compared();
  }

  async startGateway(): Promise<void> {
    const placesFile = join(this.#folder.path, "events.json");
    this.#gateway = await startGateway({ endpoint: this.endpoint, placesFile, limits: this.#limits }, this.#services);
  }

  async stopGateway(): Promise<void> {
    await this.#gateway?.close();
    this.#gateway = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopGateway();
    this.cutKeyring();
    await this.chain[Symbol.asyncDispose]();
    await this.#folder.remove();
  }
}

/** A port as both ends use it. */
export function portOf(port: MessagePort): KeyringPort {
  return {
    post: (message) => port.postMessage(message),
    listen: (listener): (() => void) => {
      port.on("message", listener);
      return () => port.off("message", listener);
    },
  };
}
