// The form about the node's work: from settings to what is typed, and back to what changed. Pure.

import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { amountProblem, readAmount, typedAmount } from "#renderer/lib/transactions/amount-input.ts";
import type { DesktopSettings, DesktopSettingsChange } from "#shared/desktop/desktop-settings.ts";
import { MAX_RELAY_FEE_UT, UPDATE_SOURCE_FORM } from "#shared/desktop/setting-forms.ts";

/** What the form holds. */
export interface WorkForm {
  readonly isRelay: boolean;
  /** T, as typed; nothing is a relay without a fee. */
  readonly relayFee: string;
  /** Minutes as text, or "" for the node's own choice. */
  readonly heartbeat: string;
  /** Of old blocks: `all` or days as `30d`, or "" for the node's own choice. */
  readonly retain: string;
  readonly isPrivate: boolean;
  readonly updateSource: string;
  readonly port: string;
}

/** What is wrong, by field. */
export type Problems = { readonly [K in "relayFee" | "updateSource" | "port"]?: string };

const HEARTBEATS = ["", "10", "30", "60", "360", "1440", "0"] as const;
const RETENTIONS = ["", "all", "365d", "90d", "30d", "7d"] as const;
const PORT = /^\d{4,5}$/;
const SOURCE = new RegExp(UPDATE_SOURCE_FORM);

/** The form of these settings. */
export function formOf(settings: DesktopSettings, locale: string): WorkForm {
  const { relayFeeUt, heartbeatMinutes, nodeRetain, apiPrivate, updateSource, apiPort } = settings;
  return {
    isRelay: relayFeeUt !== null,
    relayFee: relayFeeUt === null || relayFeeUt === 0 ? "" : typedAmount(relayFeeUt, locale),
    heartbeat: heartbeatMinutes === null ? "" : String(heartbeatMinutes),
    retain: nodeRetain ?? "",
    isPrivate: apiPrivate,
    updateSource: updateSource ?? "",
    port: apiPort === null ? "" : String(apiPort),
  };
}

/** What is wrong with what was typed. */
export function problemsOf(t: Translate, { isRelay, relayFee, updateSource, port }: WorkForm): Problems {
  const fee = isRelay ? amountProblem(t, readAmount(relayFee, t.locale, MAX_RELAY_FEE_UT)) : undefined;
  const source = updateSource.trim();
  const isSource = source === "" || (SOURCE.test(source) && URL.canParse(source) && source.length <= 512);
  return {
    ...(fee === undefined ? {} : { relayFee: fee }),
    ...(isSource ? {} : { updateSource: t("desktop.updateSourceMalformed") }),
    ...(port.trim() === "" || isPort(port.trim()) ? {} : { port: t("desktop.portMalformed") }),
  };
}

/** What differs from the settings, and whether the node must be started again for it: another port waits for the app's next start. */
export function changeOf(
  settings: DesktopSettings,
  form: WorkForm,
  locale: string,
): { readonly change: DesktopSettingsChange; readonly needsRestart: boolean } {
  const next = {
    relayFeeUt: form.isRelay ? feeOf(form.relayFee, locale) : null,
    heartbeatMinutes: form.heartbeat === "" ? null : Number(form.heartbeat),
    nodeRetain: form.retain === "" ? null : form.retain,
    apiPrivate: form.isPrivate,
    updateSource: form.updateSource.trim() === "" ? null : form.updateSource.trim(),
    apiPort: form.port.trim() === "" ? null : Number(form.port.trim()),
  } satisfies DesktopSettingsChange;
  const entries = Object.entries(next).filter(([name, value]) => settings[name as keyof typeof next] !== value);
  return { change: Object.fromEntries(entries), needsRestart: entries.some(([name]) => name !== "apiPort") };
}

/** Choices of the list, with what is set now. */
export function heartbeatChoices(t: Translate, current: string): readonly { readonly value: string; readonly label: string }[] {
  const values = HEARTBEATS.some((value) => value === current) ? HEARTBEATS : [...HEARTBEATS, current];
  return values.map((value) => ({ value, label: heartbeatLabel(t, value) }));
}

/** Choices of how long old blocks stay, with what is set now. */
export function retainChoices(t: Translate, current: string): readonly { readonly value: string; readonly label: string }[] {
  const values = RETENTIONS.some((value) => value === current) ? RETENTIONS : [...RETENTIONS, current];
  return values.map((value) => ({ value, label: retainLabel(t, value) }));
}

function retainLabel(t: Translate, value: string): string {
  if (value === "") return t("desktop.retainDefault");
  return value === "all" ? t("desktop.retainAll") : t("desktop.retainDays", { days: Number.parseInt(value, 10) });
}

function heartbeatLabel(t: Translate, value: string): string {
  if (value === "") return t("desktop.heartbeatDefault");
  return value === "0" ? t("desktop.heartbeatNever") : t("desktop.heartbeatEvery", { minutes: Number(value) });
}

function feeOf(text: string, locale: string): number {
  const amount = readAmount(text, locale, MAX_RELAY_FEE_UT);
  return amount.kind === "ok" ? amount.amountUt : 0;
}

function isPort(text: string): boolean {
  return PORT.test(text) && Number(text) >= 1_024 && Number(text) <= 65_535;
}
