import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { codeOf } from '../error-code.ts';
import { installation } from '../installation.ts';
import { userName } from '../user-name.ts';
import { ConfigError } from './config.ts';

/** The first of these that exists is read unless a file is named. */
const knownFiles = [path.join(installation, '.env'), '/etc/tertulia/tertulia.env'];
const maxBytes = 1_000_000;
export const secretSettings = [
  'DATABASE_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'SMTP_URL',
  'ALERT_URL',
  'HEARTBEAT_URL',
];

/** The file of settings that server and commands share, as it was read. */
export interface SettingsFile {
  /** Absolute path; undefined without a file: all settings are in the environment. */
  file: string | undefined;
  text: string;
  /** Names and values of the file. The environment takes precedence. */
  values: Record<string, string | undefined>;
  /** A second file that exists and was not read. */
  unread: string | undefined;
}

const noFile: SettingsFile = { file: undefined, text: '', values: {}, unread: undefined };

/**
 * Reads the file of settings and adds it to the environment, which takes precedence. Child processes
 * inherit all of it and read no file themselves.
 * @param named read instead of the installation's `.env` or `/etc/tertulia/tertulia.env`
 * @throws ConfigError when a file that exists or was named cannot be read
 */
export function loadSettings(named = process.env.TERTULIA_ENV_FILE): SettingsFile {
  const settings = readSettings(named, knownFiles);
  for (const [name, value] of Object.entries(settings.values)) process.env[name] ??= value;
  readSecretFiles(process.env);
  process.env.TERTULIA_ENV_FILE = devNull;
  return settings;
}

/**
 * Replaces `<secret>_FILE`, which names a file, by the secret that is in it, as containers pass secrets.
 * @throws ConfigError when a file cannot be read, or a secret is set in both ways
 */
export function readSecretFiles(env: Record<string, string | undefined>): void {
  for (const name of secretSettings) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) throw new ConfigError([`${name} and ${name}_FILE are set: remove one of them`]);
    env[name] = readSecret(`${name}_FILE`, file);
    delete env[`${name}_FILE`];
  }
}

/** @throws ConfigError when the file has no secret, or more than one line, which a URL would join */
function readSecret(setting: string, file: string): string {
  const secret = readText(file, `The file of ${setting}, ${file},`, setting).trim();
  if (/^.+$/.test(secret)) return secret;
  const problem = secret === '' ? 'is empty' : 'has more than one line';
  throw new ConfigError([`The file of ${setting}, ${file}, ${problem}: write the secret into it`]);
}

/** Describes in a line where the settings come from. */
export function describeSettings({ file, unread }: SettingsFile): string {
  if (!file) return 'the environment, without a file';
  return `${file} and the environment${unread ? `; ${unread} is not read` : ''}`;
}

/**
 * Reads the named file, or else the first of the known ones that exists.
 * @param named `/dev/null` for none
 * @throws ConfigError
 */
export function readSettings(named: string | undefined, known: string[]): SettingsFile {
  if (named === devNull) return noFile;
  const [file, second] = named ? [path.resolve(named)] : known.filter(mayExist);
  if (!file) return noFile;
  const text = readText(file);
  const unread = second && existsSync(second) ? second : undefined;
  return { file, text, values: parseEnv(text), unread };
}

/** True also when this user may not look: skipping a settings file would name another database. */
function mayExist(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** @param subject name of the file in messages @param namedBy option that names it @throws ConfigError */
function readText(
  file: string,
  subject = `The settings file ${file}`,
  namedBy = '--env-file or TERTULIA_ENV_FILE',
): string {
  const refuse = (why: string): never => {
    throw new ConfigError([`${subject} ${why}`]);
  };
  try {
    const bytes = readBounded(file);
    if (bytes.length > maxBytes) return refuse('is larger than 1 MB: name another');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.includes('\0')) return refuse('is not a text file: name another');
    // The parser would read all of them as one line.
    return /\r(?!\n)/.test(text) ? refuse('has lines that end in CR alone: end them in LF') : text;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    switch (codeOf(error)) {
      case 'ENOENT':
        return refuse(`does not exist. Name another with ${namedBy}`);
      case 'EISDIR':
        return refuse('is a folder: name a file in it');
      case 'ERR_ENCODING_INVALID_ENCODED_DATA':
        return refuse('is not a text file in UTF-8: name another');
      case 'EACCES':
      case 'EPERM':
        return refuse(
          `may not be read by the user ${userName()}. Run the command as root, or let the user read it: chgrp <group of the user> ${file} && chmod 640 ${file}. A service of systemd gets it by LoadCredential, as in deploy/tertulia.service`,
        );
      default:
        return refuse(`cannot be read: ${error instanceof Error ? error.message : error}`);
    }
  }
}

/** Reads a file, device or pipe until its end, or until it is too long for settings. */
function readBounded(file: string): Buffer {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(handle, bytes, length, bytes.length - length, null);
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}
