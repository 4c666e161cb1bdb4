import { showStatus } from './status-bar.tsx';

/** Copies a text; shows it where the browser does not allow that. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showStatus({ text: 'Copiado' });
  } catch {
    offerText(text, text);
  }
}

/** Shows a message about a text that somebody has typed, if any, with a button to copy it. */
export function offerText(said: string, typed: string): void {
  const action = { label: 'Copiar lo que escribiste', run: () => copyText(typed) };
  showStatus({ text: said, ...(typed && { action }) });
}
