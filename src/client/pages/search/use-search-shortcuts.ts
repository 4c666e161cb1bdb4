import { useEffect } from 'react';
import { searchUrl } from '../../../shared/routes.ts';
import type { Page } from '../../dom/match-page.ts';
import { go } from '../../dom/navigation.tsx';
import { isPlainKey } from '../../dom/plain-key.ts';

/** Opens the search page from the forms of other pages, and with the key `/`. */
export function useSearchShortcuts(page: Page): void {
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    addEventListener('submit', onSubmit, { signal });
    addEventListener('keydown', (event) => onKey(event, page), { signal });
    return () => stop.abort();
  }, [page]);
}

/** The search page handles its own form. */
function onSubmit(event: SubmitEvent): void {
  const { target: form, defaultPrevented } = event;
  if (defaultPrevented || !(form instanceof HTMLFormElement) || !form.matches(searchForm)) return;
  event.preventDefault();
  const q = new FormData(form).get('q');
  go(searchUrl({ q: typeof q === 'string' ? q.trim() : '' }));
}

function onKey(event: KeyboardEvent, page: Page): void {
  if (event.key !== '/' || !isPlainKey(event)) return;
  const field = document.querySelector<HTMLInputElement>(`${searchForm} [name="q"]`);
  if (!field && page.name !== 'channel') return;
  event.preventDefault();
  field?.focus();
  field?.select();
  if (!field && page.name === 'channel') go(searchUrl({ channel: page.id }));
}

const searchForm = 'form[role="search"]';
