import type { Config } from '../config.ts';
import { advice, type Finding, mend, ok } from './finding.ts';

const localHosts = ['localhost', '127.0.0.1', '[::1]', '::1'];

/** What the settings, each of them right by itself, come to together. */
export function examineSettings(config: Config): Finding[] {
  const found = [...addressFindings(config), ...proxyFindings(config), ...wireFindings(config)];
  if (!config.rateLimits) {
    found.push(
      mend('RATE_LIMITS', 'off: anyone may guess passwords as fast as they like. Take it out'),
    );
  }
  return found.length > 0 ? found : [ok('settings', 'they fit together')];
}

function* addressFindings({ publicUrl }: Config): Generator<Finding> {
  if (!publicUrl) {
    yield advice('PUBLIC_URL', 'not set: previews and password links need your site’s address');
    return;
  }
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'http:' && !localHosts.includes(hostname)) {
    yield mend('PUBLIC_URL', 'http: passwords travel in the open. Put TLS in front, and say https');
  }
}

function* proxyFindings({ publicUrl, trustProxy, host }: Config): Generator<Finding> {
  const isBehindTls = publicUrl?.startsWith('https:');
  const isOpen = !localHosts.includes(host);
  if (isBehindTls && trustProxy === 0) {
    yield mend('TRUST_PROXY', 'off behind a proxy: all callers count as one. Set TRUST_PROXY=1');
  }
  if (trustProxy > 0 && isOpen) {
    yield advice(
      'HOST',
      `${host} with TRUST_PROXY: whoever reaches the port past the proxy can claim any address. Set HOST=127.0.0.1, or keep the port closed`,
    );
  }
  if (isOpen && !isBehindTls) {
    yield advice('HOST', `${host} without https in front: passwords may travel in the open`);
  }
}

function* wireFindings({ databaseUrl, s3 }: Config): Generator<Finding> {
  const database = databaseUrl ? new URL(databaseUrl) : undefined;
  const isElsewhere =
    database && database.hostname !== '' && !localHosts.includes(database.hostname);
  if (
    isElsewhere &&
    !/^(require|verify-ca|verify-full)$/.test(database.searchParams.get('sslmode') ?? '')
  ) {
    yield advice('DATABASE_URL', 'another machine without TLS: add ?sslmode=verify-full');
  }
  const store = s3 && new URL(s3.endpoint);
  if (store?.protocol === 'http:' && !localHosts.includes(store.hostname)) {
    yield advice('S3_ENDPOINT', 'http to another machine: say https');
  }
}
