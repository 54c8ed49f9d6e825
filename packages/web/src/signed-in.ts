/**
 * The key that belongs to the cookie. A browser sends a cookie to every port of a machine; what is stored here stays with this
 * address, port and all. Where nothing can be stored, it lasts as long as the page.
 */
const name = "assent-key";
let kept: string | null = null;

export function storedKey(): string | null {
  try {
    return localStorage.getItem(name) ?? kept;
  } catch {
    return kept;
  }
}

export function storeKey(key: string | null): void {
  kept = key;
  try {
    if (key === null) localStorage.removeItem(name);
    else localStorage.setItem(name, key);
  } catch {
    // It is kept as long as the page is open.
  }
}
