import { searchUrl } from '../../../shared/routes.ts';
import { Link } from '../../router/navigation.tsx';
import notices from '../../ui/notice.module.css';
import type { Search } from './search-address.ts';
import styles from './search-help.module.css';
import { WiderLink } from './wider-link.tsx';

const adviceTexts = [
  'Prueba con menos palabras.',
  'Comprueba que estén bien escritas.',
  'Busca otra manera de decirlo o quita las comillas.',
] as const;

/** Explains how to search, before anything is searched. */
export function SearchHelp() {
  return (
    <section className={`stack ${styles.help}`} aria-labelledby="ayuda">
      <h2 id="ayuda">Cómo se busca</h2>
      <ul>
        <li>
          Escribe una o varias palabras: aparecen los comentarios y canales que las tienen{' '}
          <strong>todas</strong> y, si son pocos, también otras formas: <kbd>traer</kbd> encuentra
          «trajo».
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
          El nombre de una persona la encuentra a ella y lo que ha escrito:{' '}
          <kbd>carmen croquetas</kbd>
        </li>
        <li>
          Si no hay resultados, se busca lo que más se le parece: <kbd>croqetas</kbd> encuentra
          «croquetas», y <kbd>cana</kbd>, «caña». Y si así tampoco hay, aparece lo que tiene casi
          todas tus palabras.
        </li>
      </ul>
    </section>
  );
}

interface NoHitsProps {
  search: Search;
  /** A search that would find something, or null. */
  suggestion: string | null;
}

/** Suggestions after a search without results. */
export function NoHits({ search, suggestion }: NoHitsProps) {
  const { q, channel, author } = search;
  const widest = author ? 'En sus comentarios no hay resultados para' : 'No hay resultados para';
  return (
    <section className={`stack ${styles.help}`} aria-labelledby="nada">
      <h2 id="nada">
        <span>{channel ? 'En este canal no hay resultados para' : widest}</span>{' '}
        <bdi>{`«${q}»`}</bdi>
      </h2>
      {suggestion !== null && (
        <p className={`${notices.note} ${styles.suggestion}`}>
          ¿Quizá quisiste decir{' '}
          <Link href={searchUrl({ ...search, q: suggestion, isExact: false, after: null })}>
            <em dir="auto">{suggestion}</em>
          </Link>
          ?
        </p>
      )}
      <ul>
        {adviceTexts.map((advice) => (
          <li key={advice}>{advice}</li>
        ))}
        {channel && (
          <li>
            <WiderLink search={search} limit="channel" />
          </li>
        )}
        {author && (
          <li>
            <WiderLink search={search} limit="author" />
          </li>
        )}
      </ul>
    </section>
  );
}
