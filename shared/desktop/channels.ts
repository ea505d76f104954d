// Names and codes that the preload script, the page and the shell share.

/** Name of the global that the preload script sets. */
export const DESKTOP_GLOBAL = "parleyDesktop";
/** Channels between preload script and main process. */
export const CALL_CHANNEL = "parley:call";
export const EVENT_CHANNEL = "parley:event";
export const KEYRING_CHANNEL = "parley:keyring";
/** Channel on which the page gets its port to the gateway of programs. */
export const APPS_CHANNEL = "parley:apps";
/** Channels of the confirmation window. */
export const CONFIRMATION_CONTENT_CHANNEL = "parley:confirmation-content";
export const CONFIRMATION_ANSWER_CHANNEL = "parley:confirmation-answer";
/** Channels of the approval window: its document is there, it gets its port, it moved, it is to be closed. */
export const APPROVAL_READY_CHANNEL = "parley:approval-ready";
export const APPROVAL_PORT_CHANNEL = "parley:approval-port";
export const APPROVAL_MOVED_CHANNEL = "parley:approval-moved";
export const APPROVAL_CLOSE_CHANNEL = "parley:approval-close";
/** Message with which the preload script hands the keyring's port to the page; the port is its only transfer. */
export const KEYRING_PORT_MESSAGE = "parley:keyring-port";
/** The same for the port to the gateway, over which it asks for messages and contacts. */
export const APPS_PORT_MESSAGE = "parley:apps-port";
/** Exit code of a node whose settings are wrong, or do not fit its data folder. */
export const WRONG_SETTINGS_EXIT = 2;
/** Exit code of a node whose data folder it would be unsafe to vote from. */
export const UNSAFE_VOTING_EXIT = 6;
