// Words of what is on this device: storage and backups.

/** Messages `storage.*` and `backup.*`, and the names of these settings. */
export const data = {
  "backup.save": "Backup speichern",
  "backup.saveText":
    "Alle Chats, Namen und Notizen zu Personen, Beschriftungen und Einstellungen in einer verschlüsselten Datei, aber keine Schlüssel und keine verschwindenden Nachrichten. Wer Datei und Passwort hat, kann sie lesen.",
  "backup.saved": "Backup gespeichert",
  "backup.restore": "Backup wiederherstellen",
  "backup.restoreText":
    "Fügt hinzu, was hier fehlt: Nachrichten, Dateien, Notizen und Beschriftungen sowie Einstellungen, die du hier nicht geändert hast. Vorhandenes bleibt unverändert, und was du hier gelöscht hast, bleibt gelöscht.",
  "backup.restored": { one: "{count} Nachricht wiederhergestellt", other: "{count} Nachrichten wiederhergestellt" },
  "backup.withFilesHint": "Das Backup ist dann so groß wie alle Dateien zusammen. Dateien über 8 MB sind nicht dabei.",
  "backup.otherNetwork": "Dieses Backup stammt aus einem anderen Netzwerk. Es wurde nichts geändert.",
  "backup.file": "Backup-Datei",
  "backup.password": "Backup-Passwort",
  "backup.wrongPassword": "Falsches Passwort, oder die Datei ist beschädigt. Es wurde nichts geändert.",
  "backup.foreign": "Dieses Backup gehört zu einer anderen Identität. Es wurde nichts geändert.",
  "backup.damaged": "Diese Datei ist kein Parley-Backup, oder sie ist beschädigt oder unvollständig. Es wurde nichts geändert.",
  "backup.newer": "Dieses Backup wurde mit einer neueren Version von Parley erstellt. Installiere diese Version, um es wiederherzustellen.",
  "backup.tooLarge": "Mit Dateien wäre es größer als 1 GB. Lass sie weg: Ein Gerät, das du verbindest, bekommt sie von diesem hier.",
  "backup.failed": "Die Nachrichten auf diesem Gerät konnten nicht gelesen oder geschrieben werden.",
  "settings.notifications": "Benachrichtigungen",
  "settings.storage": "Speicher",
  "settings.backup": "Backup",
  "backup.chats": "Backups der Chats",
  "backup.text":
    "Ein Backup ist eine verschlüsselte Datei mit deinen Chats, Kontakten, Namen und Notizen. Sie bleibt bei dir: Nichts wird hochgeladen.",
  "backup.last": "Letztes Backup auf diesem Gerät",
  "backup.never": "Noch keines",
  "backup.phraseTitle": "Ein Backup ist nicht deine Wiederherstellungsphrase",
  "backup.phraseText": "Nur die Phrase stellt Geld und Identität wieder her. Ein Backup bringt danach deine Chats zurück.",
  "storage.device": "Dieses Gerät",
  "storage.used": "Von Parley belegt",
  "storage.room": "Noch frei",
  "storage.persistent": "Bleibt, wenn der Platz knapp wird",
  "storage.persistentYes": "Ja",
  "storage.persistentNo": "Der Browser darf es löschen",
  "storage.chats": "Chats",
  "storage.chatsText": "Nachrichten und Dateien auf diesem Gerät, die größten zuerst.",
  "storage.none": "Noch keine Nachrichten auf diesem Gerät.",
  "storage.sum": "{messages} · {files} · {size}",
  "storage.messages": { one: "{count} Nachricht", other: "{count} Nachrichten" },
  "storage.files": { one: "{count} Datei", other: "{count} Dateien" },
  "storage.partial": "Nur die neuesten 20.000 Dateien sind gezählt.",
  "storage.notRunning": "Die Chats sind in diesem Fenster nicht geöffnet.",
  "storage.download":
    "Dateien von Personen, mit denen du in Kontakt bist, kommen bis 8 MB mit ihren Nachrichten, größere lädst du herunter. Dateien von Fremden werden nicht gespeichert.",
  "storage.remove": "Dateien löschen",
  "storage.removeTitle": "Die Dateien von {name} löschen?",
  "storage.removeText":
    "{files} ({size}) werden von diesem Gerät gelöscht und lassen sich nicht wieder laden. Die Nachrichten bleiben, und alle anderen behalten ihre Dateien.",
  "storage.removed": { one: "{count} Datei gelöscht, {size} frei", other: "{count} Dateien gelöscht, {size} frei" },
} as const;
