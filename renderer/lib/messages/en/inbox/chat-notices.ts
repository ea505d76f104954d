// Words of the notes above a chat, which are not needed before the inbox is shown.

/** Messages `chat.*` of these notes. */
export const chatNotices = {
  "chat.noKeyTitle": "{name} hasn't published an encryption key yet.",
  "chat.noKeyText": "Messages can't be encrypted for them until then. You can already write: your draft is saved.",
  "chat.blockedTitle": "You blocked {name}.",
  "chat.blockedText": "Their messages are discarded unread.",
  "chat.refusedTitle": "{name} blocked you.",
  "chat.refusedText": "Your messages are discarded unread.",
  "chat.devicesTitle": "{name}'s devices changed since you compared the safety number.",
  "chat.devicesText": "Ask them whether it was them, best in person or on a call.",
  "chat.requestTitle": "{name} wants to be your contact and paid you {amount}.",
  "chat.requestText": "They can't see that you read their messages until you accept or reply.",
  "chat.strangerTitle": "You don't know {name}.",
  "chat.strangerText": "They can't see that you read their messages until you accept or reply. Accepting is free and private.",
  "chat.notContactTitle": "{name} is not your contact yet.",
  "chat.notContactText": "They'll see this as a message request.",
  "chat.addedTitle": "{name} is in your contacts.",
  "chat.addedText": "They'll see your first message as a message request.",
  "chat.sentTitle": "{name} hasn't answered your request yet.",
  "chat.sentText": "Until then they see your messages as message requests.",
  "chat.unknownTitle": "This sender can't be verified.",
  "chat.unknownText":
    "The message was encrypted with a key that no identity on the chain lists. It may come from an unlinked device or from a relay. You can't reply to it.",
  "chat.devicesCompare": "Compare again",
  "chat.devicesKnown": "It was them",
  "chat.underWay": "Submitted; waiting for a block.",
  "chat.view": "View request",
} as const;
