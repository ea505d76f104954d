#!/usr/bin/env python3
"""Makes content.json and nacl-boxes.json with nothing of Parley: a CBOR writer of its own (RFC 8949 section 4.2.1), Padme
arithmetic of its own, and libsodium through PyNaCl (Debian: apt-get install python3-nacl).

    make_messages.py                          writes both files
    make_messages.py open SECRET < envelope   opens an envelope (JSON) with the hex X25519 secret and prints the plaintext as hex
"""
import base64, hashlib, json, pathlib, sys

HERE = pathlib.Path(__file__).parent
ID = "000102030405060708090a0b0c0d0e0f"
ONE, TWO = "01" * 16, "02" * 16
PEER = "dd" * 32
HIDDEN = b"\xffPLH\x01"
FRAME = {"id": ID, "from": "aa" * 32, "fromDevice": "bb" * 32, "to": "cc" * 32, "chainId": "parley-test", "at": 1800000000123}


def head(major, n):
    if n < 24: return bytes([major << 5 | n])
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if n < 1 << 8 * size: return bytes([major << 5 | code]) + n.to_bytes(size, "big")


def cbor(v):
    if v is False or v is True: return b"\xf5" if v else b"\xf4"
    if isinstance(v, int): return head(0, v)
    if isinstance(v, bytes): return head(2, len(v)) + v
    if isinstance(v, str): return head(3, len(v.encode())) + v.encode()
    if isinstance(v, list): return head(4, len(v)) + b"".join(map(cbor, v))
    return head(5, len(v)) + b"".join(k + x for k, x in sorted((cbor(k), cbor(x)) for k, x in v.items()))


def padme(n):
    if n < 2: return n
    e = n.bit_length() - 1
    low = max(0, e - e.bit_length())
    return -(-n // 2 ** low) * 2 ** low


def plaintext(kind, body, **more):
    fields = {"id": bytes.fromhex(ID), "from": b"\xaa" * 32, "dev": b"\xbb" * 32, "to": b"\xcc" * 32,
              "chain": FRAME["chainId"], "at": FRAME["at"], "kind": kind, "body": body, **more}
    content = cbor(fields)
    frame = b"\xffPLY\x01" + len(content).to_bytes(4, "big") + content
    return frame.ljust(padme(max(512, len(frame))), b"\0")


def known(name, body, encoded, frame=None, **more):
    case = {"name": name, "body": body, "plaintext": plaintext(body["kind"], encoded, **more).hex()}
    return {**case, "frame": frame} if frame else case


def contents():
    b = bytes.fromhex
    long = "Grüße 🌍 " * 50
    ref, ref_bytes = {"author": PEER, "id": ONE}, {"author": b(PEER), "id": b(ONE)}
    cases = [
        known("a short text", {"kind": "text", "text": "Hello"}, {"text": "Hello"}),
        known("a long text beyond ASCII", {"kind": "text", "text": long}, {"text": long}),
        known("a text that names people", {"kind": "text", "text": "🌍 @Ann and @Bob", "mentions": [
               {"start": 3, "length": 4, "person": "11" * 32}, {"start": 12, "length": 4, "person": "12" * 32}]},
              {"text": "🌍 @Ann and @Bob", "mentions": bytes([0, 3, 0, 4]) + b("11" * 32) + bytes([0, 12, 0, 4]) + b("12" * 32)}),
        known("an edit that names a person", {"kind": "edit", "id": ONE, "text": "@Ann", "revision": 1, "mentions": [{"start": 0, "length": 4, "person": "11" * 32}]},
              {"id": b(ONE), "text": "@Ann", "rev": 1, "mentions": bytes([0, 0, 0, 4]) + b("11" * 32)}),
        known("a reply that names a person", {"kind": "reply", "text": "@Ann", "to": ref, "quote": "", "mentions": [{"start": 0, "length": 4, "person": "11" * 32}]},
              {"text": "@Ann", "to": ref_bytes, "quote": "", "mentions": bytes([0, 0, 0, 4]) + b("11" * 32)}),
        known("a reply", {"kind": "reply", "text": "Yes", "to": ref, "quote": "Shall we?"}, {"text": "Yes", "to": ref_bytes, "quote": "Shall we?"}),
        known("a reaction", {"kind": "reaction", "to": ref, "emoji": "👍🏽"}, {"to": ref_bytes, "emoji": "👍🏽"}),
        known("a reaction taken back", {"kind": "reaction", "to": ref, "emoji": ""}, {"to": ref_bytes, "emoji": ""}),
        known("an edit", {"kind": "edit", "id": ONE, "text": "Better", "revision": 3}, {"id": b(ONE), "text": "Better", "rev": 3}),
        known("a deletion", {"kind": "delete", "id": ONE}, {"id": b(ONE)}),
        known("a timer", {"kind": "timer", "seconds": 86400}, {"seconds": 86400}),
        known("a payment request", {"kind": "pay.request", "amountUt": 5000000, "note": "Lunch"}, {"amount": 5000000, "note": "Lunch"}),
        known("a payment receipt", {"kind": "pay.receipt", "txId": "tx1ab", "amountUt": 5000000, "request": TWO}, {"tx": "tx1ab", "amount": 5000000, "request": b(TWO)}),
        known("a payment receipt without request", {"kind": "pay.receipt", "txId": "tx1ab", "amountUt": 1, "request": None}, {"tx": "tx1ab", "amount": 1}),
        known("an invoice", {"kind": "pay.request", "amountUt": 5000000, "note": "", "due": 1800600000000, "number": "2026-17",
               "lines": [{"text": "Repair", "amountUt": 4000000}, {"text": "Parts", "amountUt": 1000000}]},
              {"amount": 5000000, "note": "", "due": 1800600000000, "number": "2026-17",
               "lines": [{"text": "Repair", "amount": 4000000}, {"text": "Parts", "amount": 1000000}]}),
        known("a payment receipt with a note", {"kind": "pay.receipt", "txId": "tx1ab", "amountUt": 1, "request": None, "note": "For the tea"}, {"tx": "tx1ab", "amount": 1, "note": "For the tea"}),
        known("a request that is closed", {"kind": "pay.close", "to": ref}, {"to": ref_bytes}, fallback="A payment request was cancelled or declined."),
        known("a file", {"kind": "attachment", "name": "notes.txt", "mediaType": "text/plain", "size": 9, "key": "06" * 32, "digest": "07" * 32, "caption": "", "image": None},
              {"name": "notes.txt", "type": "text/plain", "size": 9, "key": b("06" * 32), "digest": b("07" * 32), "caption": ""}),
        known("a voice note", {"kind": "attachment", "name": "voice.webm", "mediaType": "audio/webm", "size": 9, "key": "06" * 32, "digest": "07" * 32, "caption": "", "image": None,
               "voice": {"durationMs": 4200, "waveform": base64.b64encode(bytes([0, 7, 255])).decode()}},
              {"name": "voice.webm", "type": "audio/webm", "size": 9, "key": b("06" * 32), "digest": b("07" * 32), "caption": "",
               "voice": {"ms": 4200, "wave": bytes([0, 7, 255])}}),
        known("a large file", {"kind": "file", "name": "film.mkv", "mediaType": "video/x-matroska", "size": 73400320, "key": "06" * 32, "digest": "07" * 32, "caption": "Ours"},
              {"name": "film.mkv", "type": "video/x-matroska", "size": 73400320, "key": b("06" * 32), "digest": b("07" * 32), "caption": "Ours"},
              fallback="film.mkv (73 MB): a newer Parley is needed to get this file.\nOurs"),
        known("a request for parts of a large file", {"kind": "file.ask", "id": ONE, "chunks": [0, 300]}, {"id": b(ONE), "chunks": [0, 300]}),
        known("a request of a device that reads where a file is stored once", {"kind": "file.ask", "id": ONE, "chunks": [0], "stored": True},
              {"id": b(ONE), "chunks": [0], "stored": True}),
        known("a file that is stored once", {"kind": "attachment", "name": "notes.txt", "mediaType": "text/plain", "size": 900000, "key": "06" * 32, "digest": "07" * 32, "caption": "",
               "image": None, "boxes": ["08" * 32]},
              {"name": "notes.txt", "type": "text/plain", "size": 900000, "key": b("06" * 32), "digest": b("07" * 32), "caption": "", "boxes": [b("08" * 32)]}),
        known("a file that is here", {"kind": "file.got", "id": ONE}, {"id": b(ONE)}),
        known("a large file that is gone", {"kind": "file.gone", "id": ONE}, {"id": b(ONE)}),
        known("a call", {"kind": "call.offer", "media": "video", "sdp": "v=0\r\n"}, {"media": "video", "sdp": "v=0\r\n"},
              fallback="A call, which this version cannot take."),
        known("a call that is answered", {"kind": "call.answer", "to": ref, "leg": "05" * 8, "sdp": "v=0\r\n"},
              {"to": ref_bytes, "leg": b("05" * 8), "sdp": "v=0\r\n"}, fallback="A call was answered."),
        known("a call that is over", {"kind": "call.end", "to": ref, "reason": "ended", "seconds": 192},
              {"to": ref_bytes, "reason": "ended", "seconds": 192}, fallback="A call has ended."),
        known("a call that could not be answered", {"kind": "call.end", "to": ref, "reason": "declined", "seconds": 0, "cause": "relay-only"},
              {"to": ref_bytes, "reason": "declined", "seconds": 0, "cause": "relay-only"}, fallback="A call has ended."),
        known("an answer that came second", {"kind": "call.end", "to": ref, "reason": "elsewhere", "seconds": 0, "leg": "05" * 8},
              {"to": ref_bytes, "reason": "elsewhere", "seconds": 0, "leg": b("05" * 8)}, fallback="A call has ended."),
        known("an acceptance", {"kind": "contact.accept"}, {}),
        known("a name", {"kind": "profile", "name": "Zoë 🌍"}, {"name": "Zoë 🌍"}),
        known("a name taken back", {"kind": "profile", "name": ""}, {"name": ""}),
        known("a name that a contact was told, for own devices", {"kind": "sync.sent", "peer": PEER, "id": TWO, "at": 1799999999000, "body": {"kind": "profile", "name": "Zoë"}},
              {"peer": b(PEER), "id": b(TWO), "at": 1799999999000, "kind": "profile", "body": {"name": "Zoë"}}),
        known("a delivery receipt", {"kind": "receipt", "status": "delivered", "ids": [ONE, TWO]}, {"status": "delivered", "ids": [b(ONE), b(TWO)]}),
        known("a read receipt", {"kind": "receipt", "status": "read", "ids": [ONE]}, {"status": "read", "ids": [b(ONE)]}),
        known("a request to send again", {"kind": "resend", "stream": "05" * 8, "positions": [2, 300]}, {"stream": b("05" * 8), "positions": [2, 300]}),
        known("what cannot be sent again", {"kind": "resend.gone", "stream": "05" * 8, "positions": [2]}, {"stream": b("05" * 8), "positions": [2]}),
        known("a sent message for own devices", {"kind": "sync.sent", "peer": PEER, "id": TWO, "at": 1799999999000, "body": {"kind": "text", "text": "Hi"}},
              {"peer": b(PEER), "id": b(TWO), "at": 1799999999000, "kind": "text", "body": {"text": "Hi"}}),
        known("read marks for own devices", {"kind": "sync.read", "peer": PEER, "ids": [ONE]}, {"peer": b(PEER), "ids": [b(ONE)]}),
        known("how a chat is kept, for own devices", {"kind": "sync.chat", "peer": PEER, "isPinned": True, "isArchived": False, "mutedUntil": 9},
              {"peer": b(PEER), "pinned": True, "archived": False, "muted": 9}),
        known("how a chat that is muted for mentions too is kept, for own devices",
              {"kind": "sync.chat", "peer": PEER, "isPinned": False, "isArchived": False, "mutedUntil": 9, "mutesMentions": True},
              {"peer": b(PEER), "pinned": False, "archived": False, "muted": 9, "quiet": True}),
        known("a chat that is marked as unread, for own devices",
              {"kind": "sync.chat", "peer": PEER, "isPinned": False, "isArchived": False, "mutedUntil": 0, "mutesMentions": False, "isMarkedUnread": True},
              {"peer": b(PEER), "pinned": False, "archived": False, "muted": 0, "quiet": False, "unread": True}),
        known("a message that is starred, for own devices", {"kind": "sync.star", "peer": PEER, "to": ref, "isStarred": True},
              {"peer": b(PEER), "to": ref_bytes, "on": True}),
        known("folders of chats, for own devices", {"kind": "sync.folders", "folders": [{"id": "05" * 8, "name": "Work"}, {"id": "06" * 8, "name": "Chöre"}]},
              {"folders": [{"id": b("05" * 8), "name": "Work"}, {"id": b("06" * 8), "name": "Chöre"}]}),
        known("notes about people and devices, for own devices",
              {"kind": "sync.notes", "notes": [
                  {"about": "person", "key": PEER, "name": "Börse", "text": "Deposit only", "isContact": False},
                  {"about": "person", "key": "0d" * 32, "name": "", "text": "", "isContact": True},
                  {"about": "device", "key": "0e" * 32, "name": "Küche", "text": "", "isContact": False}]},
              {"notes": [
                  {"about": "person", "key": b(PEER), "name": "Börse", "text": "Deposit only", "contact": False},
                  {"about": "person", "key": b("0d" * 32), "name": "", "text": "", "contact": True},
                  {"about": "device", "key": b("0e" * 32), "name": "Küche", "text": "", "contact": False}]}),
        known("a sticker that was removed, for own devices", {"kind": "sync.sticker", "sticker": "0f" * 16, "emoji": "", "place": 0},
              {"id": b("0f" * 16), "emoji": "", "place": 0}),
        known("a chat that is in folders, for own devices",
              {"kind": "sync.chat", "peer": PEER, "isPinned": False, "isArchived": False, "mutedUntil": 0, "folders": ["05" * 8]},
              {"peer": b(PEER), "pinned": False, "archived": False, "muted": 0, "folders": [b("05" * 8)]}),
        known("a text that disappears, with its place", {"kind": "text", "text": "Soon gone"}, {"text": "Soon gone"},
              {"expiresInS": 60, "place": {"stream": "05" * 8, "position": 77}}, exp=60, place=[b("05" * 8), 77]),
        known("a text with an epoch key", {"kind": "text", "text": "Hi"}, {"text": "Hi"},
              {"card": {"epochPub": "08" * 32, "notAfter": 1800600000, "signingPub": "09" * 32, "certificate": "0a" * 64, "signature": "0b" * 64}},
              card=[b("08" * 32), 1800600000, b("09" * 32), b("0a" * 64), b("0b" * 64)]),
        known("a text with a block", {"kind": "text", "text": "Hi"}, {"text": "Hi"},
              {"block": {"height": 70000, "hash": "0c" * 32}}, block=[70000, b("0c" * 32)]),
        known("a knock", {"kind": "knock", "stream": "05" * 8, "upTo": 7}, {"stream": b("05" * 8), "up": 7}),
    ]
    group = {"group": {"id": "09" * 16, "keeper": PEER}}
    inside = {"group": [b("09" * 16), b(PEER)]}
    cases += [
        known("a message to a group", {"kind": "text", "text": "All of you"}, {"text": "All of you"}, group, **inside),
        known("the state of a group", {"kind": "group.state", "term": 1, "keeper": PEER, "since": 1799999990000,
               "name": {"text": "Sunday hikes", "clock": 4, "at": 1799999995000},
               "entries": [{"key": "11" * 32, "clock": 1, "standing": "in", "at": 1799999990000},
                           {"key": "12" * 32, "clock": 300, "standing": "removed", "at": 1799999991000},
                           {"key": "13" * 32, "clock": 2, "standing": "left", "at": 0}]},
              {"term": 1, "keeper": b(PEER), "since": 1799999990000, "name": ["Sunday hikes", 4, 1799999995000],
               "people": [[b("11" * 32), 1, 0, 1799999990000], [b("12" * 32), 300, 1, 1799999991000], [b("13" * 32), 2, 2, 0]]}, group, **inside),
        known("a group that is left", {"kind": "group.leave", "clock": 7}, {"clock": 7}, group, **inside),
        known("a text that knows the log of its group", {"kind": "text", "text": "All of you"}, {"text": "All of you"},
              {**group, "heads": ["21" * 32, "22" * 32]}, **inside, log=[b("21" * 32), b("22" * 32)]),
        known("entries of a log, beside a state for older programs", {"kind": "group.state", "term": 0, "keeper": PEER, "since": 1,
               "name": {"text": "Hikes", "clock": 1, "at": 1}, "entries": [{"key": "11" * 32, "clock": 1, "standing": "in", "at": 1}],
               "log": [base64.b64encode(bytes(range(40))).decode(), "/w=="]},
              {"term": 0, "keeper": b(PEER), "since": 1, "name": ["Hikes", 1, 1], "people": [[b("11" * 32), 1, 0, 1]],
               "log": [bytes(range(40)), b"\xff"]}, group, **inside),
        known("an entry of one who leaves", {"kind": "group.leave", "clock": 7, "log": ["/w=="]}, {"clock": 7, "log": [b"\xff"]}, group, **inside),
        known("a bill that is split", {"kind": "pay.split", "amountUt": 5000001, "note": "Dinner",
               "shares": [{"person": "11" * 32, "amountUt": 2500001}, {"person": "12" * 32, "amountUt": 2500000}]},
              {"amount": 5000001, "note": "Dinner", "shares": [{"person": b("11" * 32), "amount": 2500001}, {"person": b("12" * 32), "amount": 2500000}]},
              group, **inside, fallback="A bill was split."),
        known("a share that was paid", {"kind": "pay.share", "to": ref, "txId": "tx1ab"}, {"to": ref_bytes, "tx": "tx1ab"}, group, **inside,
              fallback="A share of a bill was paid."),
        known("a poll", {"kind": "poll", "question": "When?", "answers": ["Saturday", "Sunday"], "isMultiple": True},
              {"question": "When?", "answers": ["Saturday", "Sunday"], "multiple": True}, group, **inside, fallback="When?\n– Saturday\n– Sunday"),
        known("a vote", {"kind": "poll.vote", "to": ref, "choices": [0, 1]}, {"to": ref_bytes, "choices": [0, 1]}, group, **inside, fallback="A vote in a poll."),
        known("a poll that is closed", {"kind": "poll.close", "to": ref}, {"to": ref_bytes}, group, **inside, fallback="A poll was closed."),
        known("a message that is pinned", {"kind": "pin", "to": ref, "isPinned": True}, {"to": ref_bytes, "on": True}, group, **inside,
              fallback="A message was pinned or unpinned."),
        known("a question for a group", {"kind": "group.ask"}, {}, group, **inside),
        known("a request to be let into a group", {"kind": "group.join", "group": "33" * 16, "key": "34" * 32, "at": 1_790_000_000_000, "asked": ["11" * 32, "12" * 32], "signature": "35" * 64},
              {"group": b("33" * 16), "key": b("34" * 32), "at": 1_790_000_000_000, "asked": [b("11" * 32), b("12" * 32)], "signature": b("35" * 64)},
              fallback="A request to be let into a group by a link, which this version cannot answer."),
        known("a request that is refused", {"kind": "group.refused", "group": "33" * 16, "key": "34" * 32, "reason": "used"},
              {"group": b("33" * 16), "key": b("34" * 32), "reason": "used"}, fallback="A group cannot be joined by that link any more."),
        known("an invite link", {"kind": "sync.link", "text": "parley:group#AA"}, {"text": "parley:group#AA"}, group, **inside),
    ]
    raw = {"of": b(ONE), "emoji": "+"}
    later = [
        {"name": "a kind of a later version", "body": {"kind": "unknown", "name": "reaction.v2", "fallback": "Ann reacted", "raw": cbor(raw).hex()},
         "plaintext": plaintext("reaction.v2", raw, fallback="Ann reacted").hex()},
        {"name": "fields of a later version", "body": {"kind": "text", "text": "Hello"}, "plaintext": plaintext("text", {"text": "Hello", "style": "bold"}, a=1).hex()},
    ]
    lengths = [2, 3, 9, 17, 100, 255, 256, 257, 300, 1000, 1024, 1025, 16394, 65537, 131073, 192512, 192513]
    return {"source": "Made by make_messages.py with an independent CBOR writer (RFC 8949 4.2.1) and Padme arithmetic, not with the code under test.",
            "frame": FRAME, "known": cases, "later": later, "padme": [[n, padme(n)] for n in lengths]}


def boxes():
    from nacl.public import Box, PrivateKey
    texts = ["", "plain text of another program", "Grüße 🌍", "x" * 20000]
    plain = [t.encode() for t in texts] + [plaintext("text", {"text": "Hello"})]
    made = []
    for n, p in enumerate(plain):
        sender, recipient = PrivateKey(bytes([n + 1] * 32)), PrivateKey(bytes([n + 101] * 32))
        nonce = bytes([n + 7] * 24)
        ciphertext = Box(sender, recipient.public_key).encrypt(p, nonce).ciphertext
        assert Box(recipient, sender.public_key).decrypt(ciphertext, nonce) == p
        made.append({
            "sender_secret": bytes(sender).hex(), "recipient_secret": bytes(recipient).hex(), "plaintext": p.hex(),
            "envelope": {"id": hashlib.sha256(nonce + ciphertext).hexdigest()[:32], "recipient_pub": bytes(recipient.public_key).hex(),
                         "sender_pub": bytes(sender.public_key).hex(), "sender_ed25519_pub": "", "fee_ut": 0, "fee_sig": None,
                         "nonce": base64.b64encode(nonce).decode(), "ciphertext": base64.b64encode(ciphertext).decode(), "sent_at": 1800000000}})
    hidden = [hidden_box(n, p) for n, p in enumerate(plain[1:2] + plain[-1:])]
    return {"source": "Sealed by libsodium through PyNaCl (make_messages.py).", "boxes": made, "hidden": hidden}


def hidden_box(n, p):
    """What a device gets of the messenger that has shown it nothing but a device key on the chain."""
    from nacl.public import Box, PrivateKey
    sender, once, recipient = (PrivateKey(bytes([n + first] * 32)) for first in (21, 41, 121))
    inner, outer = bytes([n + 61] * 24), bytes([n + 81] * 24)
    wrapped = HIDDEN + bytes(sender.public_key) + inner + Box(sender, recipient.public_key).encrypt(p, inner).ciphertext
    ciphertext = Box(once, recipient.public_key).encrypt(wrapped, outer).ciphertext
    envelope = {"id": hashlib.sha256(outer + ciphertext).hexdigest()[:32], "recipient_pub": bytes(recipient.public_key).hex(),
                "sender_pub": bytes(once.public_key).hex(), "sender_ed25519_pub": "", "fee_ut": 0, "fee_sig": None,
                "nonce": base64.b64encode(outer).decode(), "ciphertext": base64.b64encode(ciphertext).decode(), "sent_at": 1800000000}
    assert open_box(bytes(recipient).hex(), envelope) == p.hex()
    return {"sender_secret": bytes(sender).hex(), "once_secret": bytes(once).hex(), "recipient_secret": bytes(recipient).hex(),
            "plaintext": p.hex(), "envelope": envelope}


def open_box(secret, envelope):
    """Opens an envelope by section 5 of docs/protocol.md, with its sender beside the box or hidden in it."""
    from nacl.public import Box, PrivateKey, PublicKey
    key = PrivateKey(bytes.fromhex(secret))
    box = Box(key, PublicKey(bytes.fromhex(envelope["sender_pub"])))
    opened = box.decrypt(base64.b64decode(envelope["ciphertext"]), base64.b64decode(envelope["nonce"]))
    if opened[:5] != HIDDEN: return opened.hex()
    return Box(key, PublicKey(opened[5:37])).decrypt(opened[61:], opened[37:61]).hex()


if __name__ == "__main__":
    if sys.argv[1:2] == ["open"]:
        print(open_box(sys.argv[2], json.load(sys.stdin)))
    else:
        for name, value in (("content.json", contents()), ("nacl-boxes.json", boxes())):
            (HERE / name).write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
