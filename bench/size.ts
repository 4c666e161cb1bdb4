import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { format, type Section } from './section.ts';

const project = path.dirname(import.meta.dirname);
/** Files that `scripts/prepare.js` reads to install and to build. */
const needed = ['package.json', 'package-lock.json', 'scripts', 'src', 'public'];
const largest = 12;

/** Measures the disk space of the packages that `npm start` installs. */
export async function size(): Promise<Section[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-bench-'));
  try {
    for (const name of needed) {
      await cp(path.join(project, name), path.join(folder, name), { recursive: true });
    }
    execFileSync(process.execPath, ['scripts/prepare.js'], { cwd: folder, stdio: 'ignore' });
    const du = ['--block-size=1M', '--max-depth=2', 'node_modules'];
    const sizes = execFileSync('du', du, { cwd: folder, encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.split('\tnode_modules'))
      .map(([megabytes, file = '']) => ({ megabytes: Number(megabytes), name: file.slice(1) }))
      // Leaves out scopes, which are the sum of their packages, and folders inside packages.
      .filter(({ name }) => !/^@[^/]+$|^[^@]+\//.test(name))
      .sort((a, b) => b.megabytes - a.megabytes);
    return [
      {
        title: 'Installed size',
        columns: ['package', 'on disk'],
        rows: sizes
          .slice(0, largest + 1)
          .map(({ name, megabytes }) => [name || '**all**', format.megabytes(megabytes)]),
        notes: `\`node_modules\` after a first \`npm start\`, by \`du\`; the ${largest} largest.`,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
