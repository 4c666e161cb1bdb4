/**
 * Files that are being uploaded, kept by the browser so that an upload outlives a reload and a lost
 * session. Where the browser keeps nothing, an upload ends with its page: nothing here ever fails.
 */
const databaseName = 'tertulia';
const databaseVersion = 2;
const storeName = 'files';

export async function keepFile(key: string, file: File): Promise<void> {
  await inStore('readwrite', (store) => store.put(file, key));
}

export async function readKeptFile(key: string): Promise<File | null> {
  const kept = await inStore('readonly', (store) => store.get(key));
  return kept instanceof File ? kept : null;
}

export async function dropKeptFile(key: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(key));
}

/** Does nothing when there is no file under the first key. */
export async function moveKeptFile(from: string, to: string): Promise<void> {
  await inStore('readwrite', (store) => {
    const reading = store.get(from);
    reading.addEventListener('success', () => {
      if (!reading.result) return;
      store.put(reading.result, to);
      store.delete(from);
    });
    return reading;
  });
}

async function inStore(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  try {
    const database = await openDatabase();
    try {
      return await answerOf(act(database.transaction(storeName, mode).objectStore(storeName)));
    } finally {
      // Closes once the transaction is through.
      database.close();
    }
  } catch (error) {
    console.warn(error);
    return undefined;
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(databaseName, databaseVersion);
  opening.onupgradeneeded = () => {
    const { result } = opening;
    // Version 1 had other keys.
    if (result.objectStoreNames.contains(storeName)) result.deleteObjectStore(storeName);
    result.createObjectStore(storeName);
  };
  return answerOf(opening);
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
