/** Exports the parts of the search page that the entry script lacks. */
export { SearchPage } from '../search/search-page.tsx';
