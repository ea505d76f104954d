// Keeps the language in step with the settings, and says it to the document for screen readers and hyphenation.
import { useEffect, useState } from "react";
import { useSettings } from "../settings-store.ts";
import { type LoadedLanguage, loadLanguage } from "./languages.ts";

/** The language in use; the one at the start until another one is chosen and loaded. */
export function useChosenLanguage(initial: LoadedLanguage): LoadedLanguage {
  const choice = useSettings((settings) => settings.language);
  const [language, setLanguage] = useState(initial);
  useEffect(() => {
    let isCurrent = true;
    loadLanguage(choice, navigator.languages).then(
      (loaded) => {
        if (isCurrent) setLanguage((before) => (before.tag === loaded.tag && before.locale === loaded.locale ? before : loaded));
      },
      () => undefined,
    );
    return (): void => {
      isCurrent = false;
    };
  }, [choice]);
  useEffect(() => {
    document.documentElement.lang = language.tag;
  }, [language]);
  return language;
}
