// German words: values in another currency.

/** Messages `rates.*`, and the name of their settings. */
export const rates = {
  "settings.currency": "Währung",
  "rates.intro":
    "Zeigt neben Beträgen, was sie in einer Währung wert sind. Nur aus einer Quelle, die du nennst: irgendeine Adresse, die in JSON antwortet, was ein T wert ist.",
  "rates.url": "Adresse der Quelle",
  "rates.urlHint": "Beginnt mit https://. Nichts Geheimes darin: Sie wird auf diesem Gerät gespeichert, wie sie ist.",
  "rates.path": "Pfad zur Zahl",
  "rates.pathHint": "Namen und Positionen in der Antwort, mit Punkten dazwischen. Für {example} ist das rates.EUR.",
  "rates.currency": "Kürzel der Währung",
  "rates.currencyHint": "Drei Buchstaben, zum Beispiel EUR",
  "rates.currencyWrong": "Ein Kürzel hat drei Buchstaben.",
  "rates.save": "Prüfen und speichern",
  "rates.saved": "Quelle gespeichert",
  "rates.remove": "Keine Währung zeigen",
  "rates.oneT": "1 T",
  "rates.value": "{value} · Kurs von {time}",
  "rates.valueOld": "{value} · alter Kurs, vom {time}",
  "rates.worth": "Jetziger Wert",
  "rates.learnsTitle": "Was die Quelle erfährt",
  "rates.learns":
    "Dein Knoten fragt sie höchstens alle fünf Minuten, solange Beträge zu sehen sind. Sie erfährt die IP-Adresse deines Knotens und wann du Parley benutzt; Beträge und Adressen bekommt sie nicht. Was sie antwortet, wird nur gezeigt: Keine Zahlung wird daraus berechnet.",
  "rates.notOwn": "Dieser Knoten sieht Kurse nur für seinen Besitzer nach. Die Desktop-App hat einen eigenen Knoten.",
  "rates.badAddress": "Die Adresse muss mit https:// beginnen und zu einem öffentlichen Server führen, oder zu diesem Computer.",
  "rates.noNumber":
    "Die Quelle hat nicht geantwortet, oder nicht mit einer Zahl an diesem Pfad. Sie wird höchstens alle fünf Minuten gefragt.",
  "rates.wait": "Mehrere andere Quellen wurden gefragt. Versuch es in einer Stunde wieder.",
  "rates.failed": "Der Kurs kann jetzt nicht nachgesehen werden.",
} as const;
