import type { MouseEvent } from 'react';
import type { Channel } from '../../../shared/channels.ts';
import { numberText } from '../../../shared/number-texts.ts';
import type { Person } from '../../../shared/people.ts';
import { commentLink, pageRoutes, searchUrl } from '../../../shared/routes.ts';
import type { SearchHit, SearchOrder, SearchResults } from '../../../shared/search.ts';
import { Cover } from '../../images/cover.tsx';
import { Link } from '../../router/navigation.tsx';
import { AutorLink, Avatar } from '../../ui/avatar.tsx';
import { listTexts } from '../../ui/list-texts.ts';
import { Paged } from '../../ui/loading/more-link.tsx';
import { OrderLinks } from '../../ui/order-links.tsx';
import { texts, withClosed } from '../../ui/texts.ts';
import { Time } from '../../ui/time/time.tsx';
import type { Search } from './search-address.ts';
import styles from './search-hits.module.css';
import type { useSearch } from './use-search.ts';

export function FoundPeople({ people }: { people: Person[] }) {
  return (
    <section className={`stack ${styles.section}`} aria-labelledby="personas">
      <h2 id="personas">Personas</h2>
      <ul className="row">
        {people.map(({ id, name, img }) => (
          <li key={id} className={`row ${styles.person}`}>
            <Avatar img={img} size={34} />
            <p className={styles.byline}>
              <AutorLink className={`plain tall ${styles.autor}`} id={id} name={name} />{' '}
              <Link className="note tall" href={searchUrl({ author: id })}>
                {listTexts.searchByAuthor}
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Level of a section's heading: one deeper below the heading for partial matches. */
type Heading = 'h2' | 'h3';

interface FoundChannelsProps {
  channels: Channel[];
  heading: Heading;
}

export function FoundChannels({ channels, heading: Title }: FoundChannelsProps) {
  return (
    <section className={`stack ${styles.section}`} aria-labelledby="canales">
      <Title id="canales">Canales</Title>
      <ul className={styles.channels}>
        {channels.map(({ _id, name, cover, commentCount, closedAt }) => (
          <li key={_id}>
            <article className={`covered frame row ${styles.channel}`}>
              <Cover
                className={styles.cover}
                channelId={_id}
                cover={cover}
                alt=""
                size="card"
                isFirst={false}
              />
              <div>
                <Link
                  className={`covering plain clamped ${styles.name}`}
                  href={pageRoutes.channel(_id)}
                >
                  <bdi>{name}</bdi>
                </Link>
                <p className="note">{withClosed(listTexts.commentCount(commentCount), closedAt)}</p>
              </div>
            </article>
          </li>
        ))}
      </ul>
    </section>
  );
}

const orders: Record<SearchOrder, string> = {
  new: 'Más recientes',
  relevance: 'Más relevantes',
};

interface HitsProps {
  search: Search;
  results: SearchResults;
  query: ReturnType<typeof useSearch>['query'];
  heading: Heading;
}

export function Hits({ search, results, query, heading: Title }: HitsProps) {
  const { data, next, searched } = results;
  return (
    <section className={`stack ${styles.section}`} aria-labelledby="comentarios">
      <div className={`row ${styles.heading}`}>
        <Title id="comentarios">Comentarios</Title>
        <span className="note">{countText(data.length, next)}</span>
        <OrderLinks
          label="Orden de los resultados"
          texts={orders}
          current={search.sort}
          hrefOf={(sort) => searchUrl({ ...search, sort, after: null })}
        />
      </div>
      {search.after !== null && (
        <p>
          <Link href={searchUrl({ ...search, after: null })}>{texts.fromTheStart}</Link>
        </p>
      )}
      <ol>
        {data.map((hit) => (
          <Hit key={hit.comment.id} hit={hit} isInChannel={search.channel !== undefined} />
        ))}
      </ol>
      <Paged
        // The key resets the busy state of a link of another search.
        key={searchUrl(search)}
        query={query}
        href={searchUrl({ ...search, q: searched ?? search.q, after: next })}
        // A page may be empty although more pages follow.
        label={data.length > 0 ? 'Ver más' : 'Seguir buscando'}
      />
    </section>
  );
}

/** The number of results, as far as it is known. */
export function countText(count: number, next: string | null): string {
  if (next !== null)
    return count > 0
      ? `Más de ${numberText(count)} resultados`
      : 'Nada en los comentarios más recientes';
  return count > 0 ? resultsText(count) : 'Sin resultados';
}

/** A drag over the text of a hit selects text and does not open the comment. */
function keepSelection(event: MouseEvent): void {
  const isByMouse = event.detail > 0;
  if (isByMouse && getSelection()?.isCollapsed === false) event.preventDefault();
}

function Hit({
  hit: { comment, channel, snippet },
  isInChannel,
}: {
  hit: SearchHit;
  isInChannel: boolean;
}) {
  const { channelId, number, autor, autorId, autorImg, autorImported, createdAt } = comment;
  const href = commentLink(channelId, number);
  return (
    <li tabIndex={-1}>
      <article className={`covered ${styles.hit}`}>
        {!autorImported && <Avatar img={autorImg} size={34} />}
        <div className={styles.body}>
          <p className={styles.byline}>
            <AutorLink
              className={`plain tall ${styles.autor}`}
              id={autorId}
              name={autor}
              isImported={autorImported}
            />{' '}
            {!isInChannel && (
              <>
                <span className="note">en</span>{' '}
                <Link
                  className={`note tall plain ${styles.channelLink}`}
                  href={pageRoutes.channel(channelId)}
                >
                  <bdi>{channel.name}</bdi>
                </Link>{' '}
              </>
            )}
          </p>
          {/* Last in its line, so that nothing moves when the relative time replaces the date. */}
          <Link className={`note ${styles.time}`} href={href}>
            <Time iso={createdAt} form="day" />
          </Link>
          <Link
            className={`covering plain ${styles.link}`}
            href={href}
            draggable={false}
            onClick={keepSelection}
          >
            <p className={styles.snippet} dir="auto">
              {snippet.length === 0 && <span>{texts.imagesAlone}</span>}
              {snippet.map(({ text, isHit }, index) => {
                const Part = isHit ? 'mark' : 'span';
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a snippet are never reordered
                return <Part key={index}>{text}</Part>;
              })}
            </p>
          </Link>
        </div>
      </article>
    </li>
  );
}

function resultsText(count: number): string {
  return count === 1 ? '1 resultado' : `${numberText(count)} resultados`;
}
