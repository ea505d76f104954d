// Sections of the settings, in order.

/** Last part of the address of a section. */
export const SETTINGS_SECTIONS = [
  "profile",
  "account",
  "devices",
  "apps",
  "security",
  "spending",
  "currency",
  "privacy",
  "calls",
  "notifications",
  "storage",
  "backup",
  "appearance",
  "network",
  "desktop",
  "about",
] as const;

export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

/** True for the name of a section. */
export function isSettingsSection(text: string): text is SettingsSection {
  return (SETTINGS_SECTIONS as readonly string[]).includes(text);
}
