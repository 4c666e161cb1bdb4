import { shownAddress } from '../../dom/shown-address.ts';
import { showStatus } from './status-bar.tsx';

/** Copies an address of this site, or shows it if the browser does not allow copying. */
export async function copyLink(href: string): Promise<void> {
  const label = shownAddress(href);
  try {
    await navigator.clipboard.writeText(label);
    showStatus({ text: 'Enlace copiado' });
  } catch {
    showStatus({ text: 'No se pudo copiar. Este es el enlace:', links: [{ href, label }] });
  }
}
