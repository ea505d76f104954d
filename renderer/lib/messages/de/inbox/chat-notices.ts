// German words: the notes above a chat.

/** Messages `chat.*` of these notes. */
export const chatNotices = {
  "chat.noKeyTitle": "{name} hat noch keinen Verschlüsselungsschlüssel veröffentlicht.",
  "chat.noKeyText":
    "Bis dahin lassen sich keine Nachrichten für diese Person verschlüsseln. Schreiben kannst du schon: Dein Entwurf wird gespeichert.",
  "chat.blockedTitle": "Du hast {name} blockiert.",
  "chat.blockedText": "Nachrichten von dieser Person werden ungelesen verworfen.",
  "chat.refusedTitle": "{name} hat dich blockiert.",
  "chat.refusedText": "Deine Nachrichten werden ungelesen verworfen.",
  "chat.devicesTitle": "Die Geräte von {name} haben sich geändert, seit ihr die Sicherheitsnummer verglichen habt.",
  "chat.devicesText": "Frag nach, ob das stimmt, am besten persönlich oder am Telefon.",
  "chat.requestTitle": "{name} möchte dein Kontakt werden und hat dir {amount} gezahlt.",
  "chat.requestText": "Lesebestätigungen werden erst gesendet, wenn du annimmst oder antwortest.",
  "chat.strangerTitle": "Du kennst {name} nicht.",
  "chat.strangerText": "Lesebestätigungen werden erst gesendet, wenn du annimmst oder antwortest. Annehmen ist kostenlos und privat.",
  "chat.notContactTitle": "{name} ist noch nicht dein Kontakt.",
  "chat.notContactText": "Deine Nachricht erscheint dort als Nachrichtenanfrage.",
  "chat.addedTitle": "{name} ist in deinen Kontakten.",
  "chat.addedText": "Deine erste Nachricht erscheint dort als Nachrichtenanfrage.",
  "chat.sentTitle": "{name} hat deine Anfrage noch nicht beantwortet.",
  "chat.sentText": "Bis dahin erscheinen deine Nachrichten dort als Nachrichtenanfragen.",
  "chat.unknownTitle": "Dieser Absender lässt sich nicht verifizieren.",
  "chat.unknownText":
    "Die Nachricht wurde mit einem Schlüssel verschlüsselt, den keine Identität in der Blockchain aufführt. Sie kann von einem getrennten Gerät oder von einem Relais stammen. Du kannst nicht darauf antworten.",
  "chat.devicesCompare": "Erneut vergleichen",
  "chat.devicesKnown": "Das stimmt",
  "chat.underWay": "Übermittelt; wartet auf einen Block.",
  "chat.view": "Anfrage ansehen",
} as const;
