/** Codes and names of the errors by which a file system and an S3 bucket report a missing object. */
const missingCodes = new Set<unknown>(['ENOENT', 'NotFound', 'NoSuchKey']);

/** Whether an error of the file system or the S3 client means that there is no such object. */
export function meansMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return missingCodes.has('code' in error ? error.code : error.name);
}

/** The store holds no object under this key. */
export class ObjectNotFound extends Error {
  constructor(key: string, cause?: unknown) {
    super(`no object ${key}`, { cause });
  }
}

/** The bucket failed or did not answer in time. The cause is for the log. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the object store is unavailable', { cause });
  }
}
