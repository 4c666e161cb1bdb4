import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { pageRoutes, searchUrl } from '../../../shared/routes.ts';
import { changeEntry, entryState } from '../../router/entry-state.ts';
import { go } from '../../router/navigation.tsx';
import { useHydrated } from '../../state/store-provider.tsx';
import fields from '../../ui/forms/field.module.css';
import { Icon } from '../../ui/icons.tsx';
import buttons from '../../ui/styles/button.module.css';
import { readSearch, type Search } from './search-address.ts';
import { SearchField } from './search-field.tsx';
import styles from './search-form.module.css';
import { WiderLink } from './wider-link.tsx';

const limitedTo = { channel: 'En', author: 'Comentarios de' } as const;

const pauseMs = 250;

interface SearchFormProps {
  search: Search;
  channel: { name: string } | undefined;
  author: { name: string | null } | undefined;
  searchAgain: () => void;
}

/** Searches while the user types; Enter puts the search in the address. */
export function SearchForm({ search, channel, author, searchAgain }: SearchFormProps) {
  const { q, channel: channelId, author: authorId, sort } = search;
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isHydration] = useState(!useHydrated());

  const typed = () => field.current?.value.trim() ?? '';

  const follow = () => {
    clearTimeout(timer.current);
    if (typed() !== q) changeEntry({ typed: typed() });
  };

  const onInput = () => {
    clearTimeout(timer.current);
    // Search during IME composition as well: phone keyboards compose every word.
    if (typed()) timer.current = setTimeout(follow, pauseMs);
    else follow();
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // Hides a touch screen's keyboard, which covers the results.
    if (matchMedia('(hover: none)').matches) field.current?.blur();
    clearTimeout(timer.current);
    const to = searchUrl({ q: typed(), channel: channelId, author: authorId, sort });
    const before = location.pathname + location.search;
    const wasTyping = entryState().typed !== undefined;
    changeEntry({ typed: undefined });
    // A submitted search keeps its history entry for Back; an empty search page does not.
    if (to !== before) go(to, { replace: !readSearch(before).q });
    else if (!wasTyping) searchAgain();
  };

  const shown = useRef(q);
  useLayoutEffect(() => {
    const input = field.current;
    if (!input || shown.current === q) return;
    shown.current = q;
    // The search has changed by Back or by a link to another search.
    clearTimeout(timer.current);
    if (input.value.trim() !== q) input.value = q;
    if (!q) input.focus();
  }, [q]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useEffect(() => {
    // Text typed before hydration is searched as well.
    if (isHydration) follow();
    else if (!q) field.current?.focus();
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);

  const label = fieldLabel(channel?.name, author?.name);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every screen reader knows <search>
    <form role="search" action={pageRoutes.search} method="get" onSubmit={onSubmit}>
      <div className={`row tight field-row ${styles.box}`}>
        <Icon size={22} path="m21 21-4.3-4.3M11 3a8 8 0 1 1 0 16 8 8 0 0 1 0-16" />
        <SearchField
          ref={field}
          className={`${fields.input} ${styles.field}`}
          defaultValue={q}
          aria-label={label}
          onInput={onInput}
          // Updates the history entry before a link is followed, whose address contains the typed text.
          onBlur={follow}
        />
        <button type="submit" className={buttons.primary}>
          Buscar
        </button>
      </div>
      {channelId && <input type="hidden" name="channel" value={channelId} />}
      {authorId && <input type="hidden" name="author" value={authorId} />}
      {sort !== 'new' && <input type="hidden" name="sort" value={sort} />}
      {channel && <Scope search={search} limit="channel" name={channel.name} />}
      {authorId && <Scope search={search} limit="author" name={author?.name} />}
    </form>
  );
}

function fieldLabel(channelName: string | undefined, authorName: string | null | undefined) {
  if (channelName !== undefined) return `Buscar en el canal ${channelName}`;
  return authorName ? `Buscar en los comentarios de ${authorName}` : undefined;
}

interface ScopeProps {
  search: Search;
  limit: 'channel' | 'author';
  /** The name of the channel or the person, if it is known. */
  name: string | null | undefined;
}

/** The channel or person that limits the search, with a link to the search without that limit. */
function Scope({ search, limit, name }: ScopeProps) {
  return (
    <p className={`links row ${styles.scope}`}>
      {name && (
        <span>
          <span>{limitedTo[limit]}</span>{' '}
          <strong>
            <bdi>{name}</bdi>
          </strong>
        </span>
      )}
      <WiderLink search={search} limit={limit} />
    </p>
  );
}
