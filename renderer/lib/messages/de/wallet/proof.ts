// German words: proofs of payment.

/** Messages `proof.*`. */
export const proof = {
  "proof.save": "Zahlungsnachweis speichern",
  "proof.saved": "Zahlungsnachweis gespeichert",
  "proof.savedText": "Alle können die Datei in Parley prüfen, ohne einen Knoten zu fragen.",
  "proof.page": "Zahlungsnachweis prüfen",
  "proof.text": "Öffne eine Datei, die du bekommen hast. Sie wird auf diesem Gerät geprüft: Kein Knoten wird nach der Zahlung gefragt.",
  "proof.file": "Nachweisdatei",
  "proof.checking": "Signaturen werden geprüft …",
  "proof.provenTitle": "Diese Zahlung ist nachgewiesen",
  "proof.provenText": "Sie steht in Block {height} von {network} und war erfolgreich.",
  "proof.refusedTitle": "Diese Datei weist nichts nach",
  "proof.signedBy": "Signiert von",
  "proof.signedByText": "{count} von {total} Validatoren und der zahlenden Person",
  "proof.fromGenesis":
    "Die Prüfung beginnt bei den Validatoren im Genesis deines Netzwerks, {time}, und folgt ihren Signaturen bis zur Zahlung.",
  "proof.limits":
    "Nicht nachgewiesen: wer hinter den Adressen steht, wofür gezahlt wurde und was seitdem mit dem Geld geschehen ist. Mehr als ein Drittel der Validatoren seit damals, auch inzwischen ausgeschiedene, könnte gemeinsam einen Nachweis fälschen.",
  "proof.problem.tooLarge": "Sie ist zu groß für einen Zahlungsnachweis.",
  "proof.problem.notAProof": "Sie ist kein Zahlungsnachweis, oder sie ist beschädigt.",
  "proof.problem.newerFormat": "Sie wurde mit einer neueren Version von Parley erstellt. Aktualisiere Parley, um sie zu prüfen.",
  "proof.problem.otherNetwork": "Sie stammt aus einem anderen Netzwerk.",
  "proof.problem.genesisMissing": "Ihr fehlt das Genesis ihres Netzwerks.",
  "proof.problem.checkpointMissing": "Ihr fehlt der vertraute Block.",
  "proof.problem.checkpointAbove": "Der vertraute Block ist neuer als die Zahlung.",
  "proof.problem.otherValidators": "Zu wenige Validatoren deines Netzwerks haben sie signiert.",
  "proof.problem.altered": "Sie wurde verändert: Ihr Inhalt passt nicht zu dem, was die Validatoren signiert haben.",
  "proof.problem.unsigned": "Die Signaturen der Validatoren sind ungültig.",
  "proof.problem.senderUnsigned": "Die Signatur der zahlenden Person ist ungültig.",
  "proof.problem.contradiction":
    "Sie widerspricht deinem Netzwerk: Validatoren haben einen Block signiert, der nicht in dessen Kette stehen kann.",
  "proof.problem.notPayment": "Die Transaktion darin ist keine Zahlung.",
  "proof.problem.failed": "Die Zahlung darin ist fehlgeschlagen: Es wurde nichts gezahlt.",
  "proof.problem.early": "Ihr Block liegt in der Zukunft. Prüfe die Uhr dieses Computers.",
  "proof.problem.newerRules": "Das Netzwerk hat neuere Regeln als diese Version von Parley. Aktualisiere Parley, um sie zu prüfen.",
} as const;
