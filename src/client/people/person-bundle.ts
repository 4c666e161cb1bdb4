/** What a person's page needs besides the entry. */
export { PersonPage } from './person-page.tsx';
