// A recording in its bubble: play, seek, listen faster.
import { Pause, Play } from "lucide-react";
import type { ReactElement } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { announce } from "#renderer/lib/browser/announce.ts";
import { formatCountdown, formatDuration } from "#renderer/lib/format/time.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
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

export function VoiceNote({ message, body, track, messenger }: VoiceNoteProps): ReactElement {
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
        <span className={styles.time}>{formatCountdown(Math.round((isCurrent ? positionMs : durationMs) / 1000))}</span>
        {hasFailed && <span role="status">{t("chat.unplayable")}</span>}
      </div>
      {isCurrent && <SpeedButton />}
    </div>
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
