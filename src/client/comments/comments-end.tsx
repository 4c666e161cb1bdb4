import { pageRoutes, withQuery } from '../../shared/routes.ts';
import buttons from '../components/button.module.css';
import { MoreLink } from '../components/more-link.tsx';
import type { ChannelState } from '../state/state.ts';
import { texts } from '../texts.ts';
import styles from './comments-end.module.css';
import { useLiveComments } from './use-live-comments.ts';

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
  const { heldCount, showHeld, announcement } = useLiveComments({
    channelId: _id,
    isLoaded,
    reload,
  });
  return (
    <div id={endAnchor} className={styles.end} tabIndex={-1}>
      {heldCount > 0 && (
        <button type="button" className={buttons.quiet} onClick={showHeld}>
          {texts.newComments(heldCount)}
        </button>
      )}
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
      <p className="visually-hidden" aria-live="polite">
        {/* A new element each time: the same text in the same element is announced only once. */}
        <span key={announcement.id}>{announcement.text}</span>
      </p>
    </div>
  );
}
