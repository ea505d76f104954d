// German words: watched addresses.

/** Messages `watched.*`. */
export const watched = {
  "watched.page": "Beobachtete Adressen",
  "watched.text": "Du siehst, was diese Adressen haben und erhalten. Von hier aus kann nichts von ihnen gezahlt werden.",
  "watched.full": "Du beobachtest {limit} Adressen, mehr geht nicht. Entferne eine, um eine andere hinzuzufügen.",
  "watched.none": "Keine beobachteten Adressen",
  "watched.noneText": "Folge einer Adresse ohne ihre Schlüssel, etwa einem Sparkonto oder einer Spendenadresse.",
  "watched.badge": "Nur beobachtet",
  "watched.add": "Adresse beobachten",
  "watched.addText": "Die Liste bleibt verschlüsselt auf diesem Gerät. Dein Knoten sieht, welche Adressen du nachschlägst.",
  "watched.address": "Adresse oder @Name",
  "watched.nameHint": "Nur für dich.",
  "watched.confirm": "Beobachten",
  "watched.own": "Das ist deine eigene Adresse.",
  "watched.known": "Diese Adresse beobachtest du schon.",
  "watched.remove": "Nicht mehr beobachten",
  "watched.arrived": "{name} hat {amount} erhalten",
} as const;
