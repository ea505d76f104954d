// All shortcuts at a glance.
import type { ReactElement } from "react";
import { Kbd } from "#renderer/components/basics/kbd.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useCommandStore } from "#renderer/lib/commands/command-store.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { OverlayProps } from "./overlay-props.ts";
import styles from "./palette.module.css";

export function ShortcutsSheet(props: OverlayProps): ReactElement {
  const t = useMessages();
  const lists = useCommandStore((store) => store.lists);
  const commands = [...lists.values()].flat();
  const general = [
    { id: "palette", label: t("shell.palette"), shortcut: "mod+k" },
    { id: "sheet", label: t("shell.shortcuts"), shortcut: "mod+/" },
    ...commands.filter((command) => command.group !== "go"),
  ];
  const writing = [
    { id: "bold", label: t("shell.shortcut.bold"), shortcut: "mod+b" },
    { id: "italic", label: t("shell.shortcut.italic"), shortcut: "mod+i" },
    { id: "struck", label: t("shell.shortcut.struck"), shortcut: "mod+shift+x" },
    { id: "code", label: t("shell.shortcut.code"), shortcut: "mod+shift+m" },
    { id: "later", label: t("shell.shortcut.later"), shortcut: "alt+enter" },
    { id: "unread", label: t("inbox.markUnread"), shortcut: "mod+shift+g" },
    { id: "folder-next", label: t("inbox.folderNext"), shortcut: "alt+pagedown" },
    { id: "folder-previous", label: t("inbox.folderPrevious"), shortcut: "alt+pageup" },
    { id: "menu", label: t("shell.shortcut.menu"), shortcut: "shift+f10" },
  ];
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title={t("shell.shortcuts")} wide>
      <div className={styles.shortcuts}>
        <div className={shared.stack4}>
          <ShortcutList heading={t("shell.shortcutsGeneral")} commands={general} />
          <ShortcutList heading={t("shell.shortcutsMessages")} commands={writing} />
        </div>
        <ShortcutList heading={t("shell.paletteGo")} commands={commands.filter((command) => command.group === "go")} />
      </div>
    </Dialog>
  );
}

interface Listed {
  readonly id: string;
  readonly label: string;
  readonly shortcut?: string;
}

function ShortcutList(props: { readonly heading: string; readonly commands: readonly Listed[] }): ReactElement {
  return (
    <section>
      <h3 className={styles.heading}>{props.heading}</h3>
      <ul>
        {props.commands.map(
          ({ id, label, shortcut }) =>
            shortcut !== undefined && (
              <li key={id} className={styles.shortcut}>
                {label}
                <Kbd keys={shortcut} />
              </li>
            ),
        )}
      </ul>
    </section>
  );
}
