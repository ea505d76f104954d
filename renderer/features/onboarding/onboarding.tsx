// The first run: new identity or phrase, name, password, words, quiz, ready. Keys exist from the password on.
import { type ReactElement, useState } from "react";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { useProfiles } from "#renderer/lib/profile/profile-store.ts";
import { ImportStep } from "./import-step.tsx";
import { NameStep } from "./name-step.tsx";
import { PasswordStep } from "./password-step.tsx";
import { PhraseStep } from "./phrase-step.tsx";
import { QuizStep } from "./quiz-step.tsx";
import { ReadyStep } from "./ready-step.tsx";
import { WelcomeStep } from "./welcome-step.tsx";

type Path = "new" | "import";
type Step =
  | { readonly kind: "welcome" }
  | { readonly kind: "import" }
  | { readonly kind: "name" }
  | { readonly kind: "password" }
  | { readonly kind: "phrase"; readonly words: readonly string[] }
  | { readonly kind: "quiz"; readonly words: readonly string[] }
  | { readonly kind: "ready" };

/** Props of {@link Onboarding}. */
export interface OnboardingProps {
  /** A vault exists and cannot be read: only a phrase helps. */
  readonly isDamaged: boolean;
  readonly onFinish: () => void;
}

/** The first run. */
export function Onboarding(props: OnboardingProps): ReactElement {
  const { onFinish } = props;
  const { keyring } = useKeyringValue();
  const setName = useProfiles((profiles) => profiles.setName);
  const [isDamaged] = useState(props.isDamaged);
  const [path, setPath] = useState<Path>(isDamaged ? "import" : "new");
  const [step, setStep] = useState<Step>({ kind: isDamaged ? "import" : "welcome" });
  const [phrase, setPhrase] = useState("");
  const [name, setNameText] = useState("");
  const choose = (next: Path): void => {
    setPath(next);
    setStep({ kind: next === "new" ? "name" : "import" });
  };
  const makeKeys = async (password: string): Promise<void> => {
    const words = path === "new" ? (await keyring.create({ password })).words : undefined;
    if (words === undefined) await keyring.importPhrase({ phrase, password, ...(isDamaged && { replaceDamaged: true }) });
    const { account } = await keyring.status();
    if (account !== null && name.trim() !== "") setName(account.masterPub, name.trim());
    setPhrase("");
    setStep(words === undefined ? { kind: "ready" } : { kind: "phrase", words });
  };
  switch (step.kind) {
    case "welcome":
      return <WelcomeStep onChoose={choose} />;
    case "import":
      return (
        <ImportStep
          phrase={phrase}
          isDamaged={isDamaged}
          onPhrase={setPhrase}
          onNext={(): void => setStep({ kind: "name" })}
          {...(!isDamaged && { onBack: () => setStep({ kind: "welcome" }) })}
        />
      );
    case "name":
      return (
        <NameStep
          name={name}
          onName={setNameText}
          onNext={(): void => setStep({ kind: "password" })}
          onBack={(): void => setStep({ kind: path === "new" ? "welcome" : "import" })}
        />
      );
    case "password":
      return <PasswordStep isNew={path === "new"} onBack={(): void => setStep({ kind: "name" })} onSubmit={makeKeys} />;
    case "phrase":
      return <PhraseStep words={step.words} onNext={(): void => setStep({ kind: "quiz", words: step.words })} />;
    case "quiz":
      return (
        <QuizStep onBack={(): void => setStep({ kind: "phrase", words: step.words })} onNext={(): void => setStep({ kind: "ready" })} />
      );
    case "ready":
      return <ReadyStep onFinish={onFinish} />;
  }
}
