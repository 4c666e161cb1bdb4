import type { Plan } from '../../../shared/moving-in.ts';
import { shortDate } from '../../ui/time/short-date.ts';

/**
 * A day of a chat whose dates could be read in two ways, and were read with the day first.
 * @param at begins as `2024-03-15`
 */
export const dayIn = (order: Plan['dates'], at: string) =>
  at.slice(0, 10).replace(/^(\d+)-(\d+)-(\d+)$/, order === 'month-day' ? '$1-$3-$2' : '$&');

/** '15 mar 2024' */
export const dayText = (day: string) => shortDate(`${day}T00:00Z`, true);
