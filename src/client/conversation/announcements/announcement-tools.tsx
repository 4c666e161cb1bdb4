import { useState } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import { useAppState } from '../../state/store-provider.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';

const ReadList = lazyPart(async () => (await import('./read-list.tsx')).ReadList);

/** What moderators see below an announcement that asks to confirm that it was read. */
export function AnnouncementTools({ comment }: { comment: Comment }) {
  const isStaff = useAppState(({ role }) => role !== 'member');
  const [isOpen, setOpen] = useState(false);
  if (!isStaff) return null;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="target">Quién lo ha leído</summary>
      {isOpen && <ReadList comment={comment} />}
    </details>
  );
}
