import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { limits } from '../../../shared/limits.ts';
import { otherZoneText } from '../../dom/device-zone.ts';
import { useDraft } from '../../storage/drafts.ts';
import { CheckField } from '../../ui/forms/check-field.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import buttons from '../../ui/styles/button.module.css';
import { type ComposerDraft, changeComposer } from './composer-draft.ts';
import { DraftPart } from './draft-part.tsx';
import type { PollDraft } from './empty-poll.ts';
import { closesBefore, withOption, withoutOption } from './poll-draft.ts';
import styles from './poll-field.module.css';
import { putPart } from './put-part.ts';

/** The poll of a comment that is being written. */
export function PollField({ draft, isLocked }: { draft: ComposerDraft; isLocked: boolean }) {
  const { poll, refusal, refusedField } = useDraft(draft, (content) => content);
  const list = useRef<HTMLOListElement>(null);
  if (!poll) return null;
  const { options, multiple, secret, closes, zone } = poll;
  const change = (part: Partial<PollDraft>) =>
    changeComposer(draft, { poll: { ...poll, ...part } }, true);
  /** Shows the changed options, and focuses one. */
  const show = (changed: PollDraft, index: number) => {
    flushSync(() => changeComposer(draft, { poll: changed }));
    const inputs = list.current?.querySelectorAll('input');
    inputs?.[Math.min(index, inputs.length - 1)]?.focus();
  };
  const add = (isTime: boolean) => {
    const added = withOption(poll, isTime);
    show(added.poll, added.index);
  };
  const otherZone = otherZoneText(zone);
  return (
    <DraftPart
      draft={draft}
      name="poll"
      legend="Encuesta"
      removeLabel="Quitar la encuesta"
      isLocked={isLocked}
      onRemove={() => {
        changeComposer(draft, { poll: null });
        const run = () => putPart(draft, { poll });
        showStatus({ text: 'Encuesta quitada', action: { label: 'Deshacer', run } });
      }}
    >
      <p className="note">
        Pregunta arriba lo que quieras saber. Una vez enviada, la encuesta no se puede cambiar.
      </p>
      <ol ref={list} className="stack tight">
        {options.map(({ isTime, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an option has no other name
          <li key={index} className={styles.option}>
            <TextField
              label={`Opción ${index + 1}`}
              type={isTime ? 'datetime-local' : 'text'}
              required={isTime || index < limits.fewestPollOptions}
              dir="auto"
              autoComplete="off"
              maxLength={limits.pollOptionChars}
              value={value}
              onChange={({ currentTarget }) => {
                const typed = currentTarget.value;
                const option = { isTime, value: isTime ? typed.slice(0, 16) : typed };
                change({
                  options: options.toSpliced(index, 1, option),
                  ...(isTime && closesBefore(option.value, poll)),
                });
              }}
              onKeyDown={(event) => {
                // Otherwise a key that people press between two options would send the comment.
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                event.preventDefault();
                const next = options[index + 1];
                // Days follow a day: one takes the place of an empty text.
                const isReplaced = isTime && next?.isTime === false && next.value === '';
                if (next && !isReplaced) show(poll, index + 1);
                else if (next || options.length < limits.pollOptions) add(isTime);
              }}
            />
            {!isLocked && (
              <button
                type="button"
                className={buttons.round}
                aria-label={`Quitar la opción ${index + 1}`}
                onClick={() => show(withoutOption(poll, index), index)}
              >
                <Icon size={18} path="M18 6 6 18M6 6l12 12" />
              </button>
            )}
          </li>
        ))}
      </ol>
      {options.length < limits.pollOptions && !isLocked && (
        <div className="row">
          <button type="button" className={buttons.quiet} onClick={() => add(false)}>
            Añadir opción
          </button>
          <button type="button" className={buttons.quiet} onClick={() => add(true)}>
            Añadir día y hora
          </button>
        </div>
      )}
      <CheckField
        label="Se pueden elegir varias"
        checked={multiple}
        onChange={({ currentTarget }) => change({ multiple: currentTarget.checked })}
      />
      <CheckField
        label="Voto secreto"
        hint={secret ? secretHint : namedHint}
        checked={secret}
        onChange={({ currentTarget }) => change({ secret: currentTarget.checked })}
      />
      <TextField
        label="Se cierra"
        hint={`Entre ${limits.pollMinutes} minutos y ${limits.pollDays} días después de enviarla.`}
        error={refusal && refusedField === 'poll.closesAt' ? refusal : undefined}
        type="datetime-local"
        required
        value={closes}
        onChange={({ currentTarget }) => change({ closes: currentTarget.value.slice(0, 16) })}
      />
      {otherZone && <p className="note">{otherZone}</p>}
    </DraftPart>
  );
}

const namedHint =
  'Se verá qué ha votado cada cual, y el voto se puede cambiar hasta que se cierre. Quien vota ve los votos que hay.';
const secretHint = `No se guarda quién votó qué, y el voto no se puede cambiar. El resultado se ve al cerrarse, si han votado ${limits.fewestSecretVoters} personas o más.`;
