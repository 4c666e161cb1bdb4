/**
 * Files stored in IndexedDB, so that an upload survives a reload and a lost session. None of these functions throws:
 * without IndexedDB a file is stored until the page is left.
 */
const ofThisPage = new Map<string, File>();

export async function storeLocalFile(key: string, file: File): Promise<void> {
  ofThisPage.set(key, file);
  await inStore((store) => store.put(file, key));
}

export async function readLocalFile(key: string): Promise<File | null> {
  const file = ofThisPage.get(key) ?? (await inStore((store) => store.get(key)));
  return file instanceof File ? file : null;
}

export async function deleteLocalFiles(prefix: string): Promise<void> {
  for (const key of ofThisPage.keys()) if (key.startsWith(prefix)) ofThisPage.delete(key);
  await inStore((store) => store.delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`)));
}

async function inStore(act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  try {
    const opening = indexedDB.open('tertulia', 2);
    opening.onupgradeneeded = () => opening.result.createObjectStore('files');
    const database = await resultOf(opening);
    const request = act(database.transaction('files', 'readwrite').objectStore('files'));
    // Takes effect when the transaction is complete.
    database.close();
    return await resultOf(request);
  } catch (error) {
    return console.warn(error);
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
