// A list of actions that opens at a button.
import type { LucideIcon } from "lucide-react";
import { type ComponentType, lazy, type ReactElement, Suspense } from "react";
import type { MenuListProps } from "./menu-list.tsx";
import { usePopupTrigger } from "./use-popup-trigger.ts";

const MenuList = lazy(
  async (): Promise<{ readonly default: ComponentType<MenuListProps> }> => ({ default: (await import("./menu-list.tsx")).MenuList }),
);

/** One action of a menu. */
export interface MenuAction {
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly shortcut?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}

/** Props of {@link Menu}. */
export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  /** Groups are parted by a line; empty ones are left out. */
  readonly groups: readonly (readonly MenuAction[])[];
  readonly align?: "start" | "center" | "end";
}

/** A menu with its trigger. */
export function Menu(props: MenuProps): ReactElement {
  const { trigger, ...list } = props;
  const { element, isWanted, ...popup } = usePopupTrigger(trigger, "menu");
  return (
    <>
      {element}
      {isWanted && (
        <Suspense fallback={null}>
          <MenuList {...list} {...popup} />
        </Suspense>
      )}
    </>
  );
}
