import { useEffect } from 'react';
import { searchUrl } from '../../../shared/routes.ts';
import { go } from '../../router/navigation.tsx';

/** Opens the search page from the forms of other pages without loading a document. */
export function useSearchForms(): void {
  useEffect(() => {
    addEventListener('submit', onSubmit);
    return () => removeEventListener('submit', onSubmit);
  }, []);
}

/** The search page handles its own form. */
function onSubmit(event: SubmitEvent): void {
  const { target: form, defaultPrevented } = event;
  if (defaultPrevented || !(form instanceof HTMLFormElement)) return;
  if (!form.matches('form[role="search"]')) return;
  event.preventDefault();
  const q = new FormData(form).get('q');
  go(searchUrl({ q: typeof q === 'string' ? q.trim() : '' }));
}
