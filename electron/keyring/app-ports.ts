// Connections of programs in the keyring's process: the ports of the gateway, the approval window and the shell, each with its own methods. Which
// of them a port is, the shell says; what comes over it cannot.
import { AppKeyring } from "#shared/apps/keyring/app-keyring.ts";
import { ApprovalService } from "#shared/apps/keyring/approval-service.ts";
import { AppsService } from "#shared/apps/keyring/apps-service.ts";
import type { ApprovalApi, ApprovalEvent, WatchApi } from "#shared/apps/messages/approval-api.ts";
import type { AppsApi, AppsEvent } from "#shared/apps/messages/apps-api.ts";
import { type MethodServer, serveMethods } from "#shared/apps/messages/method-port.ts";
import { APPROVAL_METHODS, APPS_METHODS, WATCH_METHODS } from "#shared/apps/messages/port-shapes.ts";
import type { Keyring } from "#shared/keyring/keyring.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import { hostClock, hostRandom } from "#shared/util/host.ts";
import { createFileJournal } from "./file-journal.ts";
import { createFileVault } from "./file-vault.ts";

/** Where connections are stored. */
export interface AppPortsOptions {
  /** Folder of the vault. */
  readonly folder: string;
  /** Hash of the computer's id. */
  readonly machine: string;
}

/** The ports; each is served to one at a time, a later one replaces an earlier one. */
export interface AppPorts {
  connectGateway(port: KeyringPort): () => void;
  connectApproval(port: KeyringPort): () => void;
  connectWatch(port: KeyringPort): () => void;
}

/** Connections of a keyring. */
export function createAppPorts(keyring: Keyring, { folder, machine }: AppPortsOptions): AppPorts {
  let gateway: MethodServer<AppsEvent> | undefined;
  let window: MethodServer<ApprovalEvent> | undefined;
  let watch: MethodServer<ApprovalEvent> | undefined;
  const apps = new AppKeyring({
    access: keyring.apps,
    copies: createFileVault(folder, "apps"),
    journal: createFileJournal(folder),
    clock: hostClock,
    random: hostRandom,
    machine,
    onAppsEvent: (event): void => gateway?.emit(event),
    onApprovalEvent: (event): void => {
      window?.emit(event);
      watch?.emit(event);
    },
  });
  keyring.onStatus(() => apps.keyringChanged());
  return {
    connectGateway(port): () => void {
      gateway?.close();
      const server = serveMethods<AppsApi, AppsEvent>(port, APPS_METHODS, new AppsService(apps));
      gateway = server;
      return () => server.close();
    },
    connectApproval(port): () => void {
      window?.close();
      const server = serveMethods<ApprovalApi, ApprovalEvent>(port, APPROVAL_METHODS, new ApprovalService(apps));
      window = server;
      return () => server.close();
    },
    connectWatch(port): () => void {
      watch?.close();
      const server = serveMethods<WatchApi, ApprovalEvent>(port, WATCH_METHODS, new ApprovalService(apps));
      watch = server;
      return () => server.close();
    },
  };
}
