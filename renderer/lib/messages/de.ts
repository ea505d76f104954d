// The German catalogue, loaded when German is used. A test holds it to every key and every placeholder of the English one.
import type { Catalogue } from "./catalogue.ts";
import { contacts } from "./de/contacts.ts";
import { desktop } from "./de/desktop.ts";
import { explorer } from "./de/explorer.ts";
import { first } from "./de/first.ts";
import { inbox } from "./de/inbox.ts";
import { node } from "./de/node.ts";
import { apps } from "./de/settings/apps.ts";
import { settings } from "./de/settings/settings.ts";
import { shell } from "./de/shell.ts";
import { transactions } from "./de/transactions.ts";
import { assets } from "./de/wallet/assets.ts";
import { escrow } from "./de/wallet/escrow.ts";
import { multisig } from "./de/wallet/multisig.ts";
import { wallet } from "./de/wallet/wallet.ts";

/** All messages by key. */
export const de: Partial<Catalogue> = {
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
};
