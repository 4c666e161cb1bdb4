import { PageTitle } from '../components/page-title.tsx';

/** The public list of decisions. */
export function LogPage() {
  return <PageTitle>Registro de moderación</PageTitle>;
}
