// The estimate of a password as a person reads it: how long guessing takes, what is wrong and what helps.
import { MIN_PASSWORD_CHARS, type PasswordEstimate } from "#shared/keyring/passwords/password-estimate.ts";
import type { Translate } from "../messages/catalogue.ts";
import { levelOf, secondsToGuess } from "./password-strength.ts";

/** Words about a password. */
export interface StrengthInWords {
  /** Level and time. */
  readonly summary: string;
  /** What is wrong, then what helps; empty for a password that is accepted. */
  readonly advice: readonly string[];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
const YEAR = 365 * DAY;
/** Beyond this no number of years is of use. */
const MAX_YEARS = 200;
/** More advice than this is not read. */
const MAX_SUGGESTIONS = 2;

const UNITS = [
  [YEAR, "passwords.years"],
  [MONTH, "passwords.months"],
  [DAY, "common.time.days"],
  [HOUR, "common.time.hours"],
  [MINUTE, "common.time.minutes"],
  [1, "passwords.seconds"],
] as const;

/** Words for an estimate of a password with so many characters. */
export function strengthInWords(t: Translate, estimate: PasswordEstimate, chars: number): StrengthInWords {
  const { isAcceptable, warning, suggestions } = estimate;
  if (isAcceptable) return { summary: summary(t, estimate), advice: [] };
  const isShort = chars < MIN_PASSWORD_CHARS;
  return {
    summary: summary(t, estimate),
    advice: [
      ...(isShort ? [t("passwords.short", { count: MIN_PASSWORD_CHARS })] : []),
      ...(warning === null ? [] : [t(`passwords.warning.${warning}`)]),
      ...suggestions.slice(0, MAX_SUGGESTIONS).map((suggestion) => t(`passwords.suggestion.${suggestion}`)),
    ],
  };
}

function summary(t: Translate, estimate: PasswordEstimate): string {
  const level = t(`passwords.level.${levelOf(estimate)}`);
  const seconds = secondsToGuess(estimate);
  const [size, unit] = UNITS.find(([length]) => seconds >= length) ?? [];
  if (size === undefined || unit === undefined) return t("passwords.atOnce", { level });
  if (seconds >= MAX_YEARS * YEAR) return t("passwords.centuries", { level });
  return t("passwords.takes", { level, time: t(unit, { count: Math.round(seconds / size) }) });
}
