// How hard a password is to guess: four steps for the eye, the level, the time and the advice in words for everyone.
import type { ReactElement } from "react";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { levelOf, PASSWORD_LEVELS } from "#renderer/lib/keyring/password-strength.ts";
import { strengthInWords } from "#renderer/lib/keyring/strength-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { PasswordEstimate } from "#shared/keyring/passwords/password-estimate.ts";
import styles from "./strength-meter.module.css";

export interface StrengthMeterProps {
  readonly password: string;
  /** Undefined until the first judgement has arrived. */
  readonly estimate: PasswordEstimate | undefined;
}

/** Steps and words, for the note of the field. */
export function StrengthMeter({ password, estimate }: StrengthMeterProps): ReactElement {
  const t = useMessages();
  const level = estimate && levelOf(estimate);
  const reached = level === undefined ? -1 : PASSWORD_LEVELS.indexOf(level);
  const words = estimate && strengthInWords(t, estimate, [...password].length);
  return (
    <>
      <div className={classNames(styles.meter, level && styles[level])} aria-hidden="true">
        {PASSWORD_LEVELS.map((step, index) => (
          <span key={step} className={classNames(styles.step, index <= reached && styles.on)} />
        ))}
      </div>
      {words === undefined ? (
        t(password === "" ? "passwords.empty" : "passwords.judging")
      ) : (
        <>
          <p className={styles.summary}>{words.summary}</p>
          {words.advice.length > 0 && (
            <ul className={styles.advice}>
              {words.advice.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
        </>
      )}
    </>
  );
}

/** The words once more, read aloud as one text when they change: part by part each would be heard twice. */
export function StrengthAloud({ password, estimate }: StrengthMeterProps): ReactElement {
  const t = useMessages();
  const words = estimate && strengthInWords(t, estimate, [...password].length);
  return (
    <VisuallyHidden>
      <output>{words && [words.summary, ...words.advice].join(" ")}</output>
    </VisuallyHidden>
  );
}
