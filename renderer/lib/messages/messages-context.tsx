// Hands the language of the interface to every component.
import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useMemo } from "react";
import { type Catalogue, createTranslate, type Translate } from "./catalogue.ts";
import { first } from "./en/first.ts";

/** A language in use: its BCP 47 tag for Intl and its translator. */
export interface Language {
  readonly locale: string;
  readonly t: Translate;
}

const LanguageContext = createContext<Language>({ locale: "en", t: createTranslate("en", first) });

/** Sets the language of everything inside; the first words of English without it. */
export function MessagesProvider(props: {
  readonly locale: string;
  readonly catalogue: Partial<Catalogue>;
  readonly children: ReactNode;
}): ReactElement {
  const { locale, catalogue, children } = props;
  const language = useMemo(() => ({ locale, t: createTranslate(locale, catalogue) }), [locale, catalogue]);
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

/** Whether the words of every view are loaded, and the way to load them. */
export interface AllWords {
  readonly areLoaded: boolean;
  readonly load: () => void;
}

const AllWordsContext = createContext<AllWords>({ areLoaded: true, load: () => undefined });

/** Says it to everything inside; without it all words are there. */
export const AllWordsProvider = AllWordsContext.Provider;

/** Shows what is inside once the words of every view are loaded, and has them loaded. */
export function WithAllWords(props: { readonly children: ReactNode }): ReactNode {
  return useAllWords() ? props.children : null;
}

/** True once the words of every view are loaded; has them loaded. For single words beside those that are there. */
export function useAllWords(): boolean {
  const { areLoaded, load } = useContext(AllWordsContext);
  useEffect(() => {
    if (!areLoaded) load();
  }, [areLoaded, load]);
  return areLoaded;
}

/** Translator of the current language. */
export function useMessages(): Translate {
  return useContext(LanguageContext).t;
}

/** Language tag and translator, for Intl. */
export function useLanguage(): Language {
  return useContext(LanguageContext);
}
