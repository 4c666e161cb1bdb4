import { OperatorError } from '../operator-error.ts';

/** A backup is incomplete or was changed after it was written. */
export class DamagedBackup extends OperatorError {
  /** One line for each problem found. */
  readonly problems: string[];
  constructor(problems: string[], message = `The backup is damaged:\n${toLines(problems)}`) {
    super(message);
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

function toLines(problems: string[]): string {
  return problems.map((line) => `  - ${line}`).join('\n');
}
