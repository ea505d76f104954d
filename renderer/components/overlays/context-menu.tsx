// The menu that `useContextMenu` opens.
import { type ComponentType, lazy, type ReactElement, Suspense } from "react";
import type { MenuAction, MenuListProps } from "./menu-list.tsx";
import type { ContextPopup } from "./use-context-menu.ts";

const MenuList = lazy(
  async (): Promise<{ readonly default: ComponentType<MenuListProps> }> => ({ default: (await import("./menu-list.tsx")).MenuList }),
);

export interface ContextMenuProps extends ContextPopup {
  /** Groups are parted by a line; empty ones are left out. */
  readonly groups: readonly (readonly MenuAction[])[];
}

/** The menu. Its code is loaded when it is first opened. */
export function ContextMenu({ target: _target, ...list }: ContextMenuProps): ReactElement {
  return (
    <Suspense fallback={null}>
      <MenuList {...list} />
    </Suspense>
  );
}
