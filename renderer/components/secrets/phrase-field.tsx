// Typing a recovery phrase: counts the words while one types and says which word is wrong.
import type { ReactElement } from "react";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { TextArea } from "../controls/text-area.tsx";

/** Words of a typed phrase. */
export function phraseWords(phrase: string): readonly string[] {
  return phrase.trim().toLowerCase().split(/\s+/).filter(Boolean);
}

/** What is wrong with a phrase, by the keyring's response. The word itself is taken from the field: it never travels in an error. */
export function phraseProblem(t: Translate, phrase: string, error: unknown): string | undefined {
  if (error === null || error === undefined) return undefined;
  if (!isCodedError(error, "PHRASE_INVALID")) return errorInWords(t, error).text;
  const { position, words } = error.details;
  if (typeof position === "number") return t("onboarding.phraseWrongWord", { position, word: phraseWords(phrase)[position - 1] ?? "" });
  if (typeof words === "number") return t("onboarding.phraseWrongCount", { count: words });
  return t("onboarding.phraseWrongOrder");
}

export interface PhraseFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
}

/** A controlled field for a phrase. */
export function PhraseField(props: PhraseFieldProps): ReactElement {
  const { value, onChange, error, autoFocus = false } = props;
  const t = useMessages();
  return (
    <TextArea
      label={t("common.recoveryPhrase")}
      value={value}
      onChange={onChange}
      error={error}
      hint={t("onboarding.phraseCount", { count: phraseWords(value).length })}
      rows={4}
      spellCheck={false}
      autoFocus={autoFocus}
      mono
    />
  );
}
