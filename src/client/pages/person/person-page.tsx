import type { MouseEvent } from 'react';
import type { Channel } from '../../../shared/channels.ts';
import { numberText } from '../../../shared/number-texts.ts';
import type { PersonComment, PersonCommentPage } from '../../../shared/people.ts';
import { commentLink, pageRoutes, searchUrl, withQuery } from '../../../shared/routes.ts';
import { siteNameOf } from '../../../shared/site-name.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { carriedName } from '../../conversation/carried-name.ts';
import { CommentText } from '../../conversation/text/comment-text.tsx';
import { SubjectPanel, useSubjectPanel } from '../../moderation/subject-panel.tsx';
import { go, isPlainClick, Link, useAfter } from '../../router/navigation.tsx';
import { useSite, useUser } from '../../state/store-provider.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { GuestMenu } from '../../ui/guest-menu.tsx';
import { listTexts } from '../../ui/list-texts.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { Paged } from '../../ui/loading/more-link.tsx';
import { Loading } from '../../ui/loading/spinner.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { focusTitle, PageTitle } from '../../ui/page-title.tsx';
import { RoleBadge } from '../../ui/role-badge.tsx';
import buttons from '../../ui/styles/button.module.css';
import { texts } from '../../ui/texts.ts';
import { Time } from '../../ui/time/time.tsx';
import styles from './person-page.module.css';
import { usePerson } from './use-person.ts';
import { usePersonAgain } from './use-person-again.ts';

const PersonTools = lazyPart(async () => (await import('./person-tools.tsx')).PersonTools, {
  isQuiet: true,
});

/** Number of channels shown before the rest is expanded. */
const shownChannels = 8;

function PersonPageContent({ id }: { id: string }) {
  const { id: userId, isLogged } = useUser();
  const siteName = siteNameOf(useSite());
  const showPerson = usePersonAgain();
  const { about, comments, hasFailed, retry } = usePerson(id, useAfter());
  const { open, panel } = useSubjectPanel({
    userId,
    subject: { kind: 'user', id },
    name: about?.person.name ?? '',
    focus: focusTitle,
    onDecided: () => showPerson(id),
    onUndone: () => showPerson(id),
  });
  if (!about || !comments.data) {
    return hasFailed ? (
      <LoadFailure message="No se pudo cargar esta página" onRetry={retry} />
    ) : (
      <Loading label={texts.loading} />
    );
  }
  const { person, channels } = about;
  return (
    <div className="column">
      <header className={styles.header}>
        <Avatar img={person.img} size={96} isEager />
        <div className="stack tight">
          <PageTitle>
            <bdi>{person.name}</bdi>
          </PageTitle>
          {person.role && (
            <p>
              <RoleBadge role={person.role} />
            </p>
          )}
          <div className={`row ${styles.since}`}>
            <p className="note">
              <span>
                En <bdi>{siteName}</bdi> desde el
              </span>{' '}
              <Time iso={person.createdAt} form="date" />
            </p>
            {isLogged && id !== userId && <PersonTools person={person} onTask={open} />}
            <GuestMenu
              className={buttons.round}
              label={texts.moreActions}
              onReport={() => open('report')}
            />
          </div>
        </div>
      </header>
      <SubjectPanel {...panel} />
      <section className={`stack ${styles.section}`} aria-labelledby="canales">
        <h2 id="canales">Canales</h2>
        {channels.length === 0 ? (
          <p className="note">Aún no ha creado ningún canal.</p>
        ) : (
          <ChannelLinks channels={channels.slice(0, shownChannels)} />
        )}
        {channels.length > shownChannels && (
          <details>
            <summary>{otherChannels(channels.length - shownChannels)}</summary>
            <ChannelLinks channels={channels.slice(shownChannels)} />
          </details>
        )}
      </section>
      <Comments personId={id} query={comments} {...comments.data} />
    </div>
  );
}

export const PersonPage = withQueries(PersonPageContent);

function ChannelLinks({ channels }: { channels: Channel[] }) {
  return (
    <ul>
      {channels.map(({ _id, name, commentCount }) => (
        <li key={_id} className={`row ${styles.channel}`}>
          <Link href={pageRoutes.channel(_id)}>
            <bdi>{name}</bdi>
          </Link>{' '}
          <span className="note">{listTexts.commentCount(commentCount)}</span>
        </li>
      ))}
    </ul>
  );
}

interface CommentsProps {
  personId: string;
  query: ReturnType<typeof usePerson>['comments'];
  pages: PersonCommentPage[];
  pageParams: unknown[];
}

function Comments({ personId, query, pages, pageParams }: CommentsProps) {
  const comments = pages.flatMap(({ data }) => data);
  return (
    <section className={`stack ${styles.section}`} aria-labelledby="comentarios">
      <div className={`links row ${styles.heading}`}>
        <h2 id="comentarios">Últimos comentarios</h2>
        {comments.length > 0 && (
          <Link href={searchUrl({ author: personId })}>{listTexts.searchByAuthor}</Link>
        )}
      </div>
      {pageParams[0] !== null && (
        <p>
          <Link href={pageRoutes.user(personId)}>{texts.fromTheStart}</Link>
        </p>
      )}
      {comments.length === 0 ? (
        <p className="note">Aún no ha escrito ningún comentario.</p>
      ) : (
        <ol>
          {comments.map((item) => (
            <CommentOfPerson key={item.comment.id} item={item} />
          ))}
        </ol>
      )}
      <Paged
        query={query}
        href={withQuery(pageRoutes.user(personId), { after: pages.at(-1)?.next })}
        label="Ver más comentarios"
      />
    </section>
  );
}

function CommentOfPerson({ item: { comment, channel } }: { item: PersonComment }) {
  const { channelId, number, createdAt } = comment;
  const href = commentLink(channelId, number);
  /** Opens the comment, except for clicks on links and after a drag that selected text. */
  const open = (event: MouseEvent<HTMLElement>) => {
    const isOnLink = event.target instanceof Element && event.target.closest('a');
    if (!isOnLink && isPlainClick(event) && getSelection()?.isCollapsed !== false) go(href);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the link in the item opens the same page
    <li tabIndex={-1} className={`stack ${styles.comment}`} onClick={open}>
      <p className="note">
        <Link className="tall" href={href}>
          <Time iso={createdAt} form="day" />
        </Link>{' '}
        en{' '}
        <Link className="plain tall" href={pageRoutes.channel(channelId)}>
          <bdi>{channel.name}</bdi>
        </Link>
      </p>
      <CommentText
        className={`clamped ${styles.text}`}
        text={comment.comment || carriedName(comment)}
        mentions={comment.mentions}
        isBeginning
      />
    </li>
  );
}

function otherChannels(count: number): string {
  return count === 1 ? 'Ver 1 canal más' : `Ver ${numberText(count)} canales más`;
}
