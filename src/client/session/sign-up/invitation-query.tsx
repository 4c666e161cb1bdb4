import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { withQueries } from '../../api/with-queries.tsx';
import { type InvitationAnswer, openInvitation } from './use-invitation.ts';

interface InvitationQueryProps {
  link: string;
  onAnswer: (answer: InvitationAnswer) => void;
}

/** Asks who invites. A component, so that its script is loaded only for those who come with an invitation. */
export const InvitationQuery = withQueries(({ link, onAnswer }: InvitationQueryProps) => {
  const { data, isPending, error } = useQuery({
    queryKey: ['invitation', link],
    queryFn: () => openInvitation(link),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isRefused = error?.code === 'invitation_required';
  useEffect(
    () => onAnswer({ from: data, isPending, isRefused }),
    [data, isPending, isRefused, onAnswer],
  );
  return null;
});
