import { searchUrl } from '../../shared/routes.ts';
import { Link } from '../router/navigation.tsx';
import type { Search } from './search-address.ts';
import styles from './search-help.module.css';
import { searchTexts } from './search-texts.ts';

/** How to search, before anything is searched for. */
export function SearchHelp() {
  return (
    <section className={styles.help} aria-labelledby="ayuda">
      <h2 id="ayuda">{searchTexts.help}</h2>
      <ul>
        <li>
          Escribe una o varias palabras: aparecen los comentarios y canales que las tienen{' '}
          <strong>todas</strong>.
        </li>
        <li>
          Entre comillas, seguidas y en ese orden: <kbd>"pan con tomate"</kbd>
        </li>
        <li>
          Con un guion delante, lo que no quieres: <kbd>tortilla -cebolla</kbd>
        </li>
        <li>
          Da igual escribir con tildes o sin ellas, con mayúsculas o en plural: <kbd>cancion</kbd>{' '}
          encuentra «Canciones».
        </li>
        <li>
          La ñ es otra letra: <kbd>cana</kbd> no encuentra «caña».
        </li>
      </ul>
    </section>
  );
}

interface NoHitsProps {
  search: Search;
  /** What would find something; null without it. */
  suggestion: string | null;
}

/** What to try when nothing was found. */
export function NoHits({ search: { q, channel, sort }, suggestion }: NoHitsProps) {
  return (
    <section className={styles.help} aria-labelledby="nada">
      <h2 id="nada">{channel ? searchTexts.noHitsInChannel : searchTexts.noHits}</h2>
      {suggestion !== null && (
        <p className={styles.suggestion}>
          {searchTexts.didYouMean}{' '}
          <Link href={searchUrl({ q: suggestion, channel, sort })}>
            <em dir="auto">{suggestion}</em>
          </Link>
          ?
        </p>
      )}
      <ul>
        {searchTexts.advice.map((advice) => (
          <li key={advice}>{advice}</li>
        ))}
        {channel && (
          <li>
            <Link href={searchUrl({ q, sort })}>{searchTexts.inAllChannels}</Link>
          </li>
        )}
      </ul>
    </section>
  );
}
