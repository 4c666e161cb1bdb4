/**
 * PostgreSQL cannot be reached, does not answer, or has no room, or another process keeps the SQLite
 * file locked; later it may be well.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is unavailable', { cause });
  }
}
