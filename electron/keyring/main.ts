// Entry of the keyring's own process: the only one that ever holds keys. It speaks over the ports that the shell hands it, for the
// interface, the gateway of programs, the approval window and the shell, each with methods of its own; takes two orders of the shell itself (lock, and
// end), and asks the shell for the system's keychain and for what a person has to confirm.

import type { AccountsMessage } from "#electron/accounts-message.ts";
import { Keyring } from "#shared/keyring/keyring.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import { serveKeyring } from "#shared/keyring/serve-keyring.ts";
import { hostClock, hostRandom, hostTimers } from "#shared/util/host.ts";
import { createAppPorts } from "./app-ports.ts";
import { createFileVault } from "./file-vault.ts";
import { nativeKem } from "./native-kem.ts";
import { createShellConfirmation } from "./shell-confirmation.ts";
import { createShellKeychain } from "./shell-keychain.ts";

/** The part of the parent's port that is used here. */
interface ParentPort {
  on(event: "message", listener: (event: { readonly data: unknown; readonly ports: readonly ProcessPort[] }) => void): void;
  postMessage(message: unknown): void;
}

/** A port of the interface, as it arrives in this process. */
interface ProcessPort {
  postMessage(message: unknown): void;
  on(event: "message", listener: (event: { readonly data: unknown }) => void): void;
  off(event: "message", listener: (event: { readonly data: unknown }) => void): void;
  start(): void;
  close(): void;
}

const parent = (process as { readonly parentPort?: ParentPort }).parentPort;
const { keychain, receive } = createShellKeychain((request) => parent?.postMessage(request));
const confirmation = createShellConfirmation((request) => parent?.postMessage(request));
const [folder = "", machine = ""] = process.argv.slice(2);
const keyring = new Keyring({
  storage: createFileVault(folder),
  random: hostRandom,
  clock: hostClock,
  timers: hostTimers,
  keychain,
  kem: nativeKem(),
  confirm: confirmation.confirm,
});
keyring.onStatus(() => void announceAccount());
void announceAccount();
const apps = createAppPorts(keyring, { folder, machine });
/** Ends what a role's port is served by, before a later one replaces it. */
const release = new Map<string, () => void>();

parent?.on("message", ({ data, ports }) => {
  const type = typeof data === "object" && data !== null && "type" in data ? data.type : undefined;
  const [port] = ports;
  if (type === "connect" && port !== undefined) connect(type, port, (page) => serveKeyring(page, keyring, importBytes));
  else if (type === "connectGateway" && port !== undefined) connect(type, port, apps.connectGateway);
  else if (type === "connectApproval" && port !== undefined) connect(type, port, apps.connectApproval);
  else if (type === "connectWatch" && port !== undefined) connect(type, port, apps.connectWatch);
  else if (type === "lockWallet") void keyring.lockWallet();
  else if (type === "keychain") receive(data);
  else if (type === "confirm") confirmation.receive(data);
  // biome-ignore lint/nursery/noProcessExit: the port to the shell keeps the process alive, and nothing is left to do
  else if (type === "stop") void keyring.lock().then(() => process.exit(0));
});

/** Says whose vault this is, which its header has while it is locked: by the public key alone, whose history the node is not to drop. */
async function announceAccount(): Promise<void> {
  const { account } = await keyring.status().catch(() => ({ account: null }));
  parent?.postMessage({ type: "accounts", accounts: account === null ? [] : [account.masterPub] } satisfies AccountsMessage);
}

/** Serves one of each role at a time: a reloaded page replaces the one before. */
function connect(role: string, port: ProcessPort, serve: (port: KeyringPort) => () => void): void {
  release.get(role)?.();
  const stop = serve(keyringPort(port));
  port.start();
  release.set(role, () => {
    stop();
    port.close();
  });
}

function importBytes(raw: Uint8Array): Promise<Uint8Array> {
  return Promise.resolve(new Uint8Array(raw));
}

function keyringPort(port: ProcessPort): KeyringPort {
  return {
    post: (message) => port.postMessage(message),
    listen: (listener): (() => void) => {
      const onMessage = ({ data }: { readonly data: unknown }): void => listener(data);
      port.on("message", onMessage);
      return (): void => port.off("message", onMessage);
    },
  };
}
