import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** One table of the results. */
export interface Section {
  title: string;
  columns: string[];
  rows: string[][];
  /** How the figures were measured. */
  notes: string;
}

/** A cell that says whether a figure is within its budget. */
export function verdict(budget: string, isMet: boolean): string {
  return `${isMet ? 'yes' : '**no**'} (${budget})`;
}

/** The middle value, or the higher of the two. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Numbers with their units, as cells. */
export const format = {
  count: (value: number) => Math.round(value).toLocaleString('en'),
  ms: (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`,
  micros: (value: number) => `${Math.round(value)} µs`,
  percent: (share: number) => `${Math.round(share * 100)} %`,
  megabytes: (value: number) => `${Math.round(value)} MB`,
  kilobytes: (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`,
};

/** The results as Markdown. The machine is described only by its size. */
export function renderResults(sections: Section[]): string {
  const machine = `${cpus().length} cores (${process.arch}), ${Math.round(totalmem() / 1024 ** 3)} GB of memory`;
  return `# Results

Written by \`npm run bench\`; the budgets are explained in
[docs/performance.md](../docs/performance.md).

Machine: ${machine}, ${process.platform}, Node ${process.versions.node}. The load is generated on the same machine.
${sections.map(renderSection).join('')}`;
}

export function renderSection({ title, columns, rows, notes }: Section): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  return `
## ${title}

${notes} Commit ${commit}, ${date}.

${line(columns)}${line(columns.map(() => '---'))}${rows.map(line).join('')}`;
}
