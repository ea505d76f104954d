// A small card at a button, for details and short forms.
import { type ComponentType, lazy, type ReactElement, type ReactNode, Suspense } from "react";
import type { PopoverCardProps } from "./popover-card.tsx";
import { usePopupTrigger } from "./use-popup-trigger.ts";

const PopoverCard = lazy(
  async (): Promise<{ readonly default: ComponentType<PopoverCardProps> }> => ({
    default: (await import("./popover-card.tsx")).PopoverCard,
  }),
);

/** Props of {@link Popover}. */
export interface PopoverProps {
  readonly trigger: ReactElement;
  /** Name of the card for screen readers. */
  readonly title: string;
  readonly children: ReactNode;
  readonly side?: "top" | "right" | "bottom" | "left";
  readonly align?: "start" | "center" | "end";
}

/** A popover with its trigger. */
export function Popover(props: PopoverProps): ReactElement {
  const { trigger, ...card } = props;
  const { element, isWanted, ...popup } = usePopupTrigger(trigger, "dialog");
  return (
    <>
      {element}
      {isWanted && (
        <Suspense fallback={null}>
          <PopoverCard {...card} {...popup} />
        </Suspense>
      )}
    </>
  );
}
