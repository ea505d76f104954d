// Choices of the person on this device: stored in localStorage, no secrets. public/theme.js reads the theme before the first paint.
import { create } from "zustand";
import { persist } from "zustand/middleware";

/** Appearance: the system's choice, or one of the two. */
export type Theme = "system" | "light" | "dark";

/** Name under which the settings are stored. */
export const SETTINGS_KEY = "parley.settings";

/** Language of the interface: the system's choice, or one of those that are complete. */
export type LanguageChoice = "system" | "en" | "de";

/** The settings themselves. */
export interface Settings {
  readonly theme: Theme;
  readonly language: LanguageChoice;
  /** Notify others while one types. Off until chosen. */
  readonly sendTyping: boolean;
  /** Seal with a key used once, so that relays do not see who writes. */
  readonly hideSender: boolean;
  /** Notify authors that one has read their message. */
  readonly sendReadReceipts: boolean;
  /** Notices that were put away, by what they said. */
  readonly dismissedNotices: readonly string[];
}

/** Settings with the way to change them. */
export interface SettingsStore extends Settings {
  change(changes: Partial<Settings>): void;
}

/** What holds before anything was chosen. */
export const DEFAULT_SETTINGS: Settings = {
  theme: "system",
  language: "system",
  sendTyping: false,
  sendReadReceipts: true,
  hideSender: false,
  dismissedNotices: [],
};

/** The settings: `useSettings((settings) => settings.theme)`. */
export const useSettings = create<SettingsStore>()(
  persist<SettingsStore>((set) => ({ ...DEFAULT_SETTINGS, change: (changes) => set(changes) }), { name: SETTINGS_KEY, version: 1 }),
);
