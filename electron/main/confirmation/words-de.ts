// The confirmation window in German.
import type { WindowWords } from "./confirmation-types.ts";

export const GERMAN: WindowWords = {
  language: "de",
  cancel: "Abbrechen",
  never: "nie",
  none: "keiner",
  minutes: (count) => (count === 1 ? "nach 1 Minute" : `nach ${count} Minuten`),
  every: (count) => (count === 0 ? "nie" : `alle ${count} Minuten`),
  yes: "ja",
  no: "nein",
  unset: "Vorgabe des Nodes",
  change: (before, after) => (before === after ? after : `${before} → ${after}`),
  labels: {
    account: "Konto",
    network: "Netz",
    fee: "Gebühr",
    deviceName: "Gerät",
    deviceKey: "Geräteschlüssel",
    validator: "Validator",
    bond: "Pfand",
    wallet: "Wallet",
    amount: "Betrag",
    relayFee: "Gebühr des Relais für eine Nachricht",
    heartbeat: "Heartbeat",
    privateMode: "Privater Modus",
    updateSource: "Quelle für neue Versionen",
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
    nodeApplies: {
      title: "Mit diesem Node als Validator bewerben?",
      text: "Sobald genug Validatoren zustimmen, wird das Pfand gebunden und der Node stimmt ab. Widerspricht er sich, verliert er einen Teil davon.",
      agree: "Bewerben",
    },
    nodeLeaves: {
      title: "Validieren beenden?",
      text: "Der Node verlässt die Validatoren sofort. Sein Pfand bleibt für die Wartezeit gebunden und kann dann zurückgeholt werden.",
      agree: "Validieren beenden",
    },
    nodeApproves: {
      title: "Diesem Validator mit deinem Node zustimmen?",
      text: "Der Validator mit dieser Adresse stimmt über die Blöcke des Netzes ab, sobald genug andere zustimmen.",
      agree: "Zustimmen",
    },
    nodeApprovesRemoval: {
      title: "Mit deinem Node zustimmen, dass dieser Validator geht?",
      text: "Der Validator mit dieser Adresse stimmt nicht mehr ab, sobald genug andere zustimmen.",
      agree: "Entfernen zustimmen",
    },
    nodeBindsWallet: {
      title: "Einnahmen des Nodes an diese Wallet zahlen?",
      text: "Blockbelohnungen und Relaisgebühren gehen ab jetzt an diese Adresse. Was der Node schon hat, bleibt, wo es ist.",
      agree: "An diese Wallet zahlen",
    },
    nodeUnbindsWallet: {
      title: "Einnahmen des Nodes auf sein eigenes Konto zahlen?",
      text: "Blockbelohnungen und Relaisgebühren bleiben ab jetzt auf dem Konto des Nodes.",
      agree: "Beim Node lassen",
    },
    nodePaysWallet: {
      title: "Vom Konto des Nodes zahlen?",
      text: "Das Geld geht an die Wallet mit dieser Adresse und kann nicht zurückgeholt werden. Gebühren des Nodes, etwa für Heartbeats, zahlt er aus dem, was bleibt.",
      agree: "Zahlen",
    },
    nodeWork: {
      title: "Ändern, was der Node von selbst tut?",
      text: "Die Anmeldung als Relais und Heartbeats kosten Gebühren vom Konto des Nodes. Eine Quelle für neue Versionen erfährt die Adresse dieses Computers, wenn sie gefragt wird.",
      agree: "Ändern",
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
