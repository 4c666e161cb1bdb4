import type { Channel } from '../../shared/channels.ts';
import { commentLink, pageRoutes, searchUrl } from '../../shared/routes.ts';
import type { SearchHit, SearchResults } from '../../shared/search.ts';
import { Cover } from '../channels/cover.tsx';
import { useAnchors } from '../components/anchors.tsx';
import { AutorLink, Avatar } from '../components/avatar.tsx';
import { MoreLink } from '../components/more-link.tsx';
import { Link } from '../router/navigation.tsx';
import { texts } from '../texts.ts';
import { TimeAgo } from '../time/time-ago.tsx';
import type { Search } from './search-address.ts';
import styles from './search-hits.module.css';
import { SearchOrders } from './search-orders.tsx';
import { searchTexts } from './search-texts.ts';
import type { useSearch } from './use-search.ts';

const hitId = (commentId: string) => `en-${commentId}`;

export function FoundChannels({ channels }: { channels: Channel[] }) {
  return (
    <section className={styles.section} aria-labelledby="canales">
      <h2 id="canales">{searchTexts.channels}</h2>
      <ul className={styles.channels}>
        {channels.map(({ _id, name, cover, commentCount, closedAt }) => (
          <li key={_id}>
            <article className={styles.channel}>
              <Cover
                className={styles.cover}
                channelId={_id}
                cover={cover}
                alt=""
                place="card"
                isFirst={false}
              />
              <div>
                <Link className={styles.name} href={pageRoutes.channel(_id)}>
                  <bdi>{name}</bdi>
                </Link>
                <p className={styles.muted}>
                  {texts.commentCount(commentCount)}
                  {closedAt && ` · ${texts.closed}`}
                </p>
              </div>
            </article>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface HitsProps {
  search: Search;
  results: SearchResults;
  isFirstPage: boolean;
  loadMore: ReturnType<typeof useSearch>['loadMore'];
}

export function Hits({ search, results: { data, next }, isFirstPage, loadMore }: HitsProps) {
  const { q, channel, sort } = search;
  const appendNext = async () => {
    const { isError, data } = await loadMore();
    if (isError) return null;
    // Otherwise the address asks for another search by now.
    const first = data?.pageParams.at(-1) === next && data.pages.at(-1)?.results?.data[0];
    if (!first) requestAnimationFrame(keepFocusOnPage);
    return first ? hitId(first.comment.id) : '';
  };

  return (
    <section className={styles.section} aria-labelledby="comentarios">
      <div className={styles.heading}>
        <h2 id="comentarios">{searchTexts.comments}</h2>
        <span className={styles.muted}>{countText(data.length, next)}</span>
        <SearchOrders search={search} />
      </div>
      {!isFirstPage && (
        <p>
          <Link href={searchUrl({ q, channel, sort })}>{texts.fromTheStart}</Link>
        </p>
      )}
      <ol className={styles.hits}>
        {data.map((hit) => (
          <Hit key={hit.comment.id} hit={hit} isInChannel={channel !== undefined} />
        ))}
      </ol>
      {next && (
        <MoreLink
          // The key discards a busy link of another search.
          key={`${q} ${channel} ${sort}`}
          href={searchUrl({ q, channel, sort, after: next })}
          // A page may be empty although others follow it.
          label={data.length > 0 ? searchTexts.more : searchTexts.goOn}
          failedText={searchTexts.moreFailed}
          load={appendNext}
        />
      )}
    </section>
  );
}

/** Moves the focus to the page when the link to more hits is gone, and none is there to get its focus. */
function keepFocusOnPage(): void {
  if (document.activeElement !== document.body) return;
  document.querySelector('main')?.focus({ preventScroll: true });
}

/** How many were found, as far as that is known. */
export function countText(count: number, next: string | null): string {
  if (next !== null) return count > 0 ? searchTexts.moreThan(count) : searchTexts.notYet;
  return count > 0 ? searchTexts.results(count) : searchTexts.noResults;
}

function Hit({
  hit: { comment, channel, snippet },
  isInChannel,
}: {
  hit: SearchHit;
  isInChannel: boolean;
}) {
  const { id, channelId, number, autor, autorId, autorImg, createdAt } = comment;
  const { register } = useAnchors();
  return (
    <li ref={register} id={hitId(id)} tabIndex={-1} className={styles.hit}>
      <Avatar img={autorImg} size={34} />
      <div className={styles.body}>
        <p className={styles.byline}>
          <AutorLink className={styles.autor} id={autorId} name={autor} />{' '}
          {!isInChannel && (
            <>
              <span className={styles.muted}>{searchTexts.hitIn}</span>{' '}
              <Link className={styles.channelLink} href={pageRoutes.channel(channelId)}>
                <bdi>{channel.name}</bdi>
              </Link>
              <span className={styles.muted}> · </span>
            </>
          )}
          {/* Last, so that nothing moves when the time since replaces the date. */}
          <Link className={styles.time} href={commentLink(channelId, number)}>
            <TimeAgo iso={createdAt} />
          </Link>
        </p>
        <p className={styles.snippet} dir="auto">
          {snippet.map(({ text, isHit }, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a snippet are never reordered
            isHit ? <mark key={index}>{text}</mark> : text,
          )}
        </p>
      </div>
    </li>
  );
}
