import { OperatorError } from '../../system/operator-error.ts';

/** A backup is truncated, or was changed after it was written. */
export class DamagedBackup extends OperatorError {
  /** One line for each problem found. */
  readonly problems: string[];
  constructor(problems: string[], message?: string) {
    const lines = problems.map((line) => `  - ${line}`).join('\n');
    super(message ?? `The backup is damaged:\n${lines}`);
    this.problems = problems;
  }
}

/** The file is not a backup. */
export class NoBackup extends DamagedBackup {
  constructor(
    file: string,
    problem = 'is not a backup of tertulia, or its first bytes are damaged',
  ) {
    super([problem], `${file} ${problem}.`);
  }
}
