import { useUnread } from '../../conversation/reading/use-unread.ts';
import { Link } from '../../router/navigation.tsx';
import { useAppState } from '../../state/store-provider.tsx';
import { unreadLink } from './channel-links.ts';
import { WriteLink } from './write-link.tsx';

/** Skip links of a signed-in user on a channel's page, to the first unread comment and to the form. */
export function ChannelSkips({ id, className }: { id: string; className: string | undefined }) {
  const isOpen = useAppState(({ channels }) => channels.get(id)?.closedAt === null);
  const unread = useUnread(id);
  return (
    <>
      {unread && (
        <Link className={className} href={unreadLink(id, unread.after)}>
          Saltar a lo nuevo
        </Link>
      )}
      {isOpen && <WriteLink className={className}>Saltar al formulario</WriteLink>}
    </>
  );
}
