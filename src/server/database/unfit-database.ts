/** The database must not be worked with as it is. The message tells the operator what to do. */
export class UnfitDatabase extends Error {}

/** Names of migrations that this program does not know. */
export class NewerDatabase extends UnfitDatabase {
  constructor(unknown: string[]) {
    super(
      `The database was made by a newer version of tertulia, or by another program: it went through ${unknown.join(', ')}, which this one does not know. Nothing was changed. Run the newer version, or restore a backup from before it.`,
    );
  }
}
