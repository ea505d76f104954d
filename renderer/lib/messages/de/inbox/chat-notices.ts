// German words: the notes above a chat.

/** Messages `inbox.*` of these notes. */
export const chatNotices = {
  "inbox.noKeyTitle": "{name} hat noch keinen Verschlüsselungsschlüssel veröffentlicht.",
  "inbox.noKeyText":
    "Bis dahin lassen sich keine Nachrichten für diese Person verschlüsseln. Schreiben kannst du schon: Dein Entwurf wird gespeichert.",
  "inbox.blockedTitle": "Du hast {name} blockiert.",
  "inbox.blockedText": "Nachrichten von dieser Person werden ungelesen verworfen.",
  "inbox.refusedTitle": "{name} hat dich blockiert.",
  "inbox.refusedText": "Deine Nachrichten werden ungelesen verworfen.",
  "inbox.devicesTitle": "Die Geräte von {name} haben sich geändert, seit ihr die Sicherheitsnummer verglichen habt.",
  "inbox.devicesText": "Frag nach, ob das stimmt, am besten persönlich oder am Telefon.",
  "inbox.requestTitle": "{name} möchte dein Kontakt werden und hat dir {amount} gezahlt.",
  "inbox.requestText": "Lesebestätigungen werden erst gesendet, wenn du annimmst oder antwortest.",
  "inbox.strangerTitle": "Du kennst {name} nicht.",
  "inbox.strangerText": "Lesebestätigungen werden erst gesendet, wenn du annimmst oder antwortest. Annehmen ist kostenlos und privat.",
  "inbox.notContactTitle": "{name} ist noch nicht dein Kontakt.",
  "inbox.notContactText": "Deine Nachricht erscheint dort als Nachrichtenanfrage.",
  "inbox.addedTitle": "{name} ist in deinen Kontakten.",
  "inbox.addedText": "Deine erste Nachricht erscheint dort als Nachrichtenanfrage.",
  "inbox.sentTitle": "{name} hat deine Anfrage noch nicht beantwortet.",
  "inbox.sentText": "Bis dahin erscheinen deine Nachrichten dort als Nachrichtenanfragen.",
  "inbox.unknownTitle": "Dieser Absender lässt sich nicht verifizieren.",
  "inbox.unknownText":
    "Die Nachricht wurde mit einem Schlüssel verschlüsselt, den keine Identität in der Blockchain aufführt. Sie kann von einem getrennten Gerät oder von einem Relais stammen. Du kannst nicht darauf antworten.",
  "inbox.devicesCompare": "Erneut vergleichen",
  "inbox.devicesKnown": "Das stimmt",
  "inbox.underWay": "Übermittelt; wartet auf einen Block.",
  "inbox.view": "Anfrage ansehen",
} as const;
