// What floats above the view.
import { Copy, Pencil, Trash2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { ExternalLink } from "#renderer/components/overlays/external-link.tsx";
import { Menu } from "#renderer/components/overlays/menu.tsx";
import { Popover } from "#renderer/components/overlays/popover.tsx";
import { CodedError } from "#shared/errors/coded-error.ts";
import styles from "./gallery.module.css";

type Open = "none" | "dialog" | "sheet";

export function OverlaySamples(): ReactElement {
  const [open, setOpen] = useState<Open>("none");
  const toasts = useToasts();
  const close = (): void => setOpen("none");
  return (
    <Section title="Above the view">
      <div className={styles.row}>
        <Button onClick={(): void => setOpen("dialog")}>Dialog</Button>
        <Button onClick={(): void => setOpen("sheet")}>Sheet</Button>
        <Menu
          trigger={<Button>Menu</Button>}
          groups={[
            [
              { label: "Copy", icon: Copy, shortcut: "mod+c", onSelect: close },
              { label: "Rename", icon: Pencil, onSelect: close },
            ],
            [{ label: "Delete", icon: Trash2, danger: true, onSelect: close }],
          ]}
        />
        <Popover title="Details" trigger={<Button>Popover</Button>}>
          A small card with details.
        </Popover>
        <Button onClick={(): void => toasts.show({ title: "Conversation archived", action: { label: "Undo", onSelect: close } })}>
          Toast with undo
        </Button>
        <ExternalLink url="https://example.org/a-page" label="Link outside" />
        <Button onClick={(): void => toasts.showError(new CodedError("INTERNAL", "boom"))}>Error toast</Button>
      </div>
      <Dialog
        open={open === "dialog"}
        onOpenChange={close}
        title="Rename"
        description="Only you see this name."
        footer={<Button variant="primary">Save</Button>}
      >
        Content
      </Dialog>
      <Dialog open={open === "sheet"} onOpenChange={close} placement="sheet" title="Details">
        Content of the sheet
      </Dialog>
    </Section>
  );
}
