export const dayMs = 86_400_000;
/** Sessions and remembered browsers end then, also when they are in use. */
export const longestMs = 365 * dayMs;

/**
 * Whether something short-lived can still be used. What a clock far ahead made cannot: it would last
 * until that time.
 * @param lifeMs how long it lasts; as much again is left for processes whose clocks differ
 */
export function isLive(expiresAtMs: number, nowMs: number, lifeMs: number): boolean {
  return expiresAtMs > nowMs && expiresAtMs <= nowMs + 2 * lifeMs;
}
