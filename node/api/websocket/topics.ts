// Names of topics. A key may be written in several forms (hex of either case, address); pushes carry the form that was subscribed.
import { type TopicKind, type TopicText, topicKindOf } from "#shared/api/socket/topics.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { type ContractId, isContractId } from "#shared/protocol/transactions/contracts.ts";
import { isHex } from "#shared/util/bytes.ts";

/** A parsed topic; `name` is the same for every form of it, `key` is empty where the kind has none. */
export interface Topic {
  readonly kind: TopicKind;
  readonly name: TopicText;
  readonly key: string;
}

interface KeyRules {
  /** How the key is written, for the error message. */
  readonly form: string;
  /** The one form of the key. @throws CodedError BAD_REQUEST naming what is wrong. */
  readonly readKey: (text: string, kind: TopicKind) => string;
}

interface Rules extends Partial<KeyRules> {
  /** About blocks, so anyone may subscribe. Otherwise the key is an X25519 key, whose holder alone may. */
  readonly isPublic?: true;
}
type RulesOf<Kind extends TopicKind> = Rules & (Kind extends `${string}:` ? KeyRules : { readonly isPublic: true });

const ACCOUNT = { form: "<address or key>", readKey: parseAccount };
const CONTRACT = { form: "<id>", readKey: readContractId };
const EVENT = { form: "<id>[/<event>[/<field>=<value>]]", readKey: readEventKey };
const BOX_KEY = { form: "<x25519 key>", readKey: readBoxKey };

const RULES: { readonly [Kind in TopicKind]: RulesOf<Kind> } = {
  blocks: { isPublic: true },
  txs: { isPublic: true },
  "account:": { ...ACCOUNT, isPublic: true },
  "contract:": { ...CONTRACT, isPublic: true },
  "event:": { ...EVENT, isPublic: true },
  "inbox:": BOX_KEY,
  "typing:": BOX_KEY,
};

/** The value may hold any character. */
const EVENT_KEY = /^([0-9a-fA-F]{16})((?:\/[A-Za-z_]\w{0,31}(?:\/[A-Za-z_]\w{0,31}=.*)?)?)$/s;

const FORMS = Object.entries<Rules>(RULES).map(([kind, { form = "" }]) => `${kind}${form}`);
const FORMS_TEXT = `${FORMS.slice(0, -1).join(", ")} or ${FORMS.at(-1)}`;

/** True for a topic about blocks, to which anyone may subscribe. A kind that the table does not name public is private. */
export function isPublicTopic(name: TopicText): boolean {
  return RULES[topicKindOf(name)].isPublic === true;
}

/** Topic of its text. @throws CodedError BAD_REQUEST naming what is wrong. */
export function parseTopic(text: string): Topic {
  const kind = topicKindOf(text as TopicText);
  if (!Object.hasOwn(RULES, kind)) throw new CodedError("BAD_REQUEST", `topic is ${FORMS_TEXT}`);
  const rules: Rules = RULES[kind];
  const key = rules.readKey?.(text.slice(kind.length), kind) ?? "";
  return { kind, key, name: `${kind}${key}` as TopicText };
}

function readContractId(text: string): ContractId {
  if (!isContractId(text)) throw new CodedError("BAD_REQUEST", "contract: takes a contract id of 16 hex characters");
  return text.toLowerCase();
}

function readEventKey(text: string): string {
  const [, id = "", rest = ""] = EVENT_KEY.exec(text) ?? [];
  if (id !== "") return id.toLowerCase() + rest;
  throw new CodedError("BAD_REQUEST", `event: takes ${EVENT.form}, such as event:0123456789abcdef/Paid/to=fedcba9876543210`);
}

function readBoxKey(text: string, kind: TopicKind): X25519KeyHex {
  if (!isHex(text, 32)) throw new CodedError("BAD_REQUEST", `${kind} takes an X25519 key of 64 hex characters`);
  return text.toLowerCase();
}
