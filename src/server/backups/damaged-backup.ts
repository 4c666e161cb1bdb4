import { OperatorError } from '../operator-error.ts';

/** A backup is incomplete or was changed after it was written. */
export class DamagedBackup extends OperatorError {
  /** One line for each problem found. */
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The backup is damaged:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.problems = problems;
  }
}
