import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import type { CalendarDate } from '../../../shared/events.ts';
import { request } from '../../api/request.ts';
import { useUser } from '../../state/store-provider.tsx';
import { listOwnRsvps, ownRsvpsKey } from './event-calls.ts';

interface OwnAnswersProps {
  dates: CalendarDate[];
  /** Called with the keys of the dates that have an answer: channel, number of the comment, position. */
  onChange: (answered: ReadonlySet<string>) => void;
}

/** Reads the user's answers to these dates. A component, so that its script is loaded only for people with an account. */
export function OwnAnswers({ dates, onChange }: OwnAnswersProps) {
  const { id } = useUser();
  const starts = dates.map(({ date }) => date.startsAt).sort();
  const period = { from: starts[0] ?? '', to: starts.at(-1) ?? '' };
  const { data } = useQuery({
    queryKey: [...ownRsvpsKey(id), period.from, period.to],
    queryFn: ({ signal }) => request(listOwnRsvps, period, { signal, isBackground: true }),
  });
  useLayoutEffect(() => {
    const keys = data?.data.flatMap(({ channelId, number, rsvps }) =>
      rsvps.map(({ position }) => `${channelId} ${number} ${position}`),
    );
    if (keys) onChange(new Set(keys));
  }, [data, onChange]);
  return null;
}
