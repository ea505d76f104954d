// The way from elsewhere to the form that saves a backup.

/** End of the address of the settings' section: its form opens by itself. */
export const SAVE_BACKUP = "save";
