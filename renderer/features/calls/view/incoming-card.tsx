// Someone calls: a card above every view. Nothing of this device is sent, and no camera is on, before it is answered.
import { Phone, PhoneOff, Video } from "lucide-react";
import { type ReactElement, useEffect, useRef } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { announce } from "#renderer/lib/browser/announce.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import type { LiveCall } from "../model/call-machine.ts";
import styles from "./call.module.css";

export interface IncomingCardProps {
  readonly live: LiveCall;
  readonly name: string;
  /** The person at this desk knows that answering shows their address. */
  readonly isKnown: boolean;
  readonly onAccept: (withVideo: boolean) => void;
  readonly onDecline: () => void;
}

/** Takes the focus, and gives it back; Escape does nothing to it. */
export function IncomingCard({ live, name, isKnown, onAccept, onDecline }: IncomingCardProps): ReactElement {
  const t = useMessages();
  const card = useRef<HTMLElement>(null);
  const isRelayOnly = useSettings((settings) => settings.relayCalls);
  const title = t(live.media === "video" ? "calls.incomingVideo" : "calls.incomingAudio", { name });
  useEffect(() => announce(title), [title]);
  useEffect(() => {
    const before = document.activeElement;
    card.current?.focus();
    return (): void => {
      if (before instanceof HTMLElement && before.isConnected && document.activeElement === document.body) before.focus();
    };
  }, []);
  return (
    <section ref={card} tabIndex={-1} className={styles.incoming} aria-label={title}>
      <div className={styles.who}>
        <Avatar publicKey={live.peer} size={40} />
        <p className={styles.title}>{title}</p>
      </div>
      {!isKnown && <p className={styles.note}>{t(isRelayOnly ? "calls.answerNoteRelay" : "calls.answerNote", { name })}</p>}
      <div className={styles.choices}>
        <Button icon={PhoneOff} variant="danger" onClick={onDecline}>
          {t("calls.decline")}
        </Button>
        <Button icon={Phone} variant={live.media === "audio" ? "primary" : "secondary"} onClick={(): void => onAccept(false)}>
          {t("calls.answer")}
        </Button>
        {live.media === "video" && (
          <Button icon={Video} variant="primary" onClick={(): void => onAccept(true)}>
            {t("calls.answerVideo")}
          </Button>
        )}
      </div>
    </section>
  );
}
