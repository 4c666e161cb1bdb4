/**
 * Exit codes for failures that a restart cannot fix: an operator has to act first. All other failures
 * are 1.
 */
export const exitCodes = {
  /** Wrong settings or a wrong command line; from `check-config`, also unknown settings. */
  wrongSettings: 2,
  /** Another process uses the data folder, the database to restore into, or the port. */
  inUse: 3,
  /**
   * The database is damaged, of another program, of a newer version, missing or empty beside its images,
   * with a value that no backup can take, or of another site than the image store. Or the images or the
   * ledger of erased accounts may not be read.
   */
  unfitDatabase: 4,
};
