// Settings of the desktop shell: what applies before and outside the interface. One schema for the file, the port and the view.
import type { Static } from "typebox";
import * as Type from "typebox";
import { CHECKPOINT_FORM, MAX_RELAY_FEE_UT, RETAIN_FORM, UPDATE_SOURCE_FORM } from "./setting-forms.ts";

/** How much a notification shows: everything, only who writes, only that something came, or nothing at all. */
export const NotificationPreview = Type.Union([
  Type.Literal("message"),
  Type.Literal("sender"),
  Type.Literal("hidden"),
  Type.Literal("off"),
]);
export type NotificationPreview = Static<typeof NotificationPreview>;

/** Schema of the settings; unknown keys are refused. */
export const DesktopSettings = Type.Object(
  {
    /** Closing the window leaves the node and the messages running. */
    closeToTray: Type.Boolean(),
    /** Starts when the person logs in, in the tray. */
    startAtLogin: Type.Boolean(),
    notifications: NotificationPreview,
    spellCheck: Type.Boolean(),
    /** Mode of the node; `automatic` votes when the node's key is in the validator set. */
    nodeMode: Type.Union([Type.Literal("automatic"), Type.Literal("full"), Type.Literal("validator"), Type.Literal("light")]),
    /** Where a light node begins to trust, `height:hash`; null leaves it to the node. */
    nodeCheckpoint: Type.Union([Type.String({ pattern: CHECKPOINT_FORM }), Type.Null()]),
    /** Folder of the chain, the mailbox and the node's keys; null is the default path. */
    dataFolder: Type.Union([Type.String({ minLength: 1, maxLength: 4096 }), Type.Null()]),
    /** Port of the node's interface on loopback; null keeps the one of the first start. */
    apiPort: Type.Union([Type.Integer({ minimum: 1024, maximum: 65_535 }), Type.Null()]),
    /** What the node's relay asks for one message, µT; null does not announce it as a relay. */
    relayFeeUt: Type.Union([Type.Integer({ minimum: 0, maximum: MAX_RELAY_FEE_UT }), Type.Null()]),
    /** Minutes between two heartbeats of the node, 0 for none; null leaves it to the node. */
    heartbeatMinutes: Type.Union([Type.Literal(0), Type.Integer({ minimum: 10, maximum: 10_080 }), Type.Null()]),
    /** Old blocks that the node keeps: `all`, or those of so many days, as `30d`; null leaves it to the node. */
    nodeRetain: Type.Union([Type.String({ pattern: RETAIN_FORM }), Type.Null()]),
    /** Programs of the machine read the public chain only with the secret of endpoint.json. */
    apiPrivate: Type.Boolean(),
    /** Where the node looks for releases when it is asked; null asks none. */
    updateSource: Type.Union([Type.String({ pattern: UPDATE_SOURCE_FORM, maxLength: 512 }), Type.Null()]),
    /** Origin of the node that the page may use instead of the one of this machine; null allows none. */
    otherNode: Type.Union([Type.String({ pattern: "^https?://", maxLength: 512 }), Type.Null()]),
    /** Checks for a new version once a day. */
    updateCheck: Type.Boolean(),
    /** Programs of this user may ask to connect, and those that were let in are served. */
    programsMayAsk: Type.Boolean(),
    /** Language of the shell's own windows, as in the interface. */
    language: Type.Union([Type.Literal("system"), Type.Literal("en"), Type.Literal("de")]),
  },
  { additionalProperties: false },
);
export type DesktopSettings = Static<typeof DesktopSettings>;

/** What a fresh installation starts with. */
export const DEFAULT_DESKTOP_SETTINGS: DesktopSettings = {
  closeToTray: true,
  startAtLogin: false,
  notifications: "sender",
  spellCheck: true,
  nodeMode: "automatic",
  nodeCheckpoint: null,
  dataFolder: null,
  apiPort: null,
  relayFeeUt: null,
  heartbeatMinutes: null,
  nodeRetain: null,
  apiPrivate: false,
  updateSource: null,
  otherNode: null,
  updateCheck: true,
  programsMayAsk: false,
  language: "system",
};

/**
 * What the interface may ask to change. Another node and another data folder have calls of their own, in which the shell asks; the mode of
 * the node, its checkpoint, what it does by itself and an end of looking for updates are confirmed in the shell's window.
 */
export const DesktopSettingsChange = Type.Partial(Type.Omit(DesktopSettings, ["otherNode", "dataFolder"]), { additionalProperties: false });
export type DesktopSettingsChange = Partial<DesktopSettings>;
