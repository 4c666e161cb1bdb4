import { useEffect, useState } from 'react';
import { searchUrl } from '../../../shared/routes.ts';
import type { SearchResults } from '../../../shared/search.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { Link } from '../../router/navigation.tsx';
import { PageBoundary } from '../../ui/loading/page-boundary.tsx';
import { Loading } from '../../ui/loading/spinner.tsx';
import { LoadFailure, Note } from '../../ui/notice.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SearchForm } from './search-form.tsx';
import { NoHits, SearchHelp } from './search-help.tsx';
import { countText, FoundChannels, FoundPeople, Hits } from './search-hits.tsx';
import styles from './search-page.module.css';
import { useSearch } from './use-search.ts';

const partialTitle = 'Con casi todas tus palabras';

/** Screen readers announce the number of results once nothing has changed for this long. */
const quietMs = 800;

function SearchPageContent() {
  const { search, channel, author, results, hint, isLoading, failure, retry, query } = useSearch();
  const { q } = search;
  const hasComments = results && (results.data.length > 0 || results.next !== null);
  const hasPeople = results && results.people.length > 0;
  const hasChannels = results && results.channels.length > 0;
  const isPartial = results !== null && lacksWords(results);
  const heading = isPartial ? 'h3' : 'h2';
  const found = hint ?? (results ? foundText(results) : '');
  return (
    <div className="column">
      <div className={`page ${styles.head}`}>
        <PageTitle>Buscar</PageTitle>
        <SearchForm search={search} channel={channel} author={author} searchAgain={retry} />
      </div>
      <FoundStatus
        text={isLoading || failure !== null ? '' : found}
        page={`${searchUrl(search)} ${results?.next}`}
      />
      {failure !== null && <LoadFailure message={failure} onRetry={retry} />}
      {results?.isComplete === false && (
        <Note>
          Pueden faltar comentarios antiguos: el buscador se está preparando o no le ha dado tiempo
          a mirarlo todo.
        </Note>
      )}
      {hint !== null && <p className={styles.hint}>{hint}</p>}
      {(!q || hint !== null) && <SearchHelp />}
      {!results && hint === null && isLoading && <Loading label="Buscando…" />}
      {results && (
        <div aria-busy={isLoading || undefined} className={styles.results}>
          <PageBoundary>
            {results.searched !== null && (
              <p className={styles.searched}>
                Resultados de <em dir="auto">{results.searched}</em>.{' '}
                <Link href={searchUrl({ ...search, isExact: true })}>
                  Buscar solo <em dir="auto">{q}</em>
                </Link>
              </p>
            )}
            {hasPeople && <FoundPeople people={results.people} />}
            {isPartial && <h2 className={styles.partial}>{partialTitle}</h2>}
            {hasChannels && <FoundChannels channels={results.channels} heading={heading} />}
            {hasComments && (
              <Hits search={search} results={results} query={query} heading={heading} />
            )}
            {!hasPeople && !hasChannels && !hasComments && (
              <NoHits search={search} suggestion={results.suggestion} />
            )}
          </PageBoundary>
        </div>
      )}
    </div>
  );
}

export const SearchPage = withQueries(SearchPageContent);

/** Whether no result contains all words. */
function lacksWords({ data, channels }: SearchResults): boolean {
  return [...channels, ...data].some(({ missing }) => missing > 0);
}

/** The number of results, as far as it is known. */
function foundText(results: SearchResults): string {
  const { data, people, channels, next, searched } = results;
  const count = countText(data.length + people.length + channels.length, next);
  if (lacksWords(results)) return `${count} ${partialTitle.toLowerCase()}`;
  return searched === null ? count : `${count} de ${searched}`;
}

interface FoundStatusProps {
  text: string;
  /** Different for each page of each search. */
  page: string;
}

/** Announces the number of results, but not at every keystroke. */
function FoundStatus({ text, page }: FoundStatusProps) {
  const [said, setSaid] = useState({ text: '', page });
  useEffect(() => {
    const timer = setTimeout(() => setSaid({ text, page }), quietMs);
    return () => clearTimeout(timer);
  }, [text, page]);
  return (
    <div role="status" className="visually-hidden">
      {/* A new element each time: an unchanged text in the same element is announced only once. */}
      <p key={said.page}>{said.text}</p>
    </div>
  );
}
