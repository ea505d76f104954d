// A recording as bars, and a place in it that can be moved: by a click, by dragging, by arrow keys.
import type { KeyboardEvent, PointerEvent, ReactElement } from "react";
import { formatCountdown } from "#renderer/lib/format/time.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { fromBase64 } from "#shared/util/bytes.ts";
import { barsOf } from "./bars.ts";
import styles from "./voice.module.css";

const STEP_MS = 3_000;
const HEIGHT = 28;
const PITCH = 4;
const WIDTH = 2.5;

export interface WaveformProps {
  /** Of the recording, in base64. */
  readonly waveform: string;
  readonly positionMs: number;
  readonly durationMs: number;
  readonly onSeek: (positionMs: number) => void;
}

export function Waveform({ waveform, positionMs, durationMs, onSeek }: WaveformProps): ReactElement {
  const t = useMessages();
  const bars = barsOf(fromBase64(waveform));
  const fraction = Math.min(1, positionMs / durationMs);
  const seek = (wanted: number): void => onSeek(Math.min(Math.max(0, wanted), durationMs));
  const seekTo = (event: PointerEvent<HTMLDivElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (width > 0) seek(((event.clientX - left) / width) * durationMs);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const wanted = keyTarget(event.key, positionMs, durationMs);
    if (wanted === undefined) return;
    event.preventDefault();
    seek(wanted);
  };
  const clock = (ms: number): string => formatCountdown(Math.round(ms / 1000));
  return (
    <div
      className={styles.waveform}
      role="slider"
      tabIndex={0}
      aria-label={t("chat.position")}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1000)}
      aria-valuenow={Math.round(positionMs / 1000)}
      aria-valuetext={t("chat.positionOf", { position: clock(positionMs), duration: clock(durationMs) })}
      onKeyDown={onKeyDown}
      onPointerDown={(event): void => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seekTo(event);
      }}
      onPointerMove={(event): void => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event);
      }}
    >
      <svg viewBox={`0 0 ${bars.length * PITCH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map((bar, index) => {
          const height = Math.max(WIDTH, bar * HEIGHT);
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: bars have nothing but their place
              key={index}
              x={index * PITCH}
              y={(HEIGHT - height) / 2}
              width={WIDTH}
              height={height}
              rx={WIDTH / 2}
              data-played={(index + 0.5) / bars.length <= fraction || undefined}
            />
          );
        })}
      </svg>
    </div>
  );
}

function keyTarget(key: string, positionMs: number, durationMs: number): number | undefined {
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return positionMs + STEP_MS;
    case "ArrowLeft":
    case "ArrowDown":
      return positionMs - STEP_MS;
    case "Home":
      return 0;
    case "End":
      return durationMs;
    default:
      return undefined;
  }
}
