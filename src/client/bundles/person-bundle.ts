/** What a person's page needs besides the entry. */
export { PersonPage } from '../people/person-page.tsx';
