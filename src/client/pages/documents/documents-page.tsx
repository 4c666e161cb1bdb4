import { pages } from '../../../shared/pages.ts';
import { PageTitle } from '../../ui/page-title.tsx';

/** The files that comments carry. */
export function DocumentsPage() {
  return (
    <div className="page">
      <PageTitle>{pages.documents.title}</PageTitle>
    </div>
  );
}
