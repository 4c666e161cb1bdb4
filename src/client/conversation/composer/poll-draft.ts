import type { NewPoll } from '../../../shared/polls.ts';
import { clockTime, emptyOption, type PollDraft } from './empty-poll.ts';

/** The instant at which the clock of a zone shows a day and hour. @param time such as `2027-03-28T20:30` */
function instantOf(time: string, zone: string): string {
  const wantedMs = Date.parse(`${time}Z`);
  const aheadMs = (ms: number) => Date.parse(`${clockTime(ms, zone)}Z`) - ms;
  // The clock may be moved between the first guess and the instant.
  const guessMs = wantedMs - aheadMs(wantedMs);
  return new Date(wantedMs - aheadMs(guessMs)).toISOString();
}

/** The poll of the request that sends the comment, without the options that are empty. */
export function pollOf({ options, multiple, secret, closes, zone }: PollDraft): NewPoll {
  return {
    ...{ multiple, secret },
    closesAt: closes && instantOf(closes, zone),
    options: options
      .filter(({ value }) => value.trim() !== '')
      .map(({ isTime, value }) => (isTime ? { start: value } : { text: value })),
  };
}

/** The draft of a poll like this one, to write it anew. */
export function pollDraftOf(
  { options, multiple, secret, closesAt }: NewPoll,
  zone: string,
): PollDraft {
  return {
    ...{ multiple, secret, zone },
    closes: clockTime(Date.parse(closesAt), zone),
    options: options.map(({ text = '', start }) => ({ isTime: !!start, value: start || text })),
  };
}

/** The poll with one more option. A day and hour takes the place of the first option without text. */
export function withOption(poll: PollDraft, isTime: boolean): { poll: PollDraft; index: number } {
  const { options } = poll;
  const empty = isTime ? options.findIndex((one) => !one.isTime && one.value === '') : -1;
  const index = empty < 0 ? options.length : empty;
  return { index, poll: { ...poll, options: options.toSpliced(index, 1, { isTime, value: '' }) } };
}

/** The poll without an option, of which it has two at least. */
export function withoutOption(poll: PollDraft, index: number): PollDraft {
  const rest = poll.options.toSpliced(index, 1);
  return { ...poll, options: rest.length < 2 ? [...rest, emptyOption] : rest };
}

/** The closing of a poll that a day and hour to choose from moves: it cannot be closed after it. */
export const closesBefore = (
  start: string,
  { closes, zone }: PollDraft,
  nowMs = Date.now(),
): Pick<PollDraft, 'closes'> => ({
  closes: start > clockTime(nowMs, zone) && start < closes ? start : closes,
});
