// The German catalogue, loaded when German is used. A test holds it to every key and every placeholder of the English one.
import type { Catalogue } from "./catalogue.ts";
import { common } from "./de/common.ts";
import { contacts } from "./de/contacts.ts";
import { desktop } from "./de/desktop.ts";
import { errors } from "./de/errors.ts";
import { explorer } from "./de/explorer.ts";
import { inbox } from "./de/inbox.ts";
import { lock } from "./de/lock.ts";
import { node } from "./de/node.ts";
import { onboarding } from "./de/onboarding.ts";
import { settings } from "./de/settings.ts";
import { shell } from "./de/shell.ts";
import { transactions } from "./de/transactions.ts";
import { wallet } from "./de/wallet.ts";

/** All messages by key. */
export const de: Partial<Catalogue> = {
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
};
