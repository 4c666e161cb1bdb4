export interface Step {
  /** Headings in the guide. */
  task: string;
  command: string;
  said: string;
  seconds: number;
  /** Sizes of releases and data in MB, after the last step of a block. */
  sizes?: string;
}

/** Maximum number of lines of output shown for one command. */
const shownLines = 6;

/** @returns Markdown with the time and the sizes of each task, and its commands with their output */
export function describeSteps(steps: Step[]): string {
  const tasks = Map.groupBy(steps, ({ task }) => task);
  const rows = [...tasks].map(([task, ofTask]) => {
    const seconds = ofTask.reduce((sum, step) => sum + step.seconds, 0);
    return `| ${task} | ${ofTask.length} | ${seconds.toFixed(1)} | ${ofTask.at(-1)?.sizes ?? ''} |`;
  });
  const blocks = [...tasks].map(([task, ofTask]) =>
    [`## ${task}`, '', '```console', ...ofTask.map(describeStep), '```'].join('\n'),
  );
  const table = ['| task | commands | seconds | MB afterwards |', '|---|---|---|---|', ...rows];
  return [...table, '', ...blocks.flatMap((block) => [block, ''])].join('\n');
}

function describeStep({ command, said, seconds }: Step): string {
  const lines = said
    // Commands name the home folder of root like this.
    .replaceAll('/root', '~')
    // The token of a link.
    .replaceAll(/(https:\S+#)\S+/g, '$1…')
    .trimEnd()
    .split('\n')
    .filter(Boolean);
  // Omits the output of a package manager.
  const shown = command.startsWith('apt-get') ? [] : lines.slice(0, shownLines);
  const rest = lines.length > shown.length && shown.length > 0 ? ['…'] : [];
  return [`$ ${command}   # ${seconds.toFixed(1)} s`, ...shown, ...rest].join('\n');
}
