// The first thing a newcomer sees: what this is, and three ways in.
import { ChevronRight, KeyRound, type LucideIcon, MonitorSmartphone, Sparkles } from "lucide-react";
import type { ReactElement } from "react";
import { CenteredCard } from "#renderer/components/centered-card.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./onboarding.module.css";

/** The welcome. */
export function WelcomeStep(props: { readonly onChoose: (path: "new" | "import" | "link") => void }): ReactElement {
  const { onChoose } = props;
  const t = useMessages();
  return (
    <CenteredCard title={t("onboarding.welcomeTitle")} text={t("onboarding.welcomeText")}>
      <div className={styles.choices}>
        <Choice icon={Sparkles} title={t("onboarding.new")} hint={t("onboarding.newHint")} onClick={(): void => onChoose("new")} />
        <Choice icon={KeyRound} title={t("onboarding.import")} hint={t("onboarding.importHint")} onClick={(): void => onChoose("import")} />
        <Choice
          icon={MonitorSmartphone}
          title={t("onboarding.link")}
          hint={t("onboarding.linkHint")}
          onClick={(): void => onChoose("link")}
        />
      </div>
    </CenteredCard>
  );
}

interface ChoiceProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly hint: string;
  readonly onClick: () => void;
}

function Choice({ icon: Icon, title, hint, onClick }: ChoiceProps): ReactElement {
  return (
    <button type="button" className={styles.choice} onClick={onClick}>
      <Icon size={20} aria-hidden="true" />
      <span className={styles.choiceText}>
        <span className={styles.choiceTitle}>{title}</span>
        <span className={styles.choiceHint}>{hint}</span>
      </span>
      <ChevronRight size={16} aria-hidden="true" />
    </button>
  );
}
