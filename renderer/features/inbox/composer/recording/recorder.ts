// The microphone and what it records: Opus, within the longest time and the largest file. It is let go of as soon as a recording ends.
import { MAX_VOICE_MS, type Voice } from "#shared/content/chat/voice-content.ts";
import { MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { waveformOf } from "./level-waveform.ts";

const FORMATS = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"] as const;
const BITS_PER_SECOND = 32_000;
/** How often the level is measured, and what was recorded is handed over, milliseconds. */
const LEVEL_MS = 50;
const SLICE_MS = 1_000;
/** What is recorded until the next handing over has room, too. */
const MAX_BYTES = MAX_PUSHED_FILE_BYTES - 65_536;

/** What was recorded. */
export interface Recording {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly voice: Voice;
}

/** A recording under way. */
export interface Recorder {
  /** Ends it. Undefined where the microphone delivered nothing. */
  stop(): Promise<Recording | undefined>;
  /** Ends it without a trace. */
  cancel(): void;
}

export interface RecorderEvents {
  /** Milliseconds so far, and how loud it is: 0 to 1. */
  onLevel(elapsedMs: number, level: number): void;
  /** It has become as long as it may be. */
  onLimit(): void;
  /** The microphone is gone: what was recorded until then is there. */
  onLost(): void;
}

/** False where the browser records nothing, as on a page without TLS from another machine. */
export function canRecord(): boolean {
  return formatOf() !== undefined && navigator.mediaDevices?.getUserMedia !== undefined;
}

/** Asks for the microphone and begins. @throws DOMException of the browser, when there is none or it may not be used */
export async function startRecorder(events: RecorderEvents): Promise<Recorder> {
  const format = formatOf();
  if (format === undefined) throw new DOMException("No format to record in", "NotSupportedError");
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true } });
  try {
    return record(stream, format, events);
  } catch (error) {
    for (const track of stream.getTracks()) track.stop();
    throw error;
  }
}

function record(stream: MediaStream, format: string, events: RecorderEvents): Recorder {
  const media = new MediaRecorder(stream, { mimeType: format, audioBitsPerSecond: BITS_PER_SECOND });
  const meter = openMeter(stream);
  const parts: Blob[] = [];
  const levels: number[] = [];
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  media.addEventListener("dataavailable", ({ data }) => {
    parts.push(data);
    if (parts.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES) events.onLimit();
  });
  const timer = setInterval(() => {
    const level = meter.level();
    levels.push(level);
    events.onLevel(elapsed(), level);
    if (elapsed() >= MAX_VOICE_MS) events.onLimit();
  }, LEVEL_MS);
  const end = (): void => {
    clearInterval(timer);
    for (const track of stream.getTracks()) track.stop();
    void meter.close();
  };
  const finish = async (): Promise<Recording | undefined> => {
    const durationMs = Math.round(Math.min(Math.max(1, elapsed()), MAX_VOICE_MS));
    clearInterval(timer);
    const stopped = new Promise<void>((resolve) => media.addEventListener("stop", () => resolve(), { once: true }));
    if (media.state !== "inactive") {
      media.stop();
      await stopped;
    }
    end();
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    if (bytes.length === 0) return undefined;
    return {
      bytes,
      mediaType: media.mimeType.split(";")[0] ?? media.mimeType,
      voice: { durationMs, waveform: toBase64(waveformOf(levels)) },
    };
  };
  // A second end waits for the first one: its last part is not there yet.
  let ending: Promise<Recording | undefined> | undefined;
  let isCancelled = false;
  media.addEventListener("stop", () => {
    if (ending === undefined && !isCancelled) events.onLost();
  });
  media.start(SLICE_MS);
  return {
    stop: (): Promise<Recording | undefined> => {
      ending ??= finish();
      return ending;
    },
    cancel: (): void => {
      isCancelled = true;
      if (media.state !== "inactive") media.stop();
      end();
    },
  };
}

function formatOf(): string | undefined {
  return typeof MediaRecorder === "undefined" ? undefined : FORMATS.find((format) => MediaRecorder.isTypeSupported(format));
}

/** Measures how loud a stream is now. */
function openMeter(stream: MediaStream): { level(): number; close(): Promise<void> } {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level: (): number => {
      analyser.getFloatTimeDomainData(samples);
      return Math.min(
        1,
        samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
      );
    },
    close: (): Promise<void> => context.close(),
  };
}
