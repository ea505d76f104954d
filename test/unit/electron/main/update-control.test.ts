import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { createUpdateControl, type UpdateControl, type UpdateControlOptions, type Updater } from "#electron/main/updates/update-control.ts";
import type { UpdateState } from "#shared/desktop/desktop-api.ts";
import type { FoundUpdate } from "#shared/updates/release-manifest.ts";

class FakeUpdater extends EventEmitter implements Updater {
  autoDownload = true;
  autoInstallOnAppQuit = true;
  allowDowngrade = true;
  readonly calls: string[] = [];
  found: FoundUpdate = { version: "0.2.0", files: [{ url: "Parley-0.2.0.AppImage", sha512: "abc=" }] };
  downloaded?: FoundUpdate;
  checkForUpdates(): Promise<unknown> {
    this.calls.push("check");
    this.emit("update-available", this.found);
    return Promise.resolve(null);
  }
  downloadUpdate(): Promise<unknown> {
    this.calls.push("download");
    this.emit("download-progress", { percent: 41.7 });
    this.emit("update-downloaded", this.downloaded ?? this.found);
    return Promise.resolve(null);
  }
  quitAndInstall(): void {
    this.calls.push("install");
  }
}

function world(
  isEnabled = true,
  isSigned: UpdateControlOptions["isSigned"] = () => Promise.resolve(true),
): { updater: FakeUpdater; control: UpdateControl; states: UpdateState[] } {
  const updater = new FakeUpdater();
  const states: UpdateState[] = [];
  return {
    updater,
    states,
    control: createUpdateControl({
      updater,
      isEnabled,
      isSigned,
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

  it("are not offered without the release key's signature, nor when the feed changes to one without", async () => {
    const { updater, control, states } = world(true, ({ version }) => Promise.resolve(version === "0.2.0"));
    await control.check();
    updater.found = { ...updater.found, version: "0.3.0" };
    expect(await control.check()).toEqual({ kind: "failed", reason: expect.stringContaining("isn't signed") });
    await control.install();
    expect(updater.calls).toEqual(["check", "check"]);
    expect(states.map(({ kind }) => kind)).toEqual(["available", "none", "failed"]);
  });

  it("cannot be taken while another one is judged", async () => {
    const judgements: ((isGenuine: boolean) => void)[] = [];
    const { updater, control } = world(true, () => new Promise((resolve) => void judgements.push(resolve)));
    const first = control.check();
    updater.found = { ...updater.found, version: "0.3.0" };
    const second = control.check();
    judgements[0]?.(true);
    await Promise.resolve();
    expect(control.state).toEqual({ kind: "none" });
    await control.install();
    judgements[1]?.(false);
    expect((await Promise.all([first, second])).map(({ kind }) => kind)).toEqual(["failed", "failed"]);
    expect(updater.calls).toEqual(["check", "check"]);
  });

  it("are not installed when what was downloaded is not what was judged", async () => {
    const { updater, control } = world();
    await control.check();
    updater.downloaded = { version: "0.2.0", files: [{ url: "Parley-0.2.0.AppImage", sha512: "def=" }] };
    await control.install();
    expect(control.state.kind).toBe("failed");
    await control.install();
    expect(updater.calls).toEqual(["check", "download"]);
  });

  it("that fail are a state in words", async () => {
    const { updater, control } = world();
    updater.checkForUpdates = (): Promise<unknown> => {
      updater.emit("error", new Error("net::ERR at https://feed.example/latest.yml"));
      return Promise.reject(new Error("net"));
    };
    expect(await control.check()).toEqual({
      kind: "failed",
      reason: "The update couldn't be downloaded or doesn't match the release",
    });
  });

  it("are not looked for in a checkout", async () => {
    const { updater, control } = world(false);
    expect(await control.check()).toEqual({ kind: "none" });
    expect(updater.calls).toEqual([]);
  });
});
