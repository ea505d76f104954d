import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { createUpdateControl, type UpdateControl, type Updater } from "#electron/main/updates/update-control.ts";
import type { UpdateState } from "#shared/desktop/desktop-api.ts";

class FakeUpdater extends EventEmitter implements Updater {
  autoDownload = true;
  autoInstallOnAppQuit = true;
  allowDowngrade = true;
  readonly calls: string[] = [];
  checkForUpdates(): Promise<unknown> {
    this.calls.push("check");
    this.emit("update-available", { version: "0.2.0" });
    return Promise.resolve(null);
  }
  downloadUpdate(): Promise<unknown> {
    this.calls.push("download");
    this.emit("download-progress", { percent: 41.7 });
    this.emit("update-downloaded", { version: "0.2.0" });
    return Promise.resolve(null);
  }
  quitAndInstall(): void {
    this.calls.push("install");
  }
}

function world(isEnabled = true): { updater: FakeUpdater; control: UpdateControl; states: UpdateState[] } {
  const updater = new FakeUpdater();
  const states: UpdateState[] = [];
  return {
    updater,
    states,
    control: createUpdateControl({
      updater,
      isEnabled,
      onState: (state) => void states.push(state),
      quit: async (install): Promise<void> => {
        updater.calls.push("end in order");
        install();
      },
    }),
  };
}

describe("updates", () => {
  it("never download, install or go back by themselves", async () => {
    const { updater, control } = world();
    expect([updater.autoDownload, updater.autoInstallOnAppQuit, updater.allowDowngrade]).toEqual([false, false, false]);
    expect(await control.check()).toEqual({ kind: "available", version: "0.2.0" });
    expect(updater.calls).toEqual(["check"]);
  });

  it("are downloaded by the first wish and installed by the second", async () => {
    const { updater, control, states } = world();
    await control.install();
    expect(updater.calls).toEqual([]);
    await control.check();
    await control.install();
    expect(states.map(({ kind }) => kind)).toEqual(["available", "downloading", "ready"]);
    expect(states[1]).toEqual({ kind: "downloading", version: "0.2.0", percent: 41 });
    await control.install();
    expect(updater.calls).toEqual(["check", "download", "end in order", "install"]);
  });

  it("that fail are a state in words", async () => {
    const { updater, control } = world();
    updater.checkForUpdates = (): Promise<unknown> => {
      updater.emit("error", new Error("net::ERR at https://feed.example/latest.yml"));
      return Promise.reject(new Error("net"));
    };
    expect(await control.check()).toEqual({
      kind: "failed",
      reason: "The update could not be downloaded, or does not match the release",
    });
  });

  it("are not looked for in a checkout", async () => {
    const { updater, control } = world(false);
    expect(await control.check()).toEqual({ kind: "none" });
    expect(updater.calls).toEqual([]);
  });
});
