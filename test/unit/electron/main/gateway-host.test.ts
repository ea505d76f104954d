import type { MessageChannelMain, MessagePortMain } from "electron";
import { beforeEach, describe, expect, it } from "vitest";
import { GatewayHost } from "#electron/main/apps/gateway-host.ts";
import type { HostedGateway } from "#electron/main/apps/gateway-process.ts";
import type { AppsEndpoint } from "#shared/desktop/local-endpoint.ts";

const APPS = { socket: "/run/parley/apps.sock", secret: null };

/** A gateway's process as the test plays it. */
class PlayedGateway implements HostedGateway {
  readonly posted: unknown[] = [];
  isKilled = false;
  #receive: (message: unknown) => void = () => undefined;
  #exit: (code: number | null) => void = () => undefined;
  onMessage(listener: (message: unknown) => void): void {
    this.#receive = listener;
  }
  onExit(listener: (code: number | null) => void): void {
    this.#exit = listener;
  }
  postMessage(message: unknown): void {
    this.posted.push(message);
    if ((message as { readonly type: string }).type === "stop") queueMicrotask(() => this.#exit(0));
  }
  postPort(message: object, port: MessagePortMain): void {
    this.posted.push({ ...message, port });
  }
  kill(): void {
    this.isKilled = true;
    queueMicrotask(() => this.#exit(null));
  }
  stderrTail = (): string => "its last line";
  say(message: unknown): void {
    this.#receive(message);
  }
}

let gateways: PlayedGateway[];
let served: (AppsEndpoint | undefined)[];
let kinds: string[];
let ports: unknown[];
let timers: (() => void)[];
let host: GatewayHost;

beforeEach(() => {
  [gateways, served, kinds, ports, timers] = [[], [], [], [], []];
  let lastPort = 0;
  host = new GatewayHost({
    start: (): HostedGateway => {
      const gateway = new PlayedGateway();
      gateways.push(gateway);
      return gateway;
    },
    createChannel: (): MessageChannelMain => {
      lastPort += 1;
      return { port1: `gateway ${lastPort}`, port2: `keyring ${lastPort}` } as unknown as MessageChannelMain;
    },
    connectKeyring: (port) => void ports.push(port),
    onServing: (apps) => void served.push(apps),
    onState: ({ kind }) => void kinds.push(kind),
    timers: {
      setTimer: (_, callback) => {
        timers.push(callback);
        return () => void timers.splice(timers.indexOf(callback), 1);
      },
    },
  });
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the gateway under supervision", () => {
  it("knows node and keyring from the start on, and gets a new port when the keyring has started again", async () => {
    host.setNode({ url: "http://127.0.0.1:1", secret: "s" });
    await host.setWanted(true);
    expect(gateways[0]?.posted).toEqual([
      { type: "node", node: { url: "http://127.0.0.1:1", secret: "s" } },
      { type: "keyring", port: "gateway 1" },
    ]);
    gateways[0]?.say({ type: "ready", apps: APPS });
    expect(served).toEqual([APPS]);
    host.keyringEnded();
    host.connectKeyring();
    host.setNode(undefined);
    expect(gateways[0]?.posted.slice(2)).toEqual([
      { type: "keyring" },
      { type: "keyring", port: "gateway 2" },
      { type: "node", node: null },
    ]);
    expect(ports).toEqual(["keyring 1", "keyring 2"]);
  });

  it("is switched on and off in the order in which the person did it", async () => {
    void host.setWanted(true);
    void host.setWanted(false);
    void host.setWanted(true);
    await host.setWanted(false);
    expect(host.state.kind).toBe("stopped");
    await host.setWanted(true);
    expect(host.state.kind).toBe("starting");
    expect(gateways.filter(({ posted }) => posted.every((message) => (message as { readonly type: string }).type !== "stop"))).toHaveLength(
      1,
    );
  });

  it("says why it cannot serve, tries again, and after that by switching off and on", async () => {
    await host.setWanted(true);
    for (let tries = 1; tries <= 5; tries += 1) {
      gateways.at(-1)?.say({ type: "failed", reason: "the folder is another user's" });
      await settled();
      expect(gateways.at(-1)?.isKilled).toBe(true);
      timers.pop()?.();
    }
    expect(host.state).toEqual({ kind: "failed", reason: "the folder is another user's" });
    expect(gateways).toHaveLength(5);
    await host.setWanted(true);
    expect(gateways).toHaveLength(6);
    expect(host.state.kind).toBe("starting");
  });

  it.each([
    { type: "ready" },
    { type: "ready", apps: { socket: 5, secret: null } },
    { type: "ready", apps: { socket: "x", secret: 7 } },
    { type: "failed" },
    "ready",
    null,
  ])("takes %j for nothing", async (message) => {
    await host.setWanted(true);
    gateways[0]?.say(message);
    expect(host.state.kind).toBe("starting");
    expect(served).toEqual([]);
  });

  it("gives the page a port only while it serves", async () => {
    const sent: unknown[] = [];
    const page = { postMessage: (...given: unknown[]): void => void sent.push(given) } as unknown as Parameters<
      GatewayHost["connectPage"]
    >[0];
    host.connectPage(page);
    await host.setWanted(true);
    host.connectPage(page);
    expect(sent).toEqual([]);
    gateways[0]?.say({ type: "ready", apps: APPS });
    host.connectPage(page);
    expect(sent).toEqual([["parley:apps", null, ["keyring 2"]]]);
    expect(gateways[0]?.posted.at(-1)).toEqual({ type: "messages", port: "gateway 2" });
  });
});
