// Keeps the language in step with the settings, and says it and its direction to the document: layout, screen readers, hyphenation.
import { useEffect, useSyncExternalStore } from "react";
import { useSettings } from "../settings/settings-store.ts";
import { directionOf } from "./direction.ts";
import type { LanguageInUse } from "./language-in-use.ts";
import type { LoadedLanguage } from "./languages.ts";

/** The language in use; the one before until a chosen one is loaded. */
export function useChosenLanguage(inUse: LanguageInUse): LoadedLanguage {
  const choice = useSettings((settings) => settings.language);
  const language = useSyncExternalStore(inUse.subscribe, inUse.current);
  useEffect(() => void inUse.choose(choice).catch(() => undefined), [inUse, choice]);
  useEffect(() => {
    document.documentElement.lang = language.tag;
    document.documentElement.dir = directionOf(language.tag);
  }, [language]);
  return language;
}
