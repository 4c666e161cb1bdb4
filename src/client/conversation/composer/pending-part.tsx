import { useAppState } from '../../state/store-provider.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';

const Items = lazyPart(async () => (await import('./pending-items.tsx')).PendingItems, {
  isQuiet: true,
});

/** The account's posts that await a moderator. Few people have any, and only for them the script is loaded. */
export function PendingItems({ channelId }: { channelId: string | null }) {
  const hasPending = useAppState((state) => state.hasPending);
  return hasPending && <Items channelId={channelId} />;
}
