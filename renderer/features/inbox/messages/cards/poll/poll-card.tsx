// A poll in its bubble: choose, see who has chosen what, end it.
import { ChartBarBig, CircleCheck, Lock } from "lucide-react";
import { Fragment, type ReactElement, useId, useRef } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { announce } from "#renderer/lib/browser/announce.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useAllWords, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { PollBody } from "#shared/content/chat/poll-content.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { useNameOf } from "../../../model/use-name-of.ts";
import card from "../../../payments/cards/card.module.css";
import styles from "./poll-card.module.css";
import { canEnd, PollOutline } from "./poll-outline.tsx";

/** Pictures of voters beside an answer; all of them by name below it. */
const MAX_FACES = 3;

export interface PollCardProps {
  readonly message: ChatMessage;
  readonly body: PollBody;
  readonly messenger: Messenger;
  /** False in a group that one has left. */
  readonly mayVote: boolean;
}

export function PollCard(props: PollCardProps): ReactElement {
  const { message, body, mayVote } = props;
  return useAllWords() ? <Poll {...props} /> : <PollOutline message={message} body={body} mayVote={mayVote} />;
}

function Poll({ message, body, messenger, mayVote }: PollCardProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const title = useId();
  const { masterPub } = useAccount();
  const { choices = {}, isClosed = false } = message.poll ?? {};
  const voters = Object.keys(choices).sort();
  const mine = choices[masterPub] ?? [];
  // Votes that are being stored: the next one counts from the last of them, not from what is shown yet.
  const pending = useRef({ count: 0, choices: mine });
  const head = useRef<HTMLParagraphElement>(null);
  const choose = (index: number): void => {
    const known = pending.current.count > 0 ? pending.current.choices : mine;
    const others = body.isMultiple ? known.filter((choice) => choice !== index) : [];
    const next = known.includes(index) ? others : [...others, index];
    pending.current = { count: pending.current.count + 1, choices: next };
    const settle = (): void => {
      pending.current.count -= 1;
    };
    const answer = body.answers[index] ?? "";
    messenger
      .votePoll(message.key, next)
      .then(() => announce(t(next.includes(index) ? "chat.pollVoted" : "chat.pollTakenBack", { answer })), toasts.showError)
      .finally(settle);
  };
  const end = async (): Promise<void> => {
    await messenger.closePoll(message.key);
    announce(t("chat.pollClosed"));
    // The button that had the focus is gone.
    if (document.activeElement === document.body) head.current?.focus();
  };
  return (
    <div className={card.card}>
      <p ref={head} tabIndex={-1} className={card.head}>
        {isClosed ? <Lock size={15} aria-hidden="true" /> : <ChartBarBig size={15} aria-hidden="true" />}
        {isClosed ? t("chat.pollClosed") : t(body.isMultiple ? "chat.pollSeveral" : "chat.pollOne")}
      </p>
      <p id={title} className={styles.question} dir="auto">
        {body.question}
      </p>
      <fieldset className={styles.answers} aria-labelledby={title}>
        {body.answers.map((answer, index) => (
          <Answer
            key={answer}
            text={answer}
            isMultiple={body.isMultiple}
            isMine={mine.includes(index)}
            isClosed={isClosed || !mayVote}
            chosenBy={voters.filter((person) => choices[person]?.includes(index))}
            voters={voters.length}
            onChoose={(): void => choose(index)}
          />
        ))}
      </fieldset>
      <p className={styles.foot}>{t("chat.pollVoters", { count: voters.length })}</p>
      {canEnd(message, mayVote) && (
        <Button size="small" onClick={(): void => void end().catch(toasts.showError)}>
          {t("chat.pollClose")}
        </Button>
      )}
    </div>
  );
}

interface AnswerProps {
  readonly text: string;
  readonly isMultiple: boolean;
  readonly isMine: boolean;
  readonly isClosed: boolean;
  readonly chosenBy: readonly PublicKeyHex[];
  readonly voters: number;
  readonly onChoose: () => void;
}

function Answer({ text, isMultiple, isMine, isClosed, chosenBy, voters, onChoose }: AnswerProps): ReactElement {
  const t = useMessages();
  const names = useId();
  const nameOf = useNameOf(chosenBy);
  const percent = voters === 0 ? 0 : Math.round((100 * chosenBy.length) / voters);
  return (
    <div className={styles.answer}>
      <button type="button" className={styles.choice} aria-pressed={isMine} aria-describedby={names} disabled={isClosed} onClick={onChoose}>
        <span className={styles.mark} data-shape={isMultiple ? "square" : "round"}>
          {isMine && <CircleCheck size={16} aria-hidden="true" />}
        </span>
        <span className={styles.text} dir="auto">
          {text}
        </span>
        <span className={styles.faces} aria-hidden="true">
          {chosenBy.slice(0, MAX_FACES).map((person) => (
            <Avatar key={person} publicKey={person} size={18} />
          ))}
        </span>
        <span className={styles.count} aria-hidden="true">
          {chosenBy.length}
        </span>
      </button>
      <progress className={styles.bar} max={100} value={percent} aria-hidden="true" />
      <span id={names} className={styles.names}>
        {chosenBy.length === 0
          ? t("chat.pollNoVotes")
          : chosenBy.map((person, index) => (
              <Fragment key={person}>
                {index > 0 && ", "}
                <bdi>{nameOf(person)}</bdi>
              </Fragment>
            ))}
      </span>
    </div>
  );
}
