// The first run: new identity or phrase, name, password, words, quiz, ready. Keys exist from the password on.
import { type ComponentType, lazy, type ReactElement, Suspense, useState } from "react";
import { leaveFocus } from "#renderer/lib/browser/window/leave-focus.ts";
import { useOffersFaucet } from "#renderer/lib/node/use-faucet.ts";
import { ImportStep } from "./import-step.tsx";
import type { GrantedLink, LinkStepProps } from "./link-step.tsx";
import { NameStep } from "./name-step.tsx";
import styles from "./onboarding.module.css";
import { PasswordStep } from "./password-step.tsx";
import { PhraseStep } from "./phrase-step.tsx";
import { QuizStep } from "./quiz-step.tsx";
import { ReadyStep } from "./ready-step.tsx";
import { type Path, useMakeKeys } from "./use-make-keys.ts";
import { WelcomeStep } from "./welcome-step.tsx";

/** Loaded when it is chosen: it brings the cryptography of the linking. */
const LinkStep = lazy(
  async (): Promise<{ readonly default: ComponentType<LinkStepProps> }> => ({ default: (await import("./link-step.tsx")).LinkStep }),
);

type Step =
  | { readonly kind: "welcome" }
  | { readonly kind: "import" }
  | { readonly kind: "link" }
  | { readonly kind: "name" }
  | { readonly kind: "password" }
  | { readonly kind: "phrase"; readonly words: readonly string[] }
  | { readonly kind: "quiz"; readonly words: readonly string[] }
  | { readonly kind: "ready" };

export interface OnboardingProps {
  /** A vault exists and cannot be read: only a phrase helps. */
  readonly isDamaged: boolean;
  readonly onFinish: () => void;
}

/** The first run. */
export function Onboarding(props: OnboardingProps): ReactElement {
  // Asked ahead: the last card knows it from its first picture on.
  useOffersFaucet();
  return (
    <div className={styles.stage} data-stage="" tabIndex={-1}>
      <Steps {...props} />
    </div>
  );
}

function Steps(props: OnboardingProps): ReactElement {
  const { onFinish } = props;
  const [isDamaged] = useState(props.isDamaged);
  const [path, setPath] = useState<Path>(isDamaged ? "import" : "new");
  const [step, showStep] = useState<Step>({ kind: isDamaged ? "import" : "welcome" });
  const setStep = (next: Step): void => {
    leaveFocus();
    showStep(next);
  };
  const [phrase, setPhrase] = useState("");
  const [name, setNameText] = useState("");
  const [link, setLink] = useState<GrantedLink>();
  const choose = (next: Path): void => {
    setPath(next);
    setStep({ kind: next === "new" ? "name" : next });
  };
  const makeKeys = useMakeKeys({ path, phrase, name, isDamaged, link });
  const finishKeys = async (password: string): Promise<void> => {
    const words = await makeKeys(password);
    setPhrase("");
    setStep(words === undefined ? { kind: "ready" } : { kind: "phrase", words });
  };
  const ownName = link?.grant.profileName ?? name;
  const leavePassword = (): void => setStep({ kind: path === "link" ? "welcome" : "name" });
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
    case "link":
      return (
        <Suspense fallback={null}>
          <LinkStep
            onBack={(): void => setStep({ kind: "welcome" })}
            onLinked={(granted): void => {
              setLink(granted);
              setStep({ kind: "password" });
            }}
          />
        </Suspense>
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
      return <PasswordStep path={path} name={ownName} onBack={leavePassword} onSubmit={finishKeys} />;
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
