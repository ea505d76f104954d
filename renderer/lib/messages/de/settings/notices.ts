// German words: notices.

/** Messages `notices.*`. */
export const notices = {
  "notices.unlinkedTitle": "Dieses Gerät wurde getrennt",
  "notices.unlinkedText": "Es erhält keine Nachrichten mehr. Was schon darauf ist, bleibt.",
  "notices.device.linked": "Neues Gerät verbunden: {name}",
  "notices.device.unlinked": "Gerät getrennt: {name}",
  "notices.deviceText.linked": "Es kann ab jetzt deine Nachrichten lesen. Wenn du das nicht warst, trenne es sofort.",
  "notices.deviceText.unlinked": "Es erhält keine Nachrichten mehr.",
  "notices.deviceSeen": "Das war ich",
  "notices.unfinishedLink": "{name} wurde nicht fertig verbunden",
  "notices.unfinishedLinkText":
    "Es wurde geschlossen oder neu geladen, bevor ein Passwort gesetzt war; seine Schlüssel sind wahrscheinlich verloren. Trenne es und verbinde es mit einem neuen Code erneut.",
  "notices.otherBlock": "Dein Knoten und der von {name} sind sich bei Block {height} nicht einig",
  "notices.otherBlockText":
    "Einem der beiden Knoten wird vielleicht eine falsche Blockchain gezeigt, oder das andere Programm meldet einen falschen Block. Vergleiche einen Block mit jemand anderem, bevor du dich auf Zahlungen verlässt.",
  "notices.otherBlockMore": {
    one: "So auch der Knoten von {count} weiteren Kontakt.",
    other: "So auch die Knoten von {count} weiteren Kontakten.",
  },
  "notices.otherBlockNode": "Knoten öffnen",
  "notices.storeRecords":
    "Einträge auf dieser Platte sind älter, als Parley sie hinterlassen hat: Jemand hat sie dorthin gelegt. Gruppen werden geprüft. Sieh nach, wen du blockiert hast und wo Nachrichten verschwinden.",
  "notices.storeOlder":
    "Alle Nachrichten auf dieser Platte sind älter, als Parley sie hinterlassen hat, oder fehlen. Gruppen werden geprüft. Sieh nach, wen du blockiert hast und wo Nachrichten verschwinden.",
  "notices.storeVault":
    "Die Schlüsseldatei auf dieser Platte ist älter, als Parley sie hinterlassen hat. Gruppen werden geprüft. Wenn du sie nicht wiederhergestellt hast, trenne dieses Gerät in den Einstellungen.",
  "notices.storeMessages":
    "Nachrichten auf dieser Platte sind nicht die, die Parley hinterlassen hat: Ältere können zurück sein, oder es fehlen welche.",
  "notices.deviceSetBack":
    "Dieses Gerät wurde auf einen älteren Stand zurückgesetzt oder kopiert: Andere haben Nachrichten von ihm, die hier fehlen. Wenn du es nicht wiederhergestellt hast, hat vielleicht jemand eine Kopie: Trenne es in den Einstellungen.",
  "notices.storeSeen": "Ich habe nachgesehen",
} as const;
