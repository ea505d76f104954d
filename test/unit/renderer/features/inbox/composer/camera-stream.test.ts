import { afterEach, describe, expect, it, vi } from "vitest";
import { beginFilming, photoOf } from "#renderer/features/inbox/composer/camera/camera-stream.ts";

interface Camera {
  readonly stream: MediaStream;
  readonly track: EventTarget & { stop: () => void };
  readonly isOn: () => boolean;
}

function camera(): Camera {
  let isOn = true;
  const track = Object.assign(new EventTarget(), {
    stop: (): void => {
      isOn = false;
    },
  });
  return { stream: { getTracks: () => [track] } as unknown as MediaStream, track, isOn: () => isOn };
}

function screen(play: () => Promise<void> = async () => undefined): HTMLVideoElement {
  return { srcObject: null, play, videoWidth: 0, videoHeight: 0 } as unknown as HTMLVideoElement;
}

function withCamera(getUserMedia: () => Promise<MediaStream>): void {
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia } });
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the camera", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("is off once its picture is not shown any more", async () => {
    const { stream, isOn } = camera();
    withCamera(async () => stream);
    const video = screen();
    const seen: string[] = [];
    const end = beginFilming(video, { onReady: () => seen.push("ready"), onFailed: () => seen.push("failed") });
    await settled();
    expect([seen, isOn(), video.srcObject]).toEqual([["ready"], true, stream]);
    end();
    expect([seen, isOn(), video.srcObject]).toEqual([["ready"], false, null]);
  });

  it("is off too where it comes after the window was closed", async () => {
    const { stream, isOn } = camera();
    const asked = Promise.withResolvers<MediaStream>();
    withCamera(() => asked.promise);
    const seen: string[] = [];
    beginFilming(screen(), { onReady: () => seen.push("ready"), onFailed: () => seen.push("failed") })();
    asked.resolve(stream);
    await settled();
    expect([seen, isOn()]).toEqual([[], false]);
  });

  it("is off where its picture cannot be shown, or where the system takes it away, and says so once", async () => {
    for (const breaks of ["play", "ended"] as const) {
      const { stream, track, isOn } = camera();
      withCamera(async () => stream);
      let failures = 0;
      const fail = (): void => {
        failures += 1;
      };
      const video = screen(breaks === "play" ? async (): Promise<void> => Promise.reject(new Error("no picture")) : undefined);
      const end = beginFilming(video, { onReady: () => undefined, onFailed: fail });
      await settled();
      track.dispatchEvent(new Event("ended"));
      end();
      expect([breaks, failures, isOn()]).toEqual([breaks, 1, false]);
    }
  });

  it("says where it may not be used", async () => {
    withCamera(() => Promise.reject(new Error("NotAllowedError")));
    let failures = 0;
    const fail = (): void => {
      failures += 1;
    };
    beginFilming(screen(), { onReady: () => undefined, onFailed: fail });
    await settled();
    expect(failures).toBe(1);
    await expect(photoOf(screen())).rejects.toThrow("shows nothing yet");
  });
});
