// The 24 words, hidden until asked for.
import { Eye } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { CenteredCard } from "#renderer/components/layout/centered-card.tsx";
import { PhraseWords } from "#renderer/components/secrets/phrase-words.tsx";
import { focusLater } from "#renderer/lib/browser/window/focus-later.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./onboarding.module.css";
import { StepCount } from "./step-count.tsx";

export interface PhraseStepProps {
  readonly words: readonly string[];
  readonly onNext: () => void;
}

/** The words card. */
export function PhraseStep(props: PhraseStepProps): ReactElement {
  const { words, onNext } = props;
  const t = useMessages();
  const [isShown, setShown] = useState(false);
  const shown = useRef<HTMLOListElement>(null);
  // The button that had the focus is gone: the words are next.
  useEffect(() => (isShown && shown.current ? focusLater(shown.current) : undefined), [isShown]);
  return (
    <CenteredCard
      wide
      title={t("onboarding.phraseTitle")}
      text={t("onboarding.phraseText")}
      aside={<StepCount step={3} />}
      onSubmit={onNext}
      actions={
        <Button variant="primary" type="submit" disabled={!isShown}>
          {t("onboarding.phraseWritten")}
        </Button>
      }
    >
      {isShown ? (
        <PhraseWords ref={shown} words={words} />
      ) : (
        <div className={styles.hidden}>
          <p>{t("onboarding.phraseHidden")}</p>
          <Button icon={Eye} onClick={(): void => setShown(true)} autoFocus>
            {t("onboarding.phraseShow")}
          </Button>
        </div>
      )}
      <Banner tone="warning">{t("onboarding.phraseWarning")}</Banner>
    </CenteredCard>
  );
}
