// Words of the notes above a chat, which are not needed before the inbox is shown.

/** Messages `inbox.*` of these notes. */
export const chatNotices = {
  "inbox.noKeyTitle": "{name} hasn't published an encryption key yet.",
  "inbox.noKeyText": "Messages can't be encrypted for them until then. You can already write: your draft is saved.",
  "inbox.blockedTitle": "You blocked {name}.",
  "inbox.blockedText": "Their messages are discarded unread.",
  "inbox.refusedTitle": "{name} blocked you.",
  "inbox.refusedText": "Your messages are discarded unread.",
  "inbox.devicesTitle": "{name}'s devices changed since you compared the safety number.",
  "inbox.devicesText": "Ask them whether it was them, best in person or on a call.",
  "inbox.requestTitle": "{name} wants to be your contact and paid you {amount}.",
  "inbox.requestText": "They can't see that you read their messages until you accept or reply.",
  "inbox.strangerTitle": "You don't know {name}.",
  "inbox.strangerText": "They can't see that you read their messages until you accept or reply. Accepting is free and private.",
  "inbox.notContactTitle": "{name} is not your contact yet.",
  "inbox.notContactText": "They'll see this as a message request.",
  "inbox.addedTitle": "{name} is in your contacts.",
  "inbox.addedText": "They'll see your first message as a message request.",
  "inbox.sentTitle": "{name} hasn't answered your request yet.",
  "inbox.sentText": "Until then they see your messages as message requests.",
  "inbox.unknownTitle": "This sender can't be verified.",
  "inbox.unknownText":
    "The message was encrypted with a key that no identity on the chain lists. It may come from an unlinked device or from a relay. You can't reply to it.",
  "inbox.devicesCompare": "Compare again",
  "inbox.devicesKnown": "It was them",
  "inbox.underWay": "Submitted; waiting for a block.",
  "inbox.view": "View request",
} as const;
