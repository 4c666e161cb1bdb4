/** Storage that never throws: what the browser does not keep lives as long as the page. */
function safeStorage(open: () => Storage) {
  const memory = new Map<string, string>();
  return {
    get(key: string): string | null {
      const unkept = memory.get(key);
      if (unkept !== undefined) return unkept;
      try {
        return open().getItem(key);
      } catch {
        return null;
      }
    },
    set(key: string, value: string): void {
      try {
        open().setItem(key, value);
        memory.delete(key);
      } catch {
        memory.set(key, value);
      }
    },
    remove(key: string): void {
      memory.delete(key);
      try {
        open().removeItem(key);
      } catch {}
    },
    keys(): string[] {
      try {
        // A key may be in both: the browser keeps the value before the one it had no room for.
        return [...new Set([...memory.keys(), ...Object.keys(open())])];
      } catch {
        return [...memory.keys()];
      }
    },
    clear(): void {
      memory.clear();
      try {
        open().clear();
      } catch {}
    },
  };
}

export const sessionStore = safeStorage(() => sessionStorage);
export const localStore = safeStorage(() => localStorage);
