import ipaddr from 'ipaddr.js';

/** Whole groups of an IPv6 address that a household or a rented server gets at the least: its /64. */
const networkGroups = 4;

/**
 * What stands for a caller's address in a limit: an IPv4 address however it is written, or
 * an IPv6 /64. Callers without a valid address share one key: an address may be as long as a header,
 * or be missing once the connection is gone.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, networkGroups).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
