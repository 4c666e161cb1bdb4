import { useState } from 'react';
import { messagesText } from '../../../shared/import-texts.ts';
import type { ChatImport } from '../../../shared/moving-in.ts';
import { numberText } from '../../../shared/number-texts.ts';
import { request } from '../../api/request.ts';
import { percentOf } from '../../images/byte-texts.ts';
import { accountTexts } from '../../ui/account-texts.ts';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import { dot } from '../../ui/texts.ts';
import { stopImport } from './moving-in-calls.ts';
import { remainingText } from './progress-texts.ts';

interface RunningImportProps {
  running: ChatImport;
  /** When the numbers were received, in milliseconds. */
  atMs: number;
  refetch: () => Promise<void>;
}

/** The progress of a chat that is being brought, with a button that stops it. */
export function RunningImport({ running, atMs, refetch }: RunningImportProps) {
  const { name, done, total } = running;
  // An import that goes on did not begin at its start, so the rate is that since this page first saw it.
  const [first] = useState({ done, atMs });
  const rate = ((done - first.done) / (atMs - first.atMs)) * 1000;
  const cancel = () =>
    withStatus('No se pudo cancelar.', async () => {
      await request(stopImport);
      await refetch();
    });
  return (
    <section className="stack">
      <h2>
        Se está trayendo <bdi>{name}</bdi>
      </h2>
      <ProgressLine
        label={`Lo traído de ${name}`}
        percent={percentOf(done, total)}
        text={`${numberText(done)} de ${messagesText(total)}${dot}${percentOf(done, total)}\u00a0%`}
      />
      <p className="note">
        {rate > 0 && (
          <span>{`${messagesText(Math.ceil(rate))} por segundo. ${remainingText((total - done) / rate)}`}</span>
        )}{' '}
        <span>Puedes cerrar esta página: el servidor sigue solo.</span>
      </p>
      <div>
        <ActionButton run={cancel}>{accountTexts.cancel}</ActionButton>
      </div>
    </section>
  );
}
