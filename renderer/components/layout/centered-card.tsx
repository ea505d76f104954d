// One card in the middle of the window, for what comes before the shell: first run and lock. A form where it has an action.
import type { FormEvent, ReactElement, ReactNode } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { Logo } from "../basics/logo.tsx";
import styles from "./centered-card.module.css";

export interface CenteredCardProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** At the top right: a step count. */
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons, the primary one last; the primary one submits. */
  readonly actions?: ReactNode;
  readonly onSubmit?: () => void;
  readonly wide?: boolean;
}

/** A card that fills the window with calm. */
export function CenteredCard(props: CenteredCardProps): ReactElement {
  const { title, text, aside, children, actions, onSubmit, wide = false } = props;
  const t = useMessages();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <main className={styles.backdrop}>
      <title>{`${title} · ${t("common.appName")}`}</title>
      <form className={classNames(styles.card, wide && styles.wide)} onSubmit={submit} noValidate>
        <header className={shared.stack2}>
          <div className={styles.top}>
            <Logo size={36} />
            {aside}
          </div>
          <h1 className={styles.title}>{title}</h1>
          {text !== undefined && <p className={styles.text}>{text}</p>}
        </header>
        {children !== undefined && <div className={shared.stack4}>{children}</div>}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </form>
    </main>
  );
}
