/**
 * Files stored in IndexedDB, so that an upload outlives a reload and a lost session. None of these
 * functions throws: without IndexedDB they store nothing, and an upload ends with its page.
 */
const databaseName = 'tertulia';
const databaseVersion = 2;
const storeName = 'files';

export async function storeLocalFile(key: string, file: File): Promise<void> {
  await inStore((store) => store.put(file, key));
}

export async function readLocalFile(key: string): Promise<File | null> {
  const file = await inStore((store) => store.get(key));
  return file instanceof File ? file : null;
}

export async function deleteLocalFile(key: string): Promise<void> {
  await inStore((store) => store.delete(key));
}

/** Deletes the files whose keys begin like this. */
export async function deleteLocalFiles(prefix: string): Promise<void> {
  await inStore((store) => store.delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`)));
}

/** Does nothing when there is no file with the key `from`. */
export async function moveLocalFile(from: string, to: string): Promise<void> {
  await inStore((store) => {
    const reading = store.get(from);
    reading.addEventListener('success', () => {
      if (!reading.result) return;
      store.put(reading.result, to);
      store.delete(from);
    });
    return reading;
  });
}

async function inStore(act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  try {
    const database = await openDatabase();
    try {
      const transaction = database.transaction(storeName, 'readwrite');
      return await resultOf(act(transaction.objectStore(storeName)));
    } finally {
      // Takes effect when the transaction is complete.
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
  return resultOf(opening);
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
