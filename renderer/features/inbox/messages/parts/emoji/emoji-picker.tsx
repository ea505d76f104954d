// A choice of emoji at a button: for reactions and for the text.
import { type ComponentType, lazy, type ReactElement, Suspense } from "react";
import { Spinner } from "#renderer/components/basics/spinner.tsx";
import { Popover } from "#renderer/components/overlays/popover.tsx";
import { WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import type { EmojiCardProps } from "./emoji-card.tsx";

const EmojiCard = lazy(
  async (): Promise<{ readonly default: ComponentType<EmojiCardProps> }> => ({ default: (await import("./emoji-card.tsx")).EmojiCard }),
);

export interface EmojiPickerProps {
  readonly trigger: ReactElement;
  readonly title: string;
  readonly onPick: (emoji: string) => void;
  /** What is in the card instead of the emoji alone, made of what picks one and of what closes the card. */
  readonly children?: ((pick: (emoji: string) => void, close: () => void) => ReactElement) | undefined;
}

/** The choice with its button. */
export function EmojiPicker({ trigger, title, onPick, children }: EmojiPickerProps): ReactElement {
  return (
    <Popover trigger={trigger} title={title} side="top" align="end">
      {(close): ReactElement => {
        const pick = (emoji: string): void => {
          close();
          onPick(emoji);
        };
        return (
          <Suspense fallback={<Spinner />}>
            <WithAllWords>{children === undefined ? <EmojiCard onPick={pick} /> : children(pick, close)}</WithAllWords>
          </Suspense>
        );
      }}
    </Popover>
  );
}
