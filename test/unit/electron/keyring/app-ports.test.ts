import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAppPorts } from "#electron/keyring/app-ports.ts";
import { createFileJournal } from "#electron/keyring/file-journal.ts";
import { createFileVault } from "#electron/keyring/file-vault.ts";
import type { ApprovalApi, ApprovalEvent, WatchApi } from "#shared/apps/messages/approval-api.ts";
import type { AppsApi, AppsEvent } from "#shared/apps/messages/apps-api.ts";
import { createMethodClient, type MethodClient } from "#shared/apps/messages/method-port.ts";
import { APPROVAL_METHODS, APPS_METHODS, WATCH_METHODS } from "#shared/apps/messages/port-shapes.ts";
import { Keyring } from "#shared/keyring/keyring.ts";
import { KEYRING_METHODS } from "#shared/keyring/keyring-schema.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import { makeReadOnly } from "#test/support/host/read-only-folder.ts";
import { APP_PASSWORD, BOB, T } from "#test/support/worlds/app-world.ts";
import { CHEAP_ARGON2, ManualTime, systemRandom } from "#test/support/worlds/keyring-world.ts";

const NOW = Date.now();

let folder: string;
let ports: MessagePort[];
let keyring: Keyring;
let gateway: MethodClient<AppsApi, AppsEvent>;
let window: MethodClient<ApprovalApi, ApprovalEvent>;

const portOf = (port: MessagePort): KeyringPort => ({
  post: (message) => port.postMessage(message),
  listen: (listener): (() => void) => {
    port.on("message", listener);
    return () => port.off("message", listener);
  },
});

/** The keyring's process as far as ports and files go: what is stored is found again. */
async function start(): Promise<void> {
  const time = new ManualTime(NOW);
  keyring = new Keyring({ storage: createFileVault(folder), random: systemRandom, clock: time, timers: time, argon2: CHEAP_ARGON2 });
  if ((await keyring.status()).state === "empty") await keyring.create({ password: APP_PASSWORD });
  else await keyring.unlock({ password: APP_PASSWORD });
  const apps = createAppPorts(keyring, { folder, machine: "this computer" });
  const connect = (serve: (port: KeyringPort) => () => void): KeyringPort => {
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    serve(portOf(port2));
    return portOf(port1);
  };
  gateway = createMethodClient<AppsApi, AppsEvent>(connect(apps.connectGateway), APPS_METHODS);
  window = createMethodClient<ApprovalApi, ApprovalEvent>(connect(apps.connectApproval), APPROVAL_METHODS);
  await gateway.api.observe({ chainId: "test", height: 5, blockTimeMs: NOW });
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-apps-"));
  ports = [];
  await start();
});

afterEach(() => {
  for (const port of ports) port.close();
  rmSync(folder, { recursive: true, force: true });
});

async function connectTill(): Promise<string> {
  const grant = ["pay:each=2T,total=10T/day,to=any"];
  const { id, secret, code } = await gateway.api.openRequest({ name: "Till", reason: "", grant, names: [] });
  await window.api.grant({ id, code, grant, chosen: [], days: 30, password: APP_PASSWORD });
  const fetched = await gateway.api.fetchRequest({ id, secret });
  await gateway.api.history({ transactions: [], isComplete: true });
  return fetched.state === "granted" ? fetched.token : "";
}

const order = (token: string, key: string): Parameters<AppsApi["pay"]>[0] => ({
  token,
  idempotencyKey: key.padEnd(16, "."),
  notAfterMs: NOW + 60_000,
  spendableUt: 100 * T,
  recipient: BOB,
  to: BOB,
  amountUt: T,
});

describe("ports of connections", () => {
  it("carry asking, granting, paying and ending, over a restart, in files of the person alone", async () => {
    const token = await connectTill();
    const paid = await gateway.api.pay(order(token, "one"));
    expect(paid).toMatchObject({ kind: "transaction", state: "pending" });
    expect(readdirSync(folder).sort()).toEqual(["apps-a", "apps-b", "apps-journal", "vault-a", "vault-b"]);
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    await start();
    await gateway.api.history({ transactions: [], isComplete: true });
    expect(await gateway.api.findOrder({ token, idempotencyKey: "one".padEnd(16, ".") })).toMatchObject({ isReplayed: true });
    const [connection] = (await window.api.overview()).connections;
    await window.api.end({ connection: connection?.id ?? "" });
    await expect(gateway.api.pay(order(token, "two"))).rejects.toMatchObject({ code: "APP_ENDED" });
  });

  it("have methods of their own, and the page's has none of either", async () => {
    const names = (methods: object): string[] => Object.keys(methods);
    expect(names(APPS_METHODS).filter((name) => names(APPROVAL_METHODS).includes(name))).toEqual([]);
    expect(names(KEYRING_METHODS).filter((name) => [...names(APPS_METHODS), ...names(APPROVAL_METHODS)].includes(name))).toEqual([]);
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    const raw = createMethodClient<ApprovalApi & { unlock(input: object): Promise<void>; sign(input: object): Promise<void> }, never>(
      portOf(port1),
      { ...APPROVAL_METHODS, unlock: true, sign: true },
    );
    createAppPorts(keyring, { folder, machine: "this computer" }).connectGateway(portOf(port2));
    for (const call of [raw.api.overview(), raw.api.approve({ id: "x" }), raw.api.unlock({ password: APP_PASSWORD }), raw.api.sign({})])
      await expect(call).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("let the shell look and end, and neither grant nor approve", async () => {
    const token = await connectTill();
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    const apps = createAppPorts(keyring, { folder, machine: "this computer" });
    apps.connectWatch(portOf(port2));
    const raw = createMethodClient<ApprovalApi & WatchApi, ApprovalEvent>(portOf(port1), { ...APPROVAL_METHODS, ...WATCH_METHODS });
    const watch: WatchApi = raw.api;
    expect(Object.keys(WATCH_METHODS)).toEqual(["overview", "end", "log", "dismiss"]);
    for (const call of [
      raw.api.grant({ id: "x", code: "000000", grant: ["read"], chosen: [], days: 1 }),
      raw.api.approve({ id: "x" }),
      raw.api.confirm({ connection: "x", password: APP_PASSWORD }),
      raw.api.refuse({ id: "x" }),
    ])
      await expect(call).rejects.toMatchObject({ code: "NOT_FOUND", message: "This port has no such method" });
    const [connection] = (await watch.overview()).connections;
    const seen = new Promise((resolve) => raw.onEvent(resolve));
    await watch.end({ connection: connection?.id ?? "" });
    expect(await seen).toEqual({ event: "changed" });
    expect(await watch.overview()).toMatchObject({ connections: [], ended: [{ id: connection?.id, name: "Till" }] });
    const lines = (await watch.log({ limit: 10 })).lines.map(({ action }) => action);
    expect(lines).toEqual(["end", "connect"]);
    await start();
    await expect(gateway.api.pay(order(token, "one"))).rejects.toMatchObject({ code: "APP_ENDED" });
  });

  it.each([
    ["a method of the prototype", { id: 1, method: "constructor", input: undefined }, "NOT_FOUND"],
    ["another shape", { id: 1, method: "authenticate", input: { token: 5 } }, "BAD_REQUEST"],
    ["a field more", { id: 1, method: "authenticate", input: { token: "x", more: 1 } }, "BAD_REQUEST"],
    ["a short key", { id: 1, method: "findOrder", input: { token: "x", idempotencyKey: "short" } }, "BAD_REQUEST"],
    ["no argument", { id: 1, method: "pay" }, "BAD_REQUEST"],
  ])("refuse %s", async (_, message, code) => {
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    createAppPorts(keyring, { folder, machine: "" }).connectGateway(portOf(port2));
    const answer = new Promise((resolve) => port1.once("message", resolve));
    port1.postMessage(message);
    expect(await answer).toMatchObject({ error: { code } });
  });

  it("tell the gateway of locks, and the window that something changed", async () => {
    const events: AppsEvent[] = [];
    let changes = 0;
    gateway.onEvent((event) => void events.push(event));
    window.onEvent(() => {
      changes += 1;
    });
    await keyring.lock();
    await gateway.api.state();
    await window.api.overview();
    expect(events).toContainEqual({ event: "state", state: { lock: "locked", account: null, historyFromMs: null } });
    expect(changes).toBeGreaterThan(0);
  });
});

describe("the journal in a file", () => {
  const bytes = (...values: readonly number[]): Uint8Array => new Uint8Array(values);

  it("is appended and replaced only while it has the length that was read", async () => {
    const [one, other] = [createFileJournal(join(folder, "other")), createFileJournal(join(folder, "other"))];
    expect(await one.read()).toBeUndefined();
    expect(await one.append(0, bytes(1, 2))).toBe(true);
    expect(await other.append(0, bytes(9))).toBe(false);
    expect(await other.append(2, bytes(3))).toBe(true);
    expect(await one.replace(2, bytes(9))).toBe(false);
    expect(await one.read()).toEqual(bytes(1, 2, 3));
    expect(await one.replace(3, bytes(4))).toBe(true);
    expect(await other.read()).toEqual(bytes(4));
  });

  it("says where it cannot be written, and what was paid before is still known", async () => {
    const token = await connectTill();
    await gateway.api.pay(order(token, "one"));
    const release = makeReadOnly(folder);
    try {
      await expect(gateway.api.pay(order(token, "two"))).rejects.toMatchObject({ code: "STORAGE_UNWRITABLE" });
    } finally {
      release();
    }
    await gateway.api.history({ transactions: [], isComplete: true });
    expect(await gateway.api.pay(order(token, "one"))).toMatchObject({ isReplayed: true });
    expect(await gateway.api.pay(order(token, "two"))).toMatchObject({ isReplayed: false });
  });

  it("that another program has replaced makes everything rest or stop, never pay", async () => {
    const token = await connectTill();
    const before = readFileSync(join(folder, "apps-journal"));
    await gateway.api.pay(order(token, "one"));
    writeFileSync(join(folder, "apps-journal"), before);
    await expect(gateway.api.pay(order(token, "two"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(existsSync(join(folder, "apps.lock"))).toBe(false);
  });
});
