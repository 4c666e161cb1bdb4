import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '../src/server/config.ts';

/** A server in a process of its own, with a forum's database, folder and bucket. */
export async function startProcess(config: Config) {
  const { s3 } = config;
  const bucket = s3 && {
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: s3.bucket,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
  const server = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '../src/server/main.ts')],
    {
      // Away from the project, so that no .env of a developer is read.
      cwd: tmpdir(),
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        DATA_DIR: config.dataDir,
        DATABASE_URL: config.databaseUrl,
        ...bucket,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface(server.stdout)) {
    const url = /tertulia is at (http:[^"]+)/.exec(line)?.[1];
    if (url) return { server, url };
  }
  throw new Error('the server ended without saying where it is');
}
