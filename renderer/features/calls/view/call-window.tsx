// The window of a call, above every view: it goes on while one looks at something else, and can be made smaller.
import { Lock, Maximize2, Mic, MicOff, Minimize2, PhoneOff, Video, VideoOff, X } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { announce } from "#renderer/lib/browser/announce.ts";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { formatCountdown } from "#renderer/lib/format/time.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type LiveCall, spokenSeconds } from "../model/call-machine.ts";
import { type CallRunner, useCall } from "../model/call-runner.ts";
import styles from "./call.module.css";

const SECOND_MS = 1_000;

export interface CallWindowProps {
  readonly live: LiveCall;
  readonly name: string;
  readonly runner: CallRunner;
}

export function CallWindow({ live, name, runner }: CallWindowProps): ReactElement {
  const t = useMessages();
  const [isSmall, setSmall] = useState(false);
  const { remote, ownVideo, hasRemoteVideo, isCameraOn, hasRelay } = useCall();
  const isOver = live.phase === "over";
  const hasPictures = !isOver && !isSmall && (hasRemoteVideo || isCameraOn);
  return (
    <section className={styles.window} data-small={isSmall || undefined} aria-label={t("calls.window", { name })}>
      {!isOver && <Sound stream={remote} />}
      {hasPictures && (
        <div className={styles.pictures}>
          {hasRemoteVideo ? (
            <Film stream={remote} label={t("calls.theirPicture", { name })} className={styles.theirs} />
          ) : (
            <Avatar publicKey={live.peer} size={72} />
          )}
          {isCameraOn && <Film stream={ownVideo} label={t("calls.ownPicture")} className={styles.own} />}
        </div>
      )}
      <div className={styles.bar}>
        {!hasPictures && <Avatar publicKey={live.peer} size={32} />}
        <div className={styles.text}>
          <p className={styles.title}>{name}</p>
          <Status live={live} />
        </div>
        {isOver ? (
          <IconButton icon={X} label={t("calls.close")} onClick={(): void => runner.dismiss()} />
        ) : (
          <Controls runner={runner} isSmall={isSmall} onResize={(): void => setSmall(!isSmall)} />
        )}
      </div>
      {live.over === "noPath" && <p className={styles.note}>{t(hasRelay ? "calls.noPathRelay" : "calls.noPathWhy")}</p>}
    </section>
  );
}

function Status({ live }: { readonly live: LiveCall }): ReactElement {
  const t = useMessages();
  const { isShaky, path } = useCall();
  const now = useNow(SECOND_MS);
  const over = live.over === "lost" && path === "relay" ? "lostRelay" : live.over;
  const words = over !== null ? t(`calls.over.${over}`) : isShaky ? t("calls.shaky") : t(`calls.${shownPhase(live.phase)}`);
  useEffect(() => announce(words), [words]);
  if (live.phase !== "talking" || isShaky) return <p className={styles.status}>{words}</p>;
  return (
    <p className={styles.status}>
      <time>{formatCountdown(spokenSeconds(live, now))}</time>
      {path !== null && (
        <span className={styles.path} title={t("calls.encrypted")}>
          <Lock size={12} aria-label={t("calls.encrypted")} />
          {t(path === "relay" ? "calls.relayed" : "calls.direct")}
        </span>
      )}
    </p>
  );
}

function shownPhase(phase: LiveCall["phase"]): "preparing" | "calling" | "connecting" | "talking" {
  if (phase === "calling" || phase === "connecting" || phase === "talking") return phase;
  return "preparing";
}

interface ControlsProps {
  readonly runner: CallRunner;
  readonly isSmall: boolean;
  readonly onResize: () => void;
}

function Controls({ runner, isSmall, onResize }: ControlsProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { isMuted, isCameraOn } = useCall();
  const turnCamera = (): void => {
    runner.setCamera(!isCameraOn).catch(() => toasts.show({ title: t("calls.cameraDenied"), tone: "danger" }));
  };
  return (
    <div className={styles.controls}>
      <IconButton icon={isMuted ? MicOff : Mic} label={t("calls.mute")} pressed={isMuted} onClick={(): void => runner.setMuted(!isMuted)} />
      <IconButton icon={isCameraOn ? Video : VideoOff} label={t("calls.camera")} pressed={isCameraOn} onClick={turnCamera} />
      <IconButton icon={isSmall ? Maximize2 : Minimize2} label={t(isSmall ? "calls.larger" : "calls.smaller")} onClick={onResize} />
      <span className={styles.end}>
        <IconButton icon={PhoneOff} label={t("calls.hangUp")} onClick={(): void => runner.hangUp()} />
      </span>
    </div>
  );
}

/** What is heard, whether pictures are shown or not. */
function Sound({ stream }: { readonly stream: MediaStream | null }): ReactElement {
  const player = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    if (player.current !== null) player.current.srcObject = stream;
  }, [stream]);
  return (
    // biome-ignore lint/a11y/useMediaCaption: live speech has no captions
    <audio ref={player} autoPlay />
  );
}

function Film({
  stream,
  label,
  className,
}: {
  readonly stream: MediaStream | null;
  readonly label: string;
  readonly className: string | undefined;
}): ReactElement {
  const player = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (player.current !== null) player.current.srcObject = stream;
  }, [stream]);
  return <video ref={player} autoPlay muted playsInline className={className} aria-label={label} />;
}
