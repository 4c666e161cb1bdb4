import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { addCover } from '../../../../test/forum/add-cover.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/temporary-folder.ts';
import { OtherVersion } from '../../database/errors.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { readArchive } from './archive-reader.ts';
import { DamagedBackup } from './damaged-backup.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

describe('a damaged backup', () => {
  let folder: TemporaryFolder;
  let file: string;
  let bytes: Buffer;
  before(async () => {
    folder = await temporaryFolder('damaged');
    file = path.join(folder.path, 'backup.tar');
    await using forum = await Forum.start('sqlite');
    await addCover(forum, 1000);
    await makeBackup(forum.services, file, async () => {});
    bytes = await readFile(file);
  });
  after(() => folder?.[Symbol.asyncDispose]());

  /** Verifies a file of these bytes. @returns why it is refused */
  async function problemsOf(content: Buffer | string): Promise<Error> {
    const damaged = path.join(folder.path, 'damaged.tar');
    await writeFile(damaged, content);
    return verifyBackup(damaged).then(
      () => assert.fail('the damaged backup passed verification'),
      (error: Error) => error,
    );
  }

  function flip(at: number): Buffer {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    return flipped;
  }

  test('fails verification after one flipped bit anywhere in the file', async () => {
    // A step of 509 bytes hits each block of 512 bytes at a different offset.
    for (let at = 0; at < bytes.length; at += 509) {
      const error = await problemsOf(flip(at));
      // One that hits the name of a migration makes it unknown.
      const isRefused = error instanceof DamagedBackup || error instanceof OtherVersion;
      assert.ok(isRefused, `byte ${at}`);
    }
  });

  test('fails verification with the name of the image or table that was changed, and is not restored', async () => {
    for await (const { name, bytes: body } of readArchive(file)) {
      // A change in the middle of the manifest would hit the checksum of another part.
      const at = bytes.indexOf(body) + (name === 'manifest.json' ? 0 : body.length >> 1);
      const subject = /^(?:images\/|rows\/)?([\w-]+)/.exec(name)?.[1] ?? '';
      assert.ok((await problemsOf(flip(at))).message.includes(subject), subject);
    }
    const config = parseConfig({ DATA_DIR: path.join(folder.path, 'nothing here') });
    const damaged = path.join(folder.path, 'damaged.tar');
    await assert.rejects(restoreBackup(config, damaged), DamagedBackup);
    await assert.rejects(stat(config.dataDir), { code: 'ENOENT' });
  });

  test('fails verification wherever it was truncated', async () => {
    const { length } = bytes;
    for (const at of [100, 512, length >> 1, length - 2000, length - 1024, length - 1]) {
      const { message } = await problemsOf(bytes.subarray(0, at));
      assert.match(message, /^The backup is damaged:\n {2}- the file (is|does not match)/);
    }
  });

  test('is distinguished from a file of another kind, an empty file and a folder', async () => {
    await writeFile(path.join(folder.path, 'letter.txt'), 'a letter');
    const archive = execFileSync('tar', ['-cf', '-', '-C', folder.path, 'letter.txt']);
    for (const content of ['a letter', Buffer.alloc(5000, 'a'), archive]) {
      const { message } = await problemsOf(content);
      assert.match(message, /damaged\.tar is not a backup of tertulia, or its first bytes are/);
    }
    assert.match((await problemsOf('')).message, /damaged\.tar is empty\.$/);
    await assert.rejects(verifyBackup(folder.path), { message: `${folder.path} is not a file.` });
  });
});
