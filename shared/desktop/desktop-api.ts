// What the interface may ask of the desktop shell, and the events of the shell. The preload script offers exactly this as
// `window.parleyDesktop`; in a browser it is absent. Keys, payments and messages never pass here.
import type { Static } from "typebox";
import * as Type from "typebox";
import { DESKTOP_APPS_CALLS, type DesktopAppsEvent, type DesktopAppsResults } from "./desktop-apps.ts";
import { type DesktopSettings, DesktopSettingsChange } from "./desktop-settings.ts";
import { NodeDuty } from "./node-duty.ts";

/** New messages of a conversation. */
export const DesktopNotice = Type.Object(
  {
    /** Local name of the conversation; equal names replace each other. */
    conversation: Type.String({ minLength: 1, maxLength: 256 }),
    /** Path of the interface that shows it. */
    path: Type.String({ pattern: "^/[^/\\\\]", maxLength: 512 }),
    title: Type.String({ maxLength: 512 }),
    body: Type.String({ maxLength: 16_384 }),
    /** What it is of; a message where that is not said. */
    kind: Type.Optional(Type.Union([Type.Literal("message"), Type.Literal("payment"), Type.Literal("request")])),
  },
  { additionalProperties: false },
);
export type DesktopNotice = Static<typeof DesktopNotice>;

/** How far the node is with the data folder of an older version, in blocks; it serves afterwards. */
export interface FolderUpdate {
  readonly done: number;
  readonly total: number;
}

export type NodeProcessState =
  | { readonly kind: "stopped"; readonly exitCode: number | null }
  | { readonly kind: "starting"; readonly updating?: FolderUpdate }
  | { readonly kind: "ready"; readonly port: number }
  | { readonly kind: "crashed"; readonly exitCode: number | null; readonly restartInMs: number; readonly reason: string }
  | { readonly kind: "failed"; readonly exitCode: number | null; readonly reason: string };

/** What is known of a newer version. */
export type UpdateState =
  | { readonly kind: "none" }
  | { readonly kind: "available"; readonly version: string }
  | { readonly kind: "downloading"; readonly version: string; readonly percent: number }
  | { readonly kind: "ready"; readonly version: string }
  | { readonly kind: "failed"; readonly reason: string };

/** What the person sees of the window. The page cannot know that itself: hidden windows are not throttled, and count as visible there. */
export interface WindowSight {
  /** It is on the screen, perhaps behind others. */
  readonly isVisible: boolean;
  /** It is on the screen and has the focus. */
  readonly isWatched: boolean;
}

/** State of the shell that the interface shows. */
export interface DesktopState {
  readonly version: string;
  readonly platform: string;
  readonly dataFolder: string;
  readonly settings: DesktopSettings;
  /** Name of a settings file that could not be understood and was set aside at this start. */
  readonly settingsSetAside: string | null;
  readonly node: NodeProcessState;
  /** The port of the settings, when another program had it at this start: the node serves on a free one. */
  readonly takenPort: number | null;
  /** True when the data folder was used on another computer: the node follows the chain and does not vote. */
  readonly isCopiedNode: boolean;
  readonly update: UpdateState;
  readonly window: WindowSight;
}

/** Events of the shell. */
export type DesktopEvent =
  /** Show this view: a link, a notification or a menu asked for it. */
  | { readonly type: "open"; readonly path: string }
  | { readonly type: "node"; readonly state: NodeProcessState }
  | { readonly type: "lock"; readonly reason: "screen" | "sleep" | "menu" }
  /** The machine woke up: connections are stale. */
  | { readonly type: "resume" }
  | { readonly type: "disk"; readonly level: "ample" | "low" | "full"; readonly freeBytes: number }
  | { readonly type: "update"; readonly state: UpdateState }
  | { readonly type: "settings"; readonly settings: DesktopSettings }
  | { readonly type: "window"; readonly window: WindowSight }
  | DesktopAppsEvent;

/** Argument of each call. The shell checks it before anything happens. */
export const DESKTOP_CALLS = {
  state: Type.Null(),
  /** Sends a new port to the keyring: see KEYRING_PORT_MESSAGE. */
  connectKeyring: Type.Null(),
  changeSettings: DesktopSettingsChange,
  restartNode: Type.Null(),
  /** The data folder is the only copy of the node: it may vote on this computer from now on. */
  takeNode: Type.Null(),
  /** Has the node sign a duty with its own key, once the person agreed in the shell's window. */
  nodeDuty: NodeDuty,
  /** Lets the page connect to another node after its next load; null to none. The shell asks the person first. */
  useNode: Type.Object(
    { origin: Type.Union([Type.String({ maxLength: 512 }), Type.Null()]), token: Type.String({ maxLength: 4_096 }) },
    { additionalProperties: false },
  ),
  notify: DesktopNotice,
  clearNotices: Type.Object({ conversation: Type.Union([Type.String({ maxLength: 256 }), Type.Null()]) }, { additionalProperties: false }),
  setUnread: Type.Object({ count: Type.Integer({ minimum: 0, maximum: 1_000_000 }) }, { additionalProperties: false }),
  /** Saves what the page has for paper as a PDF file, where the person chooses. */
  savePdf: Type.Object({ name: Type.String({ pattern: "^[a-zA-Z0-9-]{1,64}\\.pdf$" }) }, { additionalProperties: false }),
  diagnostics: Type.Null(),
  moveDataFolder: Type.Null(),
  checkForUpdate: Type.Null(),
  installUpdate: Type.Null(),
  ...DESKTOP_APPS_CALLS,
} as const;

/** Name of a call. */
export type DesktopCall = keyof typeof DESKTOP_CALLS;

/** Response of each call. */
export interface DesktopResults extends DesktopAppsResults {
  readonly state: DesktopState;
  readonly connectKeyring: null;
  readonly changeSettings: DesktopSettings;
  readonly restartNode: null;
  readonly takeNode: null;
  /** Id of the transaction that the node submitted. */
  readonly nodeDuty: string;
  /** False when the person declined. */
  readonly useNode: boolean;
  readonly notify: null;
  readonly clearNotices: null;
  readonly setUnread: null;
  /** False when the person chose no place. */
  readonly savePdf: boolean;
  /** Text to copy: versions, states, counters, last log lines; no keys, no messages, no names. */
  readonly diagnostics: string;
  /** Asks for a folder, stops the node, moves the data and starts again; the folder in use afterwards. */
  readonly moveDataFolder: string;
  readonly checkForUpdate: UpdateState;
  readonly installUpdate: null;
}

/** `window.parleyDesktop`. */
export interface DesktopApi {
  /** @throws Error with words for the person. */
  call<Name extends DesktopCall>(name: Name, input: Static<(typeof DESKTOP_CALLS)[Name]>): Promise<DesktopResults[Name]>;
  /** Calls back with each event; returns the way to stop that. */
  onEvent(listener: (event: DesktopEvent) => void): () => void;
}
