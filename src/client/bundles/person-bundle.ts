/** Exports the parts of a person's page that the entry script lacks. */
export { PersonPage } from '../people/person-page.tsx';
