// German words of the settings of calls.

/** Messages `settings.calls` and `relay.*`. */
export const callSettings = {
  "settings.calls": "Anrufe",
  "relay.always": "Anrufe immer über ein Relay",
  "relay.alwaysHint":
    "Verbirgt deine IP-Adresse vor der Person, mit der du sprichst. Dafür sieht das Relay euch beide und wann und wie lange ihr sprecht, aber nicht, was ihr sagt. Antwortet kein Relay, schlagen Anrufe fehl.",
  "relay.title": "Relay für Anrufe",
  "relay.intro":
    "Wenn zwei Netze direkte Anrufe blockieren, leitet ein Relay sie weiter, verschlüsselt von Gerät zu Gerät. Es genügt, wenn einer von euch eines hat.",
  "relay.looking": "Sucht ein Relay …",
  "relay.named": "Anrufe können dein Relay {address} nutzen.",
  "relay.ofNode": "Anrufe können das Relay deines Knotens nutzen.",
  "relay.none":
    "Dein Knoten bietet kein Relay. Starte ihn mit --call-relay auf einem Rechner, der aus dem Internet erreichbar ist, oder gib ein anderes an.",
  "relay.try": "Ausprobieren",
  "relay.answers":
    "Das Relay antwortet diesem Gerät. Für andere muss es aus dem Internet erreichbar sein: Ein Knoten hinter einem Router braucht weitergeleitete Ports.",
  "relay.silent":
    "Das Relay antwortet nicht. Vielleicht ist es aus oder hinter einem Router oder einer Firewall, oder Benutzername oder Passwort ist falsch.",
  "relay.address": "Adresse",
  "relay.addressHint": "Ein TURN-Server, zum Beispiel turn.example.org:3478. Wer ihn betreibt, sieht die IP-Adressen von euch beiden.",
  "relay.addressWrong": "Das ist keine Adresse eines TURN-Servers",
  "relay.username": "Benutzer",
  "relay.password": "Passwort",
  "relay.save": "Dieses Relay nutzen",
  "relay.saved": "Relay für Anrufe gespeichert",
  "relay.remove": "Entfernen",
} as const;
