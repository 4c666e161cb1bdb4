import { OperatorError } from '../operator-error.ts';

/** The database cannot be used as it is. */
export class UnfitDatabase extends OperatorError {}

/** The database has run migrations that this version does not know. */
export class NewerDatabase extends UnfitDatabase {
  constructor(unknown: string[]) {
    super(
      `The database was made by a newer version of tertulia, or by another program: it went through ${unknown.join(', ')}, which this one does not know. Nothing was changed. Run the newer version, or restore a backup from before it.`,
    );
  }
}
