// German words: desktop.

/** Messages `desktop.*`. */
export const desktop = {
  "desktop.failedTitle": "Der Knoten auf diesem Computer konnte nicht starten.",
  "desktop.failedText": "Letzter Fehler: {reason}",
  "desktop.failedTextSilent": "Er endete ohne Fehlermeldung. Die Diagnose enthält sein Log.",
  "desktop.lightFailedTitle": "Der Knoten kann nicht als Light-Knoten starten.",
  "desktop.lightFailedAction": "Ohne Light-Modus starten",
  "desktop.unsafeTitle": "Der Knoten ist nicht gestartet: Mit seinem Datenordner abzustimmen ist nicht sicher.",
  "desktop.unsafeAction": "Ohne Abstimmen starten",
  "desktop.portTaken": "Port {port} wird von einem anderen Programm verwendet. Der Knoten nutzt bis zum nächsten Start einen freien Port.",
  "desktop.openSettings": "Details anzeigen",
  "desktop.diskLow": "Wenig Speicherplatz: noch {space} frei.",
  "desktop.diskFull": "Der Datenträger ist voll: noch {space} frei. Der Knoten kann anhalten.",
} as const;
