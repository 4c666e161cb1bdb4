import { limits } from '../../../shared/limits.ts';

/** A poll that is being written, as the fields of the form have it. */
export interface PollDraft {
  /** Each with its text, or with a day and hour such as `2027-03-28T20:30`; empty until it is typed. */
  options: { isTime: boolean; value: string }[];
  multiple: boolean;
  secret: boolean;
  /** Day and hour of closing on the clock of `zone`. Stored, so that a repeated request is the same. */
  closes: string;
  /** IANA name of the community's zone; empty for the zone of the device. */
  zone: string;
}

export const emptyOption = { isTime: false, value: '' };

/** A poll that closes after the usual time. */
export const emptyPoll = (zone: string, nowMs = Date.now()): PollDraft => ({
  options: [emptyOption, emptyOption],
  ...{ multiple: false, secret: false, zone },
  closes: clockTime(nowMs + limits.usualPollDays * 86_400_000, zone),
});

/** Day and hour on the clock of a zone, such as `2027-03-28T20:30`. */
export const clockTime = (ms: number, zone: string): string =>
  new Date(ms)
    .toLocaleString('sv', { timeZone: zone || undefined, dateStyle: 'short', timeStyle: 'short' })
    .replace(' ', 'T');
