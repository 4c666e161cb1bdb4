/** What the search page needs besides the entry. */
export { SearchPage } from '../search/search-page.tsx';
