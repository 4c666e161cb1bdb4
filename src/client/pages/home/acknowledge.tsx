import type { HomeAnnouncement } from '../../../shared/announcements.ts';
import { request } from '../../api/request.ts';
import { acknowledge } from '../../conversation/announcements/announcement-calls.ts';
import { useStore } from '../../state/store-provider.tsx';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import buttons from '../../ui/styles/button.module.css';

/** The button with which somebody says that they have read an announcement, which then leaves the home page. */
export function Acknowledge({ announcement }: { announcement: HomeAnnouncement }) {
  const { dispatch } = useStore();
  const { id, channel, number, confirm } = announcement;
  const send = () =>
    withStatus('No se pudo guardar que lo has leído.', async () => {
      await request(acknowledge, { channelId: channel._id, number });
      dispatch({ type: 'ACKNOWLEDGED', id });
    });
  return (
    <>
      <ActionButton className={buttons.quiet} run={send}>
        Leído
      </ActionButton>
      {confirm && <span className="note">El equipo de moderación verá que lo has leído.</span>}
    </>
  );
}
