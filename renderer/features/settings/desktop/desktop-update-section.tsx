// Versions of the desktop app: nothing is fetched or installed before the person says so.
import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Switch } from "#renderer/components/controls/switch.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { DesktopApi, DesktopState, UpdateState } from "#shared/desktop/desktop-api.ts";

export function DesktopUpdateSection(props: { readonly desktop: DesktopApi; readonly state: DesktopState }): ReactElement {
  const { desktop, state } = props;
  const t = useMessages();
  const check = useMutation({ mutationFn: () => desktop.call("checkForUpdate", null) });
  const install = useMutation({ mutationFn: () => desktop.call("installUpdate", null) });
  const daily = useMutation({ mutationFn: (updateCheck: boolean) => desktop.call("changeSettings", { updateCheck }) });
  const { kind } = state.update;
  const action =
    kind === "available" || kind === "ready" ? (
      <Button variant="primary" busy={install.isPending} onClick={(): void => install.mutate()}>
        {t(kind === "ready" ? "desktop.install" : "desktop.download")}
      </Button>
    ) : (
      <Button busy={check.isPending || kind === "downloading"} onClick={(): void => check.mutate()}>
        {t("desktop.check")}
      </Button>
    );
  return (
    <Section title={t("desktop.updates")} actions={action}>
      <KeyValueList
        rows={[
          { label: t("desktop.version"), value: state.version },
          { label: t("desktop.updates"), value: t(`desktop.update.${kind}`, valuesOf(state.update)) },
        ]}
      />
      <Switch
        label={t("desktop.updateCheck")}
        hint={t("desktop.updateCheckHint")}
        checked={state.settings.updateCheck}
        onChange={(checked): void => daily.mutate(checked)}
      />
    </Section>
  );
}

function valuesOf(update: UpdateState): { readonly version: string; readonly percent: string } {
  return {
    version: "version" in update ? update.version : "",
    percent: update.kind === "downloading" ? String(update.percent) : "",
  };
}
