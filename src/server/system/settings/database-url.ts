/** The part of the URL between `//` and the path, without user and password. */
const hostsPattern = /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#]*)/i;

/**
 * Matches an `@` or `#` after the hosts and outside parameters. An unencoded `/`, `?` or `#` in the password ended
 * the hosts early, so the rest of the password would be sent, logged or shown as the name of a database.
 */
const cutPassword = /^[^?]*@|^\?[^=]*@|#/;

/**
 * Checks a PostgreSQL URL.
 * @returns a sentence with the problem and its remedy, which repeats no part of the URL, since it may contain a
 * password; undefined for a valid URL
 */
export function whyWrongDatabaseUrl(value: string): string | undefined {
  const hosts = decodeCommas(hostsPattern.exec(value)?.[1] ?? '');
  const parameters = decodeCommas(value.split('?', 2)[1] ?? '');
  if (hosts.includes(',') || /(^|&)(host|port)=[^&]*,/.test(parameters)) {
    return 'DATABASE_URL names several hosts, and takes one: an address that moves with the primary (a DNS name, keepalived, HAProxy or PgBouncer in front)';
  }
  const afterHosts = value.replace(hostsPattern, '');
  if (!URL.parse(value) || !/^postgres(?:ql)?:\/\//i.test(value) || cutPassword.test(afterHosts)) {
    return 'DATABASE_URL must begin with postgres:// and be a valid URL; characters such as @ : / # % in the password are written percent-encoded';
  }
  return undefined;
}

function decodeCommas(text: string): string {
  return text.replaceAll(/%2c/gi, ',');
}

interface DatabaseAddress {
  /** A host name or IP address; for a Unix socket its folder. */
  host: string;
  port: string;
  isSocket: boolean;
}

/** Returns host and port of a PostgreSQL URL. */
export function databaseAddress(url: string): DatabaseAddress {
  const { hostname, port, searchParams } = new URL(url);
  const host = searchParams.get('host') || decode(hostname) || 'localhost';
  return { host, port: searchParams.get('port') || port || '5432', isSocket: host.startsWith('/') };
}

/** Decodes a part of a URL; returns an invalidly encoded part unchanged. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
