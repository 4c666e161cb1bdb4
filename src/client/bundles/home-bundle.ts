/** What the home page needs besides the entry, and the page of unknown addresses. */

export { Home } from '../channels/home-page.tsx';
export { NotFound } from '../shell/not-found-page.tsx';
