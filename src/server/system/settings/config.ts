import { limits } from '../../../shared/limits.ts';
import { isPlainAddress } from '../../../shared/plain-address.ts';
import { installation } from '../installation.ts';
import { OperatorError } from '../operator-error.ts';
import { dataDirOf, whyWrongDataDir } from './data-dir.ts';
import { whyWrongDatabaseUrl } from './database-url.ts';
import { type MailConfig, parseMail } from './mail-config.ts';

/** The operator's settings, parsed. `docs/operating.md` lists their names and defaults. */
export interface Config {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Absolute folder of the SQLite file and the images; a relative path starts at the installation. */
  dataDir: string;
  /** `postgres://…`; undefined means SQLite in `dataDir`. */
  databaseUrl: string | undefined;
  /** Bucket for images; undefined stores them in `dataDir`. */
  s3: BucketConfig | undefined;
  /** Origin without a trailing slash; undefined means http and the Host of each request. */
  publicUrl: string | undefined;
  corsOrigins: string[];
  /** Number of trusted proxies in front, for finding the client's address. */
  trustProxy: number;
  maxImageMb: number;
  maxFileMb: number;
  /** Limit of a chat that an admin uploads. */
  maxImportMb: number;
  /** Storage for all images of one account, variants included. */
  accountQuotaMb: number;
  sessionDays: number;
  rateLimits: boolean;
  logLevel: string;
  /** Address of `/metrics`; undefined when metrics are off. Port 0 picks a free one. */
  metrics: { host: string; port: number } | undefined;
  /** Links of the footer; undefined leaves them to the settings of the community. */
  socialLinks: { label: string; href: string }[] | undefined;
  /** Contact for people without a recovery code: an e-mail address or a sentence. */
  contact: string | undefined;
  /** Number of daily backups to keep; 0 disables them. */
  backupKeep: number;
  /** Undefined disables mail. */
  mail: MailConfig | undefined;
  /** E-mail address to which alerts are sent. */
  alertTo: string | undefined;
  /** URL to which alerts are posted. */
  alertUrl: string | undefined;
  /** Requested at intervals while all checks of health pass, so that an external monitor notices an outage. */
  heartbeatUrl: string | undefined;
  /** Atom feed of releases, asked once a day; undefined asks nobody. */
  releasesUrl: string | undefined;
}

/** The settings that name the database. */
export type DatabaseSettings = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** A bucket in an S3-compatible store, and how to reach it. */
export interface BucketConfig {
  /** URL of the store, without the bucket. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Has a sentence for each wrong setting. */
export class ConfigError extends OperatorError {
  readonly wrong: string[];
  constructor(wrong: string[]) {
    super(`Wrong settings:\n${wrong.map((line) => `  - ${line}`).join('\n')}`);
    this.wrong = wrong;
  }
}

const maxContactChars = 200;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
/** Settings that a bucket requires; the others are optional. */
const bucketNeeds = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
const bucketSettings = [...bucketNeeds, 'S3_REGION'];

/**
 * Parses the environment, without side effects.
 * @param program the program's folder: a release or a clone
 * @throws ConfigError naming all wrong settings at once
 */
export function parseConfig(
  env: Record<string, string | undefined>,
  program = installation,
): Config {
  const wrong: string[] = [];
  const text = (name: string, fallback: string) => env[name]?.trim() || fallback;
  const whole = (name: string, fallback: number, min: number, max: number) => {
    const raw = text(name, String(fallback));
    const value = Number(raw);
    if (/^\d+$/.test(raw) && value >= min && value <= max) return value;
    wrong.push(`${name} must be a whole number from ${min} to ${max}, not "${raw}"`);
    return fallback;
  };
  const oneOf = (name: string, fallback: string, allowed: string[]) => {
    const raw = text(name, fallback);
    if (allowed.includes(raw)) return raw;
    wrong.push(`${name} must be one of ${allowed.join(', ')}, not "${raw}"`);
    return fallback;
  };
  const origin = (name: string, raw: string) => {
    const url = URL.parse(raw);
    if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
    wrong.push(`${name} must be an origin such as https://foro.example, not "${withoutUser(raw)}"`);
    return '';
  };
  const list = (name: string, fallback = '') =>
    text(name, fallback)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');

  /** Parses a URL that may be a secret, so errors do not repeat it. */
  const secretUrl = (name: string) => {
    const raw = text(name, '');
    const url = URL.parse(raw);
    if (raw && !(url && /^https?:$/.test(url.protocol) && url.username + url.password === '')) {
      wrong.push(`${name} must be an address that begins with https:// or http://, without user`);
    }
    return raw || undefined;
  };

  const databaseUrl = text('DATABASE_URL', '');
  const wrongUrl = databaseUrl && whyWrongDatabaseUrl(databaseUrl);
  if (wrongUrl) wrong.push(wrongUrl);
  const wrongDataDir = whyWrongDataDir(env, program);
  if (wrongDataDir) wrong.push(wrongDataDir);
  const publicUrl = text('PUBLIC_URL', '');
  const contact = text('CONTACT', '');
  if ([...contact].length > maxContactChars || /\p{Cc}/u.test(contact)) {
    wrong.push(
      `CONTACT takes an e-mail address or a sentence of at most ${maxContactChars} characters on one line`,
    );
  }
  const alertTo = text('ALERT_TO', '');
  if (alertTo && !isPlainAddress(alertTo)) {
    wrong.push('ALERT_TO must be one e-mail address, such as ana@foro.example');
  }
  if (alertTo && text('SMTP_URL', '') === '') {
    wrong.push('SMTP_URL is missing: ALERT_TO needs it');
  }
  const releasesUrl = text('RELEASES_URL', '');
  if (releasesUrl && !isSafeFeed(URL.parse(releasesUrl))) {
    wrong.push('RELEASES_URL must be the https:// address of an Atom feed, without user');
  }
  const metrics = {
    host: text('METRICS_HOST', '127.0.0.1').replace(/^\[(.*)\]$/, '$1'),
    port: whole('METRICS_PORT', 9464, 0, 65_535),
  };

  const config: Config = {
    // An IPv6 address may be in brackets, as in a URL.
    host: text('HOST', '127.0.0.1').replace(/^\[(.*)\]$/, '$1'),
    port: whole('PORT', 3000, 0, 65_535),
    dataDir: dataDirOf(env),
    databaseUrl: databaseUrl || undefined,
    s3: parseBucket(text, wrong),
    publicUrl: publicUrl === '' ? undefined : origin('PUBLIC_URL', publicUrl),
    corsOrigins: list('CORS_ORIGINS').map((item) => origin('CORS_ORIGINS', item)),
    trustProxy: text('TRUST_PROXY', 'off') === 'off' ? 0 : whole('TRUST_PROXY', 0, 0, 10),
    maxImageMb: whole('MAX_IMAGE_MB', 10, 1, 100),
    maxFileMb: whole('MAX_FILE_MB', 20, 1, 100),
    maxImportMb: whole('MAX_IMPORT_MB', 2000, 1, 2000),
    accountQuotaMb: whole('ACCOUNT_QUOTA_MB', 500, 1, 1_000_000),
    sessionDays: whole('SESSION_DAYS', limits.sessionDays, 1, 3650),
    rateLimits: oneOf('RATE_LIMITS', 'on', ['on', 'off']) === 'on',
    backupKeep: whole('BACKUP_KEEP', 0, 0, 1000),
    mail: parseMail(text, whole('MAIL_DAILY_LIMIT', 1000, 1, 1_000_000), wrong),
    alertTo: alertTo || undefined,
    alertUrl: secretUrl('ALERT_URL'),
    heartbeatUrl: secretUrl('HEARTBEAT_URL'),
    releasesUrl: releasesUrl || undefined,
    metrics: oneOf('METRICS', 'off', ['on', 'off']) === 'on' ? metrics : undefined,
    logLevel: oneOf('LOG_LEVEL', 'info', logLevels),
    contact: contact || undefined,
    socialLinks:
      text('SOCIAL_LINKS', '') === ''
        ? undefined
        : list('SOCIAL_LINKS').flatMap((item) => {
            const [label, href = ''] = item.split(/=(.*)/s).map((part) => part.trim());
            if (label && /^https?:$/.test(URL.parse(href)?.protocol ?? ''))
              return [{ label, href }];
            wrong.push(`SOCIAL_LINKS takes Name=https://… separated by commas, not "${item}"`);
            return [];
          }),
  };
  if (
    config.socialLinks &&
    config.socialLinks.length !== 3 &&
    !wrong.some((line) => line.startsWith('SOCIAL_LINKS'))
  ) {
    wrong.push(`SOCIAL_LINKS takes exactly three links, not ${config.socialLinks.length}`);
  }
  if (config.metrics && config.port !== 0 && config.metrics.port === config.port) {
    wrong.push(`METRICS_PORT must be another port than PORT, ${config.port}`);
  }
  if (wrong.length > 0) throw new ConfigError(wrong);
  return config;
}

/** Whether nobody on the way can change what admins read of it: by https, or from this machine. */
function isSafeFeed(url: URL | null): boolean {
  if (!url || url.username + url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === '127.0.0.1');
}

/** @returns an address without a user name and password */
function withoutUser(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** @returns the name of every setting, in the order in which they are parsed */
export function settingNames(): string[] {
  const names = new Set<string>();
  const recorder = {
    get(_target: object, name: string) {
      names.add(name);
      return name === 'DATA_DIR' ? '/var/lib/tertulia' : undefined;
    },
  };
  parseConfig(new Proxy({}, recorder));
  return [...names];
}

/** Parses the settings of the bucket. Errors do not repeat the values, which may contain a secret. */
function parseBucket(
  text: (name: string, fallback: string) => string,
  wrong: string[],
): BucketConfig | undefined {
  if (bucketSettings.every((name) => text(name, '') === '')) return undefined;
  for (const name of bucketNeeds) {
    if (text(name, '') === '') wrong.push(`${name} is missing: a bucket needs it`);
  }
  const raw = text('S3_ENDPOINT', '');
  const url = URL.parse(raw);
  const plain = url && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname;
  if (raw !== '' && !plain) {
    wrong.push(
      'S3_ENDPOINT must be an address such as https://s3.example, with nothing secret in it',
    );
  }
  const bucket = text('S3_BUCKET', '');
  if (bucket !== '' && !/^[\w.-]{3,63}$/.test(bucket)) {
    wrong.push('S3_BUCKET must be the name of a bucket: 3 to 63 letters, digits, dots and hyphens');
  }
  return {
    endpoint: url?.href.replace(/\/$/, '') ?? '',
    region: text('S3_REGION', 'us-east-1'),
    bucket,
    accessKeyId: text('S3_ACCESS_KEY_ID', ''),
    secretAccessKey: text('S3_SECRET_ACCESS_KEY', ''),
  };
}
