import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { CalendarDate, CommentRsvps } from '../../../shared/events.ts';
import { withQuery } from '../../../shared/routes.ts';
import { defineUserCall } from '../../api/call.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { useUser } from '../../state/store-provider.tsx';

const listOwnRsvps = defineUserCall<{ from: string; to: string }, { data: CommentRsvps[] }>(
  'GET',
  (period) => withQuery(apiRoutes.ownRsvps, period),
);

interface OwnAnswersProps {
  dates: CalendarDate[];
  onChange: (answered: CommentRsvps[]) => void;
}

/** Reads the user's answers to these dates. A component, so that its script is loaded only for people with an account. */
export function OwnAnswers({ dates, onChange }: OwnAnswersProps) {
  const { id } = useUser();
  const starts = dates.map(({ date }) => date.startsAt).sort();
  const [from = '', to = starts.at(-1) ?? ''] = starts;
  const { data } = useQuery({
    queryKey: [...accountKey(id), 'rsvps', starts[0] ?? '', starts.at(-1) ?? ''],
    queryFn: ({ signal }) =>
      request(listOwnRsvps, { from, to: starts.at(-1) ?? to }, { signal, isBackground: true }),
    enabled: from !== '',
  });
  useLayoutEffect(() => {
    if (data) onChange(data.data);
  }, [data, onChange]);
  return null;
}
