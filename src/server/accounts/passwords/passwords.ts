import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { createLimit } from '../../http/limits/bounded-queue.ts';

/** Maximum number of concurrent hashes: half the cores, and at most two of libuv's four threads. */
const concurrency = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
const hash = createLimit(concurrency);
const argon2id = promisify(argon2);

/** Cost of new hashes; tests lower it. OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
export const hashCost = { memory: 19_456, passes: 2, parallelism: 1 };
const phcParts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/;
const saltBytes = 16;
const tagBytes = 32;

/**
 * @returns a PHC string, which includes the cost parameters
 * @throws ApiError `unavailable` when too many hashes are queued
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await hash(() =>
    argon2id('argon2id', { message: password, nonce: salt, tagLength: tagBytes, ...hashCost }),
  );
  return toPhc(salt, tag);
}

/**
 * Whether the PHC string is a hash of the password. Takes the same time for every wrong password.
 * @throws ApiError `unavailable` when too many hashes are queued
 */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const parts = phcParts.exec(phc);
  if (!parts) return false;
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts;
  const expected = Buffer.from(tag, 'base64');
  const found = await hash(() =>
    argon2id('argon2id', {
      message: password,
      nonce: Buffer.from(salt, 'base64'),
      tagLength: expected.length,
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    }),
  );
  return timingSafeEqual(found, expected);
}

/** A hash of no known password, verified for unknown e-mail addresses so that they take as long as known ones. */
export function dummyHash(): string {
  return toPhc(randomBytes(saltBytes), randomBytes(tagBytes));
}

function toPhc(salt: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = hashCost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '');
}
