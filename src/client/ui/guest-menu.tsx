import { useSite, useUser } from '../state/store-provider.tsx';
import { ActionMenu } from './action-menu.tsx';
import { texts } from './texts.ts';

interface GuestMenuProps {
  /** Name of the button for screen readers. */
  label: string;
  className: string | undefined;
  onReport: () => void;
  /** People are not shared. */
  onShare?: () => void;
}

/**
 * The menu of guests on a comment, a channel or a person. Signed-in users have menus of their own. Where only members
 * read, a tab without a session may read by the browser's cookie, but the server accepts no reports from it.
 */
export function GuestMenu({ label, className, onReport, onShare }: GuestMenuProps) {
  const { isLogged } = useUser();
  const { readers } = useSite();
  if (isLogged || readers !== 'everyone') return null;
  const actions = () => [
    ...(onShare ? [{ label: texts.share, run: onShare }] : []),
    { label: texts.report, run: onReport },
  ];
  return (
    <div data-for="guest" data-scripted="">
      <ActionMenu className={className} label={label} actions={actions} />
    </div>
  );
}
