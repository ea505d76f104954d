// What is played, above every view: so it can be stopped and found wherever one is.
import { Link } from "@tanstack/react-router";
import { Pause, Play, X } from "lucide-react";
import { type ReactElement, useEffect } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { NoticePlace } from "#renderer/components/feedback/notice-place.tsx";
import { formatCountdown } from "#renderer/lib/format/time.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { jumpTo } from "../../../model/chat-intent-store.ts";
import styles from "./voice.module.css";
import { SpeedButton } from "./voice-note.tsx";
import { pauseVoice, stopVoice, type Track, useVoicePlayer } from "./voice-player.ts";

/** Nothing while nothing is played. Ends it with the messenger that it belongs to. */
export function VoiceBar(): ReactElement | null {
  const messenger = useMessenger();
  const track = useVoicePlayer((player) => player.track);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another messenger, or none, ends what is played
  useEffect(() => stopVoice, [messenger]);
  if (track === null) return null;
  return (
    <NoticePlace>
      <Bar track={track} />
    </NoticePlace>
  );
}

function Bar({ track }: { readonly track: Track }): ReactElement {
  const t = useMessages();
  const isPlaying = useVoicePlayer((player) => player.isPlaying);
  const positionMs = useVoicePlayer((player) => player.positionMs);
  const { masterPub } = useAccount();
  const { conversation, key, at, author, durationMs } = track;
  const speaker = useLabelOf(author ?? masterPub);
  const name = author === null ? t("chat.playingOwn") : t("chat.playing", { name: speaker });
  const clock = (ms: number): string => formatCountdown(Math.round(ms / 1000));
  return (
    <section className={styles.bar} aria-label={name}>
      <IconButton
        size="small"
        icon={isPlaying ? Pause : Play}
        label={t(isPlaying ? "chat.pause" : "chat.play")}
        onClick={(): void => pauseVoice(isPlaying)}
      />
      <Link
        to="/inbox/$conversation"
        params={{ conversation }}
        className={styles.barTitle}
        onClick={(): void => jumpTo({ conversation, key, at })}
      >
        {name}
      </Link>
      <span className={styles.time}>{t("chat.positionOf", { position: clock(positionMs), duration: clock(durationMs) })}</span>
      <SpeedButton />
      <IconButton size="small" icon={X} label={t("chat.closePlayer")} onClick={stopVoice} />
    </section>
  );
}
