import { PageTitle } from '../components/page-title.tsx';

/** The queue of moderators. */
export function ModerationPage() {
  return <PageTitle>Moderación</PageTitle>;
}
