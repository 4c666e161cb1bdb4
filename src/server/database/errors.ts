/**
 * A temporary failure: PostgreSQL is unreachable, does not answer or has no free connection, or
 * another process holds the lock on the SQLite file.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is unavailable', { cause });
  }
}

/** A malformed cursor, or one issued before the site was restored. */
export class InvalidCursor extends Error {
  constructor() {
    super('invalid cursor');
  }
}

/** The idempotency key was already used for a different request. */
export class IdempotencyKeyReused extends Error {
  constructor() {
    super('idempotency key reused');
  }
}

/** The result of the first request with this idempotency key is no longer visible. */
export class IdempotentResultDeleted extends Error {
  constructor() {
    super('the result of the idempotent request was deleted');
  }
}
