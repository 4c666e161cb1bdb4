import { useState } from 'react';
import type { Announcement } from '../../../shared/announcements.ts';
import type { Comment } from '../../../shared/comments.ts';
import { useAppState, useUser } from '../../state/store-provider.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { Acknowledge } from './acknowledge.tsx';
import styles from './announcement-tools.module.css';

const ReadList = lazyPart(async () => (await import('./read-list.tsx')).ReadList);

interface AnnouncementToolsProps {
  comment: Comment;
  announcement: Announcement;
}

/**
 * Renders the button with which a member acknowledges an announcement until its last day, and for moderators the list of
 * members who have acknowledged it.
 */
export function AnnouncementTools({ comment, announcement }: AnnouncementToolsProps) {
  const { id: userId } = useUser();
  const isStaff = useAppState(({ role }) => role !== 'member');
  const acknowledged = useAppState((state) => state.acknowledged);
  const isOwn = comment.autorId === userId;
  // The day in UTC may differ from the community's by hours, in which the server still accepts an acknowledgement.
  const isOver = announcement.until < new Date().toISOString().slice(0, 10);
  const { id, channelId, number } = comment;
  return (
    <>
      {!isOwn && !isOver && (
        <div className={styles.acknowledge}>
          {acknowledged?.includes(id) ? (
            <p className="note">Has dicho que lo has leído.</p>
          ) : (
            acknowledged && (
              <Acknowledge {...{ id, channelId, number }} confirm={announcement.confirm} />
            )
          )}
        </div>
      )}
      {isStaff && announcement.confirm && <WhoHasRead comment={comment} />}
    </>
  );
}

function WhoHasRead({ comment }: { comment: Comment }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="target">Quién lo ha leído</summary>
      {isOpen && <ReadList comment={comment} />}
    </details>
  );
}
