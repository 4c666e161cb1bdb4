/** Browser storage that never throws. Values that cannot be stored stay in memory. */
function safeStorage(open: () => Storage) {
  const memory = new Map<string, string>();
  const attempt = <T>(act: (storage: Storage) => T): T | undefined => {
    try {
      return act(open());
    } catch {
      return undefined;
    }
  };
  return {
    get: (key: string) => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    set(key: string, value: string): void {
      memory.set(key, value);
      attempt((storage) => {
        storage.setItem(key, value);
        memory.delete(key);
      });
    },
    /** Whether a value could not be stored and would be lost on reload. */
    isOnlyInMemory: (key: string) => memory.has(key),
    remove(key: string): void {
      memory.delete(key);
      attempt((storage) => storage.removeItem(key));
    },
    // A key may be in both: a failed write leaves the earlier value in the browser's storage.
    keys: () => [...new Set([...memory.keys(), ...(attempt(Object.keys) ?? [])])],
    clear(): void {
      memory.clear();
      attempt((storage) => storage.clear());
    },
  };
}

export const sessionStore = safeStorage(() => sessionStorage);
export const localStore = safeStorage(() => localStorage);
