import { useState } from 'react';
import { parseCommentId } from '../../../shared/comment-id.ts';
import type { QueueItem } from '../../../shared/moderation.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { CommentFiles, EventCard } from '../../conversation/carried-part.ts';
import { CommentImages } from '../../conversation/item/comment-images.tsx';
import { CommentText } from '../../conversation/text/comment-text.tsx';
import { Link } from '../../router/navigation.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import notices from '../../ui/notice.module.css';
import { texts } from '../../ui/texts.ts';
import { CommentVersions, MarkedText } from '../decisions/comment-versions.tsx';
import { Scrolled } from './card-parts.tsx';
import { subjectUrl } from './other-decisions.tsx';
import styles from './queue-card.module.css';

const states = {
  hidden: 'Está oculto',
  deleted: 'Quien lo escribió lo ha eliminado',
  erased: 'Se ha borrado para siempre',
  pending: 'Pendiente de aprobación',
} as const;

/** The content in its context, both as reported and as it is now. */
export function QueueContent({ item }: { item: QueueItem }) {
  const { subject, text, textNow, event, images, files, state, context, pendingReason } = item;
  const { channel, before, after } = context;
  const [isComparing, setComparing] = useState(false);
  const notice = pendingReason || state === 'visible' ? '' : states[state];
  const comment = subject.kind === 'comment' ? parseCommentId(subject.id) : undefined;
  const hasChanged = textNow !== null && textNow !== text;
  return (
    <div className={`stack tight ${styles.part}`}>
      {channel && (
        <p className="note">
          En{' '}
          <Link href={(!pendingReason && subjectUrl(subject)) || pageRoutes.channel(channel._id)}>
            <bdi>{channel.name}</bdi>
          </Link>
        </p>
      )}
      <Around comments={before} />
      {(text || event || images.length + files.length > 0 || notice) && (
        <div className={`${notices.note} ${styles.content}`}>
          {notice && (
            <p>
              <strong>{notice}</strong>
            </p>
          )}
          {hasChanged && <p className="note">Antes decía</p>}
          <Scrolled text={text}>
            <CommentText text={text} />
          </Scrolled>
          {hasChanged && (
            <>
              <p className="note">Ahora dice</p>
              <Scrolled text={text + textNow}>
                <MarkedText before={text} text={textNow} />
              </Scrolled>
            </>
          )}
          {event && <EventCard comment={null} event={event} rsvps={[]} Tools={null} />}
          {subject.kind === 'user'
            ? images.map(({ url }) => <Avatar key={url} img={url} size={96} />)
            : images.length > 0 && <CommentImages images={imagesOf(item)} />}
          {files.length > 0 && <CommentFiles files={files} />}
        </div>
      )}
      {comment && state !== 'erased' && !pendingReason && isEdited(item) && (
        <details onToggle={({ currentTarget }) => setComparing(currentTarget.open)}>
          <summary>Versiones anteriores</summary>
          {isComparing && <CommentVersions comment={comment} />}
        </details>
      )}
      <Around comments={after} />
    </div>
  );
}

/** Whether the content has changed since it was written. */
const isEdited = ({ version }: QueueItem) => Number(version.split('.')[1]) > 1;

/** Images with a default alternative text for a cover, which `CommentImages` would call a comment's image. */
const imagesOf = ({ subject, images }: QueueItem) =>
  subject.kind === 'channel'
    ? images.map((image) => ({ ...image, alt: image.alt || 'Portada' }))
    : images;

function Around({ comments }: { comments: QueueItem['context']['before'] }) {
  return comments.map(({ autor, comment }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the comments are never reordered
    <p key={index} className={`${styles.around} note clamped`}>
      <strong>
        <bdi>{autor}</bdi>
      </strong>{' '}
      <span dir="auto">{comment || texts.imagesAlone}</span>
    </p>
  ));
}
