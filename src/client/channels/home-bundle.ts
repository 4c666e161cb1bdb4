/** What the home page needs besides the entry, and the page of unknown addresses. */
export { NotFound } from '../shell/not-found-page.tsx';
export { Home } from './home-page.tsx';
