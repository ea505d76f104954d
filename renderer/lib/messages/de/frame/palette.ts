// Words of the command palette, which comes after the first load.

/** Messages `shell.palette*`. */
export const palette = {
  "shell.palettePlaceholder": "Personen, Nachrichten, Blockchain, Befehle suchen …",
  "shell.paletteEmpty": "Nichts gefunden. Füge eine Adresse, einen Hash oder eine Blockhöhe ein.",
  "shell.paletteActions": "Befehle",
  "shell.paletteLabels": "Zahlungsbeschriftungen",
  "shell.paletteMessages": "Nachrichten",
  "shell.paletteChain": "Blockchain",
  "shell.paletteJump": "Direkt öffnen",
} as const;
