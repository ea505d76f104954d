// Says below the field for a while why what is in it cannot be sent later.
import { type ReactElement, useEffect, useEffectEvent } from "react";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./later.module.css";
import type { LaterReason } from "./later-reason.ts";

const SHOWN_MS = 6_000;

export interface LaterNoteProps {
  readonly reason: LaterReason;
  readonly onEnd: () => void;
}

/** The words; read aloud when they come. */
export function LaterNote({ reason, onEnd }: LaterNoteProps): ReactElement {
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    const timer = setTimeout(() => end(), SHOWN_MS);
    return (): void => clearTimeout(timer);
  }, []);
  return (
    <WithAllWords>
      <Words reason={reason} />
    </WithAllWords>
  );
}

function Words({ reason }: Pick<LaterNoteProps, "reason">): ReactElement {
  const t = useMessages();
  return (
    <p className={styles.note} role="status">
      {t(reason)}
    </p>
  );
}
