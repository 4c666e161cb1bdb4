/** A backup is not what was once written. */
export class DamagedBackup extends Error {
  /** What is wrong, a line each; of very many only the first. */
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The backup is damaged:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.problems = problems;
  }
}
