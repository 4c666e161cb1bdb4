import { accountPart } from '../../ui/loading/lazy-part.tsx';

export const HeldItems = accountPart((parts) => parts.HeldItems, { isQuiet: true });
