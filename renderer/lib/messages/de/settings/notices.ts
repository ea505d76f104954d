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
    "Einer der beiden Knoten sieht vielleicht eine falsche Blockchain oder meldet einen falschen Block. Vergleiche einen Block mit jemand anderem, bevor du dich auf Zahlungen verlässt.",
  "notices.otherBlockMore": {
    one: "Auch der Knoten von {count} weiteren Kontakt widerspricht.",
    other: "Auch die Knoten von {count} weiteren Kontakten widersprechen.",
  },
  "notices.otherBlockNode": "Knoten öffnen",
  "notices.storeRecords":
    "Einige Daten auf dieser Festplatte wurden durch eine ältere Fassung ersetzt. Gruppen werden geprüft. Sieh nach, wen du blockiert hast und wo Nachrichten verschwinden.",
  "notices.storeOlder":
    "Alle Nachrichten auf dieser Festplatte wurden durch eine ältere Fassung ersetzt oder gelöscht. Gruppen werden geprüft. Sieh nach, wen du blockiert hast und wo Nachrichten verschwinden.",
  "notices.storeVault":
    "Die Schlüsseldatei auf dieser Festplatte wurde durch eine ältere Fassung ersetzt. Gruppen werden geprüft. Wenn du sie nicht wiederhergestellt hast, trenne dieses Gerät in den Einstellungen.",
  "notices.storeMessages":
    "Nachrichten auf dieser Festplatte wurden außerhalb von Parley geändert: Ältere können zurück sein, oder es fehlen welche.",
  "notices.deviceSetBack":
    "Dieses Gerät wurde auf einen älteren Stand zurückgesetzt oder kopiert: Andere haben Nachrichten von ihm, die hier fehlen. Wenn du es nicht wiederhergestellt hast, hat vielleicht jemand eine Kopie: Trenne es in den Einstellungen.",
  "notices.storeSeen": "Ich habe nachgesehen",
} as const;
