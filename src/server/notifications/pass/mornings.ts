import type { Database } from '../../database/tables.ts';
import { communityZone } from '../../site-settings/site-settings.ts';
import { knownZone, timeIn } from '../../system/zones.ts';

/** The local hour from which a day's digests are sent. */
const morningHour = 8;

/** The digests of a zone's present day. */
export interface Morning {
  /** Local eight o'clock of the day, from which its digests are sent: they cover what is older. 0 before. */
  dayMs: number;
  /** Likewise, eight o'clock of the last Monday, for weekly digests. */
  weekMs: number;
  /** When the day began: an account that was mailed news since then is sent no other daily digest. */
  dayStartMs: number;
  /** Likewise, when the last Monday began. */
  weekStartMs: number;
  /** When the day ends: a digest that was not sent by then is left to the next one, so that none comes at night. */
  endMs: number;
}

/** The mornings of the zones that accounts have. */
export interface Mornings {
  /** For accounts without a zone, or with one that this server does not know. */
  community: Morning;
  /** Zones with the same morning are together, so that there are never more entries than offsets from UTC. */
  others: (Morning & { zones: string[] })[];
}

export function morningOf(zone: string, nowMs: number): Morning {
  const now = timeIn(zone, nowMs);
  const today = now.toPlainDate();
  const startOf = (date: Temporal.PlainDate, plainTime?: string) =>
    date.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const isMorning = now.hour >= morningHour;
  return {
    dayMs: isMorning ? startOf(today, '08:00') : 0,
    weekMs: isMorning ? startOf(monday, '08:00') : 0,
    dayStartMs: startOf(today),
    weekStartMs: startOf(monday),
    endMs: startOf(today.add({ days: 1 })),
  };
}

export async function findMornings(db: Database, nowMs: number): Promise<Mornings> {
  const rows = await db
    .selectFrom('accounts')
    .select('zone')
    .distinct()
    .where('zone', 'is not', null)
    .execute();
  const known = rows.map(({ zone }) => zone ?? '').filter((zone) => knownZone(zone) !== undefined);
  const together = Map.groupBy(known, (zone) => JSON.stringify(morningOf(zone, nowMs)));
  return {
    community: morningOf(await communityZone(db), nowMs),
    others: [...together.values()].map((zones) => ({ zones, ...morningOf(zones[0] ?? '', nowMs) })),
  };
}

export const morningFor = ({ community, others }: Mornings, zone: string | null): Morning =>
  others.find(({ zones }) => zones.includes(zone ?? '')) ?? community;
