/**
 * PostgreSQL cannot be reached, does not answer, or has no room, or another process keeps the SQLite
 * file locked; later it may be well.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is unavailable', { cause });
  }
}

/** A cursor that no list of this site gave out. */
export class InvalidCursor extends Error {
  constructor() {
    super('invalid cursor');
  }
}

/** Another request was made with the same idempotency key. */
export class IdempotencyKeyReused extends Error {
  constructor() {
    super('idempotency key reused');
  }
}

/** What the first request with this idempotency key made no longer exists. */
export class IdempotentResultDeleted extends Error {
  constructor() {
    super('the result of the idempotent request was deleted');
  }
}
