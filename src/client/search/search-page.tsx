import { useEffect, useState } from 'react';
import { LoadFailure, Note } from '../components/notice.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Loading } from '../components/spinner.tsx';
import { SearchForm } from './search-form.tsx';
import { NoHits, SearchHelp } from './search-help.tsx';
import { countText, FoundChannels, Hits } from './search-hits.tsx';
import styles from './search-page.module.css';
import { searchTexts } from './search-texts.ts';
import { useSearch } from './use-search.ts';

/** A screen reader hears how much was found once nothing has changed for this long. */
const quietMs = 800;

/** What is found in channels and comments. */
export function SearchPage() {
  const { place, channel, results, hint, isFirstPage, isLoading, failure, retry, loadMore } =
    useSearch();
  const hasFound = results && results.data.length + results.channels.length > 0;
  const isSearched = results && (hasFound || results.next !== null);
  return (
    <>
      <div className={styles.head}>
        <PageTitle>{searchTexts.search}</PageTitle>
        <SearchForm place={place} channel={channel} search={retry} />
      </div>
      <FoundStatus
        text={
          isLoading ? '' : (hint ?? (results ? countText(results.data.length, results.next) : ''))
        }
        search={`${place.q} ${place.channel} ${place.sort}`}
      />
      {failure !== null && <LoadFailure message={failure} onRetry={retry} />}
      {results?.isComplete === false && <Note>{searchTexts.incomplete}</Note>}
      {(!place.q || hint !== null) && <SearchHelp />}
      {hint !== null && <p className={styles.hint}>{hint}</p>}
      {!results && hint === null && isLoading && <Loading label={searchTexts.searching} />}
      {results && (
        <div aria-busy={isLoading || undefined} className={styles.results}>
          {results.channels.length > 0 && <FoundChannels channels={results.channels} />}
          {isSearched ? (
            <Hits place={place} results={results} isFirstPage={isFirstPage} loadMore={loadMore} />
          ) : (
            <NoHits place={place} suggestion={results.suggestion} />
          )}
        </div>
      )}
    </>
  );
}

/** Announces how much was found, not at every key. The page that the server rendered says it itself. */
function FoundStatus({ text, search }: { text: string; search: string }) {
  const [said, setSaid] = useState({ text: '', search });
  useEffect(() => {
    const timer = setTimeout(() => setSaid({ text, search }), quietMs);
    return () => clearTimeout(timer);
  }, [text, search]);
  return (
    <div role="status" className="visually-hidden">
      {/* A new element each time: the same text in the same element is announced only once. */}
      <p key={said.search}>{said.text}</p>
    </div>
  );
}
