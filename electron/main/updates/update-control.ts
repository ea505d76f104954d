// Updates: downloaded and installed only when the person says so. The updater checks what it fetched against the feed's SHA-512, and the
// publisher's signature where the system has one (macOS, Windows).
import type { UpdateState } from "#shared/desktop/desktop-api.ts";

/** The part of electron-updater that is used. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  allowDowngrade: boolean;
  checkForUpdates(): Promise<unknown>;
  downloadUpdate(): Promise<unknown>;
  quitAndInstall(): void;
  on(event: "update-available" | "update-downloaded", listener: (info: { readonly version: string }) => void): unknown;
  on(event: "update-not-available", listener: () => void): unknown;
  on(event: "download-progress", listener: (progress: { readonly percent: number }) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** What the person can do about updates. */
export interface UpdateControl {
  readonly state: UpdateState;
  /** Asks the release feed. Failures are a state, not an exception. */
  check(): Promise<UpdateState>;
  /** Downloads what is available; once it is there, a second call ends the app and installs it. */
  install(): Promise<void>;
}

export interface UpdateControlOptions {
  readonly updater: Updater;
  /** False where the app was not installed by a package, so nothing can be replaced. */
  readonly isEnabled: boolean;
  readonly onState: (state: UpdateState) => void;
  /** Ends node and keyring in order, then calls back instead of exiting. */
  readonly quit: (install: () => void) => Promise<void>;
}

export function createUpdateControl({ updater, isEnabled, onState, quit }: UpdateControlOptions): UpdateControl {
  let state: UpdateState = { kind: "none" };
  const change = (next: UpdateState): void => {
    state = next;
    onState(next);
  };
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.on("update-available", ({ version }) => change({ kind: "available", version }));
  updater.on("update-not-available", () => change({ kind: "none" }));
  updater.on("update-downloaded", ({ version }) => change({ kind: "ready", version }));
  updater.on("download-progress", ({ percent }) => {
    if ("version" in state) change({ kind: "downloading", version: state.version, percent: Math.floor(percent) });
  });
  updater.on("error", () => change({ kind: "failed", reason: "The update could not be downloaded, or does not match the release" }));
  return {
    get state(): UpdateState {
      return state;
    },
    async check(): Promise<UpdateState> {
      if (!isEnabled) return state;
      await updater.checkForUpdates().catch(() => undefined);
      return state;
    },
    async install(): Promise<void> {
      if (state.kind === "ready") await quit(() => updater.quitAndInstall());
      else if (state.kind === "available") await updater.downloadUpdate().catch(() => undefined);
    },
  };
}
