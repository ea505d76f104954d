// The agent's keyring and its connections of programs, over the files of one folder that no other user and no second agent enters.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createFileJournal } from "#electron/keyring/file-journal.ts";
import { createFileVault } from "#electron/keyring/file-vault.ts";
import { nativeKem } from "#electron/keyring/native-kem.ts";
import { machineId } from "#electron/main/machine/machine-id.ts";
import { closeDataFolder } from "#node/config/files/private-data-folder.ts";
import { type DataFolderLock, lockDataFolder } from "#node/storage/data-folder-lock.ts";
import { AppKeyring } from "#shared/apps/keyring/app-keyring.ts";
import { ApprovalService } from "#shared/apps/keyring/approval-service.ts";
import { AppsService } from "#shared/apps/keyring/apps-service.ts";
import type { AppsEvent } from "#shared/apps/messages/apps-api.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { Keyring } from "#shared/keyring/keyring.ts";
import { hostClock, hostRandom, hostTimers } from "#shared/util/host.ts";

/** An open folder. Nothing is unlocked by opening it. */
export interface AgentKeyring {
  readonly keyring: Keyring;
  readonly apps: AppsService;
  readonly approvals: ApprovalService;
  /** Calls back with events for the gateway. */
  onAppsEvent(listener: (event: AppsEvent) => void): void;
  /** Locks everything and lets the folder go. */
  close(): Promise<void>;
}

/** How long another command of the same folder is waited for, ms. */
const LOCK_WAIT_MS = 500;

/** Takes the folder, making it where it is missing. @throws CodedError STORAGE_LOCKED while another process has it, STORAGE_UNWRITABLE. */
export async function openAgentKeyring(folder: string): Promise<AgentKeyring> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  closeDataFolder(folder);
  const lock = takeFolder(folder);
  const files = join(folder, "keyring");
  const keyring = new Keyring({
    storage: createFileVault(files),
    random: hostRandom,
    clock: hostClock,
    timers: hostTimers,
    kem: nativeKem(),
  });
  const listeners: ((event: AppsEvent) => void)[] = [];
  const apps = new AppKeyring({
    access: keyring.apps,
    copies: createFileVault(files, "apps"),
    journal: createFileJournal(files),
    clock: hostClock,
    random: hostRandom,
    machine: await machineId(process.platform),
    canAsk: false,
    onAppsEvent: (event): void => {
      for (const listener of listeners) listener(event);
    },
  });
  keyring.onStatus(() => apps.keyringChanged());
  return {
    keyring,
    apps: new AppsService(apps),
    approvals: new ApprovalService(apps),
    onAppsEvent: (listener): void => void listeners.push(listener),
    close: async (): Promise<void> => {
      try {
        await keyring.lock();
      } finally {
        lock.release();
      }
    },
  };
}

/** Whether the lock is what keeps a folder from being opened. */
export function isInUse(error: unknown): boolean {
  return isCodedError(error, "STORAGE_LOCKED");
}

function takeFolder(folder: string): DataFolderLock {
  try {
    return lockDataFolder(folder, LOCK_WAIT_MS);
  } catch (cause) {
    if (!isInUse(cause)) throw cause;
    throw new CodedError("STORAGE_LOCKED", `Another agent uses ${folder}: end it, or choose another folder with --dir`, { cause });
  }
}
