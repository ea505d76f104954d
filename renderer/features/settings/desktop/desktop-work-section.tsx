// What the node of the desktop app does by itself, what it keeps and who may read it: relay, heartbeats, old blocks, port, private mode, source
// of releases.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Select } from "#renderer/components/controls/select.tsx";
import { Switch } from "#renderer/components/controls/switch.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { DesktopApi, DesktopState } from "#shared/desktop/desktop-api.ts";
import { changeOf, formOf, heartbeatChoices, type Problems, problemsOf, retainChoices, type WorkForm } from "./node-work-form.ts";

export interface DesktopWorkSectionProps {
  readonly desktop: DesktopApi;
  readonly state: DesktopState;
}

/** The form. Saving restarts the node where something of it changed. */
export function DesktopWorkSection({ desktop, state: { settings } }: DesktopWorkSectionProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const [form, setForm] = useState<WorkForm>(() => formOf(settings, t.locale));
  const set = (change: Partial<WorkForm>): void => setForm((before) => ({ ...before, ...change }));
  const problems = problemsOf(t, form);
  const { change, needsRestart } = changeOf(settings, form, t.locale);
  const isChanged = Object.keys(change).length > 0;
  const save = useMutation({
    mutationFn: async () => {
      await desktop.call("changeSettings", change);
      if (needsRestart) await desktop.call("restartNode", null);
    },
    onSuccess: () => toasts.show({ tone: "success", title: t(needsRestart ? "desktop.workSaved" : "desktop.workSavedLater") }),
    onError: (error) => toasts.show({ tone: "danger", title: t("desktop.changeFailed"), description: errorInWords(t, error).text }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isChanged && Object.keys(problems).length === 0) save.mutate();
  };
  return (
    <Section title={t("desktop.work")} hint={t("desktop.workHint")}>
      <form className={shared.stack4} onSubmit={submit}>
        <Switch
          label={t("desktop.relay")}
          hint={t("desktop.relayHint")}
          checked={form.isRelay}
          onChange={(isRelay): void => set({ isRelay })}
        />
        {form.isRelay && (
          <TextField
            label={t("desktop.relayFee")}
            hint={t("desktop.relayFeeHint")}
            inputMode="decimal"
            mono
            affix="T"
            value={form.relayFee}
            onChange={(relayFee): void => set({ relayFee })}
            error={problems.relayFee}
          />
        )}
        <Select
          label={t("desktop.heartbeat")}
          hint={t("desktop.heartbeatHint")}
          value={form.heartbeat}
          options={heartbeatChoices(t, form.heartbeat)}
          onChange={(heartbeat): void => set({ heartbeat })}
        />
        <Select
          label={t("desktop.retain")}
          hint={t("desktop.retainHint")}
          value={form.retain}
          options={retainChoices(t, form.retain)}
          onChange={(retain): void => set({ retain })}
        />
        <AccessFields form={form} problems={problems} set={set} />
        <div className={shared.buttons}>
          <Button type="submit" busy={save.isPending} disabled={!isChanged || Object.keys(problems).length > 0}>
            {t(needsRestart ? "desktop.workSaveRestart" : "common.save")}
          </Button>
        </div>
      </form>
    </Section>
  );
}

interface FieldsProps {
  readonly form: WorkForm;
  readonly problems: Problems;
  readonly set: (change: Partial<WorkForm>) => void;
}

/** Who reads the node, and whom it asks. */
function AccessFields({ form, problems, set }: FieldsProps): ReactElement {
  const t = useMessages();
  return (
    <>
      <Switch
        label={t("desktop.private")}
        hint={t("desktop.privateHint")}
        checked={form.isPrivate}
        onChange={(isPrivate): void => set({ isPrivate })}
      />
      <TextField
        label={t("desktop.updateSource")}
        optional
        hint={t("desktop.updateSourceHint")}
        type="url"
        placeholder={t("desktop.updateSourceExample")}
        value={form.updateSource}
        onChange={(updateSource): void => set({ updateSource })}
        error={problems.updateSource}
      />
      <TextField
        label={t("desktop.port")}
        optional
        hint={t("desktop.portHint")}
        inputMode="numeric"
        mono
        value={form.port}
        onChange={(port): void => set({ port })}
        error={problems.port}
      />
    </>
  );
}
