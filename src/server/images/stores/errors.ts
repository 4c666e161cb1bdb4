/** Whether an error of the file system or the S3 client means that the object does not exist. */
export function meansMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : error.name;
  return code === 'ENOENT' || code === 'NotFound' || code === 'NoSuchKey';
}

/** The store holds no object under this key. */
export class ObjectNotFound extends Error {
  constructor(key: string, cause?: unknown) {
    super(`no object ${key}`, { cause });
  }
}

/** The result of reading an object, or undefined when there is no such object. */
export async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ObjectNotFound) return undefined;
    throw error;
  }
}

/** The bucket failed or did not answer in time. The cause is for the log. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the object store is unavailable', { cause });
  }

  /** For the operator: the store's own message, and where to look. */
  get advice(): string {
    const { cause } = this;
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : cause;
    return `The bucket does not work: ${reason}. Look at the store and at the S3_* settings.`;
  }
}
