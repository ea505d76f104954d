// The gateway for programs on a real socket, over the interface of a real chain. The keyring is played: the test says what it judges.
import { type ClientRequest, type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { GatewayLimits } from "#node/gateway/gateway-limits.ts";
import { type Gateway, startGateway } from "#node/gateway/server.ts";
import type { AppsKeyring, GatewayServices } from "#node/gateway/services.ts";
import { createLog } from "#node/observability/log.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import type {
  AppsApi,
  AppsEvent,
  AppsState,
  ConnectionView,
  InvoiceView,
  MessageClaim,
  MessageVerdict,
} from "#shared/apps/messages/apps-api.ts";
import type { JournalLineView } from "#shared/apps/messages/journal-lines.ts";
import type { MessagesLink } from "#shared/apps/messages/messages-api.ts";
import type { OrderOutcome, OrderResult, PaymentOrder } from "#shared/apps/messages/orders.ts";
import type { AppsEndpoint } from "#shared/desktop/local-endpoint.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { hostRandom, hostTimers } from "#shared/util/host.ts";
import { injectFetch } from "../api/inject-fetch.ts";
import { createTemporaryFolder } from "../host/temporary-folder.ts";
import { type ApiWorld, createApiWorld } from "./api-world.ts";
import { alice, signed } from "./ledger-world.ts";

/** A keyring that judges as the test says. Its account is Alice's. */
export class PlayedKeyring implements AppsKeyring {
  readonly connections = new Map<string, ConnectionView>();
  readonly lines: JournalLineView[] = [];
  readonly invoices = new Map<string, InvoiceView[]>();
  /** Calls with their inputs, in their order. */
  readonly calls: (readonly [method: string, input: unknown])[] = [];
  readonly orders = new Map<string, OrderResult>();
  readonly pending: { readonly id: string; readonly timestampMs: number }[] = [];
  readonly outcomes: OrderOutcome[] = [];
  /** Payments in blocks of which the journal does not speak any more, by their numbers: they are too old. */
  readonly tooOld = new Set<number>();
  /** When invoices are made, by the keyring's clock. */
  invoiceTimeMs = 0;
  state: AppsState = {
    lock: "unlocked",
    account: { masterPub: alice.pub, address: formatAddress(alice.pub) },
    historyFromMs: null,
  };
  /** Judges a payment; by default it is signed. */
  judge: (order: PaymentOrder) => OrderResult = (order) => this.sign(order);
  /** Judges a message; by default it is sent unless the engine knows it. */
  judgeMessage: (claim: MessageClaim) => MessageVerdict = ({ to }) => {
    if (to === null) throw new CodedError("NOT_FOUND", "No message has this key");
    return { mode: "open", to };
  };
  readonly #listeners = new Set<(event: AppsEvent) => void>();

  /** Lets a program in. */
  connect(id: string, scopes: readonly string[], fields: Partial<ConnectionView> = {}): string {
    const token = `parley_app_${id}_${"x".repeat(43)}`;
    this.connections.set(token, {
      ...{ id, name: `Program ${id}`, scopes, chosen: [], left: [], isResting: false },
      ...{ createdAtMs: 0, expiresAtMs: Number.MAX_SAFE_INTEGER },
      ...fields,
    });
    return token;
  }

  emit(event: AppsEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  onEvent(listener: (event: AppsEvent) => void): () => void {
    this.#listeners.add(listener);
    return (): void => void this.#listeners.delete(listener);
  }

  /** Adds a line to the journal and reports it. */
  write(line: Partial<JournalLineView> & Pick<JournalLineView, "connection" | "action" | "outcome">): void {
    const n = this.lines.length + 1;
    this.lines.push({ n, prev: "", height: 1, atMs: 0, subject: "", amountUt: 0, keyHash: "", txId: "", ...line });
    this.emit({ event: "line", connection: line.connection, n });
  }

  sign(order: PaymentOrder): OrderResult {
    const known = this.orders.get(order.idempotencyKey);
    if (known?.kind === "transaction") return { ...known, isReplayed: true };
    if (order.to === null) throw new CodedError("NOT_FOUND", "No account has the name");
    const transaction: Transaction = signed(alice, { type: "TRANSFER", to: order.to, amount: order.amountUt, payload: {} });
    const result: OrderResult = { kind: "transaction", id: transaction.id, state: "pending", isReplayed: false, transaction };
    this.orders.set(order.idempotencyKey, result);
    this.pending.push({ id: transaction.id, timestampMs: Date.parse(transaction.timestamp) });
    return result;
  }

  readonly api: AppsApi = {
    state: async () => this.state,
    observe: async (input) => this.#note("observe", input, this.state),
    history: async (input) => {
      this.state = { ...this.state, historyFromMs: input.isComplete ? null : this.state.historyFromMs };
      return this.#note("history", input, this.state);
    },
    openRequest: async (input) =>
      this.#note("openRequest", input, { id: "req1", secret: "s".repeat(43), code: "012345", expiresAtMs: 600_000 }),
    fetchRequest: async (input) => {
      if (input.secret !== "s".repeat(43)) throw new CodedError("NOT_FOUND", "There is no such request");
      return this.#note("fetchRequest", input, { state: "waiting", expiresAtMs: 600_000 });
    },
    authenticate: async ({ token }) => this.#connection(token),
    rotateToken: async ({ token }) => {
      const connection = this.#connection(token);
      const next = `${token.slice(0, -43)}${"y".repeat(43)}`;
      this.connections.delete(token);
      this.connections.set(next, connection);
      return { token: next };
    },
    endConnection: async ({ token }) => {
      const { id } = this.#connection(token);
      this.connections.delete(token);
      this.emit({ event: "ended", connection: id });
    },
    pay: async (input) => this.#note("pay", input, this.judge(input)),
    call: async (input) => this.#note("call", input, { kind: "approval", approval: "ap1", expiresAtMs: 300_000, isReplayed: false }),
    orderMessage: async (input) => this.#note("orderMessage", input, this.judgeMessage(input)),
    settleMessage: async (input) => this.#note("settleMessage", input, undefined),
    noteWaiting: async (input) => this.#note("noteWaiting", input, undefined),
    findOrder: async ({ idempotencyKey }) => {
      const found = this.orders.get(idempotencyKey);
      if (found === undefined) throw new CodedError("NOT_FOUND", "No order has this key");
      return { ...found, isReplayed: true };
    },
    pendingOrders: async () => this.pending,
    settle: async ({ outcomes }) => {
      this.outcomes.push(...outcomes);
      for (const { id } of outcomes) {
        const index = this.pending.findIndex((order) => order.id === id);
        if (index !== -1) this.pending.splice(index, 1);
        this.emit({ event: "line", connection: "00000001", n: this.outcomes.length });
      }
    },
    paidOrders: async ({ after }) =>
      this.outcomes
        .map(({ id, state }, index) => ({ n: index + 1, connection: "00000001", id, state }))
        .filter(({ n, state }) => n > after && state === "committed" && !this.tooOld.has(n))
        .map(({ state: _, ...paid }) => paid),
    checkSubmission: async (input) => {
      if (input.from === alice.pub) throw new CodedError("APP_SCOPE", "The person's own key signs nothing here");
      this.#note("checkSubmission", input, undefined);
    },
    createInvoice: async ({ token, amountUt, expiresAtMs }) => {
      const { id: connection } = this.#connection(token);
      const own = this.invoices.get(connection) ?? [];
      const invoice = { id: `inv_${String(own.length).padStart(16, "0")}`, amountUt, createdAtMs: this.invoiceTimeMs, expiresAtMs };
      this.invoices.set(connection, [...own, invoice]);
      return invoice;
    },
    listInvoices: async ({ token }) => this.invoices.get(this.#connection(token).id) ?? [],
    readJournal: async ({ token, after, limit }) => {
      const { id } = this.#connection(token);
      const lines = this.lines.filter(({ connection, n }) => connection === id && n > after);
      return { lines: lines.slice(0, limit), firstN: 1, hasMore: lines.length > limit };
    },
  };

  #connection(token: string): ConnectionView {
    const found = this.connections.get(token);
    if (found === undefined) throw new CodedError("APP_TOKEN_INVALID", "The token is unknown");
    return found;
  }

  #note<T>(method: string, input: unknown, value: T): T {
    this.calls.push([method, input]);
    return value;
  }
}

/** What a program gets. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a program sends. */
export interface GatewayRequest {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A running gateway with everything below it. */
export interface GatewayWorld extends AsyncDisposable {
  readonly folder: string;
  readonly chain: ApiWorld;
  /** The node as the gateway has it. */
  readonly client: NodeClient;
  readonly keyring: PlayedKeyring;
  readonly endpoint: AppsEndpoint;
  /** Lines of its log. */
  readonly logLines: readonly string[];
  send(path: string, request?: GatewayRequest): Promise<GatewayResponse>;
  /** A request that the test ends itself. */
  open(path: string, request?: GatewayRequest): ClientRequest;
  /** Ends the gateway and starts it again over the same files; what it remembers is lost. */
  restart(): Promise<void>;
}

/** Starts a gateway. */
export async function createGatewayWorld({
  limits = {},
  secret = null,
  messages,
}: {
  readonly limits?: Partial<GatewayLimits>;
  readonly secret?: string | null;
  readonly messages?: MessagesLink;
} = {}): Promise<GatewayWorld> {
  const folder = await createTemporaryFolder("parley-gateway-");
  const chain = await createApiWorld();
  const keyring = new PlayedKeyring();
  const endpoint: AppsEndpoint = { socket: join(folder.path, "apps.sock"), secret };
  const logLines: string[] = [];
  const client = createNodeClient({ baseUrl: "", fetch: injectFetch(chain.server.app) });
  const services: GatewayServices = {
    keyring,
    node: {
      client,
      onBlock: (listener) => chain.executor.onCommit(() => queueMicrotask(listener)),
    },
    log: createLog("json", { write: (line) => logLines.push(line) }),
    clock: chain.clock,
    timers: hostTimers,
    random: hostRandom,
    ...(messages === undefined ? {} : { messages }),
  };
  const start = (): Promise<Gateway> =>
    startGateway({ endpoint, placesFile: join(folder.path, "events.json"), limits: { closeTimeoutMs: 50, ...limits } }, services);
  let gateway = await start();
  const open = (path: string, given: GatewayRequest = {}): ClientRequest => openOnSocket(endpoint, path, given);
  return {
    folder: folder.path,
    chain,
    client,
    keyring,
    endpoint,
    logLines,
    open,
    send: (path, given) => sendOnSocket(endpoint, path, given),
    restart: async (): Promise<void> => {
      await gateway.close();
      gateway = await start();
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await gateway.close();
      await chain[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

/** A request that the test ends itself. */
export function openOnSocket(
  { socket }: AppsEndpoint,
  path: string,
  { method = "GET", token, headers = {}, body }: GatewayRequest,
): ClientRequest {
  return request({
    socketPath: socket,
    path,
    method,
    agent: false,
    headers: {
      host: "parley",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
  });
}

/** Sends a request of a program. */
export function sendOnSocket(endpoint: AppsEndpoint, path: string, given: GatewayRequest = {}): Promise<GatewayResponse> {
  return respond(openOnSocket(endpoint, path, given), given.body);
}

async function respond(sent: ClientRequest, body: unknown): Promise<GatewayResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<GatewayResponse>();
  sent.once("error", reject);
  sent.once("response", (response) => {
    text(response).then(
      (received) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(received) }),
      reject,
    );
  });
  sent.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body));
  return await promise;
}
