import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { inWords, type Section } from './section.ts';
import { temporaryFolder } from './server.ts';

const projectDir = path.dirname(import.meta.dirname);
const largest = 12;

/** What `prepare.js` reads, to install and to build. */
const needed = ['package.json', 'package-lock.json', 'vite.config.ts', 'scripts', 'src', 'public'];

/** What an installation for serving takes up on disk, made anew as `npm start` makes it. */
export async function size(): Promise<Section[]> {
  const { folder, remove } = await temporaryFolder();
  for (const name of needed) {
    cpSync(path.join(projectDir, name), path.join(folder, name), { recursive: true });
  }
  execFileSync(process.execPath, ['scripts/prepare.js'], { cwd: folder, stdio: 'ignore' });
  const modules = path.join(folder, 'node_modules');
  const sizes = execFileSync('du', ['--block-size=1', '--max-depth=2', modules], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .map((line) => {
      const [bytes = '0', file = ''] = line.split('\t');
      return { bytes: Number(bytes), name: path.relative(modules, file) };
    })
    .sort((a, b) => b.bytes - a.bytes);
  await remove();
  return [
    {
      title: 'Installed size',
      columns: ['package', 'on disk'],
      rows: sizes
        // Scopes are the sum of their packages.
        .filter(({ name }) => !/^@[^/]+$|^[^@]+\//.test(name))
        .slice(0, largest + 1)
        .map(({ name, bytes }) => [name || '**all**', inWords.megabytes(bytes)]),
      notes: `\`node_modules\` after a first \`npm start\`, by \`du\`; the ${largest} largest.`,
    },
  ];
}
