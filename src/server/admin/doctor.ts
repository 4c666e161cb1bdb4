import type { Config } from '../config.ts';
import { examinePlace } from './examine-place.ts';
import { examineSettings } from './examine-settings.ts';
import { examineStores } from './examine-stores.ts';

/**
 * Looks at everything that the site stands on, and says what to mend.
 * @returns whether something must be mended
 */
export async function doctor(
  config: Config,
  { now, say }: { now: () => number; say: (line: string) => void },
): Promise<boolean> {
  const findings = [
    ...examineSettings(config),
    ...(await examinePlace(config, now())),
    ...(await examineStores(config)),
  ];
  for (const { state, about, says } of findings) {
    say(`${state.padEnd(8)}${about.padEnd(14)}${says}`);
  }
  return findings.some(({ state }) => state === 'mend');
}
