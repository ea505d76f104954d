// German until the inbox is shown, as in until-inbox-en.ts.
import { desktop } from "./de/desktop.ts";
import { first } from "./de/first.ts";
import { inbox } from "./de/inbox.ts";
import { outcomes } from "./de/outcomes.ts";
import { shell } from "./de/shell.ts";

export const untilInbox = { ...first, ...desktop, ...inbox, ...outcomes, ...shell } as const;
