// A form in which a password is chosen: typed twice, judged by the keyring, and given away only when the keyring would take it.
import { useEffect, useRef, useState } from "react";
import type { PasswordEstimate } from "#shared/keyring/passwords/password-estimate.ts";
import { useKeyringValue } from "../keyring/keyring-context.tsx";
import { useProfiles } from "./profile-store.ts";

/** What was typed is judged after so long a pause. */
const PAUSE_MS = 150;
const MAX_WORD_CHARS = 256;

/** State of such a form. */
export interface NewPassword {
  readonly password: string;
  readonly repeat: string;
  /** Of what is typed, or was typed a moment ago; undefined before anything was judged. */
  readonly estimate: PasswordEstimate | undefined;
  /** The password cannot be judged: the word lists could not be loaded. */
  readonly hasFailed: boolean;
  /** The form was submitted: what is wrong is said. */
  readonly isTried: boolean;
  typePassword(value: string): void;
  typeRepeat(value: string): void;
  /** Calls back with a password that is strong enough and was repeated. */
  submit(use: (password: string) => void): void;
  /** Forgets everything. */
  clear(): void;
}

interface Judged {
  readonly password: string;
  readonly estimate: PasswordEstimate | undefined;
}

/** A new password; `words` are what it is chosen for, which a guesser tries first, beside the person's own name. */
export function useNewPassword(words: readonly string[] = []): NewPassword {
  const [password, setPassword] = useState("");
  const [repeat, setRepeat] = useState("");
  const [isTried, setTried] = useState(false);
  const [judged, setJudged] = useState<Judged>();
  const judge = useJudge(words, setJudged);
  const isSubmitting = useRef(false);
  const isJudging = useRef(false);
  // One at a time: what was typed meanwhile is judged when that one is through.
  useEffect(() => {
    if (password === "" || judged?.password === password) return;
    const timer = setTimeout(() => {
      if (isJudging.current) return;
      isJudging.current = true;
      void judge.current(password).finally(() => {
        isJudging.current = false;
      });
    }, PAUSE_MS);
    return (): void => clearTimeout(timer);
  }, [password, judged, judge]);

  const submit = async (use: (password: string) => void): Promise<void> => {
    setTried(true);
    if (password === "" || isSubmitting.current) return;
    isSubmitting.current = true;
    const estimate = await judge.current(password).finally(() => {
      isSubmitting.current = false;
    });
    if (estimate?.isAcceptable === true && password === repeat) use(password);
  };
  return {
    password,
    repeat,
    estimate: password === "" ? undefined : judged?.estimate,
    hasFailed: judged?.password === password && judged.estimate === undefined,
    isTried,
    typePassword: setPassword,
    typeRepeat: setRepeat,
    submit: (use): void => void submit(use),
    clear: (): void => {
      setPassword("");
      setRepeat("");
      setTried(false);
      setJudged(undefined);
    },
  };
}

/** Judges with the words of the latest render, and says what it found. */
function useJudge(
  words: readonly string[],
  onJudged: (judged: Judged) => void,
): { readonly current: (password: string) => Promise<PasswordEstimate | undefined> } {
  const { keyring, status } = useKeyringValue();
  const name = useProfiles(({ names }) => names[status?.account?.masterPub ?? ""]);
  const all = [...words, name ?? ""].filter((word) => word !== "").map((word) => word.slice(0, MAX_WORD_CHARS));
  const judge = async (password: string): Promise<PasswordEstimate | undefined> => {
    const estimate = await keyring.estimatePassword({ password, words: all }).catch(() => undefined);
    onJudged({ password, estimate });
    return estimate;
  };
  const latest = useRef(judge);
  useEffect(() => {
    latest.current = judge;
  });
  return latest;
}
