import type { Config } from '../../config/config.ts';
import { isUnencrypted, localHosts } from '../../config/database-url.ts';
import { advice, type Finding, fix, ok } from '../../finding.ts';

/** Checks settings that are valid one by one but may not fit together. */
export function checkSettings(config: Config): Finding[] {
  const findings = [
    ...addressFindings(config),
    ...proxyFindings(config),
    ...connectionFindings(config),
  ];
  if (!config.rateLimits) {
    findings.push(
      fix('RATE_LIMITS', 'off: passwords can be guessed without limit. Remove the setting'),
    );
  }
  return findings.length > 0 ? findings : [ok('settings', 'they fit together')];
}

function* addressFindings({ publicUrl }: Config): Generator<Finding> {
  if (!publicUrl) {
    yield advice('PUBLIC_URL', 'not set: previews and password links need your site’s address');
    return;
  }
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'http:' && !localHosts.includes(hostname)) {
    yield fix('PUBLIC_URL', 'http: passwords are sent unencrypted. Put TLS in front and use https');
  }
}

function* proxyFindings({ publicUrl, trustProxy, host }: Config): Generator<Finding> {
  const isBehindTls = publicUrl?.startsWith('https:');
  const isOpen = !localHosts.includes(host);
  if (isBehindTls && trustProxy === 0) {
    yield fix('TRUST_PROXY', 'off behind a proxy: all clients count as one. Set TRUST_PROXY=1');
  }
  if (trustProxy > 0 && isOpen) {
    yield advice(
      'HOST',
      `${host} with TRUST_PROXY: clients that reach the port without the proxy can claim any address. Set HOST=127.0.0.1, or keep the port closed`,
    );
  }
  if (isOpen && !isBehindTls) {
    yield advice('HOST', `${host} without https in front: passwords may be sent unencrypted`);
  }
}

function* connectionFindings(config: Config): Generator<Finding> {
  const { s3 } = config;
  if (isUnencrypted(config)) {
    yield advice('DATABASE_URL', 'another machine without TLS: add ?sslmode=verify-full');
  }
  const store = s3 && new URL(s3.endpoint);
  if (store?.protocol === 'http:' && !localHosts.includes(store.hostname)) {
    yield advice('S3_ENDPOINT', 'http to another machine: use https');
  }
}
