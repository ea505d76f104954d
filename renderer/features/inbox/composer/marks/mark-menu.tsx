// What one can do with selected text: cut, copy, mark. Reading the clipboard would need a permission, so there is no "Paste".
import { Copy, Scissors } from "lucide-react";
import type { ReactElement } from "react";
import { ContextMenu } from "#renderer/components/overlays/context-menu.tsx";
import type { MenuAction } from "#renderer/components/overlays/menu-list.tsx";
import type { ContextPopup } from "#renderer/components/overlays/use-context-menu.ts";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type MarksProps, markField, replaceText, selectedIn } from "./mark-field.ts";
import { MARK_KINDS } from "./mark-kinds.ts";
import { TEXT_MARKS } from "./mark-selection.ts";

export function MarkMenu({ field, put, pointed }: MarksProps & { readonly pointed: ContextPopup }): ReactElement {
  const t = useMessages();
  const copy = async (isCut: boolean): Promise<void> => {
    const selected = selectedIn(field.current);
    if (selected === undefined) return;
    const { text, start, end } = selected;
    // What could not be copied is not cut: it would be gone.
    if (!(await copyText(text.slice(start, end))) || !isCut || field.current?.value !== text) return;
    replaceText(field.current, text.slice(0, start) + text.slice(end), put);
    field.current.setSelectionRange(start, start);
  };
  const clipboard: readonly MenuAction[] = [
    { label: t("chat.cut"), icon: Scissors, shortcut: "mod+x", onSelect: (): void => void copy(true) },
    { label: t("common.copy"), icon: Copy, shortcut: "mod+c", onSelect: (): void => void copy(false) },
  ];
  const marks = MARK_KINDS.map(({ kind, icon, label }) => ({
    label: t(label),
    icon,
    shortcut: TEXT_MARKS[kind].keys,
    onSelect: (): void => markField(field, kind, put),
  }));
  return <ContextMenu {...pointed} groups={[clipboard, marks]} />;
}
