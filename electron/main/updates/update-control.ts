// Updates: offered only when the release key signed them, downloaded and installed only when the person says so. The updater checks what it
// fetched against the SHA-512 that was signed, and the publisher's signature where the system has one (macOS, Windows).
import type { UpdateState } from "#shared/desktop/desktop-api.ts";
import type { FoundUpdate } from "#shared/updates/release-manifest.ts";

/** The part of electron-updater that is used. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  allowDowngrade: boolean;
  checkForUpdates(): Promise<unknown>;
  downloadUpdate(): Promise<unknown>;
  quitAndInstall(): void;
  on(event: "update-available" | "update-downloaded", listener: (info: FoundUpdate) => void): unknown;
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
  /** Whether the release key signed what the feed offers. */
  readonly isSigned: (found: FoundUpdate) => Promise<boolean>;
  readonly onState: (state: UpdateState) => void;
  /** Ends node and keyring in order, then calls back instead of exiting. */
  readonly quit: (install: () => void) => Promise<void>;
}

const UNSIGNED = "The update isn't signed with Parley's release key and was not installed";

/** Two descriptions of one update. */
function isSame(one: FoundUpdate, other: FoundUpdate): boolean {
  const hashes = ({ version, files }: FoundUpdate): string => JSON.stringify([version, files.map(({ sha512 }) => sha512)]);
  return hashes(one) === hashes(other);
}

export function createUpdateControl({ updater, isEnabled, isSigned, onState, quit }: UpdateControlOptions): UpdateControl {
  let state: UpdateState = { kind: "none" };
  const change = (next: UpdateState): void => {
    state = next;
    onState(next);
  };
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  // The feed may change between two checks: only what was found last is judged, and only what was judged is downloaded.
  let found: FoundUpdate | undefined;
  let judged: Promise<void> = Promise.resolve();
  const judge = async (update: FoundUpdate): Promise<void> => {
    const isGenuine = await isSigned(update);
    if (found === update) change(isGenuine ? { kind: "available", version: update.version } : { kind: "failed", reason: UNSIGNED });
  };
  updater.on("update-available", (update) => {
    found = update;
    if (state.kind !== "none") change({ kind: "none" });
    judged = judge(update);
  });
  updater.on("update-not-available", () => {
    found = undefined;
    change({ kind: "none" });
  });
  updater.on("update-downloaded", (update) => {
    const isJudged = found !== undefined && "version" in state && isSame(found, update);
    change(isJudged ? { kind: "ready", version: update.version } : { kind: "failed", reason: UNSIGNED });
  });
  updater.on("download-progress", ({ percent }) => {
    if ("version" in state) change({ kind: "downloading", version: state.version, percent: Math.floor(percent) });
  });
  updater.on("error", () => change({ kind: "failed", reason: "The update couldn't be downloaded or doesn't match the release" }));
  return {
    get state(): UpdateState {
      return state;
    },
    async check(): Promise<UpdateState> {
      if (!isEnabled) return state;
      await updater.checkForUpdates().catch(() => undefined);
      await judged;
      return state;
    },
    async install(): Promise<void> {
      if (state.kind === "ready") await quit(() => updater.quitAndInstall());
      else if (state.kind === "available") await updater.downloadUpdate().catch(() => undefined);
    },
  };
}
