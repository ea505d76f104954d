// German until the inbox is shown, as in until-inbox-en.ts.
import { desktop } from "./de/desktop.ts";
import { first } from "./de/first.ts";
import { outcomes } from "./de/frame/outcomes.ts";
import { shell } from "./de/frame/shell.ts";
import { inbox } from "./de/inbox/inbox.ts";

export const untilInbox = { ...first, ...desktop, ...inbox, ...outcomes, ...shell } as const;
