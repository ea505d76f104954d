// Programs that a person lets in, as Settings › Apps sees them through the shell: what there is, what waits, and the way to the shell's own
// window. The page can look and end; it cannot approve, grant or widen.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MAX_JOURNAL_PAGE, MAX_OFFERED_PEOPLE } from "#shared/apps/app-limits.ts";
import type { ConnectionEntry, EndedConnection } from "#shared/apps/messages/approval-api.ts";
import type { KeyringLock } from "#shared/apps/messages/apps-api.ts";
import type { JournalPage } from "#shared/apps/messages/journal-lines.ts";

/** Path of the section in the interface: notices open it. */
export const APPS_PATH = "/settings/apps";

/** The process that serves programs. Whether it is to run is the setting `programsMayAsk`. */
export type GatewayState =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting" }
  /** It serves: the page asks for a new port with `connectAppMessages`. */
  | { readonly kind: "ready" }
  | { readonly kind: "crashed"; readonly restartInMs: number; readonly reason: string }
  /** Starting was given up; switching off and on tries again. */
  | { readonly kind: "failed"; readonly reason: string };

/** A program that waits for the person; what it wants is shown in the shell's window. */
export interface WaitingProgram {
  readonly name: string;
  readonly expiresAtMs: number;
}

/** Everything that the section shows. */
export interface DesktopAppsState {
  readonly gateway: GatewayState;
  /** `locked`: nothing of the rest is known. */
  readonly lock: KeyringLock;
  /** Asks to connect. */
  readonly request: WaitingProgram | null;
  /** Orders above a limit, oldest first. */
  readonly approvals: readonly WaitingProgram[];
  /** Those that rest (`isResting`) are confirmed in the shell's window too. */
  readonly connections: readonly ConnectionEntry[];
  /** Those that ended lately, for names in the log. */
  readonly ended: readonly EndedConnection[];
}

/** A contact or group that the person may choose for a program that asks for messages or contacts. */
const OfferedPerson = Type.Object(
  {
    /** Hex master key of the contact, or id of the group. */
    id: Type.String({ pattern: "^[0-9a-f]{32,64}$" }),
    name: Type.String({ maxLength: 128 }),
  },
  { additionalProperties: false },
);
export type OfferedPerson = Static<typeof OfferedPerson>;

/** Arguments of the calls about programs. */
export const DESKTOP_APPS_CALLS = {
  appsState: Type.Null(),
  /** Opens the shell's window for what waits: by a click of the person only. False when nothing waits, or after closing it too often. */
  openApprovals: Type.Object({ people: Type.Array(OfferedPerson, { maxItems: MAX_OFFERED_PEOPLE }) }, { additionalProperties: false }),
  /** Holds before it returns. */
  endConnection: Type.Object({ connection: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false }),
  /** Lines before a number, newest first; from the newest on with null. */
  appsLog: Type.Object(
    {
      before: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
      limit: Type.Integer({ minimum: 1, maximum: MAX_JOURNAL_PAGE }),
    },
    { additionalProperties: false },
  ),
  appsLogCsv: Type.Null(),
  /** Sends a port to the gateway, for messages: see APPS_PORT_MESSAGE. Null results when no gateway runs, and nothing is sent. */
  connectAppMessages: Type.Null(),
} as const;

/** Responses of the calls about programs. */
export interface DesktopAppsResults {
  readonly appsState: DesktopAppsState;
  readonly openApprovals: boolean;
  readonly endConnection: null;
  readonly appsLog: JournalPage;
  /** The whole log as CSV, oldest line first. */
  readonly appsLogCsv: string;
  readonly connectAppMessages: null;
}

/** Something of the state has changed. */
export interface DesktopAppsEvent {
  readonly type: "apps";
  readonly state: DesktopAppsState;
}
