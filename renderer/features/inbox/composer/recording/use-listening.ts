// Listening to a recording before it is sent.
import { useEffect, useRef, useState } from "react";
import { loadVoice, voiceAddress } from "../../messages/cards/voice/voice-file.ts";
import type { Recording } from "./recorder.ts";

export interface Listening {
  readonly isPlaying: boolean;
  readonly positionMs: number;
  toggle(): void;
  seek(positionMs: number): void;
}

/** The sound of a recording while the component is shown. */
export function useListening(recording: Recording): Listening {
  const sound = useRef<HTMLAudioElement>(undefined);
  const [isPlaying, setPlaying] = useState(false);
  const [positionMs, setPositionMs] = useState(0);
  useEffect(() => {
    const audio = new Audio();
    const address = voiceAddress(recording.bytes, recording);
    const over = new AbortController();
    void loadVoice(audio, address).then(
      () => {
        if (over.signal.aborted) return;
        sound.current = audio;
        audio.addEventListener("timeupdate", () => setPositionMs(audio.currentTime * 1000), { signal: over.signal });
        audio.addEventListener("ended", () => setPositionMs(0), { signal: over.signal });
        for (const name of ["play", "pause", "ended"])
          audio.addEventListener(name, () => setPlaying(!audio.paused && !audio.ended), { signal: over.signal });
      },
      () => undefined,
    );
    return (): void => {
      over.abort();
      sound.current = undefined;
      audio.pause();
      audio.removeAttribute("src");
      URL.revokeObjectURL(address);
    };
  }, [recording]);
  return {
    isPlaying,
    positionMs,
    toggle: (): void => {
      const audio = sound.current;
      if (audio?.paused === true) void audio.play().catch(() => undefined);
      else audio?.pause();
    },
    seek: (wanted): void => {
      if (sound.current !== undefined) sound.current.currentTime = wanted / 1000;
    },
  };
}
