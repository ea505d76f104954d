// German words: values in another currency.

/** Messages `rates.*`, and the name of their settings. */
export const rates = {
  "settings.currency": "Währung",
  "rates.intro":
    "Zeigt, was Beträge in einer anderen Währung wert sind. Kurse kommen nur aus einer Quelle, die du wählst: eine beliebige Adresse, die den Wert eines T als JSON liefert.",
  "rates.url": "Adresse der Quelle",
  "rates.urlHint": "Beginnt mit https://. Gib nichts Geheimes an: Sie wird auf diesem Gerät unverschlüsselt gespeichert.",
  "rates.path": "Pfad zur Zahl",
  "rates.pathHint": "Namen und Positionen in der Antwort, durch Punkte getrennt. Für {example} ist das rates.EUR.",
  "rates.currency": "Kürzel der Währung",
  "rates.currencyHint": "Drei Buchstaben, zum Beispiel EUR",
  "rates.currencyWrong": "Gib ein Kürzel aus drei Buchstaben ein.",
  "rates.save": "Prüfen und speichern",
  "rates.saved": "Quelle gespeichert",
  "rates.remove": "Keine Währung zeigen",
  "rates.oneT": "1 T",
  "rates.value": "{value} · Kurs von {time}",
  "rates.valueOld": "{value} · veralteter Kurs von {time}",
  "rates.worth": "Jetziger Wert",
  "rates.learnsTitle": "Was die Quelle erfährt",
  "rates.learns":
    "Dein Knoten fragt sie höchstens alle fünf Minuten, solange Beträge zu sehen sind. Sie erfährt die IP-Adresse deines Knotens und wann du Parley benutzt, aber keine Beträge und Adressen. Ihr Kurs wird nur angezeigt und nie zum Berechnen einer Zahlung verwendet.",
  "rates.notOwn": "Dieser Knoten ruft Kurse nur für seinen Besitzer ab. Die Desktop-App bringt deinen eigenen Knoten mit.",
  "rates.badAddress": "Die Adresse muss mit https:// beginnen und zu einem öffentlichen Server oder zu diesem Computer führen.",
  "rates.noNumber": "Die Quelle hat nicht geantwortet, oder an diesem Pfad steht keine Zahl. Sie wird höchstens alle fünf Minuten gefragt.",
  "rates.wait": "Du hast mehrere andere Quellen probiert. Versuche es in einer Stunde noch einmal.",
  "rates.failed": "Der Kurs kann gerade nicht abgerufen werden.",
} as const;
