import { pageRoutes, withQuery } from '../../shared/routes.ts';
import { MoreLink } from '../components/more-link.tsx';
import type { ChannelState } from '../state/state.ts';
import { texts } from '../texts.ts';
import styles from './comments-end.module.css';
import { LiveComments } from './live-comments.tsx';

/** Id of the line above the first unread comment. */
export const unreadAnchor = 'nuevo';
/** Id of the element between the comments and the form. */
export const endAnchor = 'ultimo';

interface CommentsEndProps {
  channel: ChannelState;
  isLoaded: boolean;
  /** Fetches the channel again. */
  reload: () => void;
  loadLater: () => Promise<boolean>;
}

/**
 * Below the comments: shows live ones that are held back, or loads those that follow. Its height is
 * the same without either, so that the form below does not move.
 */
export function CommentsEnd({ channel, isLoaded, reload, loadLater }: CommentsEndProps) {
  const { _id, moreBefore, moreAfter, comments, commentCount } = channel;
  return (
    <div id={endAnchor} className={styles.end} tabIndex={-1}>
      <LiveComments channelId={_id} isLoaded={isLoaded} reload={reload} moreBefore={moreBefore} />
      {moreAfter && (
        <MoreLink
          href={withQuery(pageRoutes.channel(_id), { after: moreAfter })}
          label={
            moreBefore ? texts.laterComments : texts.moreComments(commentCount - comments.length)
          }
          failedText={texts.moreCommentsFailed}
          load={loadLater}
        />
      )}
    </div>
  );
}
