import { InvalidCursor } from '../database/errors.ts';

interface NotificationCursor {
  /** The list continues below this id. */
  before: number;
  /** The newest notification that had been seen when the first page was read. */
  seen: number;
}

export const formatNotificationCursor = ({ before, seen }: NotificationCursor) =>
  `${before}_${seen}`;

/** @returns undefined for a cursor of 1.0.0, whose ids no longer exist @throws InvalidCursor */
export function parseNotificationCursor(after: string): NotificationCursor | undefined {
  const [, before, seen] = /^(\d{1,15})_(\d{1,15})$/.exec(after) ?? [];
  if (before !== undefined) return { before: Number(before), seen: Number(seen) };
  if (/^\d{1,16}_[0-9a-f-]{36}_\d{1,16}_([0-9a-f-]{36})?$/.test(after)) return undefined;
  throw new InvalidCursor();
}
