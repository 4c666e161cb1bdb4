/** The store holds no object under this key. */
export class ObjectNotFound extends Error {
  constructor(key: string, cause?: unknown) {
    super(`no object ${key}`, { cause });
  }
}

/** The store does not answer, or not in time. The cause is for the log. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the object store is unavailable', { cause });
  }
}
