// German words: chats, beyond those needed before the inbox is shown.

/** Messages `chat.*`. */
export const chat = {
  "chat.record": "Sprachnachricht aufnehmen",
  "chat.recording": "Aufnahme läuft",
  "chat.recordingOf": "Sprachnachricht, {time}",
  "chat.recordStop": "Anhalten und anhören",
  "chat.recordCancel": "Aufnahme verwerfen",
  "chat.recordSend": "Sprachnachricht senden",
  "chat.recordLimit": "Eine Aufnahme dauert höchstens {time}. Du kannst sie anhören und senden.",
  "chat.recordDenied": "Parley darf das Mikrofon nicht benutzen. Erlaube es für diese Seite und versuche es noch einmal.",
  "chat.recordFailed": "Vom Mikrofon kam nichts. Prüfe, ob es angeschlossen ist.",
  "chat.play": "Abspielen",
  "chat.pause": "Pause",
  "chat.position": "Stelle",
  "chat.positionOf": "{position} von {duration}",
  "chat.speed": "Tempo {rate}×",
  "chat.closePlayer": "Wiedergabe beenden",
  "chat.playing": "Sprachnachricht von {name}",
  "chat.playingOwn": "Deine Sprachnachricht",
  "chat.unplayable": "Diese Aufnahme lässt sich hier nicht abspielen.",
} as const;
