// The English catalogue: every word of the interface. Each feature has a file in ./en/, and a word that several show is in it once; every
// other language has the same keys.

import { contacts } from "./en/contacts.ts";
import { explorer } from "./en/explorer.ts";
import { palette } from "./en/frame/palette.ts";
import { calls } from "./en/inbox/calls.ts";
import { chat } from "./en/inbox/chat.ts";
import { chatNotices } from "./en/inbox/chat-notices.ts";
import { conversation } from "./en/inbox/conversation.ts";
import { groups } from "./en/inbox/groups.ts";
import { later } from "./en/inbox/later.ts";
import { node } from "./en/node.ts";
import { apps } from "./en/settings/apps.ts";
import { callSettings } from "./en/settings/calls.ts";
import { data } from "./en/settings/data.ts";
import { desktopSettings } from "./en/settings/desktop-settings.ts";
import { notices } from "./en/settings/notices.ts";
import { notify } from "./en/settings/notify.ts";
import { settings } from "./en/settings/settings.ts";
import { transactions } from "./en/transactions.ts";
import { assets } from "./en/wallet/assets.ts";
import { batch } from "./en/wallet/batch.ts";
import { escrow } from "./en/wallet/escrow.ts";
import { multisig } from "./en/wallet/multisig.ts";
import { payments } from "./en/wallet/payments.ts";
import { proof } from "./en/wallet/proof.ts";
import { rates } from "./en/wallet/rates.ts";
import { spending } from "./en/wallet/spending.ts";
import { statement } from "./en/wallet/statement.ts";
import { wallet } from "./en/wallet/wallet.ts";
import { watched } from "./en/wallet/watched.ts";
import { untilInbox } from "./until-inbox-en.ts";

/** All messages by key. */
export const en = {
  ...untilInbox,
  ...apps,
  ...assets,
  ...batch,
  ...calls,
  ...callSettings,
  ...chat,
  ...chatNotices,
  ...conversation,
  ...contacts,
  ...data,
  ...desktopSettings,
  ...escrow,
  ...explorer,
  ...groups,
  ...later,
  ...multisig,
  ...node,
  ...notices,
  ...notify,
  ...palette,
  ...payments,
  ...proof,
  ...settings,
  ...rates,
  ...spending,
  ...statement,
  ...transactions,
  ...wallet,
  ...watched,
} as const;
