// A small card at a button, for details and short forms.
import { type ComponentType, lazy, type ReactElement, Suspense } from "react";
import type { PopoverCardProps, PopoverProps } from "./popover-card.tsx";
import { usePopupTrigger } from "./use-popup-trigger.ts";

const PopoverCard = lazy(
  async (): Promise<{ readonly default: ComponentType<PopoverCardProps> }> => ({
    default: (await import("./popover-card.tsx")).PopoverCard,
  }),
);

/** A popover with its trigger. */
export function Popover(props: PopoverProps): ReactElement {
  const { trigger, ...card } = props;
  const { element, isNeeded, ...popup } = usePopupTrigger(trigger, "dialog");
  return (
    <>
      {element}
      {isNeeded && (
        <Suspense fallback={null}>
          <PopoverCard {...card} {...popup} />
        </Suspense>
      )}
    </>
  );
}
