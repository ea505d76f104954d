// The first thing a newcomer sees: what this is, and three ways in.
import { useQuery } from "@tanstack/react-query";
import { ChevronRight, KeyRound, type LucideIcon, MonitorSmartphone, Sparkles } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { CenteredCard } from "#renderer/components/layout/centered-card.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { isInterrupted, sendInterrupted } from "#renderer/lib/linking/interrupted-link.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import styles from "./onboarding.module.css";

const TELL_AGAIN_MS = 3_000;

export function WelcomeStep(props: { readonly onChoose: (path: "new" | "import" | "link") => void }): ReactElement {
  const { onChoose } = props;
  const t = useMessages();
  return (
    <CenteredCard title={t("onboarding.welcomeTitle")} text={t("onboarding.welcomeText")}>
      <InterruptedLink />
      <div className={shared.stack3}>
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

/** A linking was left before there was a password. The other device is notified as soon as the node is there. */
function InterruptedLink(): ReactElement | null {
  const t = useMessages();
  const node = useNode();
  const [wasInterrupted] = useState(isInterrupted);
  useQuery({
    queryKey: ["interrupted link"],
    enabled: wasInterrupted,
    retry: true,
    retryDelay: TELL_AGAIN_MS,
    queryFn: async () => {
      await sendInterrupted(node);
      return true;
    },
  });
  if (!wasInterrupted) return null;
  return (
    <Banner tone="warning" title={t("onboarding.linkInterruptedTitle")}>
      {t("onboarding.linkInterruptedText")}
    </Banner>
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
        <span className={shared.strong}>{title}</span>
        <span className={shared.hint}>{hint}</span>
      </span>
      <ChevronRight size={16} aria-hidden="true" />
    </button>
  );
}
