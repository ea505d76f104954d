// An invite link as one passes it on, and what it gives away.
import type { ReactElement, RefObject } from "react";
import { SharedLink } from "#renderer/components/people/shared-link.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./links.module.css";

const QR_PIXELS = 232;
const FACTS = ["chat.linkFactName", "chat.linkFactMembers", "chat.linkFactWithdraw"] as const;

export interface LinkViewProps {
  /** The link. */
  readonly text: string;
  /** The button that copies it. */
  readonly first: RefObject<HTMLElement | null>;
}

export function LinkView({ text, first }: LinkViewProps): ReactElement {
  const t = useMessages();
  return (
    <SharedLink link={text} label={t("chat.link")} size={QR_PIXELS} first={first}>
      <ul className={styles.facts}>
        {FACTS.map((fact) => (
          <li key={fact}>{t(fact)}</li>
        ))}
      </ul>
    </SharedLink>
  );
}
