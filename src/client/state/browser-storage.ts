/** Storage that never throws: where the browser forbids it, values live as long as the page. */
function safeStorage(open: () => Storage) {
  const memory = new Map<string, string>();
  return {
    get(key: string): string | null {
      try {
        return open().getItem(key);
      } catch {
        return memory.get(key) ?? null;
      }
    },
    set(key: string, value: string): void {
      try {
        open().setItem(key, value);
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
