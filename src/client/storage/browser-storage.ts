/** Browser storage that never throws. Values that cannot be stored stay in memory instead. */
function safeStorage(open: () => Storage) {
  const memory = new Map<string, string>();
  return {
    get(key: string): string | null {
      const inMemory = memory.get(key);
      if (inMemory !== undefined) return inMemory;
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
        // A key may be in both: a failed write leaves the earlier value in the browser's storage.
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
