// Hands the language of the interface to every component.
import { createContext, type ReactElement, type ReactNode, useContext, useMemo } from "react";
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

/** Translator of the current language. */
export function useMessages(): Translate {
  return useContext(LanguageContext).t;
}

/** Language tag and translator, for Intl. */
export function useLanguage(): Language {
  return useContext(LanguageContext);
}
