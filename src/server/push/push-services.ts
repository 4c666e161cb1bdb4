/** Hosts of the push services of browsers, and their subdomains: Google, Mozilla, Apple, Microsoft. */
const hosts = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
];

/**
 * Whether a browser's endpoint is on a known push service. Nothing else is ever requested, so that nobody can make the
 * server send requests to its own network or to other sites.
 */
export function isKnownPushService({ protocol, hostname, port, username, password }: URL): boolean {
  return (
    protocol === 'https:' &&
    port === '' &&
    username + password === '' &&
    hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  );
}
