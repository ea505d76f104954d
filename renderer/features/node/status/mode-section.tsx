// What each mode of the node means and costs. On the desktop it is chosen here; in a browser the one in use is marked.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { ConfirmSheet } from "#renderer/components/overlays/confirm-sheet.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { DESKTOP_STATE_KEY, useDesktopState } from "#renderer/lib/desktop/use-desktop-state.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import type { DesktopSettings } from "#shared/desktop/desktop-settings.ts";
import styles from "../node.module.css";

const MODES = ["light", "full", "validator"] as const;
type Mode = (typeof MODES)[number];

/** What is asked before the node restarts. */
const CONFIRMATIONS = {
  light: { title: "node.mode.light.choose", text: "node.becomeLightText" },
  full: { title: "node.mode.full.choose", text: "node.becomeFullText" },
  validator: { title: "node.mode.validator.choose", text: "node.becomeValidatorText" },
} as const satisfies Record<Mode, object>;

export function ModeSection({ status }: { readonly status: NodeStatus }): ReactElement {
  const desktop = desktopApi();
  const t = useMessages();
  if (desktop !== undefined) return <ModeChoice desktop={desktop} status={status} />;
  return (
    <Section title={t("node.mode")} hint={t("node.modeHint")} bare>
      <ModeCards used={status.mode} />
    </Section>
  );
}

function ModeCards(props: { readonly used: string; readonly onChoose?: (mode: Mode) => void }): ReactElement {
  const { used, onChoose } = props;
  const t = useMessages();
  return (
    <ul className={styles.modes}>
      {MODES.map((mode) => (
        <li key={mode} className={classNames(styles.modeCard, mode === used && styles.modeUsed)} aria-current={mode === used}>
          <strong>{t(`node.mode.${mode}`)}</strong>
          <p className={shared.muted}>{t(`node.mode.${mode}.text`)}</p>
          {mode === used && <span className={styles.modeMark}>{t("node.modeInUse")}</span>}
          {mode !== used && onChoose !== undefined && (
            <div className={styles.modeAction}>
              <Button size="small" onClick={(): void => onChoose(mode)}>
                {t(`node.mode.${mode}.choose`)}
              </Button>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function ModeChoice({ desktop, status }: { readonly desktop: DesktopApi; readonly status: NodeStatus }): ReactElement {
  const t = useMessages();
  const { data: desktopState } = useDesktopState(desktop);
  const [requested, setRequested] = useState<Mode>();
  const change = useMutation({
    mutationFn: async (nodeMode: DesktopSettings["nodeMode"]): Promise<void> => {
      // A checkpoint was given for the state of things at that time.
      await desktop.call("changeSettings", { nodeMode, nodeCheckpoint: null });
      await desktop.call("restartNode", null);
    },
    onSuccess: () => setRequested(undefined),
  });
  const cancel = (): void => {
    change.reset();
    setRequested(undefined);
  };
  const isAutomatic = desktopState?.settings.nodeMode === "automatic";
  return (
    <Section
      title={t("node.mode")}
      hint={t(isAutomatic ? "node.modeAutomatic" : "node.modeChosen")}
      bare
      actions={
        desktopState !== undefined &&
        !isAutomatic &&
        !desktopState.isCopiedNode && (
          <Button size="small" variant="ghost" busy={change.isPending} onClick={(): void => change.mutate("automatic")}>
            {t("node.modeBackToAutomatic")}
          </Button>
        )
      }
    >
      {desktopState?.isCopiedNode === true && <CopiedNode desktop={desktop} />}
      <ModeCards used={status.mode} {...(desktopState !== undefined && !desktopState.isCopiedNode && { onChoose: setRequested })} />
      <ConfirmSheet
        open={requested !== undefined}
        onCancel={cancel}
        onConfirm={(): void => {
          if (requested !== undefined) change.mutate(requested);
        }}
        title={t(CONFIRMATIONS[requested ?? "full"].title)}
        sentence={t(CONFIRMATIONS[requested ?? "full"].text)}
        confirmLabel={t("node.modeConfirm")}
        busy={change.isPending}
        error={change.error}
      >
        {requested === "validator" && <ValidatorTerms />}
      </ConfirmSheet>
    </Section>
  );
}

/** What a person takes on with a validator. */
function ValidatorTerms(): ReactElement {
  const t = useMessages();
  return (
    <ul className={styles.terms}>
      {(["bond", "uptime", "guard", "copies"] as const).map((term) => (
        <li key={term}>
          <strong>{t(`node.terms.${term}`)}</strong> {t(`node.terms.${term}.text`)}
        </li>
      ))}
    </ul>
  );
}

/** The data folder was used on another computer: both copies voting would cost the bond. */
function CopiedNode({ desktop }: { readonly desktop: DesktopApi }): ReactElement {
  const t = useMessages();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const take = useMutation({
    mutationFn: () => desktop.call("takeNode", null),
    onSuccess: async () => {
      setAsking(false);
      await queryClient.invalidateQueries({ queryKey: DESKTOP_STATE_KEY });
    },
  });
  return (
    <Banner
      tone="warning"
      title={t("node.copiedTitle")}
      actions={
        <Button size="small" onClick={(): void => setAsking(true)}>
          {t("node.copiedAction")}
        </Button>
      }
    >
      {t("node.copiedText")}
      <ConfirmSheet
        open={isAsking}
        onCancel={(): void => setAsking(false)}
        onConfirm={(): void => take.mutate()}
        title={t("node.takeTitle")}
        sentence={t("node.takeText")}
        confirmLabel={t("node.takeConfirm")}
        danger
        busy={take.isPending}
        error={take.error}
      />
    </Banner>
  );
}
