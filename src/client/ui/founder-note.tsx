import { useSite } from '../state/store-provider.tsx';
import { Note } from './notice.tsx';

/** While nobody administers the site, says where the link for doing so is. */
export function FounderNote() {
  const { founderCommand } = useSite();
  if (!founderCommand) return null;
  return (
    <Note>
      Este sitio espera a quien lo va a administrar: su enlace está en lo que escribe el servidor al
      arrancar, y <code>{founderCommand}</code> da otro.
    </Note>
  );
}
