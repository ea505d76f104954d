// Gives the node of the desktop app a checkpoint, from which a light one trusts signatures again. The node restarts.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useId, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import { CHECKPOINT_FORM } from "#shared/desktop/setting-forms.ts";
import { ReportedCheckpoints } from "./reported-checkpoints.tsx";

const FORM = new RegExp(CHECKPOINT_FORM);

export interface CheckpointDialogProps {
  readonly desktop: DesktopApi;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function CheckpointDialog({ desktop, open, onClose }: CheckpointDialogProps): ReactElement {
  const t = useMessages();
  const form = useId();
  const [text, setText] = useState("");
  const [isMalformed, setMalformed] = useState(false);
  const give = useMutation({
    mutationFn: async (nodeCheckpoint: string): Promise<void> => {
      await desktop.call("changeSettings", { nodeCheckpoint });
      await desktop.call("restartNode", null);
    },
    onSuccess: () => {
      setText("");
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const checkpoint = text.trim().toLowerCase();
    setMalformed(!FORM.test(checkpoint));
    if (FORM.test(checkpoint) && !give.isPending) give.mutate(checkpoint);
  };
  const error = isMalformed ? t("node.checkpointMalformed") : give.error === null ? undefined : errorInWords(t, give.error).text;
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen): void => {
        if (!isOpen) onClose();
      }}
      title={t("node.lightCheckpoint")}
      description={t("node.checkpointText")}
      keepOpen
      footer={
        <Button variant="primary" type="submit" form={form} busy={give.isPending} disabled={text.trim() === ""}>
          {t("node.checkpointConfirm")}
        </Button>
      }
    >
      <ReportedCheckpoints
        onChoose={(checkpoint): void => {
          setText(checkpoint);
          setMalformed(false);
          give.reset();
        }}
      />
      <form id={form} onSubmit={submit}>
        <TextField
          label={t("node.lightCheckpoint")}
          hint={t("node.checkpointHint")}
          value={text}
          onChange={(value): void => {
            setText(value);
            setMalformed(false);
            give.reset();
          }}
          maxLength={200}
          spellCheck={false}
          mono
          autoFocus
          {...(error === undefined ? {} : { error })}
        />
      </form>
    </Dialog>
  );
}
