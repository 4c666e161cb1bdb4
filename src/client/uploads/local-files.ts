/**
 * Files stored in IndexedDB, so that an upload outlives a reload and a lost session. None of these
 * functions throws: without IndexedDB a file is stored until the page is left.
 */
const databaseName = 'tertulia';
const databaseVersion = 2;
const storeName = 'files';

const ofThisPage = new Map<string, File>();

export async function storeLocalFile(key: string, file: File): Promise<void> {
  ofThisPage.set(key, file);
  await inStore((store) => store.put(file, key));
}

export async function readLocalFile(key: string): Promise<File | null> {
  const file = ofThisPage.get(key) ?? (await inStore((store) => store.get(key)));
  return file instanceof File ? file : null;
}

/** Deletes the files whose keys begin like this. */
export async function deleteLocalFiles(prefix: string): Promise<void> {
  for (const key of ofThisPage.keys()) if (key.startsWith(prefix)) ofThisPage.delete(key);
  await inStore((store) => store.delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`)));
}

const inStore = (act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> =>
  runInStore(act).catch(console.warn);

async function runInStore(act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opening = indexedDB.open(databaseName, databaseVersion);
  opening.onupgradeneeded = () => {
    const { result } = opening;
    // Version 1 had other keys.
    if (result.objectStoreNames.contains(storeName)) result.deleteObjectStore(storeName);
    result.createObjectStore(storeName);
  };
  const database = await resultOf(opening);
  try {
    return await resultOf(act(database.transaction(storeName, 'readwrite').objectStore(storeName)));
  } finally {
    // Takes effect when the transaction is complete.
    database.close();
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
