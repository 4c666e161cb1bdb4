import { readFileSync, statfsSync, statSync } from 'node:fs';
import { findAmbiguousLines } from './ambiguous-lines.ts';
import type { Config } from './config.ts';
import { nearestFolder } from './data-dir.ts';
import { type SettingsFile, secretSettings } from './settings-file.ts';

/**
 * Finds settings that are valid and probably unintended: lines that other programs read differently, a
 * file that others can read or write, a port that the service may not use, a data folder on a network disk.
 * @param config undefined when a setting is wrong
 * @returns a sentence for each, without secrets
 */
export function findWarnings(
  settings: SettingsFile,
  config: Pick<Config, 'port' | 'dataDir' | 'databaseUrl'> | undefined,
): string[] {
  const { file, text, unread } = settings;
  return [
    ...(unread ? [`${unread} was not read, since ${file} exists: remove one of them`] : []),
    ...findAmbiguousLines(text).map((line) => `${file}: ${line}`),
    ...findOpenFile(settings),
    ...(config ? [...findPrivilegedPort(config), ...findNetworkDisk(config)] : []),
  ];
}

function findOpenFile({ file, values }: SettingsFile): string[] {
  const found = file ? statSync(file, { throwIfNoEntry: false }) : undefined;
  if (!found?.isFile()) return [];
  if ((found.mode & 0o022) !== 0) {
    return [`other users of this machine can write to ${file}: chmod go-w ${file}`];
  }
  const hasSecrets = secretSettings.some((name) => values[name]);
  if (!hasSecrets || (found.mode & 0o004) === 0) return [];
  return [`all users of this machine can read the secrets in ${file}: chmod o= ${file}`];
}

function findPrivilegedPort({ port }: Pick<Config, 'port'>): string[] {
  const first = firstFreePort();
  if (port === 0 || port >= first) return [];
  return [
    `PORT (${port}) is below ${first}: only root and programs with CAP_NET_BIND_SERVICE may listen there, and the service is neither. Leave PORT out, and put a proxy in front`,
  ];
}

function findNetworkDisk({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>) {
  if (databaseUrl || !isNetworkDisk(statfsSync(nearestFolder(dataDir)).type)) return [];
  return [
    `DATA_DIR (${dataDir}) is on a network disk, where locks often fail, and without them SQLite damages its file. Move the data to a disk of this machine, or use PostgreSQL (DATABASE_URL)`,
  ];
}

/** NFS, CIFS and SMB, as statfs(2) numbers them. */
const networkDisks = [0x6969, 0xff534d42, 0xfe534d42];

/** @param type of `statfs` */
export function isNetworkDisk(type: number): boolean {
  // A 32-bit system gives a negative number.
  return networkDisks.includes(type >>> 0);
}

/** Finds which of the two settings for a proxy in front is missing. @returns a sentence for it */
export function findProxyWarnings({
  trustProxy,
  publicUrl,
}: Pick<Config, 'trustProxy' | 'publicUrl'>): string[] {
  if (trustProxy > 0 && publicUrl === undefined) {
    return [
      'TRUST_PROXY is set and PUBLIC_URL is not: previews of links name the Host of each request, with http. Set PUBLIC_URL.',
    ];
  }
  if (trustProxy === 0 && publicUrl?.startsWith('https:')) {
    return [
      'PUBLIC_URL is https, so a proxy is in front, and TRUST_PROXY is not set: all clients count as one, and wrong passwords of one make all others wait. Set TRUST_PROXY=1.',
    ];
  }
  return [];
}

/** The first port that any user may listen on. */
function firstFreePort(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  } catch {
    // Systems other than Linux do not have the file.
    return 1024;
  }
}
