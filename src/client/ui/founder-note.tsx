import { useSite } from '../state/store-provider.tsx';
import { Note } from './notice.tsx';

/** While nobody administers the site, says where the link for doing so is. */
export function FounderNote() {
  const { founderCommand } = useSite();
  if (!founderCommand) return null;
  return (
    <Note>
      Este sitio espera a quien lo va a administrar: su enlace está en el registro del servidor, o
      lo da <code>{founderCommand}</code>.
    </Note>
  );
}
