/** PostgreSQL cannot be reached, does not answer, or has no room; later it may. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is unavailable', { cause });
  }
}
