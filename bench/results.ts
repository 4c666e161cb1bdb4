import { existsSync, realpathSync, statSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import type { Section } from './section.ts';

/** The results as a page. Nothing in it names the machine. */
export function renderResults(sections: Section[]): string {
  return `# Results

Written by \`npm run bench\`; what was done about them is in
[docs/performance.md](../docs/performance.md).

Machine: ${machineInWords()}. The load is made on the same machine.
${sections.map(renderSection).join('')}`;
}

/** One section, as Markdown. */
export function renderSection({ title, columns, rows, notes }: Section): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  return `
## ${title}

${notes ? `${notes}\n\n` : ''}${line(columns)}${line(columns.map(() => '---'))}${rows.map(line).join('')}`;
}

function machineInWords(): string {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  return (
    `${cpus().length} cores (${process.arch}), ${gigabytes} GB of memory, ${diskInWords()}, ` +
    `${process.platform}, ` +
    `Node ${process.versions.node}`
  );
}

/** Of the disk that the databases lie on, by how the kernel reaches it. */
function diskInWords(): string {
  const { dev } = statSync(tmpdir());
  const device = `/sys/dev/block/${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
  if (!existsSync(device)) return 'no disk of its own (memory or an overlay)';
  const path = realpathSync(device);
  if (path.includes('/virtio')) return 'a virtual disk';
  return path.includes('/nvme') ? 'an NVMe disk' : 'a disk';
}
