// Words of messages that are sent at a time.

/** Messages `chat.later*` and `chat.scheduled*`. */
export const later = {
  "chat.later": "Send later",
  "chat.laterText": "Until then it waits on this device or at your own node. Others learn nothing of it before.",
  "chat.laterOffered": "Times",
  "chat.laterHour": "In 1 hour",
  "chat.laterTonight": "Tonight",
  "chat.laterTomorrow": "Tomorrow",
  "chat.laterMonday": "Monday",
  "chat.laterTime": "Date and time",
  "chat.laterWrongTime": "Choose a time from now on, within a year.",
  "chat.laterSchedule": "Schedule",
  "chat.scheduled": "Scheduled messages",
  "chat.scheduledText": "Your other devices get each one when it is sent.",
  "chat.scheduledCount": { one: "Scheduled", other: "Scheduled ({count})" },
  "chat.scheduledNow": "Send now",
  "chat.scheduledEdit": "Edit text",
  "chat.scheduledTime": "Change time",
  "chat.scheduledDelete": "Delete",
  "chat.scheduledHeld": "Your node sends it, also while Parley is closed",
  "chat.scheduledHere": "Sent while Parley is open",
  "chat.scheduledProblem": "Not sent: you have blocked this person or are not in the group",
  "chat.scheduledTakenBack": "Being deleted: your node has it and can't be reached. It may still be sent",
  "chat.scheduledLeft": "It had already been sent. You find it in the chat.",
  "chat.scheduledUnsure": "Your node can't be reached, so it may still send this message. Parley takes it back as soon as it can.",
} as const;
