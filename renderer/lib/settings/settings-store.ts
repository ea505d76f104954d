// Choices of the person on this device: stored in localStorage, no secrets. public/theme.js reads the looks before the first paint.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { NotificationPreview } from "#shared/desktop/desktop-settings.ts";

/** What can be chosen of each setting that is one of several words. */
export const SETTING_CHOICES = {
  /** The system's theme, or one of the two. */
  theme: ["system", "light", "dark"],
  /** The system's language, one of those that are complete, or English from right to left to try the layout. */
  language: ["system", "en", "de", "ar-XB"],
  textSize: ["small", "normal", "large", "largest"],
  /** How far apart things are. */
  density: ["comfortable", "compact"],
  /** Colour of what can be pressed and of what is selected. */
  accent: ["teal", "blue", "violet", "rose", "grey"],
} as const;

export type SettingChoices = { readonly [Name in keyof typeof SETTING_CHOICES]: (typeof SETTING_CHOICES)[Name][number] };

/** Settings about looks. */
export const APPEARANCE = ["theme", "textSize", "density", "accent"] as const;

export type Appearance = Pick<SettingChoices, (typeof APPEARANCE)[number]>;

/** Language of the interface, or the system's. */
export type LanguageChoice = SettingChoices["language"];

/** Name under which the settings are stored. */
export const SETTINGS_KEY = "parley.settings";

/** Where the person's node looks up what one T is worth. */
export interface RateSource {
  readonly url: string;
  /** Names and positions with dots between them that lead to the number in its answer. */
  readonly path: string;
  /** Code of the currency, three capital letters. */
  readonly currency: string;
}

/** The settings themselves. */
export interface Settings extends SettingChoices {
  /** Notify others while one types. Off until chosen. */
  readonly sendTyping: boolean;
  /** Notify authors that one has read their message. */
  readonly sendReadReceipts: boolean;
  /** The person's node asks the pages of links that they write. Off until chosen. */
  readonly linkPreviews: boolean;
  /** Calls of contacts ring. */
  readonly takeCalls: boolean;
  /** Calls go through a relay or not at all, so that the other side does not learn this device's address. */
  readonly relayCalls: boolean;
  /** The lock screen shows name and picture, which are then stored readable. Off until chosen. */
  readonly lockFace: boolean;
  /** How much notices of the browser show. Off until chosen; the desktop shell has a setting of its own. */
  readonly notices: NotificationPreview;
  /** They sound. */
  readonly noticeSound: boolean;
  /** Of what one is notified, in the browser and by the shell. */
  readonly noticeMessages: boolean;
  readonly noticeRequests: boolean;
  readonly noticePayments: boolean;
  /** Null until the person names one: then no currency is shown, and nothing is asked. */
  readonly rateSource: RateSource | null;
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
  textSize: "normal",
  density: "comfortable",
  accent: "teal",
  sendTyping: false,
  sendReadReceipts: true,
  linkPreviews: false,
  takeCalls: true,
  relayCalls: false,
  lockFace: false,
  notices: "off",
  noticeSound: true,
  noticeMessages: true,
  noticeRequests: true,
  noticePayments: true,
  rateSource: null,
  dismissedNotices: [],
};

/** The settings: `useSettings((settings) => settings.theme)`. */
export const useSettings = create<SettingsStore>()(
  persist<SettingsStore>((set) => ({ ...DEFAULT_SETTINGS, change: (changes) => set(changes) }), { name: SETTINGS_KEY, version: 1 }),
);

/** Takes over what another window chose: with earlier choices this one would store them again, such as a lock screen that greets. */
globalThis.addEventListener?.("storage", ({ key }: StorageEvent) => {
  if (key === SETTINGS_KEY) void useSettings.persist.rehydrate();
});
