// English until the inbox is shown: the frame, conversations, what became of transactions and what the desktop says. The other views have theirs in en.ts.
import { desktop } from "./en/desktop.ts";
import { first } from "./en/first.ts";
import { outcomes } from "./en/frame/outcomes.ts";
import { shell } from "./en/frame/shell.ts";
import { inbox } from "./en/inbox/inbox.ts";

export const untilInbox = { ...first, ...desktop, ...inbox, ...outcomes, ...shell } as const;
