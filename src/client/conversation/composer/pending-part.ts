import { accountPart } from '../../ui/loading/lazy-part.tsx';

export const PendingItems = accountPart((parts) => parts.PendingItems, { isQuiet: true });
