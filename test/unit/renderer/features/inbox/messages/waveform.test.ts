// How loud a recording is: as it is measured, as it is sent, as it is drawn.
import { describe, expect, it } from "vitest";
import { waveformOf } from "#renderer/features/inbox/composer/recording/level-waveform.ts";
import { BAR_COUNT, barsOf } from "#renderer/features/inbox/messages/cards/voice/bars.ts";
import { isVoiceNote } from "#renderer/features/inbox/messages/cards/voice/voice-file.ts";
import { MAX_WAVEFORM } from "#shared/content/chat/voice-content.ts";

describe("a waveform", () => {
  it("has at most as many values as a message, the loudest of each part, and the loudest of all is full", () => {
    const levels = Array.from({ length: 1_000 }, (_, index) => (index === 777 ? 0.5 : 0.1));
    const waveform = waveformOf(levels);
    expect(waveform).toHaveLength(MAX_WAVEFORM);
    expect(waveform.indexOf(255)).toBe(Math.floor((777 / 1_000) * MAX_WAVEFORM));
    expect(new Set(waveform)).toEqual(new Set([51, 255]));
    expect(waveformOf([0.4, 0.2])).toEqual(Uint8Array.of(255, 128));
    expect(waveformOf([])).toHaveLength(0);
  });

  it("of a quiet room is no speech", () => {
    expect(Math.max(...waveformOf(Array(100).fill(0.004)))).toBeLessThan(16);
  });

  it("is drawn as the same number of bars, whatever came", () => {
    for (const length of [0, 1, 7, BAR_COUNT, MAX_WAVEFORM]) {
      const bars = barsOf(new Uint8Array(length).fill(255));
      expect(bars).toEqual(Array(BAR_COUNT).fill(length === 0 ? 0 : 1));
    }
  });

  it("is played of formats that are sound alone", () => {
    const file = { kind: "attachment", name: "a", size: 1, key: "", digest: "", caption: "", image: null } as const;
    const voice = { durationMs: 1, waveform: "" };
    expect(isVoiceNote({ ...file, mediaType: "audio/webm", voice })).toBe(true);
    expect(isVoiceNote({ ...file, mediaType: "text/html", voice })).toBe(false);
    expect(isVoiceNote({ ...file, mediaType: "audio/webm" })).toBe(false);
  });
});
