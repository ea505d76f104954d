// What a backup holds besides the messages: what one has noted about people and transactions, and the settings. What is here goes before
// what comes from a file; a setting is taken over where nothing else was chosen here.
import { addNotes, type PersonNotes, usePeopleNotes, withoutSync } from "./people/contacts/people-notes.ts";
import { DEFAULT_SETTINGS, SETTING_CHOICES, type SettingChoices, type Settings, useSettings } from "./settings/settings-store.ts";
import { addLabels, type Labels, useLabelStore } from "./transactions/label-store.ts";

/** What is backed up of the app. */
export interface BackupData {
  readonly notes: Readonly<Record<string, PersonNotes>>;
  readonly labels: Labels;
  readonly settings: Partial<Settings>;
}

const SETTINGS: readonly (keyof Settings)[] = [
  ...(Object.keys(SETTING_CHOICES) as (keyof SettingChoices)[]),
  "sendTyping",
  "sendReadReceipts",
  "takeCalls",
  "relayCalls",
];

/** What there is now. */
export function collectBackupData(): BackupData {
  const settings = useSettings.getState();
  return {
    notes: Object.fromEntries(Object.entries(usePeopleNotes.getState().notes).map(([key, notes]) => [key, withoutSync(notes)])),
    labels: useLabelStore.getState().labels,
    settings: Object.fromEntries(SETTINGS.map((name) => [name, settings[name]])),
  };
}

/** Takes over what came from a file; fields that are missing or of another shape are left out. */
export async function restoreBackupData(data: unknown): Promise<void> {
  const { notes, labels, settings } = fieldsOf(data);
  await addNotes(Object.fromEntries(Object.entries(fieldsOf(notes)).filter(([, value]) => isNotes(value))) as BackupData["notes"]);
  await addLabels(Object.fromEntries(Object.entries(fieldsOf(labels)).filter(([, value]) => typeof value === "string")) as Labels);
  useSettings.getState().change(chosenSettings(fieldsOf(settings)));
}

function chosenSettings(restored: Readonly<Record<string, unknown>>): Partial<Settings> {
  const current = useSettings.getState();
  const taken = SETTINGS.filter((name) => current[name] === DEFAULT_SETTINGS[name] && isValueOf(name, restored[name]));
  return Object.fromEntries(taken.map((name) => [name, restored[name]])) as Partial<Settings>;
}

function isValueOf(name: keyof Settings, value: unknown): boolean {
  const choices: readonly unknown[] | undefined = (SETTING_CHOICES as Partial<Record<keyof Settings, readonly string[]>>)[name];
  return choices?.includes(value) ?? typeof value === typeof DEFAULT_SETTINGS[name];
}

function isNotes(value: unknown): value is PersonNotes {
  const { name, note, isVerified, declinedRequest, isContact = false } = fieldsOf(value);
  const areTexts = [name, note, declinedRequest].every((text) => typeof text === "string");
  return areTexts && typeof isVerified === "boolean" && typeof isContact === "boolean";
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
