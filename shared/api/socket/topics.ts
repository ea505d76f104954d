// Topics of the WebSocket and the frame that each pushes. Without schemas, so that page and command line can load them.

/** Types of frames that belong to a topic. */
export const PUSH_TYPES = ["block", "tx", "event", "inbox", "typing"] as const;
export type PushType = (typeof PUSH_TYPES)[number];

/** What is pushed, by kind of topic; a kind that ends with a colon is followed by a key. */
export const TOPICS = {
  blocks: "block",
  txs: "tx",
  "account:": "tx",
  "contract:": "tx",
  "event:": "event",
  "inbox:": "inbox",
  "typing:": "typing",
} as const satisfies Readonly<Record<string, PushType>>;

export type TopicKind = keyof typeof TOPICS;

/** Text of a topic, such as `blocks` or `account:<key>`. */
export type TopicText<Kind extends TopicKind = TopicKind> = Kind extends `${string}:` ? `${Kind}${string}` : Kind;

/** Type of the frames that a topic pushes. */
export type PushTypeOf<Text extends TopicText> = {
  [Kind in TopicKind]: Text extends TopicText<Kind> ? (typeof TOPICS)[Kind] : never;
}[TopicKind];

export function topicKindOf(text: TopicText): TopicKind {
  return (text.slice(0, text.indexOf(":") + 1) || text) as TopicKind;
}
