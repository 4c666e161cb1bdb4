import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { ConfigError } from '../config.ts';
import { parseMove } from './move-settings.ts';

const bucket = {
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'fotos',
  S3_ACCESS_KEY_ID: 'clave',
  S3_SECRET_ACCESS_KEY: 'secreto',
};
const toBucket = Object.fromEntries(Object.entries(bucket).map(([k, v]) => [`TO_${k}`, v]));
const url = 'postgres://u:p@localhost/foro';

function wrongOf(args: string[], env: Record<string, string> = {}): string[] {
  try {
    parseMove(args, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.wrong;
    throw error;
  }
  throw new Error('nothing was wrong');
}

test('the source is what the settings say, the target what the arguments and TO_ settings say', () => {
  const { TO_S3_BUCKET: _, ...rest } = toBucket;
  const move = parseMove(['--to-database', url, '--to-bucket', 'otras'], {
    DATA_DIR: '/datos',
    ...rest,
  });
  assert.deepEqual([move.database, move.pictures, move.check], [true, true, false]);
  assert.deepEqual([move.source.databaseUrl, move.source.dataDir], [undefined, '/datos']);
  assert.deepEqual([move.target.databaseUrl, move.target.s3?.bucket], [url, 'otras']);
});

test('one argument moves one thing', () => {
  const parts = (args: string[], env: Record<string, string> = {}) => {
    const { database, pictures } = parseMove(args, env);
    return [database, pictures];
  };
  assert.deepEqual(parts(['--to-database', url]), [true, false]);
  assert.deepEqual(parts([], toBucket), [false, true]);
  assert.deepEqual(parts(['--to-data-dir', '/otra']), [true, true]);
  assert.deepEqual(parts(['--to-data-dir', '/otra', '--only', 'pictures']), [false, true]);
  // Back from PostgreSQL, where the pictures have been on this disk all along.
  const there = { DATABASE_URL: url, DATA_DIR: '/datos' };
  assert.deepEqual(parts(['--to-data-dir', '/datos'], there), [true, false]);
});

test('the folder takes what is not said to go elsewhere', () => {
  const move = parseMove(['--to-database', url, '--to-data-dir', '/otra'], bucket);
  assert.deepEqual([move.database, move.pictures], [true, true]);
  assert.deepEqual([move.target.s3, move.target.dataDir], [undefined, path.resolve('/otra')]);
});

test('everything wrong is named at once, by the name it was given by, without its value', () => {
  const wrong = wrongOf(['--to-database', 'mysql://u:secreto@x/y', '--only', 'nada'], {
    PORT: 'x',
    TO_S3_BUCKET: 'fotos',
  });
  for (const name of ['PORT', 'TO_DATABASE_URL', 'TO_S3_ENDPOINT', '--only']) {
    assert.ok(
      wrong.some((line) => line.startsWith(`${name} `)),
      `${name} in ${wrong}`,
    );
  }
  assert.doesNotMatch(wrong.join(), /secreto/);
});

test('an argument there is not, nowhere to go, and where it lies already are told', () => {
  assert.match(wrongOf(['--to-databse', url]).join(), /--to-databse/);
  assert.match(wrongOf(['otra']).join(), /otra/);
  assert.match(wrongOf([]).join(), /Nothing says where/);
  assert.match(wrongOf(['--to-database', url], { DATABASE_URL: url }).join(), /already/);
  assert.match(wrongOf(['--to-data-dir', 'data']).join(), /already/);
});
