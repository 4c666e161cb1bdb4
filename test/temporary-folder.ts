import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder that is removed at the end of its scope, even while a process that writes there is still exiting. */
export interface TemporaryFolder extends AsyncDisposable {
  path: string;
}

export async function temporaryFolder(name: string): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(process.env.TEST_FOLDER ?? tmpdir(), `tertulia-${name}-`));
  return {
    path: folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
