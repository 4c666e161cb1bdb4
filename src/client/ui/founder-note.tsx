import { useSite } from '../state/store-provider.tsx';

/** While nobody administers the site, says where the link for doing so is: at the end of a page, below its content. */
export function FounderNote() {
  const { founderCommand } = useSite();
  if (!founderCommand) return null;
  return (
    <p className="note">
      Este sitio espera a quien lo va a administrar: su enlace lo da <code>{founderCommand}</code>.
    </p>
  );
}
