// Sets the theme before the first paint. Reads what lib/settings-store.ts persists; must stay tiny and free of imports.
(() => {
  try {
    const { theme } = JSON.parse(localStorage.getItem("parley.settings") ?? "{}").state ?? {};
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Unreadable settings: the system's theme is used.
  }
})();
