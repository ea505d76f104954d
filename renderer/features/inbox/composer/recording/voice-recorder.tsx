// Recording in the place of the composer: a level while one speaks, then listening before it is sent. Escape discards it.
import { Pause, Play, SendHorizontal, Square, Trash2 } from "lucide-react";
import { type ReactElement, useEffect, useEffectEvent, useRef, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { formatCountdown } from "#renderer/lib/format/time.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { MAX_VOICE_MS } from "#shared/content/chat/voice-content.ts";
import { stopVoice } from "../../messages/cards/voice/voice-player.ts";
import { Waveform } from "../../messages/cards/voice/waveform.tsx";
import { type Recorder, type Recording, startRecorder } from "./recorder.ts";
import styles from "./recording.module.css";
import { useListening } from "./use-listening.ts";

/** Levels that are shown, the newest at the end. */
const SHOWN_LEVELS = 48;

export interface VoiceRecorderProps {
  /** The button that was held down was let go of, which ends the recording. */
  readonly isLetGo: boolean;
  readonly onSend: (recording: Recording) => void;
  readonly onClose: () => void;
}

export function VoiceRecorder({ isLetGo, onSend, onClose }: VoiceRecorderProps): ReactElement {
  const t = useMessages();
  const { levels, elapsedMs, recording, stop } = useRecorder({ isLetGo, onClose });
  const send = async (): Promise<void> => {
    const made = recording ?? (await stop());
    if (made !== undefined) onSend(made);
  };
  useEscape(onClose);
  const clock = formatCountdown(Math.floor((recording?.voice.durationMs ?? elapsedMs) / 1000));
  return (
    <fieldset className={styles.recorder} aria-label={t("chat.recordingOf", { time: clock })}>
      <IconButton icon={Trash2} label={t("chat.recordCancel")} shortcut="escape" onClick={onClose} />
      {recording === undefined ? (
        <>
          <span className={styles.dot} role="img" aria-label={t("chat.recording")} />
          <span className={styles.time}>{clock}</span>
          <Level levels={levels} />
          <IconButton autoFocus icon={Square} label={t("chat.recordStop")} onClick={(): void => void stop()} />
        </>
      ) : (
        <Listening recording={recording} />
      )}
      <IconButton icon={SendHorizontal} label={t("chat.recordSend")} onClick={(): void => void send()} />
    </fieldset>
  );
}

/** Escape discards the recording before it closes the chat, wherever the focus is; what is open above the chat comes first. */
function useEscape(discard: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isAbove = event.target instanceof Element && event.target.closest("[role=dialog], [role=menu]") !== null;
    if (event.key !== "Escape" || isAbove) return;
    event.preventDefault();
    discard();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener("keydown", listener, true);
    return (): void => window.removeEventListener("keydown", listener, true);
  }, []);
}

function Level({ levels }: { readonly levels: readonly number[] }): ReactElement {
  return (
    <svg className={styles.level} viewBox={`0 0 ${SHOWN_LEVELS * 4} 28`} preserveAspectRatio="none" aria-hidden="true">
      {levels.map((level, index) => {
        const height = Math.max(2.5, Math.min(1, level * 2) * 28);
        const x = (SHOWN_LEVELS - levels.length + index) * 4;
        // biome-ignore lint/suspicious/noArrayIndexKey: levels have nothing but their place
        return <rect key={index} x={x} y={(28 - height) / 2} width={2.5} height={height} rx={1.25} />;
      })}
    </svg>
  );
}

function Listening({ recording }: { readonly recording: Recording }): ReactElement {
  const t = useMessages();
  const { voice } = recording;
  const { isPlaying, positionMs, toggle, seek } = useListening(recording);
  return (
    <>
      <IconButton autoFocus icon={isPlaying ? Pause : Play} label={t(isPlaying ? "chat.pause" : "chat.play")} onClick={toggle} />
      <div className={styles.heard}>
        <Waveform {...voice} positionMs={positionMs} onSeek={seek} />
      </div>
      <span className={styles.time}>{formatCountdown(Math.round((positionMs > 0 ? positionMs : voice.durationMs) / 1000))}</span>
    </>
  );
}

interface Recorded {
  readonly levels: readonly number[];
  readonly elapsedMs: number;
  /** What was recorded, once it has ended. */
  readonly recording: Recording | undefined;
  stop(): Promise<Recording | undefined>;
}

function useRecorder({ isLetGo, onClose }: Pick<VoiceRecorderProps, "isLetGo" | "onClose">): Recorded {
  const t = useMessages();
  const toasts = useToasts();
  const recorder = useRef<Recorder>(undefined);
  const [levels, setLevels] = useState<readonly number[]>([]);
  const [elapsedMs, setElapsedMs] = useState(0);
  const [recording, setRecording] = useState<Recording>();
  const ending = useRef<Promise<Recording | undefined>>(undefined);
  // Once: what is pressed while it ends gets the same recording.
  const stop = (): Promise<Recording | undefined> => {
    ending.current ??= end().finally(() => {
      ending.current = undefined;
    });
    return ending.current;
  };
  const end = async (): Promise<Recording | undefined> => {
    const made = await recorder.current?.stop();
    if (recorder.current === undefined) return undefined;
    recorder.current = undefined;
    if (made === undefined) {
      toasts.show({ title: t("chat.recordFailed"), tone: "danger" });
      onClose();
    } else setRecording(made);
    return made;
  };
  const refuse = useEffectEvent((error: unknown) => {
    const isDenied = error instanceof DOMException && error.name === "NotAllowedError";
    toasts.show({ title: t(isDenied ? "chat.recordDenied" : "chat.recordFailed"), tone: "danger" });
    onClose();
  });
  const atLimit = useEffectEvent(() => {
    if (recorder.current === undefined) return;
    toasts.show({ title: t("chat.recordLimit", { time: formatCountdown(MAX_VOICE_MS / 1000) }) });
    void stop();
  });
  const letGo = useEffectEvent(() => void stop());
  useEffect(() => {
    let isOver = false;
    stopVoice();
    startRecorder({
      onLevel: (elapsed, level) => {
        setElapsedMs(elapsed);
        setLevels((known) => [...known, level].slice(-SHOWN_LEVELS));
      },
      onLimit: () => atLimit(),
      onLost: () => letGo(),
    }).then(
      (started) => {
        if (isOver) started.cancel();
        else recorder.current = started;
      },
      (error: unknown) => {
        if (!isOver) refuse(error);
      },
    );
    return (): void => {
      isOver = true;
      recorder.current?.cancel();
      recorder.current = undefined;
    };
  }, []);
  useEffect(() => {
    if (isLetGo) letGo();
  }, [isLetGo]);
  return { levels, elapsedMs, recording, stop };
}
