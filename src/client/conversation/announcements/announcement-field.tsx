import { useUserQuery } from '../../api/user-query.ts';
import { useDraft } from '../../storage/drafts.ts';
import { CheckField } from '../../ui/forms/check-field.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { type ComposerDraft, changeComposer } from '../composer/composer-draft.ts';
import { DraftPart } from '../composer/draft-part.tsx';
import { getReach } from './announcement-calls.ts';
import { reachText } from './reach-text.ts';

/** What makes a comment that is being written an announcement: whom it reaches, until when, and whether it is confirmed. */
export function AnnouncementField({
  draft,
  isLocked,
}: {
  draft: ComposerDraft;
  isLocked: boolean;
}) {
  const announcement = useDraft(draft, (content) => content.announcement);
  const { data: reach } = useUserQuery(getReach, undefined, { isBackground: true });
  if (!announcement) return null;
  const change = (part: Partial<typeof announcement>) =>
    changeComposer(draft, { announcement: { ...announcement, ...part } }, true);
  return (
    <DraftPart
      draft={draft}
      name="announcement"
      legend="Comunicado"
      removeLabel="Que no sea un comunicado"
      isLocked={isLocked}
      onRemove={() => changeComposer(draft, { announcement: null })}
    >
      {/* The line is kept free until the number is known. */}
      <p className="note" role="status">
        {reach ? reachText(reach) : '…'}
      </p>
      {reach && reach.mailDays > daysUntil(announcement.until) && (
        <p role="alert">
          Con el límite diario de correos del servidor, a parte de la gente no le llegará por correo
          antes de ese día: elige uno posterior.
        </p>
      )}
      <p className="note">
        Se avisa dos minutos después de enviarlo, tal como esté entonces: hasta ahí puedes
        corregirlo o eliminarlo. No vale como notificación legal.
      </p>
      <TextField
        label="En la portada hasta"
        hint="Una semana si no eliges otro día."
        type="date"
        value={announcement.until}
        onChange={({ currentTarget }) => change({ until: currentTarget.value })}
      />
      <CheckField
        label="Pedir confirmación de lectura"
        hint="El equipo de moderación verá quién lo ha leído y quién no, y se dice junto al botón."
        checked={announcement.confirm}
        onChange={({ currentTarget }) => change({ confirm: currentTarget.checked })}
      />
    </DraftPart>
  );
}

const dayMs = 86_400_000;

/** Days from today to the last day of an announcement; a week if none was chosen. */
const daysUntil = (day: string) =>
  day === '' ? 7 : Math.max(0, Math.ceil((Date.parse(day) - Date.now()) / dayMs));
