// The English catalogue: every word of the interface. Each feature owns its own file in ./en/; another language repeats every key.
import { common } from "./en/common.ts";
import { contacts } from "./en/contacts.ts";
import { desktop } from "./en/desktop.ts";
import { errors } from "./en/errors.ts";
import { explorer } from "./en/explorer.ts";
import { inbox } from "./en/inbox.ts";
import { lock } from "./en/lock.ts";
import { node } from "./en/node.ts";
import { onboarding } from "./en/onboarding.ts";
import { settings } from "./en/settings.ts";
import { shell } from "./en/shell.ts";
import { transactions } from "./en/transactions.ts";
import { wallet } from "./en/wallet.ts";

/** All messages by key. */
export const en = {
  ...common,
  ...contacts,
  ...desktop,
  ...errors,
  ...explorer,
  ...inbox,
  ...lock,
  ...node,
  ...onboarding,
  ...settings,
  ...shell,
  ...transactions,
  ...wallet,
} as const;
