// What is shown instead of the shell while everything is locked: the password, or the phrase for those who forgot it.
import { type ReactElement, useState } from "react";
import { PasswordUnlock } from "./password-unlock.tsx";
import { PhraseReset } from "./phrase-reset.tsx";

export function LockScreen(): ReactElement {
  const [isReset, setReset] = useState(false);
  return isReset ? <PhraseReset onBack={(): void => setReset(false)} /> : <PasswordUnlock onForgot={(): void => setReset(true)} />;
}
