// Words of the view "Inbox".

/** Messages `inbox.*`. */
export const inbox = {
  "inbox.title": "Inbox",
} as const;
