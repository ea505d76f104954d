// German words: lock.

/** Messages `lock.*`. */
export const lock = {
  "lock.title": "Willkommen zurück",
  "lock.text": "Gib dein Passwort ein, um deine Schlüssel auf diesem Gerät zu öffnen.",
  "lock.password": "Passwort",
  "lock.unlock": "Entsperren",
  "lock.forgot": "Passwort vergessen?",
  "lock.resetTitle": "Neues Passwort setzen",
  "lock.resetText": "Deine Wiederherstellungswörter öffnen dieselben Schlüssel. Nachrichten und Einstellungen auf diesem Gerät bleiben.",
  "lock.resetAction": "Passwort setzen und entsperren",
  "lock.backToPassword": "Es ist mir wieder eingefallen",
  "lock.addPhrase": "Wiederherstellungsphrase hinzufügen",
  "lock.addPhraseTitle": "Dieses Gerät hat keine Wallet",
  "lock.addPhraseText":
    "Es wurde von einem anderen Gerät verbunden. Mit deiner Wiederherstellungsphrase kann es auch zahlen und unterschreiben; das Passwort ist das dieses Geräts.",
  "lock.dialogTitle": "Zum Unterschreiben entsperren",
  "lock.dialogText": "Unterschreiben braucht dein Passwort. Nachrichten kommen weiter an, während die Wallet gesperrt ist.",
  "lock.keychainAsking": "Der Schlüsselbund dieses Computers wird gefragt …",
  "lock.keychainFailed": "Der Schlüsselbund dieses Computers hat deine Schlüssel nicht geöffnet.",
  "lock.keychainFailedText": "Er wurde geändert oder antwortet nicht. Nichts ist verloren: Dein Passwort öffnet sie.",
  "lock.keychainRetry": "Noch einmal fragen",
} as const;
