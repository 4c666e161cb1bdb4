import ipaddr from 'ipaddr.js';

/** Groups of an IPv6 /64, the smallest network that a household or a rented server gets. */
const networkGroups = 4;
/** Some proxies, such as those of Azure, write the port too, and IPv6 addresses in brackets. */
const withPort = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i;

/**
 * The key of a client's address in limits: a normalized IPv4 address or an IPv6 /64. Clients without a
 * valid address share one key: the address may be a header of any length, or missing after a disconnect.
 */
export function addressKey(address: string | undefined): string {
  const [, inBrackets, v4] = withPort.exec(address ?? '') ?? [];
  const alone = inBrackets ?? v4 ?? address;
  if (alone === undefined || !ipaddr.isValid(alone)) return 'unknown';
  const parsed = ipaddr.process(alone);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, networkGroups).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
