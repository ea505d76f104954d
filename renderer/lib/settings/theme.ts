// Puts the chosen theme on the document; without a choice the system decides through `color-scheme`.
import { useEffect } from "react";
import { type Theme, useSettings } from "./settings-store.ts";

/** Sets or clears `data-theme` on the root element. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Keeps the document in step with the settings. */
export function useTheme(): void {
  const theme = useSettings((settings) => settings.theme);
  useEffect(() => applyTheme(theme), [theme]);
}
