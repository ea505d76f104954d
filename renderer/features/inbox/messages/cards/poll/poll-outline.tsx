// The room that a poll takes before its code and words have come: its own lines, unseen, so that nothing below it moves.
import type { ReactElement } from "react";
import type { PollBody } from "#shared/content/chat/poll-content.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import card from "../../../payments/cards/card.module.css";
import styles from "./poll-card.module.css";

export interface PollOutlineProps {
  readonly message: ChatMessage;
  readonly body: PollBody;
  readonly mayVote: boolean;
}

export function PollOutline({ message, body, mayVote }: PollOutlineProps): ReactElement {
  return (
    <div className={card.card} data-outline="" aria-hidden="true">
      <p className={card.head}>{LINE}</p>
      <p className={styles.question} dir="auto">
        {body.question}
      </p>
      <div className={styles.answers}>
        {body.answers.map((answer) => (
          <div key={answer} className={styles.answer}>
            <div className={styles.choice}>
              <span className={styles.mark} />
              <span className={styles.text}>{answer}</span>
              <span className={styles.count}>0</span>
            </div>
            <progress className={styles.bar} max={100} value={0} />
            <span className={styles.names}>{LINE}</span>
          </div>
        ))}
      </div>
      <p className={styles.foot}>{LINE}</p>
      {canEnd(message, mayVote) && <div className={styles.endRoom} />}
    </div>
  );
}

/** Whether the poll has the button that ends it. */
export function canEnd({ direction, poll }: ChatMessage, mayVote: boolean): boolean {
  return direction === "out" && poll?.isClosed !== true && mayVote;
}

/** A line without words. */
const LINE = "\u00a0";
