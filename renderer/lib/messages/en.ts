// The English catalogue: every word of the interface. Each feature has a file in ./en/, and a word that several show is in it once; every
// other language has the same keys.

import { contacts } from "./en/contacts.ts";
import { desktop } from "./en/desktop.ts";
import { explorer } from "./en/explorer.ts";
import { first } from "./en/first.ts";
import { inbox } from "./en/inbox.ts";
import { node } from "./en/node.ts";
import { apps } from "./en/settings/apps.ts";
import { settings } from "./en/settings/settings.ts";
import { shell } from "./en/shell.ts";
import { transactions } from "./en/transactions.ts";
import { assets } from "./en/wallet/assets.ts";
import { escrow } from "./en/wallet/escrow.ts";
import { multisig } from "./en/wallet/multisig.ts";
import { wallet } from "./en/wallet/wallet.ts";

/** All messages by key. */
export const en = {
  ...first,
  ...apps,
  ...assets,
  ...contacts,
  ...desktop,
  ...escrow,
  ...explorer,
  ...inbox,
  ...multisig,
  ...node,
  ...settings,
  ...shell,
  ...transactions,
  ...wallet,
} as const;
