// The keyring as a utility process of its own. The shell starts it, passes its port to the page and locks it; what passes
// between page and keyring the shell never sees.
import type { MessageChannelMain, MessagePortMain, UtilityProcess, utilityProcess, WebContents } from "electron";
import { KEYRING_CHANNEL } from "#shared/desktop/channels.ts";
import type { ConfirmDecision } from "#shared/keyring/confirmation/confirmation-gate.ts";
import type { Keychain } from "#shared/keyring/vault/keychain.ts";
import { accountsOf } from "../../accounts-message.ts";
import { handleConfirmationRequest } from "../confirmation/handle-confirmation-request.ts";
import { handleKeychainRequest } from "../machine/handle-keychain-request.ts";

/** What the keyring process is started with. */
export interface KeyringProcessOptions {
  readonly utilityProcess: Pick<typeof utilityProcess, "fork">;
  readonly createChannel: () => MessageChannelMain;
  /** File of the keyring's program. */
  readonly entry: string;
  /** Folder of the vault. */
  readonly folder: string;
  /** Hash of the computer's id: connections of programs rest on another one. */
  readonly machine: string;
  /** The system's keychain, for which the keyring asks. */
  readonly keychain: Keychain;
  /** The window in which a person confirms what gives lasting power. */
  readonly confirm: ConfirmDecision;
  /** Whose vault it is: public keys, none while it is empty or damaged. */
  readonly onAccounts: (accounts: readonly string[]) => void;
  /** A failure of the keychain, for the log. */
  readonly note: (error: unknown) => void;
  /** Called after each start: the ports of the gateway and the shell are gone with the process before. */
  readonly onStart: () => void;
  /** Without a keyring nothing can be signed or opened; the page notices by its port closing. */
  readonly onExit: (code: number) => void;
}

/** Who has a port about programs, each with methods of its own: the gateway, the approval window, the shell itself. */
export type AppsRole = keyof typeof APPS_ROLES;

const APPS_ROLES = { gateway: "connectGateway", approval: "connectApproval", watch: "connectWatch" } as const;

/** The running keyring. */
export interface KeyringProcess {
  /** Gives the page a port of its own; an earlier page's port ends. */
  connect(contents: Pick<WebContents, "postMessage">): void;
  /** Starts it unless it runs. */
  start(): void;
  /** Gives one of a role its port; an earlier one ends. */
  connectApps(role: AppsRole, port: MessagePortMain): void;
  /** Drops the signing key; messages still arrive. */
  lockWallet(): void;
  /** Drops everything and ends. */
  stop(): Promise<void>;
}

/** Starts the keyring. It is restarted with the next connection if it ended by itself: its vault is closed then. */
export function startKeyringProcess(options: KeyringProcessOptions): KeyringProcess {
  let child: UtilityProcess | undefined;
  const running = (): UtilityProcess => {
    if (child !== undefined) return child;
    const started = start();
    child = started;
    // The message of the one who made it start is sent first.
    queueMicrotask(options.onStart);
    return started;
  };
  const start = (): UtilityProcess => {
    // An empty environment: nothing of the shell's surroundings concerns the keyring.
    const started = options.utilityProcess.fork(options.entry, [options.folder, options.machine], {
      serviceName: "Parley keyring",
      stdio: "ignore",
      env: {},
    });
    started.on("message", (message) => {
      const accounts = accountsOf(message);
      if (accounts !== undefined) {
        if (child === started) options.onAccounts(accounts);
        return;
      }
      const respond = (response: object | undefined): void => {
        if (response !== undefined && child === started) started.postMessage(response);
      };
      void handleKeychainRequest(message, options.keychain, options.note).then(respond);
      void handleConfirmationRequest(message, options.confirm).then(respond);
    });
    started.on("exit", (code) => {
      if (child === started) child = undefined;
      options.onExit(code);
    });
    return started;
  };
  return {
    connect(contents): void {
      const keyring = running();
      const { port1, port2 } = options.createChannel();
      keyring.postMessage({ type: "connect" }, [port1]);
      contents.postMessage(KEYRING_CHANNEL, null, [port2]);
    },
    start: () => void running(),
    connectApps(role, port): void {
      running().postMessage({ type: APPS_ROLES[role] }, [port]);
    },
    lockWallet(): void {
      child?.postMessage({ type: "lockWallet" });
    },
    stop(): Promise<void> {
      const ending = child;
      if (ending === undefined) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      ending.once("exit", () => resolve());
      ending.postMessage({ type: "stop" });
      return promise;
    },
  };
}
