/** What the home page needs besides the entry. */
export { Home } from './home-page.tsx';
