import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { codeOf } from '../error-code.ts';
import { installation } from '../installation.ts';
import { typedCommand } from '../typed-command.ts';
import { userName } from '../user-name.ts';
import { ConfigError } from './config.ts';

/** Unless a file is named, the first of these that exists is read. */
const knownFiles = [path.join(installation, '.env'), '/etc/tertulia/tertulia.env'];
export const secretSettings = [
  'DATABASE_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'SMTP_URL',
  'ALERT_URL',
  'HEARTBEAT_URL',
];

/** The settings file that server and commands share, as read. */
export interface SettingsFile {
  /** Absolute path; undefined when there is no file and all settings are in the environment. */
  file: string | undefined;
  /** Names and values in the file. The environment takes precedence. */
  values: Record<string, string | undefined>;
}

/**
 * Reads the settings file and adds it to the environment, which takes precedence. Child processes
 * inherit the environment and read no file themselves.
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
 * Replaces each `<secret>_FILE`, which names a file, with the secret in that file: container platforms pass secrets in
 * files.
 * @throws ConfigError when a file cannot be read, or a secret is set both ways
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

/** @throws ConfigError when the file is empty, or has several lines, which the URL parser would silently join */
function readSecret(setting: string, file: string): string {
  const subject = `The file of ${setting}, ${file},`;
  const secret = readText(file, subject).trim();
  if (/^.+$/.test(secret)) return secret;
  const problem = secret === '' ? 'is empty' : 'has more than one line';
  throw new ConfigError([`${subject} ${problem}: write the secret into it`]);
}

/** Describes the source of the settings in one line. */
export function describeSettings({ file }: SettingsFile): string {
  return file ? `${file} and the environment` : 'the environment, without a file';
}

/**
 * Reads the named file, or else the first of the known ones that exists.
 * @param named `/dev/null` for none
 * @throws ConfigError
 */
export function readSettings(named: string | undefined, known: string[]): SettingsFile {
  const file = named ? path.resolve(named) : known.find((one) => existsSync(one));
  if (!file || file === devNull) return { file: undefined, values: {} };
  return { file, values: parseEnv(readText(file, `The settings file ${file}`)) };
}

/** @param subject names the file in messages @throws ConfigError */
function readText(file: string, subject: string): string {
  const bytes = readBytes(file, subject);
  if (!isUtf8(bytes)) {
    const lines = bytes.toString('latin1').split('\n');
    const line = 1 + lines.findIndex((one) => !isUtf8(Buffer.from(one, 'latin1')));
    throw new ConfigError([
      `${subject} is not in UTF-8: line ${line} has a letter in another encoding, such as Latin-1. Save it in UTF-8, for example with: iconv -f LATIN1 -t UTF-8`,
    ]);
  }
  // TextDecoder removes a byte order mark, which would become part of the first name.
  return new TextDecoder().decode(bytes);
}

function readBytes(file: string, subject: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const reason =
      codeOf(error) === 'ENOENT'
        ? 'does not exist'
        : codeOf(error) === 'EACCES'
          ? `may not be read by the user ${userName()}. Type as root: ${typedCommand()}. If this is the server's user, let its group read the file, as root: chgrp ${process.getgid?.()} ${file} && chmod 0640 ${file}`
          : `cannot be read: ${error instanceof Error ? error.message : error}`;
    throw new ConfigError([`${subject} ${reason}`]);
  }
}
