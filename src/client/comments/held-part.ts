import { accountPart } from '../components/lazy-part.tsx';

export const HeldItems = accountPart((parts) => parts.HeldItems, { isQuiet: true });
