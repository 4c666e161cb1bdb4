import { showStatus } from './status-bar.tsx';

/** Copies a text, or shows it if the browser does not allow copying. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showStatus({ text: 'Copiado' });
  } catch {
    offerText(text, text);
  }
}

/** Shows a message with a button to copy a text that the user has typed, if any. */
export function offerText(said: string, typed: string): void {
  const action = { label: 'Copiar lo que escribiste', run: () => copyText(typed) };
  showStatus({ text: said, ...(typed && { action }) });
}
