// The confirmation window in German.
import type { WindowWords } from "./confirmation-types.ts";

export const GERMAN: WindowWords = {
  cancel: "Abbrechen",
  never: "nie",
  none: "keiner",
  minutes: (count) => (count === 1 ? "nach 1 Minute" : `nach ${count} Minuten`),
  change: (before, after) => (before === after ? after : `${before} → ${after}`),
  labels: {
    account: "Konto",
    network: "Netz",
    fee: "Gebühr",
    deviceName: "Gerät",
    deviceKey: "Geräteschlüssel",
    validator: "Validator",
    walletLock: "Wallet sperrt",
    fullLock: "Alles sperrt",
    mode: "Node",
    checkpoint: "Checkpoint",
    dataFolder: "Datenordner",
  },
  modes: { automatic: "automatisch", full: "Full Node", validator: "Validator", light: "Light Node" },
  decisions: {
    linkDevice: {
      title: "Weiteres Gerät verknüpfen?",
      text: "Es bekommt deine Nachrichten und schreibt in deinem Namen, bis du es trennst.",
      agree: "Gerät verknüpfen",
    },
    certifyDevice: {
      title: "Weiteres Gerät zulassen?",
      text: "Es wird ein Gerät deines Kontos: Es bekommt deine Nachrichten und schreibt in deinem Namen, bis du es trennst. Fahre nur fort, wenn du dieses Gerät in der Hand hast.",
      agree: "Zulassen",
    },
    addValidator: {
      title: "Diesen Validator aufnehmen?",
      text: "Der Validator mit dieser Adresse stimmt über die Blöcke des Netzes ab, sobald genug andere zustimmen. Ist es dein eigener, wird sein Pfand gebunden und kann verloren gehen.",
      agree: "Validator aufnehmen",
    },
    removeValidator: {
      title: "Diesen Validator entfernen?",
      text: "Der Validator mit dieser Adresse stimmt nicht mehr ab, sobald genug andere zustimmen. Ist es dein eigener, geht er sofort.",
      agree: "Validator entfernen",
    },
    autoLock: {
      title: "Später sperren als jetzt?",
      text: "Wer bis dahin an diesen Computer kommt, kann benutzen, was offen ist.",
      agree: "Ändern",
    },
    revealPhrase: {
      title: "Wiederherstellungsphrase zeigen?",
      text: "Wer diese 24 Wörter sieht, besitzt dein Konto und sein Geld für immer. Niemand braucht sie, um dir zu helfen.",
      agree: "Wörter zeigen",
    },
    nodeMode: {
      title: "Arbeitsweise des Nodes ändern?",
      text: "Ein Validator stimmt ab und kann sein Pfand verlieren. Ein Light Node vertraut dem Checkpoint, mit dem er beginnt.",
      agree: "Ändern und neu starten",
    },
    takeNode: {
      title: "Von diesem Computer abstimmen?",
      text: "Stimmt auch eine andere Kopie dieses Datenordners ab, wird das Pfand gekürzt. Fahre nur fort, wenn dies die einzige ist.",
      agree: "Es ist die einzige Kopie",
    },
    updatesOff: {
      title: "Nicht mehr nach neuen Versionen suchen?",
      text: "Fehler, die dich gefährden, bleiben dann, bis du selbst nach einer neuen Version suchst.",
      agree: "Nicht mehr suchen",
    },
  },
};
