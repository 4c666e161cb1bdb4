/**
 * Files that are being uploaded, kept by the browser so that an upload outlives a reload. Each lies
 * under the time at which it was kept; whose it is goes with it. Where the browser keeps nothing,
 * an upload ends with its page: nothing here ever fails.
 */
interface KeptFile {
  userId: string;
  file: File;
}

const databaseName = 'tertulia';
const storeName = 'files';
const longestMs = 24 * 3_600_000;

/** A key of its own for every draft, in whichever tab. */
export const newFileKey = () => Date.now() + Math.random();

/** Keeps a file under its key, and forgets what nobody has come back for in a day. */
export async function keepFile(key: number, kept: KeptFile): Promise<void> {
  await inStore('readwrite', (store) => {
    store.delete(IDBKeyRange.upperBound(Date.now() - longestMs));
    return store.put(kept, key);
  });
}

/** The file under this key, if it is this person's. */
export async function readKeptFile(key: number, userId: string): Promise<File | undefined> {
  const kept = (await inStore('readonly', (store) => store.get(key))) as KeptFile | undefined;
  return kept?.userId === userId ? kept.file : undefined;
}

export async function dropKeptFile(key: number): Promise<void> {
  await inStore('readwrite', (store) => store.delete(key));
}

/** For the end of a session: whoever comes next finds nothing. */
export async function dropKeptFiles(): Promise<void> {
  await inStore('readwrite', (store) => store.clear());
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
  const opening = indexedDB.open(databaseName, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
  return answerOf(opening);
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
