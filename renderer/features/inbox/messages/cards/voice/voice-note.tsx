// A recording in its bubble: play, seek, listen faster.
import { Pause, Play, X } from "lucide-react";
import type { ReactElement } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { announce } from "#renderer/lib/browser/announce.ts";
import { formatCountdown, formatDuration } from "#renderer/lib/format/time.ts";
import { useAllWords, useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, Transfer } from "#shared/messenger/model/message.ts";
import styles from "./voice.module.css";
import type { VoiceAttachment } from "./voice-file.ts";
import { changeRate, pauseVoice, playVoice, seekVoice, type Track, useVoicePlayer } from "./voice-player.ts";
import { Waveform } from "./waveform.tsx";

export interface VoiceNoteProps {
  readonly message: ChatMessage;
  readonly body: VoiceAttachment;
  readonly track: Track;
  readonly messenger: Messenger;
}

/** As high from the first moment on: while it is sent or comes, its progress stands beside its length. */
export function VoiceNote(props: VoiceNoteProps): ReactElement {
  // What is there before its words are.
  if (!useAllWords()) return <div className={styles.expected} data-voice />;
  return <Note {...props} />;
}

/** True where nothing is to be said of its file below it: it is here, or its progress is shown in it. */
export function saysItself({ transfer }: Pick<ChatMessage, "transfer">): boolean {
  return transfer !== null && (transfer.from === undefined || transfer.from === "copy" || transfer.from === "device");
}

function isOnItsWay(message: Pick<ChatMessage, "transfer">): boolean {
  return saysItself(message) && message.transfer !== null && message.transfer.done < message.transfer.total;
}

function Note({ message, body, track, messenger }: VoiceNoteProps): ReactElement {
  const t = useMessages();
  const isCurrent = useVoicePlayer((player) => player.track?.key === track.key);
  const isPlaying = useVoicePlayer((player) => isCurrent && player.isPlaying);
  const positionMs = useVoicePlayer((player) => (isCurrent ? player.positionMs : 0));
  const hasFailed = useVoicePlayer((player) => player.failed === track.key);
  const { durationMs, waveform } = body.voice;
  const { locale } = useLanguage();
  const length = formatDuration(locale, durationMs);
  const toggle = (): void => {
    // Its button has another name then, which is not read by itself.
    announce(t(isPlaying ? "chat.paused" : "chat.playingNow"));
    if (isCurrent) pauseVoice(isPlaying);
    else void playVoice(messenger, message, track);
  };
  const seek = (wanted: number): void => {
    if (isCurrent) seekVoice(wanted);
    else void playVoice(messenger, message, track, wanted);
  };
  return (
    <div className={styles.note} data-voice={hasFailed ? undefined : true}>
      <IconButton
        icon={isPlaying ? Pause : Play}
        label={t(isPlaying ? "chat.pauseLength" : "chat.playLength", { length })}
        onClick={toggle}
      />
      <div className={styles.middle}>
        <Waveform waveform={waveform} positionMs={positionMs} durationMs={durationMs} onSeek={seek} />
        <span className={styles.line}>
          <span className={styles.time}>{formatCountdown(Math.round((isCurrent ? positionMs : durationMs) / 1000))}</span>
          {isOnItsWay(message) && message.transfer !== null && <Progress transfer={message.transfer} />}
        </span>
        {hasFailed && <span role="status">{t("chat.unplayable")}</span>}
      </div>
      {isCurrent && <SpeedButton />}
      {isOnItsWay(message) && message.direction === "out" && <CancelButton message={message} messenger={messenger} />}
    </div>
  );
}

function Progress({ transfer: { done, total } }: { readonly transfer: Transfer }): ReactElement {
  const t = useMessages();
  return (
    <>
      <progress value={done} max={total} aria-label={t("inbox.transfer")} />
      <span className={styles.time}>{t("inbox.percent", { percent: String(Math.floor((100 * done) / total)) })}</span>
    </>
  );
}

/** Takes it back while it is sent; one that another own device sends is cancelled there. */
function CancelButton({ message, messenger }: Pick<VoiceNoteProps, "message" | "messenger">): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const { key, transfer } = message;
  if (transfer?.from === "device") return null;
  const cancel = (): Promise<unknown> => (transfer?.from === "copy" ? messenger.cancelCopy(key) : messenger.deleteForEveryone(key));
  return (
    <button
      type="button"
      className={styles.cancel}
      aria-label={t("common.cancel")}
      onClick={(): void => void cancel().catch(toasts.showError)}
    >
      <X size={14} aria-hidden="true" />
    </button>
  );
}

/** How fast it is played; pressed, the next faster. */
export function SpeedButton(): ReactElement {
  const t = useMessages();
  const rate = useVoicePlayer((player) => player.rate);
  return (
    <button type="button" className={styles.speed} aria-label={t("chat.speed", { rate })} onClick={changeRate}>
      {`${rate}×`}
    </button>
  );
}
