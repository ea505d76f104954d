// German words: groups.

/** Messages `inbox.*` of groups. */
export const groups = {
  "inbox.newGroupText":
    "Bis zu 32 Personen. Nachrichten werden einzeln für die Geräte jedes Mitglieds verschlüsselt; kein Relais weiß, dass es die Gruppe gibt.",
  "inbox.createGroup": "Gruppe erstellen",
  "inbox.groupName": "Gruppenname",
  "inbox.groupNameLong": "Der Name ist zu lang.",
  "inbox.groupFind": "Kontakt suchen",
  "inbox.groupNoContacts": "Keine Kontakte zum Hinzufügen. Nur Kontakte können hinzugefügt werden.",
  "inbox.groupChosen": "{count} von {most} ausgewählt",
  "inbox.groupMemberList": "Mitglieder",
  "inbox.groupMemberMenu": "Mehr zu {name}",
  "inbox.groupAdmin": "Admin",
  "inbox.groupOwner": "Eigentümer",
  "inbox.groupAdminHint": "{name} und die Admins können hinzufügen, entfernen und umbenennen.",
  "inbox.groupNoOwnerHint":
    "Der Eigentümer ist nicht mehr dabei. Die Admins können hinzufügen, entfernen und umbenennen, aber niemand kann weitere ernennen.",
  "inbox.groupRename": "Umbenennen",
  "inbox.groupAdd": "Personen hinzufügen",
  "inbox.groupAddText": "Sie sehen Nachrichten ab jetzt, aber keine früheren.",
  "inbox.groupMakeAdmin": "Zum Admin machen",
  "inbox.groupEndAdmin": "Nicht mehr Admin",
  "inbox.groupRemove": "Aus der Gruppe entfernen",
  "inbox.groupRemoveTitle": "{name} aus der Gruppe entfernen?",
  "inbox.groupRemoveText": "Die Person wird benachrichtigt und behält, was sie bisher erhalten hat.",
  "inbox.groupAgain": "Neue Gruppe mit diesen Personen",
  "inbox.groupNotContacts": {
    one: "{count} Mitglied ist kein Kontakt von dir und kann nicht hinzugefügt werden.",
    other: "{count} Mitglieder sind keine Kontakte von dir und können nicht hinzugefügt werden.",
  },
  "inbox.groupLeave": "Gruppe verlassen",
  "inbox.groupLeaveTitle": "Diese Gruppe verlassen?",
  "inbox.groupLeaveText": "Du erhältst keine Nachrichten aus dieser Gruppe mehr. Was auf diesem Gerät ist, bleibt.",
  "inbox.groupLeaveOwner":
    "Du erhältst keine Nachrichten aus dieser Gruppe mehr. Die Admins bleiben, sonst wird Admin, wer am längsten dabei ist. Niemand kann dann weitere ernennen.",
  "inbox.groupLeftNote": "Du bist nicht mehr in dieser Gruppe.",
  "inbox.groupStrangerTitle": "{name} hat dich zu dieser Gruppe hinzugefügt, ist dir aber unbekannt.",
  "inbox.groupStrangerText": "Lesebestätigungen werden erst gesendet, wenn du schreibst.",
} as const;
