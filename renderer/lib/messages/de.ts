// The German catalogue, loaded when German is used. A test holds it to every key and every placeholder of the English one.
import type { Catalogue } from "./catalogue.ts";
import { contacts } from "./de/contacts.ts";
import { explorer } from "./de/explorer.ts";
import { palette } from "./de/frame/palette.ts";
import { calls } from "./de/inbox/calls.ts";
import { chat } from "./de/inbox/chat.ts";
import { chatNotices } from "./de/inbox/chat-notices.ts";
import { conversation } from "./de/inbox/conversation.ts";
import { groups } from "./de/inbox/groups.ts";
import { later } from "./de/inbox/later.ts";
import { node } from "./de/node.ts";
import { apps } from "./de/settings/apps.ts";
import { callSettings } from "./de/settings/calls.ts";
import { data } from "./de/settings/data.ts";
import { desktopSettings } from "./de/settings/desktop-settings.ts";
import { notices } from "./de/settings/notices.ts";
import { notify } from "./de/settings/notify.ts";
import { settings } from "./de/settings/settings.ts";
import { transactions } from "./de/transactions.ts";
import { assets } from "./de/wallet/assets.ts";
import { batch } from "./de/wallet/batch.ts";
import { escrow } from "./de/wallet/escrow.ts";
import { multisig } from "./de/wallet/multisig.ts";
import { payments } from "./de/wallet/payments.ts";
import { proof } from "./de/wallet/proof.ts";
import { rates } from "./de/wallet/rates.ts";
import { spending } from "./de/wallet/spending.ts";
import { statement } from "./de/wallet/statement.ts";
import { wallet } from "./de/wallet/wallet.ts";
import { watched } from "./de/wallet/watched.ts";
import { untilInbox } from "./until-inbox-de.ts";

/** All messages by key. */
export const de: Partial<Catalogue> = {
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
};
