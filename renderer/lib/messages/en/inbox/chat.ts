// Words of chats that are not needed before the inbox is shown.

/** Messages `chat.*`. */
export const chat = {
  "chat.record": "Record a voice message",
  "chat.recording": "Recording",
  "chat.recordingOf": "Voice message, {time}",
  "chat.recordStop": "Stop and listen",
  "chat.recordCancel": "Discard recording",
  "chat.recordSend": "Send voice message",
  "chat.recordLimit": "The longest recording is {time}. You can listen and send it.",
  "chat.recordDenied": "Parley can't use the microphone. Allow it for this page, then try again.",
  "chat.recordFailed": "The microphone delivered nothing. Check that it is connected.",
  "chat.play": "Play",
  "chat.pause": "Pause",
  "chat.position": "Position",
  "chat.positionOf": "{position} of {duration}",
  "chat.speed": "Speed {rate}×",
  "chat.closePlayer": "Stop playing",
  "chat.playing": "Voice message from {name}",
  "chat.playingOwn": "Your voice message",
  "chat.unplayable": "This recording can't be played here.",
} as const;
