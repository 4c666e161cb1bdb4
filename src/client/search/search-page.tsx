import { PageTitle } from '../components/page-title.tsx';
import { searchTexts } from './search-texts.ts';

/** What is found in channels and comments. */
export function SearchPage() {
  return <PageTitle>{searchTexts.search}</PageTitle>;
}
