// Looking something up by its id, to put it on its list.
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { type FoundKind, useFound } from "./found-store.ts";

/** What is known of a typed id. */
export interface TypedFind {
  /** The id, where there is one of it. */
  readonly found: string | undefined;
  readonly problem: string | undefined;
}

export interface FindDialogProps {
  readonly kind: FoundKind;
  readonly title: string;
  readonly description: string;
  readonly label: string;
  readonly confirmLabel: string;
  /** A hook: it is called with each text. */
  readonly useTyped: (text: string) => TypedFind;
  readonly onClose: () => void;
}

export function FindDialog({ kind, title, description, label, confirmLabel, useTyped, onClose }: FindDialogProps): ReactElement {
  const { add } = useFound(kind);
  const [text, setText] = useState("");
  const { found, problem } = useTyped(text);
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <form
        className={shared.stack4}
        onSubmit={(event): void => {
          event.preventDefault();
          if (found === undefined) return;
          add(found);
          onClose();
        }}
      >
        <TextField label={label} autoFocus mono spellCheck={false} value={text} onChange={setText} error={problem} />
        <footer className={shared.footer}>
          <Button type="submit" variant="primary" disabled={found === undefined}>
            {confirmLabel}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
