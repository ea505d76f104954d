// German until the inbox is shown, as in until-inbox-en.ts.
import { desktop } from "./de/desktop.ts";
import { first } from "./de/first.ts";
import { inbox } from "./de/inbox.ts";
import { shell } from "./de/shell.ts";
import { transactions } from "./de/transactions.ts";

export const untilInbox = { ...first, ...desktop, ...inbox, ...shell, ...transactions } as const;
