import type { CommentKey } from '../../../shared/comment-id.ts';
import { request } from '../../api/request.ts';
import { useStore } from '../../state/store-provider.tsx';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import buttons from '../../ui/styles/button.module.css';
import { acknowledge } from './announcement-calls.ts';

interface AcknowledgeProps extends CommentKey {
  /** The comment's. */
  id: string;
  confirm: boolean;
}

/** The button with which somebody says that they have read an announcement, which then leaves the home page. */
export function Acknowledge({ id, channelId, number, confirm }: AcknowledgeProps) {
  const { dispatch } = useStore();
  const send = () =>
    withStatus('No se pudo guardar que lo has leído.', async () => {
      await request(acknowledge, { channelId, number });
      dispatch({ type: 'ACKNOWLEDGED', id });
    });
  return (
    <div className="row">
      <ActionButton className={buttons.quiet} run={send}>
        Leído
      </ActionButton>
      {confirm && <span className="note">Lo verá quien modera.</span>}
    </div>
  );
}
