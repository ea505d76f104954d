// Words of the view "Contacts".

/** Messages `contacts.*`. */
export const contacts = {
  "contacts.title": "Contacts",
} as const;
