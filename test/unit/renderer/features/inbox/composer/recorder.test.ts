// The microphone: let go of whatever happens, and a recording that ends once.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type RecorderEvents, startRecorder } from "#renderer/features/inbox/composer/recording/recorder.ts";
import { MAX_VOICE_MS } from "#shared/content/chat/voice-content.ts";

const events = { onLevel: vi.fn(), onLimit: vi.fn(), onLost: vi.fn() } satisfies RecorderEvents;
let media: PlayedRecorder;
let meterFails: boolean;
const stopTrack = vi.fn();

/** A browser's recorder, whose last part comes when the test says so. */
class PlayedRecorder extends EventTarget {
  static readonly isTypeSupported = (): boolean => true;
  readonly mimeType = "audio/webm;codecs=opus";
  state = "inactive";

  start(): void {
    media = this;
    this.state = "recording";
  }

  stop(): void {
    this.state = "inactive";
  }

  deliver(text: string): void {
    this.dispatchEvent(Object.assign(new Event("dataavailable"), { data: new Blob([text]) }));
  }

  end(): void {
    this.state = "inactive";
    this.dispatchEvent(new Event("stop"));
  }
}

class PlayedContext {
  readonly close = async (): Promise<void> => undefined;
  createAnalyser(): object {
    if (meterFails) throw new DOMException("no sound card", "NotSupportedError");
    return { fftSize: 8, getFloatTimeDomainData: (): void => undefined };
  }
  createMediaStreamSource(): object {
    return { connect: (): void => undefined };
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  meterFails = false;
  vi.stubGlobal("MediaRecorder", PlayedRecorder);
  vi.stubGlobal("AudioContext", PlayedContext);
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia: async () => ({ getTracks: () => [{ stop: stopTrack }] }) } });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

it("has its last part, however often it is ended meanwhile, and then the microphone is free", async () => {
  const recorder = await startRecorder(events);
  media.deliver("first ");
  const ends = [recorder.stop(), recorder.stop()];
  media.deliver("last");
  media.end();
  for (const recording of await Promise.all(ends)) expect(new TextDecoder().decode(recording?.bytes)).toBe("first last");
  expect(stopTrack).toHaveBeenCalledTimes(1);
  expect(events.onLost).not.toHaveBeenCalled();
});

it("says once that it became too long", async () => {
  events.onLimit.mockImplementation(() => void recorder.stop());
  const recorder = await startRecorder(events);
  vi.advanceTimersByTime(MAX_VOICE_MS + 1_000);
  expect(events.onLimit).toHaveBeenCalledTimes(1);
  media.deliver("all");
  media.end();
  expect((await recorder.stop())?.voice.durationMs).toBe(MAX_VOICE_MS);
});

it("lets go of the microphone where recording does not begin", async () => {
  meterFails = true;
  await expect(startRecorder(events)).rejects.toThrow("no sound card");
  expect(stopTrack).toHaveBeenCalledTimes(1);
});

it("keeps what was recorded until the microphone was unplugged, and nothing that was discarded is an end of that kind", async () => {
  const recorder = await startRecorder(events);
  media.deliver("until then");
  media.end();
  expect(events.onLost).toHaveBeenCalledTimes(1);
  expect(new TextDecoder().decode((await recorder.stop())?.bytes)).toBe("until then");
  const discarded = await startRecorder(events);
  discarded.cancel();
  media.end();
  expect(events.onLost).toHaveBeenCalledTimes(1);
  expect(stopTrack).toHaveBeenCalledTimes(2);
});
