export type Theme = "auto" | "light" | "dark";

const themes: readonly Theme[] = ["auto", "light", "dark"];
const key = "assent-theme";

export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return themes.find((theme) => theme === stored) ?? "auto";
  } catch {
    return "auto";
  }
}

/** Also where nothing can be stored: then for as long as the page is open. */
export function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // A private window may have no storage.
  }
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "auto") delete dataset["theme"];
  else dataset["theme"] = theme;
}

export function nextTheme(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? "auto";
}
