// German words: groups.

/** Messages `chat.*` of groups. */
export const groups = {
  "chat.newGroupText":
    "Bis zu {most} Personen. Nachrichten werden einzeln für die Geräte jedes Mitglieds verschlüsselt; kein Relais weiß, dass es die Gruppe gibt.",
  "chat.groupLarge": "Mitglieder mit einer früheren Version erreichen bis zu ihrem Update nur die {count}, die zuerst in der Gruppe waren.",
  "chat.createGroup": "Gruppe erstellen",
  "chat.groupName": "Gruppenname",
  "chat.groupNameLong": "Der Name ist zu lang.",
  "chat.groupFind": "Kontakt suchen",
  "chat.groupNoContacts": "Keine Kontakte zum Hinzufügen. Nur Kontakte können hinzugefügt werden.",
  "chat.groupChosen": "{count} von {most} ausgewählt",
  "chat.groupMemberList": "Mitglieder",
  "chat.groupMemberMenu": "Mehr zu {name}",
  "chat.groupAdmin": "Admin",
  "chat.groupOwner": "Eigentümer",
  "chat.groupAdminHint": "{name} und die Admins können hinzufügen, entfernen, umbenennen und das Bild ändern.",
  "chat.groupNoOwnerHint":
    "Der Eigentümer ist nicht mehr dabei. Die Admins können hinzufügen, entfernen, umbenennen und das Bild ändern, aber niemand kann weitere ernennen.",
  "chat.groupRename": "Umbenennen",
  "chat.groupAdd": "Personen hinzufügen",
  "chat.groupAddText": "Sie sehen Nachrichten ab jetzt, aber keine früheren.",
  "chat.groupMakeAdmin": "Zum Admin machen",
  "chat.groupEndAdmin": "Nicht mehr Admin",
  "chat.groupMakeOwner": "Zum Eigentümer machen",
  "chat.groupOwnerTitle": "{name} zum Eigentümer machen?",
  "chat.groupOwnerText":
    "Du wirst Mitglied wie andere, und nur {name} kann das rückgängig machen. Es gilt, sobald eine Zahlung von dir an dich selbst in einem Block ist: Das kostet eine Gebühr, und alle können sehen, dass du eine Gruppe weitergegeben hast, aber nicht, welche.",
  "chat.groupOwnerConfirm": "Signieren und weitergeben",
  "chat.groupOwnerPending": "Neuer Eigentümer wird {name}, sobald die Zahlung in einem Block ist.",
  "chat.groupOwnerWaits": "Nächster Eigentümer",
  "chat.groupLittleRoom":
    "Für weitere Änderungen ist wenig Platz. Die App des Eigentümers schafft welchen, während sie offen ist, sobald alle Mitglieder eine aktuelle Version haben.",
  "chat.groupRemove": "Aus der Gruppe entfernen",
  "chat.groupRemoveTitle": "{name} aus der Gruppe entfernen?",
  "chat.groupRemoveText": "Die Person wird benachrichtigt und behält, was sie bisher erhalten hat.",
  "chat.groupAgain": "Neue Gruppe mit diesen Personen",
  "chat.groupNotContacts": {
    one: "{count} Mitglied ist kein Kontakt von dir und kann nicht hinzugefügt werden.",
    other: "{count} Mitglieder sind keine Kontakte von dir und können nicht hinzugefügt werden.",
  },
  "chat.groupLeave": "Gruppe verlassen",
  "chat.groupLeaveTitle": "Diese Gruppe verlassen?",
  "chat.groupLeaveText": "Du erhältst keine Nachrichten aus dieser Gruppe mehr. Was auf diesem Gerät ist, bleibt.",
  "chat.groupLeaveOwner":
    "Du erhältst keine Nachrichten aus dieser Gruppe mehr. Die Admins bleiben, sonst wird Admin, wer am längsten dabei ist. Niemand kann dann weitere ernennen. Um das zu vermeiden, gib die Gruppe vorher weiter.",
  "chat.groupLeftNote": "Du bist nicht mehr in dieser Gruppe.",
  "chat.groupStrangerTitle": "{name} hat dich zu dieser Gruppe hinzugefügt, ist dir aber unbekannt.",
  "chat.groupStrangerText": "Lesebestätigungen werden erst gesendet, wenn du schreibst.",
} as const;
