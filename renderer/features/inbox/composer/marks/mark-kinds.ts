// The kinds of marks as bar and menu show them, in their order.
import { Bold, Code, Italic, type LucideIcon, Strikethrough } from "lucide-react";
import type { TextMark } from "./mark-selection.ts";

export interface MarkKind {
  readonly kind: TextMark;
  readonly icon: LucideIcon;
  readonly label: `shell.shortcut.${TextMark}`;
}

export const MARK_KINDS: readonly MarkKind[] = [
  { kind: "bold", icon: Bold, label: "shell.shortcut.bold" },
  { kind: "italic", icon: Italic, label: "shell.shortcut.italic" },
  { kind: "struck", icon: Strikethrough, label: "shell.shortcut.struck" },
  { kind: "code", icon: Code, label: "shell.shortcut.code" },
];
