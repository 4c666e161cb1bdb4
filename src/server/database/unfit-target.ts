import { InUse, OperatorError } from '../system/operator-error.ts';

const refusal = (found: string) =>
  `A backup is restored into an empty database and image store only, while no server runs on them. ${found} Nothing was changed.`;

/** The database or image store into which a backup is to be restored has data. */
export class UnfitTarget extends OperatorError {
  constructor(found: string) {
    super(refusal(found));
  }
}

/** A server, a start or another restore uses the database into which a backup is to be restored. */
export class TargetInUse extends InUse {
  constructor(found: string) {
    super(refusal(found));
  }
}
