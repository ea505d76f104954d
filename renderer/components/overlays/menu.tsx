// A list of actions that opens at a button.
import { type ComponentType, lazy, type ReactElement, Suspense } from "react";
import type { MenuListProps, MenuProps } from "./menu-list.tsx";
import { usePopupTrigger } from "./use-popup-trigger.ts";

const MenuList = lazy(
  async (): Promise<{ readonly default: ComponentType<MenuListProps> }> => ({ default: (await import("./menu-list.tsx")).MenuList }),
);

/** A menu with its trigger. */
export function Menu(props: MenuProps): ReactElement {
  const { trigger, ...list } = props;
  const { element, isNeeded, ...popup } = usePopupTrigger(trigger, "menu");
  return (
    <>
      {element}
      {isNeeded && (
        <Suspense fallback={null}>
          <MenuList {...list} {...popup} />
        </Suspense>
      )}
    </>
  );
}
