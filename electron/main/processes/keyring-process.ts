// The keyring as a utility process of its own. The shell starts it, passes its port to the page and locks it; what passes
// between page and keyring the shell never sees.
import type { MessageChannelMain, MessagePortMain, UtilityProcess, utilityProcess, WebContents } from "electron";
import { KEYRING_CHANNEL } from "#shared/desktop/channels.ts";
import type { ConfirmDecision } from "#shared/keyring/confirmation/confirmation-gate.ts";
import type { Keychain } from "#shared/keyring/vault/keychain.ts";
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
  /** A failure of the keychain, for the log. */
  readonly note: (error: unknown) => void;
  /** Without a keyring nothing can be signed or opened; the page notices by its port closing. */
  readonly onExit: (code: number) => void;
}

/** The running keyring. */
export interface KeyringProcess {
  /** Gives the page a port of its own; an earlier page's port ends. */
  connect(contents: Pick<WebContents, "postMessage">): void;
  /** Gives the gateway of programs, or the approval window, a port with its own methods; an earlier one ends. */
  connectApps(role: "gateway" | "approval", port: MessagePortMain): void;
  /** Drops the signing key; messages still arrive. */
  lockWallet(): void;
  /** Drops everything and ends. */
  stop(): Promise<void>;
}

/** Starts the keyring. It is restarted with the next connection if it ended by itself: its vault is closed then. */
export function startKeyringProcess(options: KeyringProcessOptions): KeyringProcess {
  let child: UtilityProcess | undefined;
  const start = (): UtilityProcess => {
    // An empty environment: nothing of the shell's surroundings concerns the keyring.
    const started = options.utilityProcess.fork(options.entry, [options.folder, options.machine], {
      serviceName: "Parley keyring",
      stdio: "ignore",
      env: {},
    });
    started.on("message", (message) => {
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
      child ??= start();
      const { port1, port2 } = options.createChannel();
      child.postMessage({ type: "connect" }, [port1]);
      contents.postMessage(KEYRING_CHANNEL, null, [port2]);
    },
    connectApps(role, port): void {
      child ??= start();
      child.postMessage({ type: role === "gateway" ? "connectGateway" : "connectApproval" }, [port]);
    },
    lockWallet(): void {
      child?.postMessage({ type: "lockWallet" });
    },
    stop(): Promise<void> {
      const running = child;
      if (running === undefined) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      running.once("exit", () => resolve());
      running.postMessage({ type: "stop" });
      return promise;
    },
  };
}
