import { useState } from 'react';
import { leftOutText } from '../../../shared/import-texts.ts';
import type { ChatImport } from '../../../shared/moving-in.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { request } from '../../api/request.ts';
import { reopenChannel } from '../../conversation/change-channel-calls.ts';
import { Link } from '../../router/navigation.tsx';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { DiscardQuestion } from '../../ui/forms/form-end.tsx';
import { focusTitle } from '../../ui/page-title.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import buttons from '../../ui/styles/button.module.css';
import { ImportedPeople } from './imported-people.tsx';
import { undoImport } from './moving-in-calls.ts';
import { endText } from './progress-texts.ts';

interface ImportListProps {
  imports: ChatImport[];
  refetch: () => Promise<void>;
}

/** The channels that moved in, whole or in part. */
export function ImportList({ imports, refetch }: ImportListProps) {
  if (imports.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="traidos">
      <h2 id="traidos">Lo que se trajo</h2>
      <ul className="stack">
        {imports.map((one) => (
          <ImportItem key={one.channelId} moved={one} refetch={refetch} />
        ))}
      </ul>
    </section>
  );
}

interface ImportItemProps {
  moved: ChatImport;
  refetch: () => Promise<void>;
}

function ImportItem({ moved, refetch }: ImportItemProps) {
  const { channelId, name, state, isClosed, isClaimed, leftOut } = moved;
  const [isOpened, setOpened] = useState(false);
  const lost = leftOutText(leftOut);
  const [step, setStep] = useState<'shown' | 'asking' | 'erasing'>('shown');
  const open = () =>
    withStatus('No se pudo abrir.', async () => {
      await request(reopenChannel, channelId);
      await refetch();
      focusTitle({ preventScroll: true });
      return { text: 'Canal abierto' };
    });
  const undo = async () => {
    if (step === 'erasing') return;
    setStep('erasing');
    const isUndone = await withStatus('No se pudo deshacer.', async () => {
      await request(undoImport, channelId);
      focusTitle({ preventScroll: true });
      await refetch();
      return { text: 'Deshecho: el canal y lo que se trajo ya no están.' };
    });
    if (!isUndone) setStep('shown');
  };
  return (
    <li className="box">
      <h3>
        <Link className="target" href={pageRoutes.channel(channelId)}>
          <bdi>{name}</bdi>
        </Link>
      </h3>
      <p>{endText(moved)}</p>
      {lost && <p className="note">{lost}</p>}
      <details onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
        <summary>Sus personas: que cada una recupere lo suyo, o lo retire</summary>
        {isOpened && <ImportedPeople channelId={channelId} />}
      </details>
      {step === 'shown' ? (
        <p className="row">
          {state === 'done' && isClosed && <ActionButton run={open}>Abrir el canal</ActionButton>}
          {!isClaimed && (
            <button
              type="button"
              className={buttons.quiet}
              data-destroys
              onClick={() => setStep('asking')}
            >
              Deshacer
            </button>
          )}
        </p>
      ) : (
        <DiscardQuestion
          question={`¿Borrar del todo «${name}», con sus mensajes, sus fotos y sus personas?`}
          labels={['Borrarlo todo', 'Dejarlo']}
          isBusy={step === 'erasing'}
          onDiscard={undo}
          onKeepEditing={() => setStep('shown')}
        />
      )}
    </li>
  );
}
