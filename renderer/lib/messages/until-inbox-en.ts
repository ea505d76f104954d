// English until the inbox is shown: the frame, conversations, transactions and what the desktop says. The other views have theirs in en.ts.
import { desktop } from "./en/desktop.ts";
import { first } from "./en/first.ts";
import { inbox } from "./en/inbox.ts";
import { shell } from "./en/shell.ts";
import { transactions } from "./en/transactions.ts";

export const untilInbox = { ...first, ...desktop, ...inbox, ...shell, ...transactions } as const;
