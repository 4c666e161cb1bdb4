import type { ComponentType } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import type { CommentPoll, CommentVote } from '../../../shared/polls.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { otherZoneText } from '../../dom/device-zone.ts';
import { useHydrated, useSite } from '../../state/store-provider.tsx';
import { Time } from '../../ui/time/time.tsx';
import { WayInLink } from '../../ui/way-in-link.tsx';
import cards from '../events/event-card.module.css';
import { aboutComment } from '../item/about-comment.ts';
import styles from './poll-options.module.css';
import { PollOptions } from './poll-options.tsx';
import { resultOf } from './poll-texts.ts';
import type { PollToolsProps } from './poll-tools.tsx';

interface PollCardProps {
  /** The comment that carries it. */
  comment: Comment;
  poll: CommentPoll;
  /** The vote of the signed-in user; null without one, undefined while it is not known. */
  vote?: CommentVote | null | undefined;
  /** Renders the options for a signed-in user. Null for guests, and until its script is loaded. */
  Tools: ComponentType<PollToolsProps> | null;
}

/** The poll of a comment. */
export function PollCard({ comment, poll, vote, Tools }: PollCardProps) {
  const { isClosed, secret, closesAt, multiple, restartedAt, options } = poll;
  // Until the vote is known, the card is that of a guest, so that nothing is shown that it would change.
  const hasTools = Tools !== null && vote !== undefined;
  const isHydrated = useHydrated();
  const { zone } = useSite();
  const hasTimes = isHydrated && options.some(({ start }) => start !== null);
  const otherZone = hasTimes && otherZoneText(zone);
  return (
    <section className={cards.card} aria-label={aboutComment('Encuesta', comment)}>
      <p className={cards.title}>{secret ? 'Encuesta secreta' : 'Encuesta'}</p>
      <p className="note">
        <span>{isClosed ? 'Encuesta cerrada el ' : 'Se cierra el '}</span>
        <Time iso={closesAt} form="hour" />
        {multiple && !isClosed && <span>. Se pueden elegir varias opciones.</span>}
      </p>
      {restartedAt && (
        <p className="note">
          <span>Empezó de nuevo el </span>
          <Time iso={restartedAt} form="hour" />
          <span>, al restaurar una copia de seguridad: no cuentan los votos de antes.</span>
          {!isClosed && <span> Se puede votar otra vez.</span>}
        </p>
      )}
      {otherZone && <p className="note">{otherZone}</p>}
      {hasTools ? (
        <Tools comment={comment} poll={poll} vote={vote} />
      ) : (
        <>
          <PollOptions poll={poll} result={resultOf(poll)} />
          {!isClosed && (
            <div data-for="guest" className={`unprinted ${styles.buttons}`}>
              <WayInLink className="target" href={pageRoutes.login}>
                Inicia sesión para votar
              </WayInLink>
            </div>
          )}
        </>
      )}
    </section>
  );
}
