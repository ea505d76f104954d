// German words of what is shown before the shell: the first run, the lock and errors. They are loaded before the others.
import { common } from "./common.ts";
import { errors } from "./errors.ts";
import { lock } from "./lock.ts";
import { onboarding } from "./onboarding.ts";
import { passwords } from "./passwords.ts";

/** Messages of the first screens by key. */
export const first = {
  ...common,
  ...errors,
  ...lock,
  ...onboarding,
  ...passwords,
} as const;
