import { ActionButton } from '../../ui/forms/action-button.tsx';
import { canReceivePush, isPushBlocked } from './push-subscription.ts';
import { startPushText, usePush } from './use-push.ts';

/** A button to switch on push messages, where they can be and are not yet. */
export function PushOffer() {
  const { push, isRemembered, isOn, isKnown, start } = usePush();
  const isOffered = canReceivePush() && !isPushBlocked() && isRemembered && push && isKnown;
  if (!isOffered || isOn) return null;
  return (
    <p>
      <ActionButton run={start}>{startPushText}</ActionButton>
    </p>
  );
}
