/** What the search page needs besides the entry. */
export { SearchPage } from './search-page.tsx';
