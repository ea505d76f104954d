// The list of a menu; loaded when one is first opened.
import { Menu as BaseMenu } from "@base-ui/react/menu";
import type { LucideIcon } from "lucide-react";
import { Fragment, type ReactElement, useRef } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { Kbd } from "../basics/kbd.tsx";
import popup from "./popup.module.css";
import type { PopupTrigger } from "./use-popup-trigger.ts";

export interface MenuAction {
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly shortcut?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
  /** The action gives the focus to something else, which keeps it when the menu closes. */
  readonly movesFocus?: boolean;
}

export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  /** Groups are parted by a line; empty ones are left out. */
  readonly groups: readonly (readonly MenuAction[])[];
  readonly align?: "start" | "center" | "end";
}

export interface MenuListProps extends Omit<MenuProps, "trigger">, Omit<PopupTrigger, "element" | "isNeeded" | "close"> {}

/** The list at its anchor. */
export function MenuList(props: MenuListProps): ReactElement {
  const { groups, align = "start", anchor, isOpen, onOpenChange, finalFocus } = props;
  const t = useMessages();
  const shown = groups.filter((group) => group.length > 0);
  const hasMoved = useRef(false);
  return (
    <BaseMenu.Root open={isOpen} onOpenChange={onOpenChange}>
      <BaseMenu.Portal render={<section aria-label={t("common.menu")} />}>
        <BaseMenu.Positioner className={popup.positioner} anchor={anchor} sideOffset={4} align={align} collisionPadding={8}>
          <BaseMenu.Popup
            className={classNames(popup.popup, popup.list)}
            ref={props.popup}
            finalFocus={(): HTMLElement | false | null => !hasMoved.current && finalFocus()}
          >
            {shown.map((group, index) => (
              <Fragment key={group[0]?.label}>
                {index > 0 && <BaseMenu.Separator className={popup.separator} />}
                {group.map((action) => (
                  <MenuRow
                    key={action.label}
                    action={action}
                    onChosen={(): void => {
                      hasMoved.current = action.movesFocus === true;
                    }}
                  />
                ))}
              </Fragment>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

function MenuRow(props: { readonly action: MenuAction; readonly onChosen: () => void }): ReactElement {
  const { label, icon: Icon, shortcut, danger = false, disabled = false, onSelect } = props.action;
  const choose = (): void => {
    props.onChosen();
    onSelect();
  };
  return (
    <BaseMenu.Item className={classNames(popup.item, danger && popup.danger)} disabled={disabled} onClick={choose}>
      {Icon !== undefined && <Icon size={15} aria-hidden="true" />}
      <span className={shared.grow}>{label}</span>
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </BaseMenu.Item>
  );
}
