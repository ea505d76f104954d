// German words: lock.

/** Messages `lock.*`. */
export const lock = {
  "lock.title": "Willkommen zurück",
  "lock.text": "Gib dein Passwort ein, um deine Schlüssel auf diesem Gerät zu entsperren.",
  "lock.unlock": "Entsperren",
  "lock.forgot": "Passwort vergessen?",
  "lock.resetTitle": "Neues Passwort setzen",
  "lock.resetText":
    "Deine Wiederherstellungsphrase entsperrt dieselben Schlüssel. Nachrichten und Einstellungen auf diesem Gerät bleiben erhalten.",
  "lock.resetAction": "Passwort setzen und entsperren",
  "lock.backToPassword": "Es ist mir wieder eingefallen",
  "lock.addPhrase": "Wiederherstellungsphrase hinzufügen",
  "lock.addPhraseTitle": "Dieses Gerät hat keine Wallet",
  "lock.addPhraseText":
    "Es wurde von einem anderen Gerät verbunden. Um auch hier zu zahlen und zu signieren, gib deine Wiederherstellungsphrase und das Passwort dieses Geräts ein.",
  "lock.dialogTitle": "Zum Signieren entsperren",
  "lock.dialogText": "Zum Signieren ist dein Passwort nötig. Nachrichten kommen weiter an, während die Wallet gesperrt ist.",
  "lock.keychainAsking": "Warten auf den Schlüsselbund dieses Computers …",
  "lock.keychainFailed": "Der Schlüsselbund dieses Computers konnte deine Schlüssel nicht entsperren.",
  "lock.keychainFailedText": "Er wurde geändert oder antwortet nicht. Nichts ist verloren; verwende dein Passwort.",
  "lock.confirmTitle": "Mit dem Passwort bestätigen",
  "lock.confirm": "Bestätigen",
  "lock.confirmLinkDevice": "Ein verbundenes Gerät bekommt deine Nachrichten und kann in deinem Namen schreiben, bis du es trennst.",
  "lock.confirmAddValidator":
    "Ein Validator stimmt über die Blöcke des Netzes ab. Ist es dein eigener, wird sein Pfand gebunden und kann verloren gehen.",
  "lock.confirmRemoveValidator": "Ein Validator, der geht, stimmt nicht mehr über die Blöcke des Netzes ab.",
  "lock.confirmAutoLock": "Wird später gesperrt, ist bis dahin alles offen für jeden, der an dieses Gerät kommt.",
  "lock.confirmOther": "Das gilt auch nach dem Sperren weiter, deshalb braucht es dein Passwort.",
} as const;
