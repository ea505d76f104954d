// Puts what was chosen about looks on the document; of a theme that was not chosen the system decides through `color-scheme`.
// What each value means is in tokens.css; public/theme.js does the same before the first paint.
import { useEffect } from "react";
import { APPEARANCE, type Appearance, DEFAULT_SETTINGS, useSettings } from "./settings-store.ts";

/** Sets `data-theme`, `data-text-size`, `data-density` and `data-accent` of the root element; default values have none. */
export function applyAppearance(appearance: Appearance): void {
  const { dataset } = document.documentElement;
  for (const name of APPEARANCE) {
    if (appearance[name] === DEFAULT_SETTINGS[name]) delete dataset[name];
    else dataset[name] = appearance[name];
  }
}

/** Keeps the document in step with the settings. */
export function useAppearance(): void {
  const theme = useSettings((settings) => settings.theme);
  const textSize = useSettings((settings) => settings.textSize);
  const density = useSettings((settings) => settings.density);
  const accent = useSettings((settings) => settings.accent);
  useEffect(() => applyAppearance({ theme, textSize, density, accent }), [theme, textSize, density, accent]);
}
