// Listens for one shortcut while a component is shown.
import { useEffect, useEffectEvent } from "react";
import { matchesShortcut } from "./shortcut.ts";

/** Runs `action` on the shortcut. Shortcuts without a modifier are ignored while one types into a field. */
export function useShortcut(shortcut: string, action: () => void, isEnabled = true): void {
  const run = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || !matchesShortcut(event, shortcut)) return;
    if (!/mod|ctrl|alt/.test(shortcut) && isTyping(event.target)) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    if (!isEnabled) return undefined;
    const listener = (event: KeyboardEvent): void => run(event);
    window.addEventListener("keydown", listener);
    return (): void => window.removeEventListener("keydown", listener);
  }, [isEnabled]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
