// Words of the view "Explorer".

/** Messages `explorer.*`. */
export const explorer = {
  "explorer.title": "Explorer",
} as const;
