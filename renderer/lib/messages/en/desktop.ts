// Words of the desktop shell: its settings, and what it tells of node and disk.

/** Messages `desktop.*`. */
export const desktop = {
  "desktop.failedTitle": "The node on this computer failed to start.",
  "desktop.failedText": "Last error: {reason}",
  "desktop.failedTextSilent": "It stopped without an error message. The diagnostics include its log.",
  "desktop.lightFailedTitle": "The node can't start as a light node.",
  "desktop.lightFailedAction": "Start without light mode",
  "desktop.unsafeTitle": "The node didn't start: voting from its data folder isn't safe.",
  "desktop.unsafeAction": "Start without voting",
  "desktop.portTaken": "Port {port} is in use by another program. The node uses a free port until the next start.",
  "desktop.openSettings": "Show details",
  "desktop.diskLow": "Low disk space: {space} left.",
  "desktop.diskFull": "The disk is full: {space} left. The node may stop.",
} as const;
