// Sets the chosen looks and direction before the first paint. Reads what lib/settings/settings-store.ts persists; must stay tiny and free of imports.
(() => {
  try {
    const chosen = JSON.parse(localStorage.getItem("parley.settings") ?? "{}").state ?? {};
    const looks = {
      theme: ["light", "dark"],
      textSize: ["small", "large", "largest"],
      density: ["compact"],
      accent: ["blue", "violet", "rose", "grey"],
    };
    for (const [name, values] of Object.entries(looks))
      if (values.includes(chosen[name])) document.documentElement.dataset[name] = chosen[name];
  } catch {
    // Unreadable settings: the system's theme is used.
  }
})();
