// Words of the command palette, which comes after the first load.

/** Messages `shell.palette*`. */
export const palette = {
  "shell.palettePlaceholder": "Search people, messages, chain, commands…",
  "shell.paletteEmpty": "Nothing found. Paste an address, a hash or a block height.",
  "shell.paletteActions": "Commands",
  "shell.paletteLabels": "Payment labels",
  "shell.paletteMessages": "Messages",
  "shell.paletteChain": "On the chain",
  "shell.paletteJump": "Go directly to",
} as const;
