import { shownAddress } from '../../dom/shown-address.ts';
import { showStatus } from './status-bar.tsx';

/** Copies an address of this site; shows it where the browser does not allow that. */
export async function copyLink(href: string): Promise<void> {
  const label = shownAddress(href);
  try {
    await navigator.clipboard.writeText(label);
    showStatus({ text: 'Enlace copiado' });
  } catch {
    showStatus({ text: 'No se pudo copiar. Este es el enlace:', links: [{ href, label }] });
  }
}
