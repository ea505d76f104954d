// What a program of a person meets, all of it real and on the system's clock: a node process with blocks, the keyring over files, its ports,
// the gateway on its socket, endpoint.json. The test is the person: it types the digits and answers questions.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { type AppPorts, createAppPorts } from "#electron/keyring/app-ports.ts";
import { createFileVault } from "#electron/keyring/file-vault.ts";
import { writeEndpointFile } from "#node/config/files/endpoint-file.ts";
import { NodeLink } from "#node/gateway/chain/node-link.ts";
import { GATEWAY_LIMITS } from "#node/gateway/gateway-limits.ts";
import { KeyringLink } from "#node/gateway/keyring-link.ts";
import { type Gateway, startGateway } from "#node/gateway/server.ts";
import { createLog } from "#node/observability/log.ts";
import type { NodeClient } from "#shared/api/client.ts";
import type { ApprovalApi, ApprovalEvent, ConnectionEntry } from "#shared/apps/messages/approval-api.ts";
import type { MessagesLink } from "#shared/apps/messages/messages-api.ts";
import { createMethodClient, type MethodClient } from "#shared/apps/messages/method-port.ts";
import { APPROVAL_METHODS } from "#shared/apps/messages/port-shapes.ts";
import type { AppsEndpoint } from "#shared/desktop/local-endpoint.ts";
import { Keyring } from "#shared/keyring/keyring.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { hostClock, hostRandom, hostTimers } from "#shared/util/host.ts";
import { runCommand } from "../cli/live-command-context.ts";
import { pollUntil } from "../host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../host/temporary-folder.ts";
import { ownClient, ownSecret } from "../nodes/own-client.ts";
import { type RunningNode, startNode } from "../nodes/start-node.ts";
import { APP_PASSWORD, T } from "./app-world.ts";
import { CHEAP_ARGON2 } from "./keyring-world.ts";

/** What the person's wallet has at first. */
export const FUNDS_UT = 100 * T;

/** How a request is granted. */
export interface LetIn {
  /** Instead of what the program asked for. */
  readonly grant?: readonly string[];
  readonly chosen?: readonly string[];
}

/** One person's computer. */
export class ProgramWorld implements AsyncDisposable {
  readonly node: RunningNode;
  readonly client: NodeClient;
  readonly keyring: Keyring;
  /** Folder of the profile, with endpoint.json. */
  readonly profile: string;
  /** The 24 words of the person. */
  readonly phrase: string;
  /** The person's messenger, for gateways that are started from now on. */
  messages: MessagesLink | undefined;
  /** Lines of the gateway's log. */
  readonly logLines: string[] = [];
  readonly #folder: TemporaryFolder;
  readonly #ports: AppPorts;
  readonly #channels: MessagePort[] = [];
  readonly #nodeLink = new NodeLink({ fetch, timers: hostTimers, answerTimeoutMs: GATEWAY_LIMITS.answerTimeoutMs });
  #window: MethodClient<ApprovalApi, ApprovalEvent> | undefined;
  #gateway: Gateway | undefined;
  #closeLink: () => void = () => undefined;

  private constructor(
    folder: TemporaryFolder,
    node: RunningNode,
    { keyring, phrase }: { readonly keyring: Keyring; readonly phrase: string },
  ) {
    this.#folder = folder;
    this.node = node;
    this.keyring = keyring;
    this.phrase = phrase;
    this.profile = join(folder.path, "profile");
    this.client = ownClient(node);
    this.#ports = createAppPorts(keyring, { folder: this.profile, machine: "this computer" });
  }

  /** A new profile with an unlocked wallet that has {@link FUNDS_UT}. */
  static async create(): Promise<ProgramWorld> {
    const folder = await createTemporaryFolder("parley-programs-");
    const node = await startNode({ dataDir: join(folder.path, "node") });
    const profile = join(folder.path, "profile");
    const storage = createFileVault(profile);
    const keyring = new Keyring({ storage, random: hostRandom, clock: hostClock, timers: hostTimers, argon2: CHEAP_ARGON2 });
    const { words } = await keyring.create({ password: APP_PASSWORD });
    const world = new ProgramWorld(folder, node, { keyring, phrase: words.join(" ") });
    await world.fund(world.wallet, FUNDS_UT);
    const [server, client] = world.#channel();
    world.#ports.connectApproval(server);
    world.#window = createMethodClient<ApprovalApi, ApprovalEvent>(client, APPROVAL_METHODS);
    await world.startGateway();
    return world;
  }

  /** Key of the person. */
  get wallet(): string {
    return this.keyring.apps.signer().masterPub;
  }

  get address(): string {
    return formatAddress(this.wallet);
  }

  /** The person's window. */
  get approval(): ApprovalApi {
    if (this.#window === undefined) throw new Error("There is no window yet");
    return this.#window.api;
  }

  get endpointFile(): string {
    return join(this.profile, "endpoint.json");
  }

  get socket(): string {
    return join(this.#folder.path, "apps.sock");
  }

  /** A path in a folder of this test alone. */
  path(name: string): string {
    return join(this.profile, name);
  }

  /** Tokens of the faucet, in a block. */
  async fund(account: string, amountUt: number): Promise<void> {
    await this.client.requestFaucet({ body: { to: account, amount_ut: amountUt } });
    await pollUntil(async () => (await this.balanceOf(account)) >= amountUt, { what: "the faucet" });
  }

  async balanceOf(account: string): Promise<number> {
    return (await this.client.getAddress({ addr: account, limit: 1 })).balance_ut;
  }

  /** A customer pays the person, in a block. Returns the id of the transaction. */
  async receive(amount: string, memo: string): Promise<string> {
    const paid = await this.#asCustomer("transfer", "--to", this.wallet, "--amount", amount, "--memo", memo);
    return (JSON.parse(paid) as { readonly id: string }).id;
  }

  /** A customer registers a name, in a block. */
  async registerName(name: string): Promise<void> {
    await this.#asCustomer("register-username", name);
  }

  /** Starts the gateway over what it left, as the shell does when the app starts. */
  async startGateway(): Promise<void> {
    const [server, client] = this.#channel();
    this.#closeLink = this.#ports.connectGateway(server);
    const link = new KeyringLink(hostTimers, GATEWAY_LIMITS.answerTimeoutMs);
    link.set(client);
    const { baseUrl, dataDir } = this.node;
    const secret = ownSecret(dataDir);
    this.#nodeLink.set({ url: baseUrl, secret });
    const services = {
      ...{ keyring: link, node: this.#nodeLink, clock: hostClock, timers: hostTimers, random: hostRandom },
      ...(this.messages === undefined ? {} : { messages: this.messages }),
      log: createLog("json", { write: (line) => this.logLines.push(line) }),
    };
    const endpoint: AppsEndpoint = { socket: this.socket, secret: null };
    this.#gateway = await startGateway(
      { endpoint, placesFile: join(this.profile, "apps-events.json"), limits: { closeTimeoutMs: 50 } },
      services,
    );
    const { chain_id: chainId } = await this.client.getNetworkInfo({});
    writeEndpointFile(this.endpointFile, { chainId, apps: endpoint, node: { url: baseUrl, secret }, pid: process.pid });
  }

  /** The app ends: nothing answers, and the file stays as a kill would leave it. */
  async stopGateway(): Promise<void> {
    await this.#gateway?.close();
    this.#gateway = undefined;
    this.#closeLink();
  }

  /** The person types the digits and lets the program in. */
  async letIn(code: string, { grant, chosen = [] }: LetIn = {}): Promise<ConnectionEntry> {
    const { request } = await this.approval.overview();
    if (request === null) throw new Error("No program asks");
    return await this.approval.grant({
      ...{ id: request.id, code, chosen, days: 30, password: APP_PASSWORD },
      grant: grant ?? request.scopes,
    });
  }

  /** Waits for a question, and answers it. */
  async answer(agrees: boolean): Promise<void> {
    const waiting = await pollUntil(async () => (await this.approval.overview()).approvals[0], { what: "a question" });
    await (agrees ? this.approval.approve({ id: waiting.id }) : this.approval.refuse({ id: waiting.id }));
  }

  async unlock(): Promise<void> {
    await this.keyring.unlock({ password: APP_PASSWORD });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopGateway();
    this.#nodeLink.close();
    for (const port of this.#channels) port.close();
    await this.node.kill();
    await this.#folder.remove();
  }

  /** Runs a command with the key of a customer who has {@link FUNDS_UT}, and waits for its block. */
  async #asCustomer(command: string, ...args: readonly string[]): Promise<string> {
    const key = this.path("customer.json");
    if (!existsSync(key)) {
      await succeed("keygen", "--out", key, "--plain");
      const { pub_key: customer } = JSON.parse(await succeed("address", "--key", key, "--json")) as { readonly pub_key: string };
      await this.fund(customer, FUNDS_UT);
    }
    return await succeed(command, ...args, "--key", key, "--wait", "--node", this.node.baseUrl, "--json");
  }

  /** Two ends of a port, that of the keyring first. */
  #channel(): readonly [KeyringPort, KeyringPort] {
    const { port1, port2 } = new MessageChannel();
    this.#channels.push(port1, port2);
    return [portOf(port1), portOf(port2)];
  }
}

/** Output of a command. @throws Error with what it said when it failed */
async function succeed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

function portOf(port: MessagePort): KeyringPort {
  return {
    post: (message) => port.postMessage(message),
    listen: (listener): (() => void) => {
      port.on("message", listener);
      return () => port.off("message", listener);
    },
  };
}
