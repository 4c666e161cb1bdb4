/** Exit codes for failures that only an operator can fix, not a restart. All other failures are 1. */
export const exitCodes = {
  /** Wrong settings or a wrong command line; from `check-config`, also unknown settings. */
  wrongSettings: 2,
  /** Another process uses the data folder, the database to restore into, or the port. */
  inUse: 3,
  /**
   * The database is damaged, belongs to another program or a newer version, is missing or empty although the data folder
   * has images or backups, or contains a value that no backup can store. Or its files were replaced
   * under the server, a migration failed, or the ledger of erased accounts cannot be read.
   */
  unfitDatabase: 4,
};
