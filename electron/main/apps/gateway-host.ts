// Supervises the gateway for programs: it runs while programs may ask, knows where the node serves, and has a port to the keyring.
import type { MessageChannelMain, MessagePortMain, WebContents } from "electron";
import { APPS_CHANNEL } from "#shared/desktop/channels.ts";
import type { GatewayState } from "#shared/desktop/desktop-apps.ts";
import type { AppsEndpoint, NodeEndpoint } from "#shared/desktop/local-endpoint.ts";
import type { Timers } from "#shared/util/clock.ts";
import { ProcessHost, type StartReport } from "../processes/process-host.ts";
import type { HostedGateway } from "./gateway-process.ts";

export interface GatewayHostOptions {
  readonly start: () => HostedGateway;
  readonly createChannel: () => MessageChannelMain;
  /** Gives the keyring its end of the gateway's port. */
  readonly connectKeyring: (port: MessagePortMain) => void;
  /** Where programs are served, and undefined when they are no longer. */
  readonly onServing: (apps: AppsEndpoint | undefined) => void;
  readonly onState: (state: GatewayState) => void;
  readonly timers: Timers;
}

/** The gateway, switched on and off. */
export class GatewayHost {
  readonly #options: GatewayHostOptions;
  readonly #host: ProcessHost<object, AppsEndpoint>;
  #running: HostedGateway | undefined;
  #node: NodeEndpoint | undefined;
  #isWanted = false;
  #switching: Promise<void> = Promise.resolve();

  constructor(options: GatewayHostOptions) {
    this.#options = options;
    this.#host = new ProcessHost<object, AppsEndpoint>({
      start: (): HostedGateway => this.#start(),
      parse: parseGatewayMessage,
      onState: (): void => options.onState(this.state),
      onServing: (apps): void => {
        if (apps === undefined) this.#running = undefined;
        options.onServing(apps);
      },
      timers: options.timers,
    });
  }

  get state(): GatewayState {
    const { state } = this.#host;
    if (state.kind === "crashed") return { kind: state.kind, restartInMs: state.restartInMs, reason: state.reason };
    return state.kind === "failed" ? { kind: state.kind, reason: state.reason } : { kind: state.kind };
  }

  /** Switches on or off, one after the other; resolves when it has ended or was started. On again starts one that was given up. */
  setWanted(isWanted: boolean): Promise<void> {
    if (isWanted === this.#isWanted && this.#host.state.kind !== "failed") return this.#switching;
    this.#isWanted = isWanted;
    this.#switching = this.#switching.then(() => (this.#isWanted ? this.#host.restart() : this.#host.stop()));
    return this.#switching;
  }

  /** Where the node serves now. */
  setNode(node: NodeEndpoint | undefined): void {
    this.#node = node === undefined ? undefined : { url: node.url, secret: node.secret };
    this.#host.post((gateway) => gateway.postMessage({ type: "node", node: this.#node ?? null }));
  }

  /** The keyring's process has started: it gets a new port. */
  connectKeyring(): void {
    this.#host.post(() => this.#connectKeyring());
  }

  /** The keyring's process has ended: what programs ask is answered at once, with an error. */
  keyringEnded(): void {
    this.#host.post((gateway) => gateway.postMessage({ type: "keyring" }));
  }

  /** Gives the page a port to the gateway, for messages. Without a gateway nothing happens: the page asks again when one is ready. */
  connectPage(contents: Pick<WebContents, "postMessage">): void {
    this.#host.post(() => {
      if (this.#host.state.kind !== "ready") return;
      const { port1, port2 } = this.#options.createChannel();
      this.#running?.postPort({ type: "messages" }, port1);
      contents.postMessage(APPS_CHANNEL, null, [port2]);
    });
  }

  #start(): HostedGateway {
    const gateway = this.#options.start();
    this.#running = gateway;
    gateway.postMessage({ type: "node", node: this.#node ?? null });
    this.#connectKeyring();
    return gateway;
  }

  #connectKeyring(): void {
    const { port1, port2 } = this.#options.createChannel();
    this.#running?.postPort({ type: "keyring" }, port1);
    this.#options.connectKeyring(port2);
  }
}

function parseGatewayMessage(message: unknown): StartReport<object, AppsEndpoint> | undefined {
  const { type, apps, reason } = fieldsOf(message);
  if (type === "failed" && typeof reason === "string") return { kind: "failed", reason };
  const { socket, secret } = fieldsOf(apps);
  if (type !== "ready" || typeof socket !== "string" || (secret !== null && typeof secret !== "string")) return undefined;
  return { kind: "ready", shown: {}, served: { socket, secret } };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
