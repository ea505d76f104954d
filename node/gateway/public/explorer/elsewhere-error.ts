// What the database cannot say.

/** A node is to be asked. */
export class ElsewhereError extends Error {}
