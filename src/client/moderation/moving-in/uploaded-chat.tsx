import { countText, leftOutLines, messagesText, peopleText } from '../../../shared/import-texts.ts';
import type { ChatImport, ChatSummary, MovingIn } from '../../../shared/moving-in.ts';
import { request } from '../../api/request.ts';
import { sizeText } from '../../images/byte-texts.ts';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { Alert } from '../../ui/notice.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import { stopImport } from './moving-in-calls.ts';
import { PlanForm } from './plan-form.tsx';

interface UploadedChatProps {
  upload: NonNullable<MovingIn['upload']>;
  imports: ChatImport[];
  refetch: () => Promise<void>;
}

/** The contents of the uploaded file, and the decisions about them. */
export function UploadedChat({ upload, imports, refetch }: UploadedChatProps) {
  const { name, bytes, problem, summary, plan } = upload;
  const discard = () =>
    withStatus('No se pudo borrar el archivo.', async () => {
      await request(stopImport);
      await refetch();
    });
  return (
    <>
      <section className="stack">
        <h2>Lo que hay en el archivo</h2>
        <p className="row">
          <span>
            <bdi>{name}</bdi> <span className="note">{sizeText(bytes)}</span>
          </span>
          <ActionButton run={discard} data-destroys>
            Borrarlo y elegir otro
          </ActionButton>
        </p>
        {problem && <Alert>{problem}</Alert>}
        {summary && <Findings summary={summary} />}
      </section>
      {summary && plan && <PlanForm {...{ summary, plan, imports, refetch }} />}
    </>
  );
}

function Findings({ summary }: { summary: ChatSummary }) {
  const { messages, people, attachments } = summary;
  const lines = leftOutLines(summary);
  return (
    <>
      <p>
        {`${messagesText(messages)} de ${peopleText(people.length)}${
          attachments.count > 0
            ? `, con ${countText(attachments.count, 'foto o archivo', 'fotos y archivos')} (${sizeText(attachments.bytes)})`
            : ', sin fotos ni archivos'
        }.`}
      </p>
      {lines.length > 0 && (
        <ul className="note stack tight">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </>
  );
}
