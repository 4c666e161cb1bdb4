import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { documentedBlocks } from '../../../../test/install/documented-commands.ts';
import { installation } from '../../system/installation.ts';
import { parseArguments } from './command-line.ts';
import { commands } from './commands.ts';

const read = (file: string) => readFile(path.join(installation, file), 'utf8');

/** The pages for volunteers, each in English and in Spanish. */
const inBothLanguages = [
  ['docs/an-afternoon.md', 'docs/una-tarde.md'],
  ['docs/a-bad-day.md', 'docs/el-dia-malo.md'],
  ['docs/moving-house.md', 'docs/trasladar.md'],
];

/** @returns the commands of `tertulia` in a text, without their comments, redirections and what follows only when they succeed */
function documentedCommands(markdown: string): string[] {
  return [
    ...markdown.matchAll(
      /^(?:runuser -u tertulia -- )?(?:\S*\/bin\/)?tertulia (.*?)(?: +(?:[#>]|&&).*)?$/gm,
    ),
  ].map(([, command = '']) => command);
}

test('the guide names only commands, options and delivered files that exist', async () => {
  const guides = await Promise.all(
    [...inBothLanguages.flat(), 'docs/containers.md', 'docs/operating.md'].map(read),
  );
  const ofReadme = documentedBlocks(await read('README.md')).map(({ script }) => script);
  const text = [...guides, ...ofReadme].join('\n');
  const found = documentedCommands(text);
  assert.ok(found.length > 15, `${found.length} commands`);
  for (const commandArgs of found.map((command) => command.split(' '))) {
    const [name = '', ...args] = commandArgs;
    if (name.startsWith('--')) continue;
    assert.ok(commands[name], `tertulia ${name}`);
    assert.doesNotThrow(() => parseArguments(name, commands[name] ?? assert.fail(name), args));
  }
  const files = new Set(text.match(/\bdeploy\/[\w./@-]*\w/g));
  assert.ok(files.size > 3);
  for (const file of files) assert.ok(existsSync(path.join(installation, file)), file);
});

for (const files of inBothLanguages) {
  test(`${files.join(' and ')} have the same blocks, and as many headings`, async () => {
    const [english = '', spanish = ''] = await Promise.all(files.map(read));
    const blocksOf = (text: string) => text.match(/^```.*$[\s\S]*?^```$/gm) ?? [];
    assert.ok(blocksOf(english).length > 3);
    assert.deepEqual(blocksOf(spanish), blocksOf(english));
    const levelsOf = (text: string) => text.match(/^#+(?= )/gm);
    assert.deepEqual(levelsOf(spanish), levelsOf(english));
  });
}

test('the documents link only to headings that exist', async () => {
  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-');
  const documents = globSync(['*.md', 'docs/*.md'], { cwd: installation });
  const anchors = new Map<string, string[]>();
  for (const document of documents) {
    const headings = (await read(document)).matchAll(/^#+ (.*)$/gm);
    anchors.set(
      document,
      Array.from(headings, ([, heading = '']) => anchorOf(heading)),
    );
  }
  const links = await Promise.all(
    documents.map(async (document) => {
      const found = (await read(document)).matchAll(/\]\(([\w/.-]*)#([^)]+)\)/g);
      return Array.from(found, ([, file, anchor = '']) => {
        const target = file ? path.join(path.dirname(document), file) : document;
        return { document, target, anchor };
      });
    }),
  );
  assert.ok(links.flat().length > 20);
  const broken = links
    .flat()
    .filter(({ target, anchor }) => !anchors.get(target)?.includes(anchor));
  assert.deepEqual(broken, []);
});

test('the blocks of shell commands are found below their headings', () => {
  const markdown =
    '# A\n## B\n### C\n```sh\none\ntwo\n```\n```ini\nx=1\n```\n## D\n```sh\nthree\n```\n';
  assert.deepEqual(documentedBlocks(markdown), [
    { task: 'B, C', script: 'one\ntwo' },
    { task: 'D', script: 'three' },
  ]);
});
